import { expect, test } from 'vitest';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as create } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as remove } from '../../functions/vouchers/delete-voucher.ts';
import { handler as get } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { openShop } from '../support/shop.ts';

const coupon = {
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
  redemption: { quantity: 5 },
};
const gift = { type: 'GIFT_VOUCHER', gift: { amount: 1_000 } };

test.each([
  ['a coupon', coupon, {}],
  ['a gift card', gift, { gift: { credits: 400 } }],
])('a rollback of %s returns nothing to a new voucher with the same code', async (_, voucher, how) => {
  let now = testTime;
  const dependencies = testDependencies({ clock: () => now });
  const shop = await openShop(dependencies, {});
  const call = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ ...request, headers: shop.project.credentials });
  const params = { code: 'AGAIN' };
  await call(create, { params, body: voucher });
  const redeemables = [{ object: 'voucher', id: 'AGAIN', ...how }];
  const [redemption] = (await call(redeem, { body: { redeemables, order: { amount: 1_000 } } })).body.redemptions;
  expect((await call(remove, { params, query: 'force=true' })).status).toBe(204);
  now = new Date(now.getTime() + 60_000);
  const { body: made } = await call(create, { params, body: voucher });
  const back = await call(rollBack, { params: { redemptionId: redemption.id } });
  expect([back.status, back.body.result]).toEqual([200, 'SUCCESS']);
  expect((await call(get, { params })).body).toEqual(made);
});

test("a customer's uses of a deleted coupon do not count for a new one with the same code", async () => {
  let now = testTime;
  const dependencies = testDependencies({ clock: () => now });
  const once = { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } };
  const { project } = await openShop(dependencies, {
    customers: [{ id: 'cust_ada' }],
    validation_rules: [{ id: 'val_once', name: 'Once', type: 'expression', rules: { 1: once, logic: '1' } }],
  });
  const call = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ ...request, headers: project.credentials });
  const params = { code: 'AGAIN' };
  const body = {
    redeemables: [{ object: 'voucher', id: 'AGAIN' }],
    customer: { id: 'cust_ada' },
    order: { amount: 1_000 },
  };
  const made = { ...coupon, validation_rules: ['val_once'] };
  const redeemed = async () => (await call(redeem, { body })).status;
  for (let voucher = 0; voucher < 2; voucher++) {
    expect((await call(create, { params, body: made })).status).toBe(200);
    expect([await redeemed(), await redeemed()]).toEqual([200, 400]);
    expect((await call(remove, { params, query: 'force=true' })).status).toBe(204);
    now = new Date(now.getTime() + 60_000);
  }
});
