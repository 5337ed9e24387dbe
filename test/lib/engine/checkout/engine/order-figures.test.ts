import { describe, expect, test } from 'vitest';
import type { DiscountScope } from '#engine/checkout/engine/selection.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { checkedOut, coupon, entry, included, orderOf } from '../../../../support/checkout.ts';
import { amount, percent } from '../../../../support/discounts.ts';

describe('figures of an order', () => {
  const shown = (redeemables: Discount[], scope?: DiscountScope) =>
    checkedOut(
      orderOf([{ product_id: 'tea', quantity: 2, collections: ['pc_1'] }], { discount_amount: 100 }),
      redeemables.map((one) => coupon(one, scope)),
    );

  test('separate earlier discounts from new ones', () => {
    expect(shown([amount(50)]).order).toEqual({
      amount: 1000,
      initial_amount: 1000,
      discount_amount: 150,
      total_discount_amount: 150,
      total_amount: 850,
      applied_discount_amount: 50,
      total_applied_discount_amount: 50,
      items: [
        {
          object: 'order_item',
          related_object: 'product',
          product_id: 'prod_tea',
          quantity: 2,
          price: 500,
          amount: 1000,
          subtotal_amount: 1000,
          // These are stored, and not shown.
          sent_discount_amount: 0,
          product: { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
        },
      ],
    });
  });

  test('show 0 for a discount without effect, and leave out a discount that was not tried', () => {
    const { items, ...ofItems } = shown([amount(0)], included(entry('pc_1'))).order;
    expect(ofItems).toEqual({
      amount: 1000,
      initial_amount: 1000,
      discount_amount: 100,
      items_discount_amount: 0,
      total_discount_amount: 100,
      total_amount: 900,
      items_applied_discount_amount: 0,
      total_applied_discount_amount: 0,
    });
    expect(items).toMatchObject([{ applied_discount_amount: 0 }]);
  });

  test('of each redeemable show the order after it, with its own discount', () => {
    const { considered, order } = shown([amount(50), percent(10, 'APPLY_TO_ITEMS')]);
    const orders = considered.map(({ outcome }) => outcome.status === 'APPLICABLE' && outcome.order);
    expect(orders).toMatchObject([
      { discount_amount: 150, applied_discount_amount: 50, total_applied_discount_amount: 50, total_amount: 850 },
      { discount_amount: 150, items_discount_amount: 100, items_applied_discount_amount: 100, total_amount: 750 },
    ]);
    expect(orders[0]).not.toHaveProperty('items_discount_amount');
    expect(orders[1]).not.toHaveProperty('applied_discount_amount');
    expect(order).toMatchObject({
      applied_discount_amount: 50,
      items_applied_discount_amount: 100,
      total_applied_discount_amount: 150,
      total_discount_amount: 250,
      total_amount: 750,
    });
  });

  test("of earlier discounts are at most the order's amount", () => {
    const order = orderOf(
      [
        { amount: 500, discount_amount: 400 },
        { amount: 500, discount_amount: 400 },
      ],
      { amount: 600, discount_amount: 50 },
    );
    expect(checkedOut(order, [coupon(amount(1))]).order).toMatchObject({
      amount: 600,
      items_discount_amount: 600,
      total_amount: 0,
      items: [{ discount_amount: 400 }, { discount_amount: 200, subtotal_amount: 300 }],
    });
  });
});
