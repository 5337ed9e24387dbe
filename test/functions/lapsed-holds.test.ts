import { expect, test } from 'vitest';
import { redemptions } from '#engine/checkout/redemptions/redemption.ts';
import { hold } from '#engine/holds/standing/hold.ts';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testTime, uniqueId } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const limit = 12;

/** A code whose uses are all held by tills that died this long ago. */
async function heldSince(seconds: number) {
  const { id, credentials: headers } = await loadProject({
    vouchers: [{ code: 'TEA', type: 'DISCOUNT_VOUCHER', active: true, discount, redemption: { quantity: limit } }],
  });
  const table = tableOfFile();
  const project = await findProject(table, id);
  if (!project) throw new Error('the project was not loaded');
  const context = { table, project, now: new Date(testTime.getTime() - seconds * 1_000) };
  const key = vouchers(id, voucherIds(project, 'TEA')[0] ?? '');
  const held = { key, by: { redeemed_quantity: 1 } };
  for (let use = 0; use < limit; use++) await hold(context, redemptions, held, uniqueId('r_'));
  const body = { redeemables: [{ object: 'voucher', id: 'TEA' }], order: { amount: 500 } };
  const redeem = () => caller(redeemHandler)({ headers, body });
  return {
    validate: () => caller(validateHandler)({ headers, body }),
    redeem,
    used: async () =>
      (await caller(getHandler)({ headers, params: { code: 'TEA' } })).body.redemption.redeemed_quantity,
  };
}

test('holds of dead tills count until they have lapsed', async () => {
  const { validate, redeem } = await heldSince(30);
  expect((await validate()).body.valid).toBe(false);
  expect((await redeem()).body.key).toBe('quantity_exceeded');
});

test('a lapsed hold blocks nobody, not even a validation', async () => {
  const { validate, used } = await heldSince(90);
  expect((await validate()).body.valid).toBe(true);
  expect(await used()).toBe(0);
});

test('all lapsed uses can be redeemed by twenty callers at once, and not one more', async () => {
  const { redeem, used } = await heldSince(90);
  const all = await Promise.all(Array.from({ length: 20 }, redeem));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(limit);
  expect(await used()).toBe(limit);
});
