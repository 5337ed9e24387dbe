import { describe, expect, test } from 'vitest';
import { buildCart } from '#engine/checkout/engine/cart.ts';
import { type DiscountScope, listUnits, type ScopeEntry, selectLines } from '#engine/checkout/engine/selection.ts';
import { compileMoney } from '#engine/rules/formulas/formula.ts';
import {
  checkedOut,
  coupon,
  entry,
  everything,
  included,
  orderOf,
  ruled,
  type TestLine,
} from '../../../../support/checkout.ts';

const cart: TestLine[] = [
  { product_id: 'tea', quantity: 3, price: 500, collections: ['pc_1'] },
  { sku_id: 'tin', quantity: 2, price: 300, collections: ['pc_1'] },
  { product_id: 'mug', quantity: 1, price: 1200 },
  { source_id: 'cake', quantity: 4, price: 300, collections: ['pc_1'] },
  { product_id: 'post' },
];

/** Returns the counted units by the indices of lines, in the order of service. */
function counts(scope: DiscountScope, items = cart, isOnce = false) {
  return selectLines(buildCart(orderOf(items)), scope, { isOnce, bundles: 1 }).map(({ index, counted }) => [
    index,
    counted,
  ]);
}

describe('a scope selects', () => {
  test.each<[string, DiscountScope, number[]]>([
    ['all lines with an amount if it names none', everything, [0, 1, 2, 3]],
    ['the lines of a product and of its SKUs', included(entry('prod_tea')), [0, 1]],
    ['the lines of a SKU alone', included(entry('sku_tin')), [1]],
    ["a product by the caller's own id", included(entry('nope', { source_id: 'mug' })), [2]],
    ['a line of an unknown product by its source id', included(entry('cake')), [3]],
    ['the members of a collection', included(entry('pc_1')), [0, 1, 3]],
    ['everything, in the collection of all products', included(entry('pc_a11pr0dUc75')), [0, 1, 2, 3]],
    ['nothing that it excludes', ruled([entry('pc_1')], [entry('sku_tin')]), [0, 3]],
    ['all but what it excludes', ruled([], [entry('pc_1')], true), [2]],
    ['nothing if no line belongs to it', included(entry('prod_nope')), []],
  ])('%s', (_, scope, indices) => {
    expect(counts(scope).map(([index]) => index)).toEqual(indices);
  });

  test('the first matching entry decides for a line, products and SKUs before collections', () => {
    const scope = included(
      entry('pc_1', { quantity_limit: 1 }),
      entry('sku_tin', { quantity_limit: 2 }),
      entry('prod_tea'),
    );
    expect(counts(scope)).toEqual([
      [3, 1],
      [1, 2],
      [0, 3],
    ]);
  });

  test('a line with a discount is not selected if each line may have only one', () => {
    const items = [{ amount: 100, discount_amount: 10 }, { amount: 100 }];
    expect(counts(everything, items, true)).toEqual([[1, 1]]);
    expect(counts(everything, items)).toHaveLength(2);
  });
});

test("a unit costs its part of the line's amount, for any price sent beside it", () => {
  const items = [{ price: 200 }, { price: 500, amount: 300, quantity: 2 }];
  const cheapest = included(entry('pc_a11pr0dUc75', { effect: 'APPLY_TO_CHEAPEST' }));
  expect(counts(cheapest, items)).toEqual([[1, 2]]);
  const cart = buildCart(orderOf(items));
  expect(compileMoney(0, 'CHEAPEST_ORDER_ITEM_PRICE')({ cart })).toBe(150);
});

