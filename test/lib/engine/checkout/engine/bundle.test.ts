import { describe, expect, test } from 'vitest';
import type { DiscountScope } from '#engine/checkout/engine/selection.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { bundleOf, checkedOut, coupon, entry, everything, included, orderOf } from '../../../../support/checkout.ts';

describe('two bundles multiply', () => {
  const items = [
    { product_id: 'tea', quantity: 4 },
    { product_id: 'mug', quantity: 3 },
  ];
  const parts = [
    { quantity: 2, any_of: [entry('prod_tea')] },
    { quantity: 1, any_of: [entry('prod_mug')] },
  ];
  const bundles = bundleOf(2, ...parts);
  const teas = included(entry('prod_tea', { quantity_limit: 1, price: 400 }));
  const off = (discount: Discount, scope: DiscountScope) => {
    const { order } = checkedOut(orderOf(items), [coupon(discount, scope, { bundles })]);
    return order.total_applied_discount_amount;
  };

  test.each<[string, Discount, DiscountScope, number]>([
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

  test('has no effect if the cart has no bundle', () => {
    const [considered] = checkedOut(orderOf([{ product_id: 'tea' }]), [
      coupon({ type: 'AMOUNT', amount_off: 1 }, everything, { bundles }),
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
