import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BundleRules, bundlesIn } from '../../../lib/checkout/bundle.ts';
import type { CartLine } from '../../../lib/checkout/cart.ts';
import type { Scope } from '../../../lib/checkout/scope.ts';
import type { Discount } from '../../../lib/terms/discount.ts';
import { checkedOut, coupon, entry, everything, included, orderOf } from '../../support/checkout.ts';

const of = (quantity: number, ...ids: string[]) => ({ quantity, any_of: ids.map((id) => entry(id)) });
const line = (product_id: string, quantity: number, ...collections: string[]): CartLine => ({
  object: 'order_item',
  product_id,
  quantity,
  collections,
});

describe('bundles in a cart', () => {
  test.each<[string, CartLine[], BundleRules, number]>([
    [
      'are as many as all its parts are there',
      [line('a', 5), line('b', 2)],
      { limit: 9, components: [of(2, 'a'), of(1, 'b')] },
      2,
    ],
    ['are at most the limit', [line('a', 5)], { limit: 3, components: [of(1, 'a')] }, 3],
    ['are none where a part is missing', [line('a', 5)], { limit: 9, components: [of(1, 'a'), of(1, 'b')] }, 0],
    ['take units of several lines', [line('a', 1), line('b', 1)], { limit: 9, components: [of(2, 'a', 'b')] }, 1],
    ['take each unit once', [line('a', 1, 'pc_1')], { limit: 9, components: [of(1, 'a'), of(1, 'pc_1')] }, 0],
    [
      'leave a unit to the part that needs it',
      [line('a', 1, 'pc_1'), line('b', 1, 'pc_1')],
      { limit: 9, components: [of(1, 'pc_1'), of(1, 'a')] },
      1,
    ],
    [
      'leave it over several parts',
      [line('a', 1, 'pc_1', 'pc_2'), line('b', 1, 'pc_1', 'pc_3'), line('c', 1, 'pc_3')],
      { limit: 9, components: [of(1, 'pc_1'), of(1, 'pc_3'), of(1, 'pc_2')] },
      1,
    ],
  ])('%s', (_, lines, rules, quantity) => {
    expect(bundlesIn(lines, rules).quantity).toBe(quantity);
  });

  test('say which units they are, and which are missing', () => {
    const rules = { limit: 2, components: [of(1, 'a'), of(2, 'pc_1')] };
    expect(bundlesIn([line('a', 5), line('b', 3, 'pc_1')], rules)).toEqual({
      quantity: 1,
      limit: 2,
      identified: [
        { id: 'a', object: 'product', item_index: 0, item_quantity: 1 },
        { id: 'pc_1', object: 'products_collection', item_index: 1, item_quantity: 2 },
      ],
      missing: [],
    });
    expect(bundlesIn([line('b', 1, 'pc_1')], rules)).toMatchObject({
      quantity: 0,
      identified: [{ id: 'pc_1', item_index: 0, item_quantity: 1 }],
      missing: [
        { id: 'a', object: 'product', item_quantity: 1 },
        { id: 'pc_1', object: 'products_collection', item_quantity: 1 },
      ],
    });
  });

  /** Whether each unit needed finds a unit of its own, by trying all. */
  function isComplete(units: readonly ReadonlySet<string>[], needed: readonly string[]): boolean {
    const [first, ...rest] = needed;
    if (first === undefined) return true;
    return units.some((unit, place) => unit.has(first) && isComplete(units.toSpliced(place, 1), rest));
  }

  test('are as many as trying all ways finds', () => {
    const collections = fc.subarray(['pc_1', 'pc_2', 'pc_3'], { minLength: 1 });
    const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), collections), { maxLength: 4, size: 'max' });
    const components = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), fc.constantFrom('pc_1', 'pc_2', 'pc_3')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(lines, components, (cart, parts) => {
        const cartLines = cart.map(([quantity, ids]) => line('a', quantity, ...ids));
        const rules = { limit: 3, components: parts.map(([quantity, id]) => of(quantity, id)) };
        const units = cart.flatMap(([quantity, ids]) => Array.from({ length: quantity }, () => new Set<string>(ids)));
        const one = parts.flatMap(([quantity, id]) => Array.from({ length: quantity }, () => id));
        const all = [1, 2, 3].filter((count) => count * one.length <= units.length);
        const expected = all.filter((count) =>
          isComplete(units, Array.from({ length: count }, () => one).flat()),
        ).length;
        expect(bundlesIn(cartLines, rules).quantity).toBe(expected);
      }),
      { numRuns: process.env.LONG_TESTS ? 10_000 : 300 },
    );
  });
});

describe('two bundles multiply', () => {
  const items = [
    { product_id: 'tea', quantity: 4 },
    { product_id: 'mug', quantity: 3 },
  ];
  const bundle = { limit: 2, components: [of(2, 'prod_tea'), of(1, 'prod_mug')] };
  const teas = included(entry('prod_tea', { quantity_limit: 1, price: 400 }));
  const off = (discount: Discount, scope: Scope) => {
    const { order } = checkedOut(orderOf(items), [coupon(discount, scope, { bundle })]);
    return order.total_applied_discount_amount;
  };

  test.each<[string, Discount, Scope, number]>([
    ['an amount', { type: 'AMOUNT', amount_off: 100 }, everything, 200],
    ['an amount on each line', { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS' }, everything, 400],
    [
      'an amount that is shared',
      { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
      everything,
      200,
    ],
    [
      'the units of an amount for each',
      { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
      teas,
      200,
    ],
    ['a percentage', { type: 'PERCENT', percent_off: 10 }, everything, 1120],
    ['a percentage up to 100', { type: 'PERCENT', percent_off: 60 }, everything, 5600],
    ['a percentage, not its units', { type: 'PERCENT', percent_off: 10 }, teas, 100],
    ['the units of a fixed price', { type: 'FIXED', fixed_amount: 0, effect: 'APPLY_TO_ITEMS' }, teas, 200],
    ['nothing of a fixed total', { type: 'FIXED', fixed_amount: 5000 }, everything, 600],
    ['free units', { type: 'UNIT', unit_type: 'sku_tin', effect: 'ADD_NEW_ITEMS' }, everything, 1400],
  ])('%s', (_, discount, scope, expected) => {
    expect(off(discount, scope)).toBe(expected);
  });

  test('nothing, where there are none', () => {
    const [considered] = checkedOut(orderOf([{ product_id: 'tea' }]), [
      coupon({ type: 'AMOUNT', amount_off: 1 }, everything, { bundle }),
    ]).considered;
    expect(considered?.outcome).toMatchObject({
      status: 'INAPPLICABLE',
      refusal: {
        key: 'order_rules_violated',
        bundle: { quantity: 0, missing: [{ id: 'prod_tea', item_quantity: 1 }, { id: 'prod_mug' }] },
      },
    });
  });
});
