import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CheckoutOrder } from '../../../lib/checkout/cart.ts';
import type { Redeemable } from '../../../lib/checkout/redeemable.ts';
import type { ShownOrder } from '../../../lib/checkout/show-order.ts';
import { allProducts } from '../../../lib/collections/resource.ts';
import { canceledOrder } from '../../../lib/orders/canceled-order.ts';
import { figuresOf } from '../../../lib/orders/figures.ts';
import { given } from '../../../lib/orders/line.ts';
import { nextOrder } from '../../../lib/orders/next-order.ts';
import type { KeptOrder } from '../../../lib/orders/redeemed-order.ts';
import type { OrderItem } from '../../../lib/orders/resource.ts';
import { sentFigures } from '../../../lib/orders/sent-over.ts';
import { fullOrder } from '../../../lib/redemptions/records.ts';
import { redeemedOn } from '../../../lib/redemptions/redeemed-on.ts';
import { order as anyOrder, redeemable, smallOrder } from '../../support/arbitrary-carts.ts';
import { catalogue, checkedOut, coupon, entry, included, orderOf } from '../../support/checkout.ts';
import { expectFigures, sum } from '../../support/order-figures.ts';

/** An order on which several were redeemed, one after the other, and of which each is rolled back by itself. */

const now = new Date('2026-06-15T10:00:00Z');
const nobody = { customer: undefined, referrer: undefined };

/** As it is stored before anything is redeemed on it. */
function storedAs({ items, amount, discount_amount }: CheckoutOrder, isSaid: boolean): OrderItem {
  const lines = items.map(({ collections: _, ...line }) => line);
  const people = { customer_id: undefined, referrer_id: undefined };
  return nextOrder(undefined, { body: isSaid ? { amount, discount_amount } : {}, lines, people }, now);
}

interface Redeemed {
  order: OrderItem;
  kept: KeptOrder;
}

/** What is redeemed in one request, and what the redemption keeps. */
function redeemedBy(before: OrderItem, redeemables: readonly Redeemable[]): Redeemed {
  const items = before.items.map((line) => ({ ...line, collections: [allProducts.id] }));
  const sent = sentFigures(before, {}, before.items);
  const { order: shown } = checkedOut({ ...figuresOf(items, sent), items }, redeemables);
  const found = {
    ...{ before, body: { id: before.id }, sent, lines: before.items, effects: [], catalogue, metadata: {} },
    checkoutOrder: () => ({ items }),
  };
  const order = redeemedOn(found, { uses: [], parentId: undefined, id: undefined, order: shown, people: nobody }, now);
  const kept = fullOrder(shown, order);
  if (!kept) throw new Error('nothing is kept');
  return { order, kept };
}

/** Rolls back that one of all that stay, which are in the order in which they were redeemed. */
function without(order: OrderItem, own: KeptOrder, staying: readonly KeptOrder[]): OrderItem {
  const place = staying.indexOf(own);
  const [earlier, later] = [staying.slice(0, place), staying.slice(place + 1)];
  const parts = staying.length > 1 ? { own, earlier, later } : undefined;
  return canceledOrder(order, { redemptions: order.redemptions, parts });
}

/** Its money and lines. */
function shown(order: OrderItem): ShownOrder {
  const { items, amount, discount_amount, items_discount_amount, total_discount_amount, total_amount } = order;
  const figures = { amount, discount_amount, items_discount_amount, total_discount_amount, total_amount };
  return { items, ...given(figures) };
}

/** What anybody sees of its money: lines by what is there, whatever was there before. */
function seen({ items, ...order }: OrderItem) {
  const { amount = 0, discount_amount, items_discount_amount, total_discount_amount, total_amount = 0 } = order;
  const lines = items
    .filter(({ quantity }) => quantity > 0)
    .map((line) => [line.id, line.quantity, line.amount, line.discount_quantity ?? 0, line.discount_amount ?? 0]);
  return {
    ...{ amount, total_amount, lines },
    ...{ off: [discount_amount ?? 0, items_discount_amount ?? 0, total_discount_amount ?? 0] },
  };
}

function redeemAll(first: OrderItem, requests: readonly (readonly Redeemable[])[]) {
  const steps: Redeemed[] = [];
  for (const redeemables of requests) steps.push(redeemedBy(steps.at(-1)?.order ?? first, redeemables));
  return { last: steps.at(-1)?.order ?? first, kept: steps.map(({ kept }) => kept), steps };
}

const units = (order: OrderItem) => sum(order.items.map(({ quantity }) => quantity));

/**
 * Not where a cheaper replacement leaves less to pay than was taken off before, of which the excess is not stored, nor where units are
 * added to a line that had some already: it is taken back to its first ones.
 */
function isAllSaid(before: OrderItem, { order, kept }: Redeemed): boolean {
  const added = sum(kept.items.map(({ applied_quantity }) => applied_quantity));
  const isCapped = (order.total_discount_amount ?? 0) !== (kept.total_discount_amount ?? 0);
  return !isCapped && units(order) === units(before) + added;
}

const requests = fc.array(fc.array(redeemable, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 });
const options = { numRuns: process.env.LONG_TESTS ? 3_000 : 500, seed: 20_261_123 };

