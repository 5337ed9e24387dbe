import { expect, test } from 'vitest';
import { handler as createStackingRules } from '../../functions/management/create-stacking-rules.ts';
import { handler as listStackingRules } from '../../functions/management/list-stacking-rules.ts';
import { handler as updateStackingRules } from '../../functions/management/update-stacking-rules.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as rollBackAllHandler } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller, lambdaContext } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { openShop } from '../support/shop.ts';

const coupon = (code: string, quantity: number | null, more: Record<string, unknown> = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
  redemption: { quantity, redeemed_quantity: 0 },
  ...more,
});

const lists = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  vouchers: [
    coupon('ONCE', 1),
    coupon('ALL', null),
    coupon('NOTHING', null, { discount: { type: 'AMOUNT', amount_off: 0, effect: 'APPLY_TO_ORDER' } }),
    coupon('HUNDRED', 100, { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_tea', effect: 'ADD_NEW_ITEMS' } }),
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 700, balance: 700 } },
  ],
};

async function open() {
  const dependencies = testDependencies({ patienceInMs: 60_000 });
  const shop = await openShop(dependencies, lists);
  const { credentials: headers } = shop.project;
  const slow = lambdaContext(120_000);
  const [redeem, rollBack, rollBackAll] = [redeemHandler, rollBackHandler, rollBackAllHandler].map((handler) =>
    caller(handler, dependencies, slow),
  );
  const voucherOf = (id: string) => ({ object: 'voucher', id });
  return {
    ...shop,
    redeem: (codes: string | readonly string[], order: object = { items: [{ source_id: 'tea', quantity: 3 }] }) =>
      redeem?.({
        headers,
        body: { redeemables: [codes].flat().map(voucherOf), customer: { source_id: 'ada' }, order },
      }),
    /** Redeems on one order, which the first call creates. Returns the id for a rollback. */
    redeemOnIt: async (...codes: string[]): Promise<string> => {
      const order = { source_id: 'shop-1', items: [{ source_id: 'tea', quantity: 3 }] };
      const { body } = (await redeem?.({ headers, body: { redeemables: codes.map(voucherOf), order } })) ?? {};
      return (body.parent_redemption ?? body.redemptions[0]).id;
    },
    update: async (orderId: string, body: object) =>
      (await caller(updateOrder)({ headers, params: { orderId }, body })).body,
    setRollbackMode: async (redeemables_rollback_order_mode: string) => {
      const project = { projectId: shop.project.id };
      const rules = (await caller(listStackingRules)({ params: project })).body.data[0];
      const body = { redeemables_rollback_order_mode };
      if (!rules.id) return caller(createStackingRules)({ params: project, body });
      return caller(updateStackingRules)({ params: { ...project, stackingRulesId: rules.id }, body });
    },
    rollBack: (redemptionId: string) => rollBack?.({ headers, params: { redemptionId } }),
    rollBackAll: (redemptionId: string) => rollBackAll?.({ headers, params: { redemptionId } }),
    order: async (orderId: string) => (await caller(getOrder)({ headers, params: { orderId } })).body,
  };
}

/** Returns the fields of a voucher that a redemption changes. */
const movedOf = ({ gift, loyalty_card, redemption }: Record<string, unknown>) => ({ gift, loyalty_card, redemption });