describe('among the lines of an entry', () => {
  const row = (how: Partial<ScopeEntry>) => counts(included(entry('pc_a11pr0dUc75', how)));

  test.each<[string, Partial<ScopeEntry>, number[][]]>([
    [
      'the one with the cheapest units is taken, and among equals the line that costs less',
      { effect: 'APPLY_TO_CHEAPEST' },
      [[1, 2]],
    ],
    ['the one with the dearest units is taken', { effect: 'APPLY_TO_MOST_EXPENSIVE' }, [[2, 1]]],
    ['or one of its units', { effect: 'APPLY_TO_CHEAPEST', target: 'UNIT' }, [[1, 1]]],
    [
      'the cheapest come first',
      { effect: 'APPLY_FROM_CHEAPEST', aggregated_quantity_limit: 7 },
      [
        [1, 2],
        [3, 4],
        [0, 1],
      ],
    ],
    [
      'the dearest come first',
      { effect: 'APPLY_FROM_MOST_EXPENSIVE', aggregated_quantity_limit: 5 },
      [
        [2, 1],
        [0, 3],
        [1, 1],
      ],
    ],
    [
      'each has at most so many units',
      { quantity_limit: 2 },
      [
        [0, 2],
        [1, 2],
        [2, 1],
        [3, 2],
      ],
    ],
    [
      'all have at most so many units, the first first',
      { aggregated_quantity_limit: 4 },
      [
        [0, 3],
        [1, 1],
      ],
    ],
    ['the first are left out', { skip_initially: 3 }, [[3, 4]]],
    [
      'the 2nd, the 4th and so on are taken',
      { skip_initially: 1, repeat: 2 },
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'units are counted on from line to line',
      { skip_initially: 1, repeat: 2, target: 'UNIT' },
      [
        [0, 1],
        [1, 1],
        [2, 1],
        [3, 2],
      ],
    ],
    [
      'limits count what is taken',
      { skip_initially: 4, target: 'UNIT', aggregated_quantity_limit: 3 },
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
    ],
    ['none is taken if all are left out', { skip_initially: 4 }, []],
  ])('%s', (_, how, expected) => {
    expect(row(how)).toEqual(expected);
  });

  test('units are named by their places in the line', () => {
    const scope = included(entry('pc_a11pr0dUc75', { skip_initially: 1, repeat: 2, target: 'UNIT' }));
    const found = selectLines(buildCart(orderOf(cart)), scope, { isOnce: false, bundles: 1 });
    // Among ten units these are the 2nd, 4th, 6th, 8th and 10th.
    expect(found.map((one) => listUnits(one))).toEqual([[2], [1], [1], [2, 4]]);
  });
});

describe("the list of a discount's products", () => {
  const listed = (scope: DiscountScope, items = cart) => {
    const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' } as const;
    const [{ outcome } = {}] = checkedOut(orderOf(items), [coupon(discount, scope)]).considered;
    return outcome?.status === 'APPLICABLE' ? outcome : undefined;
  };

  test('is empty if no product is named', () => {
    const empty = { object: 'list', data_ref: 'data', data: [], total: 0 };
    expect(listed(everything)).toMatchObject({ applicable_to: empty, inapplicable_to: empty });
  });

  test('has each entry, then the lines of collections', () => {
    const found = listed(ruled([entry('pc_1', { quantity_limit: 1 })], [entry('prod_tea')]));
    const how = { effect: 'APPLY_TO_EVERY', skip_initially: 0, repeat: 1, target: 'ITEM', quantity_limit: 1 };
    expect(found?.applicable_to).toMatchObject({
      total: 2,
      data: [
        {
          object: 'products_collection',
          id: 'pc_1',
          strict: false,
          ...how,
          order_item_indices: [3],
          order_item_units: [{ index: 3, units: [1], units_limit_exceeded: false }],
        },
        { object: 'product', id: 'cake', source_id: 'cake', strict: true, order_item_indices: [3] },
      ],
    });
    expect(found?.inapplicable_to).toMatchObject({ total: 1, data: [{ id: 'prod_tea', order_item_indices: [0, 1] }] });
  });

  test("has the products and SKUs of a collection's lines", () => {
    const found = listed(included(entry('pc_1')));
    expect(found?.applicable_to.data.slice(1)).toMatchObject([
      { object: 'product', id: 'prod_tea', source_id: 'tea', strict: true, order_item_indices: [0] },
      { object: 'sku', id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', product_source_id: 'tea' },
      { object: 'product', id: 'cake', source_id: 'cake' },
    ]);
  });

  test('has both ids of each entry, whichever id the rule has', () => {
    const found = listed(ruled([entry('sku_tin'), entry('prod_tea'), entry('prod_none')], [entry('mug')]));
    const [tin, tea, none] = found?.applicable_to.data ?? [];
    expect(tin).toMatchObject({ source_id: 'tin', product_id: 'prod_tea', product_source_id: 'tea' });
    expect(tea).toMatchObject({ id: 'prod_tea', source_id: 'tea', order_item_indices: [0] });
    expect(none).not.toHaveProperty('source_id');
    expect(found?.inapplicable_to.data).toMatchObject([{ id: 'mug', source_id: 'mug' }]);
    const byOwnId = listed(ruled([{ object: 'product', source_id: 'tea' }]));
    expect(byOwnId?.applicable_to.data).toMatchObject([{ id: 'prod_tea', source_id: 'tea' }]);
  });

  test('has no units if they are too many', () => {
    const found = listed(included(entry('prod_tea')), [{ product_id: 'tea', quantity: 1001 }]);
    expect(found?.applicable_to.data[0]?.order_item_units).toEqual([{ index: 0, units_limit_exceeded: true }]);
  });
});
