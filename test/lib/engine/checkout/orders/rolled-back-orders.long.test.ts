import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeptOrder } from '#engine/checkout/orders/redeemed-order.ts';
import type { OrderItem } from '#engine/checkout/orders/resource.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { order as anyOrder, redeemable, smallOrder } from '../../../../support/arbitrary-carts.ts';
import { coupon } from '../../../../support/checkout.ts';
import { expectFigures, sum } from '../../../../support/order-figures.ts';
import { redeemAll, redeemedBy, seen, shown, storedAs, without } from '../../../../support/redeemed-orders.ts';

/** Properties of any order with several redemptions, rolled back in any order. */

/** These redemptions change the lines of others most. */
const ofUnits = fc
  .record({
    unit_off: fc.integer({ min: 1, max: 2 }),
    unit_type: fc.constantFrom('prod_tea', 'prod_mug', 'sku_tin'),
    effect: fc.constantFrom('ADD_NEW_ITEMS' as const, 'ADD_MISSING_ITEMS' as const, 'REPLACE_ITEMS' as const),
  })
  .map((units) => coupon({ type: 'UNIT', ...units }));
const one = fc.oneof(redeemable, ofUnits);
const requests = fc.array(fc.array(one, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 4 });
const options = { numRuns: process.env.LONG_TESTS ? 1_500 : 400, seed: 20_261_123 };

test('a rollback of the last redemption restores the order before it, and all rollbacks restore the order without discounts', () => {
  fc.assert(
    fc.property(smallOrder, requests, (cart, all) => {
      const first = storedAs(cart, false);
      const { steps, kept } = redeemAll(first, all);
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

/** Draws redemptions on a cart, and the order of their rollbacks. */
const rolledBack = <T>(carts: fc.Arbitrary<T>) =>
  fc.tuple(carts, requests, fc.boolean()).chain(([cart, all, isSaid]) =>
    fc.record({
      cart: fc.constant(cart),
      all: fc.constant(all),
      isSaid: fc.constant(isSaid),
      turns: fc.shuffledSubarray([...all.keys()], { minLength: all.length }),
    }),
  );

/** Returns the order after each rollback, with the redemptions that stay. */
function rollBackAll(last: OrderItem, kept: readonly KeptOrder[], turns: readonly number[]) {
  let order = last;
  return turns.map((turn, place) => {
    const open = turns.slice(place);
    const staying = kept.filter((_, index) => open.includes(index));
    const own = kept[turn];
    if (own) order = without(order, own, staying);
    return { order, staying: staying.filter((one) => one !== own) };
  });
}

/** Returns the units of lines and their value that follow from the original order and these redemptions. */
function linesWith(first: OrderItem, last: OrderItem, staying: readonly KeptOrder[]) {
  return last.items.flatMap((line, index) => {
    const own = first.items[index];
    const parts = staying.flatMap(({ items }) => items.filter(({ id }) => id === line.id));
    const quantity = Math.max(0, (own?.quantity ?? 0) + sum(parts.map((part) => part.applied_quantity)));
    const worth = Math.max(0, (own?.amount ?? 0) + sum(parts.map((part) => part.applied_quantity_amount)));
    const free = sum(parts.map((part) => part.applied_discount_quantity));
    return quantity > 0 ? [[line.id, quantity, line.amount === undefined ? undefined : worth, free]] : [];
  });
}

test("rollbacks in any order keep the others' effects, and the last one restores the order", () => {
  fc.assert(
    fc.property(rolledBack(smallOrder), ({ cart, all, turns }) => {
      const first = storedAs(cart, false);
      const { last, kept } = redeemAll(first, all);
      const steps = rollBackAll(last, kept, turns);
      for (const { order, staying } of steps) {
        const lines = order.items.flatMap(({ id, quantity, amount, discount_quantity = 0 }) =>
          quantity > 0 ? [[id, quantity, amount, discount_quantity]] : [],
        );
        expect(lines).toEqual(linesWith(first, last, staying));
        const ofOrder = sum(
          staying.flatMap((one) => [one.applied_discount_amount, one.excess_applied_discount_amount]),
        );
        const left = (order.amount ?? 0) - (order.items_discount_amount ?? 0);
        expect(order.discount_amount ?? 0).toBe(Math.min(ofOrder, left));
        const ofLines = sum(staying.map((one) => one.items_applied_discount_amount));
        expect(order.items_discount_amount ?? 0).toBeLessThanOrEqual(ofLines);
      }
      expect(seen(steps.at(-1)?.order ?? last)).toEqual(seen(first));
    }),
    options,
  );
});

test('a redemption after rollbacks leaves the order unchanged if it is rolled back at once', () => {
  const redeemables = fc.array(one, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(rolledBack(smallOrder), redeemables, ({ cart, all, turns }, more) => {
      const first = storedAs(cart, false);
      const { last, kept } = redeemAll(first, all);
      for (const { order, staying } of rollBackAll(last, kept, turns).slice(0, -1)) {
        const again = redeemedBy(order, more);
        expect(seen(without(again.order, again.kept, [...staying, again.kept]))).toEqual(seen(order));
      }
    }),
    options,
  );
});

/** Returns undefined for a rest that is too large to count, which is refused. */
function ifCounted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'invalid_payload') return undefined;
    throw error;
  }
}

test('in any order of rollbacks all figures add up, and none is below 0', () => {
  fc.assert(
    fc.property(rolledBack(anyOrder), ({ cart, all, isSaid, turns }) => {
      if (!cart) return;
      const first = storedAs(cart, isSaid);
      const { last, kept } = redeemAll(first, all);
      const steps = ifCounted(() => rollBackAll(last, kept, turns));
      if (!steps) return;
      for (const { order } of steps) expectFigures(shown(order));
      const { amount, total_amount, items } = steps.at(-1)?.order ?? last;
      expect(total_amount).toBe(amount);
      const said = first.items.map((line) => line.initial_quantity ?? line.quantity).filter((quantity) => quantity > 0);
      expect(items.map(({ quantity }) => quantity)).toEqual(said);
      expect(sum(items.map((line) => line.discount_quantity))).toBe(0);
    }),
    options,
  );
});
