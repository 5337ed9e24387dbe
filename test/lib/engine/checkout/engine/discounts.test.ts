import { describe, expect, test } from 'vitest';
import type { DiscountScope } from '#engine/checkout/engine/selection.ts';
import type { StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { SentFigures } from '#engine/checkout/orders/figures.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import {
  checkedOut,
  coupon,
  entry,
  included,
  orderOf,
  ruled,
  stacked,
  type TestLine,
} from '../../../../support/checkout.ts';
import { amount, fixed, percent } from '../../../../support/discounts.ts';

/** Tea costs 500 and mugs cost 1200. The lines cost 1000 and 2400, for 5 units. */
const cart: TestLine[] = [
  { product_id: 'tea', quantity: 2 },
  { product_id: 'mug', quantity: 2 },
  { product_id: 'prod_card', quantity: 1 },
];

interface Case {
  discount: Discount;
  scope?: DiscountScope;
  items?: TestLine[];
  sent?: SentFigures;
  mode?: StackingRules['discount_calculation_mode'];
}

/** Returns what is taken off the whole order, and off each line. */
function offs({ discount, scope, items = cart, sent, mode = 'INITIAL_AMOUNT' }: Case) {
  const rules = { ...stacked, discount_calculation_mode: mode };
  const { order } = checkedOut(orderOf(items, sent), [coupon(discount, scope)], { rules });
  return [order.applied_discount_amount, order.items.map((item) => item.applied_discount_amount)];
}

const none = [undefined, undefined, undefined];
const off = (amount: number | undefined, lines: (number | undefined)[] = none) => [amount, lines];

const discounted: TestLine[] = [
  { product_id: 'tea', quantity: 2, discount_amount: 900 },
  { product_id: 'mug', quantity: 2 },
];
const teas = included(entry('prod_tea'));

