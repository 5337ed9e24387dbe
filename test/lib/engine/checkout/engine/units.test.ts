import { describe, expect, test } from 'vitest';
import { checkedOut, coupon, entry, included, orderOf, stacked, type TestLine } from '../../../../support/checkout.ts';
import { type Units, units } from '../../../../support/discounts.ts';
import { withFree } from '../../../../support/free-units.ts';

test('a new line has all its units free, and the order costs what it did', () => {
  const items = [
    { source_id: 'drill', amount: 10_000 },
    { source_id: 'mixer', amount: 40_000 },
  ];
  const { items: lines, ...figures } = withFree(items, [
    { effect: 'ADD_MISSING_ITEMS', unit_off: 1, unit_type: 'prod_mug' },
  ]);
  expect(figures).toEqual({
    amount: 51_200,
    initial_amount: 50_000,
    items_discount_amount: 1_200,
    total_discount_amount: 1_200,
    total_amount: 50_000,
    items_applied_discount_amount: 1_200,
    total_applied_discount_amount: 1_200,
  });
  expect(lines[2]).toEqual({
    product_id: 'prod_mug',
    quantity: 1,
    discount_quantity: 1,
    initial_quantity: 0,
    amount: 1_200,
    discount_amount: 1_200,
    initial_amount: 0,
    applied_discount_amount: 1_200,
    applied_discount_quantity: 1,
    applied_quantity: 1,
    applied_quantity_amount: 1_200,
    price: 1_200,
    subtotal_amount: 0,
  });
});

test('a reply shows the free product or SKU by its id and its source id', () => {
  const shown = (discount: Units) => {
    const [{ outcome } = {}] = checkedOut(orderOf([{ product_id: 'tea' }]), [
      coupon(units(discount), included()),
    ]).considered;
    return outcome?.status === 'APPLICABLE' ? outcome.result.discount : undefined;
  };
  expect(shown({ unit_off: 1, unit_type: 'prod_mug' })).toMatchObject({
    unit_type: 'prod_mug',
    product: { id: 'prod_mug', source_id: 'mug' },
  });
  const ofSku = { unit_off: 1, unit_type: 'sku_tin', effect: 'ADD_NEW_ITEMS' } as const;
  const sku = { sku: { id: 'sku_tin', source_id: 'tin' }, product: { id: 'prod_tea', source_id: 'tea' } };
  expect(shown(ofSku)).toMatchObject(sku);
  expect(shown({ effect: 'ADD_MANY_ITEMS', units: [ofSku] })).toMatchObject({ units: [sku] });
  expect(shown({ unit_off: 1, unit_type: 'prod_nobody_knows' })).not.toHaveProperty('product');
});

test('units without a price are added without an amount', () => {
  const { items, ...figures } = withFree([{ product_id: 'tea' }], [{ unit_off: 1, unit_type: 'prod_post' }]);
  expect(figures).toEqual({ amount: 500, initial_amount: 500, total_amount: 500 });
  expect(items[1]).toEqual({
    product_id: 'prod_post',
    quantity: 1,
    discount_quantity: 1,
    initial_quantity: 0,
    applied_discount_quantity: 1,
    applied_quantity: 1,
  });
});

test('units that are added to an empty order are its only ones', () => {
  expect(withFree([], [{ unit_type: 'mug' }])).toMatchObject({ amount: 1200, initial_amount: 0, total_amount: 0 });
});