const off = (amount_off: number) => coupon({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const offLines = (amount_off: number) => coupon({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ITEMS' });
const gets = (effect: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS', unit_type: string) =>
  coupon({ type: 'UNIT', unit_off: 1, unit_type, effect });
const upgrade = coupon(
  { type: 'UNIT', unit_off: 1, unit_type: 'prod_mug', effect: 'REPLACE_ITEMS' },
  included(entry('prod_tea')),
);
const teas = storedAs(orderOf([{ product_id: 'tea', quantity: 2 }]), false);

test('figures of those that stay are left, whichever is rolled back', () => {
  const { last, kept } = redeemAll(teas, [[off(100)], [offLines(50)], [gets('ADD_NEW_ITEMS', 'prod_tea')]]);
  expect(last).toMatchObject({ amount: 1500, discount_amount: 100, items_discount_amount: 550, total_amount: 850 });
  const [ofOrder, ofLines, ofUnits] = kept;
  if (!ofOrder || !ofLines || !ofUnits) throw new Error('one is missing');
  const rows: [KeptOrder, object][] = [
    [ofOrder, { amount: 1500, items_discount_amount: 550, total_amount: 950 }],
    [ofLines, { amount: 1500, discount_amount: 100, items_discount_amount: 500 }],
    [ofUnits, { amount: 1000, discount_amount: 100, items_discount_amount: 50, total_amount: 850 }],
  ];
  for (const [own, expected] of rows) {
    expect(without(last, own, kept)).toMatchObject({ status: 'CANCELED', ...expected });
  }
  expect(without(last, ofUnits, kept).items).toMatchObject([
    { quantity: 2, amount: 1000, discount_amount: 50, subtotal_amount: 950 },
  ]);
  expect(without(last, ofOrder, kept)).not.toHaveProperty('discount_amount');
});

test('a line that one of them added is gone with it, and what others took off that line', () => {
  const { last, kept } = redeemAll(teas, [[gets('ADD_NEW_ITEMS', 'prod_mug')], [offLines(30)]]);
  const [ofUnits, ofLines] = kept;
  if (!ofLines || !ofUnits) throw new Error('one is missing');
  expect(last.items).toHaveLength(2);
  const after = without(last, ofUnits, kept);
  expect(after).toMatchObject({ amount: 1000, items_discount_amount: 30, total_amount: 970 });
  expect(after.items).toHaveLength(1);
});

test('what was off units that others replaced by theirs is taken off these, and comes back with them', () => {
  const { last, kept } = redeemAll(teas, [[offLines(100)], [upgrade], [off(10)]]);
  const [ofLines, ofUpgrade, ofOrder] = kept;
  if (!ofLines || !ofUpgrade || !ofOrder) throw new Error('one is missing');
  expect(last).toMatchObject({ amount: 2400, items_discount_amount: 1500, discount_amount: 10, total_amount: 890 });
  expect(without(last, ofLines, kept)).toMatchObject({
    ...{ amount: 2400, items_discount_amount: 1400, discount_amount: 10, total_amount: 990 },
  });
  expect(without(last, ofUpgrade, kept)).toMatchObject({
    ...{ amount: 1000, items_discount_amount: 100, discount_amount: 10, total_amount: 890 },
    items: [{ product_id: 'prod_tea', quantity: 2, discount_amount: 100 }],
  });
});

test('a line that was sent anew since keeps what was taken off it then', () => {
  const first = redeemedBy(teas, [offLines(100)]);
  const lines = teas.items.map((line) => ({ ...line, quantity: 2 }));
  const people = { customer_id: undefined, referrer_id: undefined };
  const anew = nextOrder(first.order, { body: {}, lines, people }, now);
  const second = redeemedBy(anew, [offLines(70)]);
  expect(second.order).toMatchObject({ total_discount_amount: 70 });
  expect(without(second.order, first.kept, [first.kept, second.kept])).toMatchObject({ total_discount_amount: 70 });
  expect(without(second.order, second.kept, [first.kept, second.kept])).toMatchObject({ total_amount: 1000 });
});

test('the one that came last leaves the order as it was before it, the last of all as it was before discounts', () => {
  fc.assert(
    fc.property(smallOrder, requests, (cart, all) => {
      const first = storedAs(cart, false);
      const { steps, kept } = redeemAll(first, all);
      fc.pre(steps.every((step, index) => isAllSaid(steps[index - 1]?.order ?? first, step)));
      let order = steps.at(-1)?.order ?? first;
      for (let count = kept.length - 1; count >= 0; count--) {
        const own = kept[count];
        if (own) order = without(order, own, kept.slice(0, count + 1));
        expect(seen(order)).toEqual(seen(steps[count - 1]?.order ?? first));
      }
    }),
    options,
  );
});

test('in any order all figures add up after each, and none is below 0', () => {
  const rolledBack = fc.tuple(anyOrder, requests, fc.boolean()).chain(([cart, all, isSaid]) =>
    fc.record({
      cart: fc.constant(cart),
      all: fc.constant(all),
      isSaid: fc.constant(isSaid),
      turns: fc.shuffledSubarray([...all.keys()], { minLength: all.length }),
    }),
  );
  fc.assert(
    fc.property(rolledBack, ({ cart, all, isSaid, turns }) => {
      if (!cart) return;
      const first = storedAs(cart, isSaid);
      const { last, kept } = redeemAll(first, all);
      let order = last;
      for (const [place, turn] of turns.entries()) {
        const own = kept[turn];
        const open = turns.slice(place);
        const staying = kept.filter((_, index) => open.includes(index));
        const before = order;
        if (own) order = without(order, own, staying);
        expectFigures(shown(order));
        expect(order.discount_amount ?? 0).toBeLessThanOrEqual(before.discount_amount ?? 0);
        if (staying.length > 1) continue;
        expect(order.total_amount).toBe(order.amount);
        expect(sum(order.items.map((line) => line.discount_quantity))).toBe(0);
      }
    }),
    options,
  );
});
