import { expect, test } from 'vitest';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as listHandler } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';
import { coupon, vouchers } from '../support/redeeming.ts';

/** Makes a shop with crowds of customers: each wave has this many callers, a fifth of a second after the previous wave. */
async function rush(quantity: number | null) {
  const { credentials: headers } = await loadProject({
    vouchers: [coupon('TEA', { redemption: { quantity, redeemed_quantity: 0 } })],
  });
  const clock = standingClock();
  const dependencies = { ...testDependencies(), clock };
  const call = {
    redeem: caller(redeemHandler, dependencies),
    rollBack: caller(rollBackHandler, dependencies),
    get: caller(getHandler, dependencies),
    list: caller(listHandler, dependencies),
  };
  const body = { redeemables: vouchers('TEA'), order: { amount: 500 } };
  return {
    wave: async (callers: number) => {
      clock.advance(0.2);
      const replies = await Promise.all(Array.from({ length: callers }, () => call.redeem({ headers, body })));
      return replies.map(({ status, body }) => ({ status, id: String(body.redemptions?.[0]?.id) }));
    },
    later: (seconds: number) => clock.advance(seconds),
    rollBack: async (redemptionId: string) =>
      (await call.rollBack({ headers, params: { redemptionId } })).body.voucher.redemption.redeemed_quantity,
    quantities: async () => {
      const one = await call.get({ headers, params: { code: 'TEA' } });
      const all = await call.list({ headers });
      return [one.body, ...all.body.vouchers].map(({ redemption }) => redemption.redeemed_quantity);
    },
  };
}

test.each([
  ['without a limit', null],
  ['with a large one', 1_000_000],
])('five seconds after 64 at once of a code %s its quantity is exact', async (_, quantity) => {
  const { wave, later, quantities, rollBack } = await rush(quantity);
  const first = await wave(30);
  await wave(30);
  const last = await wave(64);
  expect([...first, ...last].every(({ status }) => status === 200)).toBe(true);
  later(5);
  expect(await quantities()).toEqual([124, 124]);
  expect(await rollBack(last[0]?.id ?? '')).toBe(123);
  expect(await quantities()).toEqual([123, 123]);
  later(270);
  expect(await quantities()).toEqual([123, 123]);
  await wave(1);
  expect(await quantities()).toEqual([124, 124]);
});
