import { expect, test } from 'vitest';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackRedemption } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

/** Redemptions on a stored order, one after another, whose discounts each make one unit free. */

const all = { object: 'products_collection', id: 'pc_a11pr0dUc75' };
const assigned = (code: string, rule_id: string) => ({
  id: `asgm_${code}`,
  rule_id,
  related_object_id: code,
  related_object_type: 'voucher',
});
const free = { type: 'PERCENT', percent_off: 100, effect: 'APPLY_TO_ITEMS' };
const { credentials: headers } = await loadProject({
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 150 }],
  validation_rules: [
    { id: 'val_unit', name: 'One unit', rules: {}, applicable_to: { included: [{ ...all, quantity_limit: 1 }] } },
    { id: 'val_lines', name: 'All lines', rules: {}, applicable_to: { included: [all] } },
  ],
  vouchers: [
    ...['FREE-1', 'FREE-2', 'FREE-3'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER', discount: free })),
    { code: 'TENTH', type: 'DISCOUNT_VOUCHER', discount: { ...free, percent_off: 10 } },
    {
      code: 'OFF150',
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 150, effect: 'APPLY_TO_ITEMS' },
    },
  ],
  validation_rules_assignments: [
    ...['FREE-1', 'FREE-2', 'FREE-3'].map((code) => assigned(code, 'val_unit')),
    ...['TENTH', 'OFF150'].map((code) => assigned(code, 'val_lines')),
  ],
});

const asked = (order: object, codes: string[]) => ({
  headers,
  body: { redeemables: codes.map((id) => ({ object: 'voucher', id })), order },
});

/** Redeems codes, and returns the order and what they took off its line. */
async function redeem(order: object, ...codes: string[]) {
  const { status, body } = await caller(redeemRedeemables)(asked(order, codes));
  expect([status, body.details]).toEqual([200, undefined]);
  return { ...body, taken: body.order.items[0].applied_discount_amount, redemptionId: body.redemptions[0].id };
}

async function orderNow(orderId: string) {
  return (await caller(getOrder)({ headers, params: { orderId } })).body;
}

const rollBack = (redemptionId: string) => caller(rollBackRedemption)({ headers, params: { redemptionId } });

const teas = (quantity: number) => ({ items: [{ source_id: 'tea', quantity }] });

const ways: [string, (orderId: string) => Promise<object>][] = [
  ['by its id', async (id) => ({ id })],
  ['by its id, with its lines as shown', async (id) => ({ id, items: (await orderNow(id)).items })],
  [
    'by its id, after its lines were stored again as shown',
    async (id) => {
      const { items } = await orderNow(id);
      await caller(updateOrder)({ headers, params: { orderId: id }, body: { items } });
      return { id };
    },
  ],
];

test.each(ways)('a later redemption on the order %s makes another unit free', async (_, named) => {
  const { order } = await redeem(teas(3), 'FREE-1');
  const again = await named(order.id);
  const validated = await caller(validate)(asked(again, ['FREE-2']));
  const second = await redeem(again, 'FREE-2');
  const third = await redeem(await named(order.id), 'FREE-3');
  expect([validated.body.order.items[0].applied_discount_amount, second.taken, third.taken]).toEqual([150, 150, 150]);
  expect(await orderNow(order.id)).toMatchObject({ items_discount_amount: 450, total_amount: 0 });
  const replies = [order, validated.body, second, third, await orderNow(order.id)];
  expect(JSON.stringify(replies)).not.toMatch(/freed/);
});

test('a later percentage is of the units that are not free', async () => {
  const { order } = await redeem(teas(2), 'FREE-1');
  expect((await redeem({ id: order.id }, 'TENTH')).taken).toBe(15);
  expect((await redeem({ id: order.id }, 'FREE-2')).taken).toBe(135);
});

test('a unit that a rollback charges again is made free again', async () => {
  const { order, redemptionId } = await redeem(teas(3), 'FREE-1');
  await redeem({ id: order.id }, 'FREE-2');
  await rollBack(redemptionId);
  expect((await redeem({ id: order.id }, 'FREE-3')).taken).toBe(150);
  expect(await orderNow(order.id)).toMatchObject({ items_discount_amount: 300, total_amount: 150 });
});

test('a rollback of the only redemption leaves no free unit behind', async () => {
  const { order, redemptionId } = await redeem(teas(2), 'FREE-1');
  await rollBack(redemptionId);
  expect((await redeem({ id: order.id }, 'OFF150')).taken).toBe(150);
  // Its discount is spread over both units, so that one unit costs half of the rest.
  expect((await redeem({ id: order.id }, 'FREE-2')).taken).toBe(75);
});

test('a discount of all units that stays after a rollback makes no unit free', async () => {
  const { order, redemptionId } = await redeem(teas(4), 'FREE-1');
  await redeem({ id: order.id }, 'OFF150');
  await rollBack(redemptionId);
  // The 450 that are left are spread over four units.
  expect((await redeem({ id: order.id }, 'FREE-2')).taken).toBe(113);
});

test('a line that is sent without its discount has no free unit', async () => {
  const { order } = await redeem(teas(4), 'FREE-1');
  const [line] = (await orderNow(order.id)).items;
  await caller(updateOrder)({
    headers,
    params: { orderId: order.id },
    body: { items: [{ id: line.id, source_id: 'tea', quantity: 4 }] },
  });
  expect((await redeem({ id: order.id }, 'OFF150')).taken).toBe(150);
  expect((await redeem({ id: order.id }, 'FREE-2')).taken).toBe(113);
});
