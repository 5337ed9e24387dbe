import { describe, expect, test } from 'vitest';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as qualifyHandler } from '../../functions/qualifications/qualify.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as rollBackAllHandler } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { caller, lambdaContext } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { coupon } from '../support/lists.ts';
import { openShop } from '../support/shop.ts';

const units = (code: string, effect: string, more: object = {}) =>
  coupon(code, { type: 'UNIT', unit_off: 1, unit_type: 'prod_tea', effect }, more);

const lists = {
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
    { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1200 },
  ],
  validation_rules: [
    {
      id: 'val_mugs',
      name: 'Mugs',
      rules: {},
      applicable_to: { included: [{ object: 'product', id: 'prod_mug' }], excluded: [], included_all: false },
    },
  ],
  validation_rules_assignments: [{ rule_id: 'val_mugs', related_object_id: 'CHEAPER', related_object_type: 'voucher' }],
  vouchers: [
    units('CHEAPER', 'REPLACE_ITEMS'),
    units('MORE', 'ADD_NEW_ITEMS'),
    { code: 'SIXTY', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 60, effect: 'APPLY_TO_ITEMS' } },
    coupon('ALL', { type: 'PERCENT', percent_off: 100, effect: 'APPLY_TO_ORDER' }),
  ],
};

const shop = await openShop(undefined, lists);

const asked = (codes: readonly string[], order: object) => ({
  headers: shop.project.credentials,
  body: { redeemables: codes.map((id) => ({ object: 'voucher', id })), order },
});

async function redeem(order: object, ...codes: string[]) {
  const { status, body } = await caller(redeemHandler)(asked(codes, order));
  expect([status, body.details]).toEqual([200, undefined]);
  return body;
}

const orderNow = async (orderId: string) =>
  (await caller(getOrder)({ headers: shop.project.credentials, params: { orderId } })).body;

const rollBack = async (redemptionId: string) =>
  (await caller(rollBackHandler)({ headers: shop.project.credentials, params: { redemptionId } })).body.order;

const oneMug = { items: [{ source_id: 'mug' }] };
const figuresOf = ({
  amount,
  discount_amount = 0,
  items_discount_amount = 0,
  total_amount,
}: Record<string, number>) => [amount, discount_amount, items_discount_amount, total_amount];

test.each<[string, (order: Record<string, string>) => Promise<object>]>([
  ['named by its id', async ({ id }) => ({ id })],
  ['named by its id, with its unchanged lines', async ({ id, items }) => ({ id, items })],
  ['named by its source id', async ({ source_id }) => ({ source_id })],
  [
    'sent back in its earlier form',
    async ({ id, items }) => {
      await caller(updateOrder)({ headers: shop.project.credentials, params: { orderId: id ?? '' }, body: { items } });
      return { id };
    },
  ],
])('replacing units stay if more come to an order that is %s', async (manner, named) => {
  const { redemptions } = await redeem({ source_id: manner, ...oneMug }, 'CHEAPER');
  const order = await named(await orderNow(manner));
  const validated = (await caller(validateHandler)(asked(['MORE'], order))).body;
  expect(validated.order).toMatchObject({ amount: 1000, total_amount: 500, items: [{ quantity: 0 }, { quantity: 2 }] });
  const second = await redeem(order, 'MORE');
  expect(second.order.items).toMatchObject([{ quantity: 0 }, { quantity: 2, discount_quantity: 1 }]);
  expect(figuresOf(await orderNow(manner))).toEqual([1000, 0, 500, 500]);
  expect(await rollBack(redemptions[0].id)).toMatchObject({ total_amount: 1200, items: [{ quantity: 1 }, {}] });
  expect(await rollBack(second.redemptions[0].id)).toMatchObject({ amount: 1200, total_amount: 1200 });
});

test('a discount of the whole order returns with the units that cheaper ones replaced', async () => {
  await redeem({ source_id: 'free', ...oneMug }, 'ALL');
  const { redemptions, order } = await redeem({ source_id: 'free' }, 'CHEAPER');
  expect(figuresOf(order)).toEqual([500, 500, 0, 0]);
  expect(figuresOf(await orderNow('free'))).toEqual([500, 500, 0, 0]);
  expect(figuresOf(await rollBack(redemptions[0].id))).toEqual([1200, 1200, 0, 0]);
});