describe('an AMOUNT', () => {
  test.each<[string, Case, unknown[]]>([
    ['is taken off the order', { discount: amount(300) }, off(300)],
    ['is taken off as far as the order goes', { discount: amount(9999) }, off(3400)],
    ['stops at its limit', { discount: { ...amount(300), aggregated_amount_limit: 200 } as Discount }, off(200)],
    [
      'goes to items that a rule names',
      { discount: amount(300), scope: teas },
      off(undefined, [300, undefined, undefined]),
    ],
    [
      'goes to items that none excludes',
      { discount: amount(300), scope: ruled([], [entry('prod_tea')]) },
      off(undefined, [undefined, 300, undefined]),
    ],
    ['is taken off each line', { discount: amount(300, 'APPLY_TO_ITEMS') }, off(undefined, [300, 300, undefined])],
    [
      'is at most what a line leaves',
      { discount: amount(300, 'APPLY_TO_ITEMS'), items: discounted },
      off(undefined, [100, 300]),
    ],
    [
      'is taken off each unit',
      { discount: amount(300, 'APPLY_TO_ITEMS_BY_QUANTITY') },
      off(undefined, [600, 600, undefined]),
    ],
    [
      'is taken off the units that count',
      {
        discount: amount(300, 'APPLY_TO_ITEMS_BY_QUANTITY'),
        scope: included(entry('prod_mug', { quantity_limit: 1 })),
      },
      off(undefined, [undefined, 300, undefined]),
    ],
    [
      'is shared by the amounts',
      { discount: amount(100, 'APPLY_TO_ITEMS_PROPORTIONALLY') },
      off(undefined, [29, 71, undefined]),
    ],
    [
      'is shared by the units',
      {
        discount: amount(100, 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'),
        items: [{ product_id: 'tea' }, { product_id: 'mug', quantity: 2 }],
      },
      off(undefined, [33, 67]),
    ],
    [
      'is shared with those that can still take it',
      { discount: amount(1000, 'APPLY_TO_ITEMS_PROPORTIONALLY'), items: discounted },
      off(undefined, [100, 900]),
    ],
    [
      'is shared with the odd unit for the earlier line, whichever entry is first',
      {
        discount: amount(101, 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'),
        scope: included(entry('prod_mug'), entry('prod_tea')),
      },
      off(undefined, [51, 50, undefined]),
    ],
    [
      'is shared with the odd unit for the earlier line, whichever is served first',
      {
        discount: amount(101, 'APPLY_TO_ITEMS_PROPORTIONALLY'),
        items: [
          { product_id: 'tea', quantity: 2, collections: ['pc_1'] },
          { source_id: 'pot', price: 1000, collections: ['pc_1'] },
        ],
        scope: included(entry('pc_1', { effect: 'APPLY_FROM_MOST_EXPENSIVE' })),
      },
      off(undefined, [51, 50]),
    ],
    [
      'is used up from the first line on',
      { discount: { ...amount(300, 'APPLY_TO_ITEMS'), aggregated_amount_limit: 400 } as Discount },
      off(undefined, [300, 100, undefined]),
    ],
    ['falls back where the effect is for units', { discount: amount(300, 'ADD_NEW_ITEMS') }, off(300)],
  ])('%s', (_, given, expected) => {
    expect(offs(given)).toEqual(expected);
  });
});

describe('a PERCENT', () => {
  test.each<[string, Case, unknown[]]>([
    ['is taken off the order', { discount: percent(10) }, off(340)],
    [
      'is rounded half up, once',
      { discount: percent(10), items: [{ amount: 5 }, { amount: 10 }] },
      off(2, [undefined, undefined]),
    ],
    [
      'is rounded half up on each line',
      { discount: percent(10, 'APPLY_TO_ITEMS'), items: [{ amount: 5 }, { amount: 10 }] },
      off(undefined, [1, 1]),
    ],
    [
      'is of what is left',
      { discount: percent(10), sent: { discount_amount: 400 }, mode: 'DISCOUNTED_AMOUNT' },
      off(300),
    ],
    ['or of what there was', { discount: percent(10), sent: { discount_amount: 400 } }, off(340)],
    ['and then at most what is left', { discount: percent(90), sent: { discount_amount: 3000 } }, off(400)],
    ['stops at its limit', { discount: { ...percent(10), amount_limit: 99 } as Discount }, off(99)],
    ['is taken off each line', { discount: percent(10), scope: teas }, off(undefined, [100, undefined, undefined])],
    [
      'is of what the line leaves',
      { discount: percent(10, 'APPLY_TO_ITEMS'), items: discounted, mode: 'DISCOUNTED_AMOUNT' },
      off(undefined, [10, 240]),
    ],
    ['or of its amount', { discount: percent(10, 'APPLY_TO_ITEMS'), items: discounted }, off(undefined, [100, 240])],
    [
      'without units that are free on it',
      {
        discount: percent(10, 'APPLY_TO_ITEMS'),
        items: [
          { product_id: 'tea', quantity: 3, discount_quantity: 2, initial_amount: 500, discount_amount: 1000 },
          { product_id: 'mug', discount_quantity: 1, initial_amount: 0, discount_amount: 600 },
        ],
      },
      off(undefined, [50, 0]),
    ],
    [
      'has a limit for each line',
      { discount: { ...percent(10, 'APPLY_TO_ITEMS'), amount_limit: 150 } as Discount },
      off(undefined, [100, 150, undefined]),
    ],
    [
      'and one for all',
      { discount: { ...percent(10, 'APPLY_TO_ITEMS'), aggregated_amount_limit: 150 } as Discount },
      off(undefined, [100, 50, undefined]),
    ],
    [
      'is of the units that count',
      { discount: percent(10), scope: included(entry('prod_mug', { quantity_limit: 1 })) },
      off(undefined, [undefined, 120, undefined]),
    ],
    [
      'loses no unit of the largest amount',
      { discount: percent(50), items: [{ amount: Number.MAX_SAFE_INTEGER }] },
      off(4_503_599_627_370_496, [undefined]),
    ],
  ])('%s', (_, given, expected) => {
    expect(offs(given)).toEqual(expected);
  });
});

describe('a FIXED price', () => {
  test.each<[string, Case, unknown[]]>([
    ['is what the order then costs', { discount: fixed(3000) }, off(400)],
    ['takes nothing off where it costs less', { discount: fixed(5000) }, off(0)],
    ['holds after other discounts', { discount: fixed(3000), sent: { discount_amount: 300 } }, off(100)],
    [
      'is the price of the units of its entry',
      {
        discount: fixed(0, 'APPLY_TO_ITEMS'),
        scope: included(entry('prod_tea', { price: 450 }), entry('prod_mug', { price: 1000 })),
      },
      off(undefined, [100, 400, undefined]),
    ],
    [
      'holds for the units that count',
      { discount: fixed(0, 'APPLY_TO_ITEMS'), scope: included(entry('prod_mug', { price: 1000, quantity_limit: 1 })) },
      off(undefined, [undefined, 200, undefined]),
    ],
    [
      "is the discount's price if its entry has none",
      { discount: fixed(400, 'APPLY_TO_ITEMS'), scope: teas },
      off(undefined, [200, undefined, undefined]),
    ],
    [
      'takes nothing off what is cheaper',
      { discount: fixed(600, 'APPLY_TO_ITEMS'), scope: teas },
      off(undefined, [0, undefined, undefined]),
    ],
  ])('%s', (_, given, expected) => {
    expect(offs(given)).toEqual(expected);
  });
});
