import { describe, expect, test } from 'vitest';
import { checkedOut, coupon, entry, included, orderOf } from '../../../../support/checkout.ts';
import { amount, type Units, units } from '../../../../support/discounts.ts';
import { withFree } from '../../../../support/free-units.ts';

describe('units that replace others', () => {
  const upgrade = (unit_type: string): Units => ({ effect: 'REPLACE_ITEMS', unit_type, unit_off: 1 });
  const teas = included(entry('prod_tea', { quantity_limit: 1 }));

  test('are no more than the line has after earlier units of the same discount have replaced it', () => {
    const { items } = withFree(
      [{ product_id: 'tea', quantity: 2, initial_quantity: 0 }],
      [{ effect: 'ADD_MANY_ITEMS', units: [{ unit_type: 'prod_tea', unit_off: 1 }, upgrade('prod_mug')] }],
    );
    expect(items).toMatchObject([
      { quantity: 0, amount: 0 },
      { quantity: 1, amount: 1200 },
    ]);
  });

  test('do not replace units that already had more taken off than the new ones cost', () => {
    const cart = orderOf([{ product_id: 'mug', quantity: 1 }]);
    const off = (amount_off: number) => coupon(amount(amount_off, 'APPLY_TO_ITEMS'));
    const cheaper = coupon(units(upgrade('prod_tea')), included(entry('prod_mug')));
    const orderAfter = (amount: number) => checkedOut(cart, [off(amount), cheaper]).order;
    expect(orderAfter(500)).toMatchObject({
      ...{ amount: 500, total_discount_amount: 500, total_applied_discount_amount: 500, total_amount: 0 },
      items: [{ quantity: 0 }, { quantity: 1, discount_amount: 500 }],
    });
    expect(orderAfter(501)).toMatchObject({
      ...{ amount: 1200, total_discount_amount: 501, total_applied_discount_amount: 501, total_amount: 699 },
      items: [{ quantity: 1, discount_amount: 501 }],
    });
  });

  test('have the price of the units that they replace', () => {
    const { items, ...figures } = withFree([{ product_id: 'tea', quantity: 2 }], [upgrade('prod_mug')], teas);
    expect(figures).toMatchObject({
      amount: 1700,
      initial_amount: 1000,
      items_discount_amount: 700,
      total_amount: 1000,
    });
    expect(items).toMatchObject([
      { quantity: 1, initial_quantity: 2, amount: 500, applied_quantity: -1, applied_quantity_amount: -500 },
      {
        quantity: 1,
        initial_quantity: 0,
        amount: 1200,
        discount_amount: 700,
        applied_discount_amount: 700,
        application_details: [
          {
            source_index: 0,
            source_applied_quantity: -1,
            source_applied_quantity_amount: -500,
            target_index: 1,
            target_applied_quantity: 1,
            target_applied_quantity_amount: 1200,
            target_applied_discount_amount: 700,
          },
        ],
      },
    ]);
  });

  test('make the order cheaper if they are cheaper, without a discount', () => {
    const mugs = included(entry('prod_mug'));
    const { items, ...figures } = withFree([{ product_id: 'mug' }], [upgrade('prod_tea')], mugs);
    expect(figures).toMatchObject({ amount: 500, initial_amount: 1200, items_discount_amount: 0, total_amount: 500 });
    expect(items[1]).toMatchObject({ quantity: 1, subtotal_amount: 500, applied_discount_amount: 0 });
  });

  test('keep the discount of the units that they replace', () => {
    const discounted = [{ product_id: 'tea', quantity: 2, discount_amount: 200 }];
    expect(withFree(discounted, [upgrade('prod_mug')], teas)).toMatchObject({ amount: 1700, total_amount: 800 });
  });

  test('leave the line unchanged if they have no price', () => {
    expect(withFree([{ product_id: 'tea' }], [upgrade('prod_post')], teas).items).toMatchObject([
      { quantity: 1, amount: 500 },
    ]);
  });
});