test.each([['ONCE'], ['ALL'], ['HUNDRED'], ['GIFT']])(
  'a rollback restores a voucher that was redeemed on %s',
  async (code) => {
    const shop = await open();
    const before = movedOf(await shop.voucher(code));
    const redeemed = await shop.redeem(code);
    expect([redeemed?.status, redeemed?.body.details]).toEqual([200, undefined]);
    const [{ id, order }] = redeemed?.body.redemptions ?? [];
    expect(movedOf(await shop.voucher(code))).not.toEqual(before);
    const rolledBack = await shop.rollBack(id);
    expect([rolledBack?.status, rolledBack?.body.details]).toEqual([200, undefined]);
    expect(movedOf(await shop.voucher(code))).toEqual(before);
    expect(movedOf(rolledBack?.body.voucher)).toEqual(before);
    const after = await shop.order(order.id);
    expect(after).toMatchObject({ status: 'CANCELED', amount: 1500, total_amount: 1500 });
    expect(after.items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([3]);
    expect(after).not.toHaveProperty('total_discount_amount');
    expect((await shop.customer('ada')).summary.orders).toMatchObject({ total_count: 0, total_amount: 0 });
  },
);

test('a rollback of several restores them, and the same can be redeemed again', async () => {
  const shop = await open();
  const codes = ['ONCE', 'ALL', 'GIFT'];
  const read = () => Promise.all(codes.map(async (code) => movedOf(await shop.voucher(code))));
  const before = await read();
  for (let round = 0; round < 2; round++) {
    const redeemed = await shop.redeem(codes);
    expect([redeemed?.status, redeemed?.body.details]).toEqual([200, undefined]);
    const rolledBack = await shop.rollBackAll(redeemed?.body.parent_redemption.id);
    expect(rolledBack?.body.rollbacks).toHaveLength(3);
    expect(await read()).toEqual(before);
  }
});

const rest = ['discount_amount', 'items_discount_amount', 'total_discount_amount', 'amount', 'total_amount'] as const;
const figuresOf = (order: Record<string, unknown>) => rest.map((name) => order[name] ?? 0);

test('after a rollback of some redemptions on one order, the figures of the others are left', async () => {
  const shop = await open();
  const gift = await shop.redeemOnIt('GIFT');
  const stack = await shop.redeemOnIt('HUNDRED', 'ONCE');
  const tenth = await shop.redeemOnIt('ALL');
  // A gift pays 700 of three teas, a fourth tea is free, and a tenth of 800, then of 720, is deducted.
  expect(figuresOf(await shop.order('shop-1'))).toEqual([852, 500, 1352, 2000, 648]);
  await shop.rollBackAll(stack);
  expect(await shop.order('shop-1')).toMatchObject({ status: 'CANCELED', items: [{ quantity: 3 }] });
  expect(figuresOf(await shop.order('shop-1'))).toEqual([772, 0, 772, 1500, 728]);
  const { body } = (await shop.rollBack(gift)) ?? {};
  expect(figuresOf(body.order)).toEqual([72, 0, 72, 1500, 1428]);
  await shop.rollBack(tenth);
  expect(figuresOf(await shop.order('shop-1'))).toEqual([0, 0, 0, 1500, 1500]);
});

test('a discount that was rolled back without the order is taken off it with the last one', async () => {
  const shop = await open();
  const [gift, tenth] = [await shop.redeemOnIt('GIFT'), await shop.redeemOnIt('ALL')];
  await shop.setRollbackMode('WITHOUT_ORDER');
  await shop.rollBack(gift);
  expect(await shop.order('shop-1')).toMatchObject({ status: 'PAID', total_amount: 720 });
  await shop.setRollbackMode('WITH_ORDER');
  await shop.rollBack(tenth);
  expect(figuresOf(await shop.order('shop-1'))).toEqual([0, 0, 0, 1500, 1500]);
});

const oneTea = [{ source_id: 'tea', quantity: 1 }];

test.each([
  ['its lines', 'ALL', { items: oneTea }, 500],
  ['its lines, of which one had free units,', 'HUNDRED', { items: oneTea }, 500],
  ['its amount', 'ALL', { amount: 4000 }, 4000],
  // It had a free tea, which disappears with the rollback.
  ['its amount with free units', 'HUNDRED', { amount: 4000 }, 3500],
  ['less than the free units cost', 'HUNDRED', { amount: 400 }, 0],
  ['its lines and amount', 'HUNDRED', { items: oneTea, amount: 4000 }, 4000],
  ['none of its amounts', 'HUNDRED', { metadata: { gift: true } }, 1500],
])(
  'an order that sends %s again after a redemption costs what it says, also after the rollback',
  async (_, code, sent, amount) => {
    const shop = await open();
    const id = await shop.redeemOnIt(code);
    const { initial_amount: initial, amount: shown } = await shop.update('shop-1', sent);
    expect(initial ?? shown).toBe(amount);
    await shop.rollBack(id);
    expect(await shop.order('shop-1')).toMatchObject({ amount, total_amount: amount });
  },
);

test('an amount that follows the lines again begins with their cost before free units', async () => {
  const shop = await open();
  const id = await shop.redeemOnIt('HUNDRED');
  await shop.update('shop-1', { amount: 4000 });
  expect(await shop.update('shop-1', { amount: null })).toMatchObject({ amount: 2000, initial_amount: 1500 });
  await shop.rollBack(id);
  expect(await shop.order('shop-1')).toMatchObject({ amount: 1500, total_amount: 1500 });
});

/** Makes the same order twice, with an explicit amount and discount. One is changed, and the other is redeemed on. */
async function saidOf(shop: Awaited<ReturnType<typeof open>>, sent: object) {
  const said = { amount: 2000, discount_amount: 100, items: [{ source_id: 'tea', quantity: 3 }] };
  for (const source_id of ['changed', 'redeemed']) await shop.redeem('ALL', { source_id, ...said });
  const changed = await shop.update('changed', sent);
  const { id } = await shop.order('redeemed');
  const { body } = (await shop.redeem('NOTHING', { id, ...sent })) ?? {};
  return [changed, body.order, await shop.order('redeemed')].map(figuresOf);
}

test.each([
  ['nothing', {}, [290, 0, 290, 2000, 1710]],
  ['an amount that follows its lines', { amount: null }, [290, 0, 290, 1500, 1210]],
  ['no discount', { discount_amount: null }, [0, 0, 0, 2000, 2000]],
  ['no lines', { amount: 700, items: null }, [290, 0, 290, 700, 410]],
])('an order with which a caller sends %s has the same result, changed or redeemed on', async (_, sent, expected) => {
  expect(await saidOf(await open(), sent)).toEqual([expected, expected, expected]);
});

test('values sent with an order that is named by its source id do not change it', async () => {
  const shop = await open();
  await shop.redeemOnIt('ALL');
  await shop.redeem('NOTHING', { source_id: 'shop-1', amount: 9000, discount_amount: null, items: oneTea });
  expect(figuresOf(await shop.order('shop-1'))).toEqual([150, 0, 150, 1500, 1350]);
  expect(await shop.update('shop-1', { items: oneTea })).toMatchObject({ amount: 500, total_amount: 350 });
});

test('lines that a checkout sends again for an order with free units become its initial cost', async () => {
  const shop = await open();
  await shop.redeemOnIt('HUNDRED');
  const { id } = await shop.order('shop-1');
  const items = [{ source_id: 'tea', quantity: 1 }];
  const { body } = (await shop.redeem('ALL', { id, items })) ?? {};
  expect(body.order).toMatchObject({ amount: 500, total_discount_amount: 50, total_amount: 450 });
  expect(body.order).not.toHaveProperty('initial_amount');
  await shop.rollBack(body.redemptions[0].id);
  expect(await shop.order('shop-1')).toMatchObject({ amount: 500, total_amount: 500 });
});

test('an order that is sent back unchanged keeps its cost before free units', async () => {
  const shop = await open();
  const id = await shop.redeemOnIt('HUNDRED');
  const { items } = await shop.order('shop-1');
  expect(await shop.update('shop-1', { items })).toMatchObject({ amount: 2000, initial_amount: 1500 });
  await shop.rollBack(id);
  expect(await shop.order('shop-1')).toMatchObject({ amount: 1500, total_amount: 1500, items: [{ quantity: 3 }] });
});

test('simultaneous rollbacks of all redemptions of one order leave no discount on it', async () => {
  const shop = await open();
  const ids: string[] = [];
  for (const code of ['GIFT', 'HUNDRED', 'ONCE', 'ALL', 'ALL']) ids.push(await shop.redeemOnIt(code));
  const replies = await Promise.all([...ids, ...ids].map((id) => shop.rollBack(id)));
  expect(replies.map((reply) => reply?.status).toSorted()).toEqual([...ids.map(() => 200), ...ids.map(() => 400)]);
  const order = await shop.order('shop-1');
  expect(figuresOf(order)).toEqual([0, 0, 0, 1500, 1500]);
  expect(order.items).toMatchObject([{ quantity: 3, amount: 1500, subtotal_amount: 1500 }]);
  expect(order.items[0]).not.toHaveProperty('discount_quantity');
});

test('twenty callers who redeem and roll back one use at once leave the use available', async () => {
  const shop = await open();
  const replies = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const redeemed = await shop.redeem('ONCE');
      if (redeemed?.status !== 200) return redeemed?.body.key;
      return (await shop.rollBack(redeemed.body.redemptions[0].id))?.status;
    }),
  );
  expect(replies).toContain(200);
  expect(replies.filter((one) => one !== 200 && one !== 'quantity_exceeded')).toEqual([]);
  expect(await shop.voucher('ONCE')).toMatchObject({ redemption: { redeemed_quantity: 0 } });
});
