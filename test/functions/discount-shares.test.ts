import { expect, test } from 'vitest';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackRedemption } from '../../functions/redemptions/rollback-redemption.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

/** Shows how discounts on a whole order are shared over its lines. */

const off = (code: string, discount: object) => ({ code, type: 'DISCOUNT_VOUCHER', discount });
const { credentials: headers } = await loadProject({
  vouchers: [
    off('TENTH', { type: 'PERCENT', percent_off: 10 }),
    off('THOUSAND', { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ORDER' }),
    off('ONE', { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ORDER' }),
    off('LINES', { type: 'AMOUNT', amount_off: 900, effect: 'APPLY_TO_ITEMS' }),
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 1_000_000 } },
    { code: 'ITEMS', type: 'GIFT_VOUCHER', gift: { amount: 1_000_000, effect: 'APPLY_TO_ITEMS' } },
  ],
});

const card = (id: string, credits: number) => ({ object: 'voucher', id, gift: { credits } });
const code = (id: string) => ({ object: 'voucher', id });

async function redeem(order: object, ...redeemables: object[]) {
  const { status, body } = await caller(redeemRedeemables)({ headers, body: { redeemables, order } });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

const read = async (orderId: string) => (await caller(getOrder)({ headers, params: { orderId } })).body;
const sharesOf = ({ items }: { items: { order_discount_share?: number }[] }) =>
  items.map(({ order_discount_share = 0 }) => order_discount_share);
const lines = (...amounts: number[]) => ({ items: amounts.map((amount) => ({ amount, quantity: 1 })) });

test('a discount on the whole order is shared by what the lines are worth', async () => {
  const { order, redemptions } = await redeem(lines(10_000, 1_000), code('TENTH'));
  expect(sharesOf(order)).toEqual([1_000, 100]);
  expect(sharesOf(redemptions[0].order)).toEqual([1_000, 100]);
  expect(sharesOf(await read(order.id))).toEqual([1_000, 100]);
});

test('the parts are whole units by the largest remainder, and ties go to the earlier line', async () => {
  const { order } = await redeem(lines(100, 100, 100), code('ONE'));
  expect(sharesOf(order)).toEqual([1, 0, 0]);
  const more = await redeem({ id: order.id }, code('THOUSAND'));
  expect(sharesOf(more.order)).toEqual([100, 100, 100]);
});

test('each redemption shares by what the discounts of lines and earlier shares leave, and shows its own part', async () => {
  const { order } = await redeem(lines(5_000, 1_000), code('TENTH'), code('THOUSAND'), code('LINES'));
  // Own discounts of 900 on each line leave 4100 and 100. 600 are shared first, and then 1000 by the rest.
  expect(order.items.map((line: { discount_amount?: number }) => line.discount_amount)).toEqual([900, 900]);
  expect(sharesOf(order)).toEqual([586 + 976, 14 + 24]);
  const { body } = await caller(redeemRedeemables)({
    headers,
    body: {
      redeemables: [code('TENTH'), code('THOUSAND')],
      order: lines(5_000, 1_000),
      options: { expand: ['order'] },
    },
  });
  const own = body.redemptions.map(({ order: one }: { order: { items: { applied_order_discount_share: number }[] } }) =>
    one.items.map((line) => line.applied_order_discount_share),
  );
  expect(own).toEqual([
    [500, 100],
    [833, 167],
  ]);
  expect(sharesOf(body.order)).toEqual([1_333, 267]);
});

test('payments by cards are no discounts, also those for items', async () => {
  const { order } = await redeem(lines(6_000, 4_000), card('ITEMS', 2_000), card('GIFT', 3_000), code('TENTH'));
  expect(order.discount_amount).toBe(3_000 + 500);
  expect(sharesOf(order)).toEqual([300, 200]);
});

test('the amount that no line has takes its share, and an order without lines shows none', async () => {
  const { order } = await redeem({ ...lines(8_000), amount: 10_000 }, code('TENTH'));
  expect([sharesOf(order), order.rest_discount_share]).toEqual([[800], 200]);
  expect(await read(order.id)).toMatchObject({ rest_discount_share: 200 });
  const { order: bare } = await redeem({ amount: 10_000 }, code('TENTH'));
  expect(bare).not.toHaveProperty('rest_discount_share');
});

test('a discount that the caller sends is shared too, and a kept line keeps its share', async () => {
  const { body } = await caller(createOrder)({ headers, body: { ...lines(3_000, 1_000), discount_amount: 400 } });
  expect(sharesOf(body)).toEqual([300, 100]);
  const redeemed = await redeem({ id: body.id }, code('TENTH'));
  expect(sharesOf(redeemed.order)).toEqual([570, 190]);
  const { body: changed } = await caller(updateOrder)({
    headers,
    params: { orderId: body.id },
    body: { metadata: { a: 1 } },
  });
  expect(sharesOf(changed)).toEqual([570, 190]);
  const less = await caller(updateOrder)({ headers, params: { orderId: body.id }, body: { discount_amount: 80 } });
  expect(sharesOf(less.body)).toEqual([60, 20]);
});

test('a rollback removes the shares of its own redemption, and all shares when none is left', async () => {
  const one = await redeem(lines(100, 100, 100), code('ONE'));
  const two = await redeem({ id: one.order.id }, code('TENTH'));
  const three = await redeem({ id: one.order.id }, card('GIFT', 100));
  const back = async ({ redemptions }: typeof one) => {
    const { body } = await caller(rollBackRedemption)({
      headers,
      params: { redemptionId: redemptions[0].id },
      body: {},
    });
    return sharesOf(body.order);
  };
  expect(sharesOf(three.order)).toEqual([11, 10, 10]);
  expect(await back(three)).toEqual([11, 10, 10]);
  expect(await back(one)).toEqual([10, 10, 10]);
  expect(await back(two)).toEqual([0, 0, 0]);
});
