import { expect, test } from 'vitest';
import { handler as getRedemption } from '../../functions/redemptions/get-redemption.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller } from '../support/call.ts';
import { openShop } from '../support/shop.ts';

const coupon = (code: string, discount: object) => ({ code, type: 'DISCOUNT_VOUCHER', discount });

const lists = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  vouchers: [
    ...['ONE', 'OTHER'].map((code) => coupon(code, { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' })),
    coupon('TENTH', { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' }),
    coupon('MORE', { type: 'UNIT', unit_off: 1, unit_type: 'prod_tea', effect: 'ADD_NEW_ITEMS' }),
  ],
};

const shop = await openShop(undefined, lists);

async function redeemAndRollBack(order?: object) {
  const { credentials: headers } = shop.project;
  const codes = order ? ['MORE', 'TENTH'] : ['ONE', 'OTHER'];
  const redeemables = codes.map((id) => ({ object: 'voucher', id }));
  const redeemed = (await caller(redeemHandler)({ headers, body: { redeemables, order } })).body;
  const params = { redemptionId: redeemed.parent_redemption.id };
  const { status, body } = await caller(rollBackHandler)({ headers, params });
  expect([status, body.details]).toEqual([200, undefined]);
  return body;
}

test('each redemption shows the order after the rollback, without its owner', async () => {
  const order = { source_id: 'shop-1', items: [{ source_id: 'tea', quantity: 2 }], metadata: { till: 4 } };
  const { rollbacks, parent_rollback: parent, order: whole } = await redeemAndRollBack(order);
  expect(whole).toMatchObject({ status: 'CANCELED', amount: 1000, total_amount: 1000, items: [{ quantity: 2 }] });
  expect(parent.order).toEqual(whole);
  const { id, source_id, amount, initial_amount, total_amount, items, metadata } = whole;
  const slim = { id, source_id, amount, initial_amount, total_amount, items, metadata, object: 'order' };
  expect(rollbacks.map((one: { order: object }) => one.order)).toEqual([slim, slim]);

  const { credentials: headers } = shop.project;
  const { redemptions } = (await caller(listRedemptions)({ headers, query: 'limit=3' })).body;
  const listed = new Map(redemptions.map((one: { id: string; order: object }) => [one.id, one.order]));
  for (const one of rollbacks) {
    const read = (await caller(getRedemption)({ headers, params: { redemptionId: one.id } })).body;
    expect([read.order, listed.get(one.id)]).toEqual([slim, slim]);
  }
});

test('redemptions without an order have none', async () => {
  const { rollbacks, parent_rollback: parent, order } = await redeemAndRollBack();
  expect([order, parent.order, ...rollbacks.map((one: { order: object }) => one.order)]).toEqual(Array(4).fill(null));
});
