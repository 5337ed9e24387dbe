import { expect, test } from 'vitest';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as redeem } from '../../functions/vouchers/redeem-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

/** A window of hours without an end lasts until midnight, however its end is left out. */

const clock = standingClock();
const dependencies = testDependencies({ clock });
const { credentials: headers } = await loadProject({}, dependencies);

test.each([
  ['an empty text', 'EMPTY', { expiration_time: '' }],
  ['null', 'NULL', { expiration_time: null }],
  ['nothing', 'NONE', {}],
])('%s as the end of hours means midnight', async (_, code, end) => {
  const made = await caller(
    createVoucher,
    dependencies,
  )({
    headers,
    body: {
      ...{ code, type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
      validity_hours: { daily: [{ start_time: '18:00', ...end }] },
    },
  });
  expect([made.status, made.body.validity_hours]).toEqual([200, { daily: [{ start_time: '18:00' }] }]);
  expect(made.headers).not.toHaveProperty('X-Ignored-Fields');
  const use = async (time: string) => {
    clock.set(`2026-06-15T${time}Z`);
    const { status, body } = await caller(
      redeem,
      dependencies,
    )({ headers, params: { code }, body: { order: { amount: 500 } } });
    return [status, body.key];
  };
  expect(await use('17:59:59')).toEqual([400, 'voucher_not_active_now']);
  expect(await use('18:00:00')).toEqual([200, undefined]);
  expect(await use('23:59:59')).toEqual([200, undefined]);
});
