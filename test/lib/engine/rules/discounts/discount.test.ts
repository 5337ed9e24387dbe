import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type Discount, discount } from '#engine/rules/discounts/discount.ts';

const tea = { unit_off: 1, unit_off_formula: '2', unit_type: 'prod_tea', product: { id: 'prod_tea', name: 'Tea' } };

test.each<[string, Discount]>([
  [
    'of an amount',
    { type: 'AMOUNT', amount_off: 5, amount_off_formula: 'ORDER_AMOUNT / 10', aggregated_amount_limit: 9 },
  ],
  [
    'of a percentage',
    { type: 'PERCENT', percent_off: 2.5, percent_off_formula: '1', amount_limit: 5, aggregated_amount_limit: 9 },
  ],
  ['of a fixed total', { type: 'FIXED', fixed_amount: 0, fixed_amount_formula: '1' }],
  ['of fixed prices that rules name', { type: 'FIXED', effect: 'APPLY_TO_ITEMS' }],
  ['of units', { type: 'UNIT', effect: 'ADD_NEW_ITEMS', ...tea }],
  [
    'of many kinds of units',
    { type: 'UNIT', effect: 'ADD_MANY_ITEMS', units: [tea, { ...tea, sku: { id: 'sku_tin' } }] },
  ],
])('a discount %s is kept unchanged', (_, sent) => {
  expect(v.parse(discount, sent)).toEqual(sent);
});

test.each<[string, unknown]>([
  ['fixed amount of an order is missing', { type: 'FIXED' }],
  ['percentage is above 100', { type: 'PERCENT', percent_off: 100.1 }],
  ['amount has a fraction', { type: 'AMOUNT', amount_off: 0.5 }],
  ['amount is below 0', { type: 'AMOUNT', amount_off: -1 }],
  ['effect is unknown', { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_NOBODY' }],
  ['formula has more than 5,000 characters', { type: 'AMOUNT', amount_off: 1, amount_off_formula: '1'.repeat(5_001) }],
  ['kinds of units are more than 100', { type: 'UNIT', units: Array.from({ length: 101 }, () => tea) }],
])('a discount is refused if its %s', (_, sent) => {
  expect(v.is(discount, sent)).toBe(false);
});