describe('units of a product', () => {
  const missing = (unit_off: number, unit_type = 'tea'): Units => ({
    effect: 'ADD_MISSING_ITEMS',
    unit_off,
    unit_type,
  });
  const more = (unit_off: number): Units => ({ effect: 'ADD_NEW_ITEMS', unit_off, unit_type: 'prod_tea' });
  const tea = (quantity: number, rest: TestLine = {}): TestLine => ({ product_id: 'tea', quantity, ...rest });

  /** Each line's quantity, free units and amount to pay. */
  test.each<[string, TestLine[], Units[], (number | undefined)[][]]>([
    ['are added to existing ones', [tea(2)], [more(1)], [[3, 1, 1000]]],
    ['are free if the cart has them', [tea(2)], [missing(1)], [[2, 1, 500]]],
    ['are added if they are missing', [tea(1)], [missing(3)], [[3, 3, 0]]],
    ['are free as far as they still cost something', [tea(2, { discount_amount: 800 })], [missing(1)], [[2, 1, 0]]],
    ['are added to those that are already free', [tea(1)], [missing(1), missing(1)], [[2, 2, 0]]],
    [
      'are added to the units of an earlier redemption',
      [tea(2, { initial_quantity: 1, discount_quantity: 1, discount_amount: 500 })],
      [missing(1)],
      [[2, 2, 0]],
    ],
    [
      'are free on several lines',
      [tea(1), tea(1)],
      [missing(2)],
      [
        [1, 1, 0],
        [1, 1, 0],
      ],
    ],
    [
      'are added to the first of several lines',
      [tea(1), tea(1)],
      [missing(3)],
      [
        [2, 2, 0],
        [1, 1, 0],
      ],
    ],
    ['are added to the original units, without free ones', [tea(2, { initial_quantity: 1 })], [more(1)], [[2, 1, 500]]],
    [
      'are as many as the original units, without free ones',
      [tea(1, { initial_quantity: 0 })],
      [missing(1)],
      [[1, 1, 0]],
    ],
    [
      'may be of a SKU, on a line of its own',
      [tea(1)],
      [missing(1, 'sku_tin')],
      [
        [1, undefined, 500],
        [1, 1, 0],
      ],
    ],
    [
      'are free even if they have just replaced others',
      [tea(1)],
      [
        {
          effect: 'ADD_MANY_ITEMS',
          units: [{ effect: 'REPLACE_ITEMS', unit_type: 'sku_tin' }, missing(1, 'prod_tea')],
        },
      ],
      [
        [0, undefined, 0],
        [1, 1, 0],
      ],
    ],
    [
      'leave a line unchanged if its discount exceeds its amount without free ones',
      [tea(1, { initial_quantity: 0, discount_amount: 1 })],
      [more(1)],
      [[2, 1, 499]],
    ],
    ['are one by default', [tea(1)], [{ unit_type: 'tea' }], [[1, 1, 0]]],
    ['may be none', [tea(1)], [missing(0)], [[1, undefined, 500]]],
    [
      'are of many kinds, each by its own effect',
      [tea(1)],
      [
        {
          effect: 'ADD_MANY_ITEMS',
          units: [more(1), missing(1, 'mug'), { unit_type: 'sku_tin', unit_off: 2, effect: 'ADD_NEW_ITEMS' }],
        },
      ],
      [
        [2, 1, 500],
        [1, 1, 0],
        [2, 2, 0],
      ],
    ],
  ])('%s', (_, items, discounts, expected) => {
    const found = withFree(items, discounts).items.map((line) => [
      line.quantity,
      line.discount_quantity,
      line.subtotal_amount,
    ]);
    expect(found).toEqual(expected);
  });

  test('are added to a repeated request as if it did not have them yet', () => {
    const { items, ...figures } = withFree([tea(2, { initial_quantity: 1 })], [more(1)]);
    expect(figures).toMatchObject({ amount: 1000, initial_amount: 500, total_amount: 500 });
    expect(items[0]).toMatchObject({ applied_quantity: 1, applied_quantity_amount: 500, initial_amount: 500 });
  });

  test('have the number that a formula gives', () => {
    const discount = {
      effect: 'ADD_NEW_ITEMS',
      unit_type: 'tea',
      unit_off: 9,
      unit_off_formula: 'ORDER_UNITS_QUANTITY - 1',
    } as const;
    expect(withFree([tea(3)], [discount]).items).toMatchObject([{ quantity: 5 }]);
  });

  test('are not added to a discounted line, if each line may be discounted only once', () => {
    const rules = { ...stacked, redeemables_products_application_mode: 'ONCE' as const };
    const order = orderOf([tea(1, { discount_amount: 100 })]);
    const { items } = checkedOut(order, [coupon(units(more(1)))], { rules }).order;
    expect(items).toMatchObject([
      { quantity: 1, subtotal_amount: 400 },
      { quantity: 1, discount_amount: 500 },
    ]);
  });
});

test('units of a missing product are none', () => {
  const { items } = withFree([{ product_id: 'tea' }], [{ unit_off: 1 }, { effect: 'ADD_NEW_ITEMS', unit_type: '' }]);
  expect(items).toMatchObject([{ product_id: 'prod_tea', quantity: 1, subtotal_amount: 500 }]);
  expect(withFree([], [{ unit_off: 1, product: { id: 'prod_tea' } }]).items).toMatchObject([
    { product_id: 'prod_tea' },
  ]);
});

test("units of one product are added to each line in the discount's scope", () => {
  const items = [
    { product_id: 'tea', collections: ['pc_1'] },
    { product_id: 'mug', collections: ['pc_1'] },
  ];
  const scope = included(entry('pc_1', { effect: 'APPLY_TO_CHEAPEST' }));
  const { items: lines } = withFree(items, [{ effect: 'ADD_SAME_ITEMS', unit_off: 2 }], scope);
  expect(lines).toMatchObject([
    { quantity: 3, discount_quantity: 2, subtotal_amount: 500 },
    { quantity: 1, subtotal_amount: 1200 },
  ]);
});