test('an order that costs less than its discount does not show the data for rollbacks', async () => {
  const { redemptions, parent_redemption: parent, order } = await redeem({ ...oneMug }, 'ALL', 'CHEAPER');
  expect(order).toMatchObject({ amount: 500, discount_amount: 500, applied_discount_amount: 500, total_amount: 0 });
  expect(redemptions[0].order).toMatchObject({ amount: 1200, applied_discount_amount: 1200, total_amount: 0 });
  expect(figuresOf(parent.order)).toEqual([500, 500, 0, 0]);
  const stored = await orderNow(order.id);
  const asking = asked(['MORE'], {
    items: [{ source_id: 'tea', quantity: 2, initial_quantity: 1, discount_amount: 1 }],
  });
  const replies = [order, parent.order, redemptions, stored];
  const { credentials: headers } = shop.project;
  const rolledBack = await caller(rollBackAllHandler)({ headers, params: { redemptionId: parent.id } });
  expect(rolledBack.body.rollbacks).toMatchObject([{ order: { amount: 1200 } }, { order: { amount: 1200 } }]);
  replies.push(rolledBack.body);
  for (const handler of [validateHandler, qualifyHandler]) replies.push((await caller(handler)(asking)).body);
  expect(JSON.stringify(replies)).not.toMatch(/excess_|base_quantity|sent_discount|moved_discount|freed/);
});

test("redemptions that moved each other's units, rolled back at once, restore the order", async () => {
  const items = [{ source_id: 'mug', quantity: 2, discount_amount: 40 }];
  const ids: string[] = [];
  for (const code of ['MORE', 'CHEAPER', 'ALL', 'MORE', 'CHEAPER', 'MORE']) {
    const { redemptions } = await redeem({ source_id: 'crowded', items }, code);
    ids.push(redemptions[0].id);
  }
  const params = (redemptionId: string) => ({ headers: shop.project.credentials, params: { redemptionId } });
  const slow = lambdaContext(60_000);
  const roll = caller(rollBackHandler, testDependencies({ patienceInMs: 45_000 }), slow);
  const replies = await Promise.all([...ids, ...ids].map((id) => roll(params(id))));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([...ids.map(() => 200), ...ids.map(() => 400)]);
  const order = await orderNow('crowded');
  expect(figuresOf(order)).toEqual([2400, 0, 0, 2400]);
  expect(order.items).toMatchObject([{ product_id: 'prod_mug', quantity: 2, amount: 2400, subtotal_amount: 2400 }]);
});

describe("an order with a sent amount below its lines' cost", () => {
  const less = { amount: 100, ...oneMug };
  const cheaper = [60, 0, 60, 0];

  async function redeemAll(source_id: string, ...codes: string[]) {
    const ids: Record<string, string> = {};
    for (const code of codes) {
      const { redemptions } = await redeem(code === codes[0] ? { source_id, ...less } : { source_id }, code);
      ids[code] = redemptions[0].id;
    }
    return (code: string) => rollBack(ids[code] ?? '');
  }

  test('costs the same again when units are no longer replaced by cheaper ones', async () => {
    const back = await redeemAll('less', 'SIXTY', 'CHEAPER', 'ALL');
    expect(figuresOf(await orderNow('less'))).toEqual(cheaper);
    expect(figuresOf(await back('CHEAPER'))).toEqual([100, 0, 60, 40]);
    expect(figuresOf(await back('ALL'))).toEqual([100, 0, 60, 40]);
    expect(figuresOf(await back('SIXTY'))).toEqual([100, 0, 0, 100]);
  });

  test('costs the same whichever redemption is rolled back first', async () => {
    const back = await redeemAll('either', 'SIXTY', 'CHEAPER', 'ALL');
    expect(figuresOf(await back('SIXTY'))).toEqual([0, 0, 0, 0]);
    expect(figuresOf(await back('CHEAPER'))).toEqual([100, 0, 0, 100]);
  });

  test('costs the same if the remaining redemption is neither of the two', async () => {
    const back = await redeemAll('neither', 'SIXTY', 'CHEAPER', 'ALL');
    expect(figuresOf(await back('ALL'))).toEqual(cheaper);
    expect(figuresOf(await back('CHEAPER'))).toEqual([100, 0, 60, 40]);
  });

  test('costs the same if it is sent back unchanged, and takes new fields', async () => {
    const params = (order: { id: string }, body: object) => ({
      ...{ headers: shop.project.credentials, params: { orderId: order.id } },
      body,
    });
    const back = await redeemAll('again', 'SIXTY', 'CHEAPER', 'ALL');
    const shown = await orderNow('again');
    await caller(updateOrder)(params(shown, { amount: shown.amount, items: shown.items }));
    expect(figuresOf(await back('CHEAPER'))).toEqual([100, 0, 60, 40]);
    const backAnew = await redeemAll('anew', 'SIXTY', 'CHEAPER', 'ALL');
    await caller(updateOrder)(params(await orderNow('anew'), { amount: 1000 }));
    expect(figuresOf(await backAnew('CHEAPER'))).toEqual([1700, 0, 60, 1640]);
  });
});
