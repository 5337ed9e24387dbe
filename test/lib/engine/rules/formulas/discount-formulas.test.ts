import { describe, expect, test } from 'vitest';
import { compileMoney, compilePercents, compileUnits } from '#engine/rules/formulas/formula.ts';
import { checkedOut, coupon, entry, everything, included } from '../../../../support/checkout.ts';
import { facts, order } from '../../../../support/formula-facts.ts';

describe('the value of a definition', () => {
  test.each([
    ['is in minor units of money', compileMoney(9, '19.99'), 1999],
    ['is rounded half up', compileMoney(9, '1.005'), 101],
    ['is exact for large amounts', compileMoney(9, '90071992547409.91'), Number.MAX_SAFE_INTEGER],
    ['is not below 0', compileMoney(9, '0 - 5'), 0],
    ['is the plain one without a number', compileMoney(9, '"5"'), 9],
    ['is the plain one if the formula cannot be read', compileMoney(9, '5 +'), 9],
    ['is the plain one if the formula cannot be computed', compileMoney(9, 'POW(10; 15)'), 9],
    ['is the plain one without a formula', compileMoney(9, undefined), 9],
    ['is at most 100 percent', compilePercents(9, '101'), 100],
    ['may be a part of a percent', compilePercents(9, '12.5'), 12.5],
    ['is a whole number of units', compileUnits(9, '2.5'), 3],
  ])('%s', (_, figure, expected) => {
    expect(figure(facts)).toBe(expected);
  });
});

describe('a discount follows its formula', () => {
  const offs = (...args: Parameters<typeof coupon>) => {
    const { order: shown } = checkedOut(order, [coupon(...args)]);
    return [shown.applied_discount_amount, ...shown.items.map((item) => item.applied_discount_amount)];
  };

  test.each<[string, Parameters<typeof coupon>, (number | undefined)[]]>([
    [
      'on the order',
      [{ type: 'AMOUNT', amount_off: 1, amount_off_formula: 'ORDER_AMOUNT / 10' }],
      [270, undefined, undefined],
    ],
    [
      'in percent',
      [{ type: 'PERCENT', percent_off: 1, percent_off_formula: 'ORDER_ITEMS_QUANTITY * 5' }],
      [240, undefined, undefined],
    ],
    [
      'to a fixed total',
      [{ type: 'FIXED', fixed_amount: 1, fixed_amount_formula: 'ORDER_AMOUNT - 5' }],
      [200, undefined, undefined],
    ],
    [
      'line by line',
      [{ type: 'AMOUNT', amount_off: 7, amount_off_formula: 'ORDER_ITEM_PRICE / 2', effect: 'APPLY_TO_ITEMS' }],
      [undefined, 250, 600],
    ],
    [
      'with the plain value if a line cannot be evaluated',
      [{ type: 'AMOUNT', amount_off: 7, amount_off_formula: 'ORDER_ITEM_METADATA("size")', effect: 'APPLY_TO_ITEMS' }],
      [undefined, 7, 1200],
    ],
    [
      'to the price of a unit',
      [
        { type: 'FIXED', fixed_amount: 1, effect: 'APPLY_TO_ITEMS' },
        included(entry('prod_tea', { price: 1, price_formula: 'ORDER_ITEM_PRICE - 1' })),
      ],
      [undefined, 300, undefined],
    ],
    [
      'with the data of the redeemable',
      [
        { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'REDEEMABLE_METADATA("off") / 10' },
        everything,
        { facts: { now: new Date(0), redeemable_metadata: { off: 20 } } },
      ],
      [200, undefined, undefined],
    ],
  ])('%s', (_, args, expected) => {
    expect(offs(...args)).toEqual(expected);
  });
});
