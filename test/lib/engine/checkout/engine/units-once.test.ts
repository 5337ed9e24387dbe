import { describe, expect, test } from 'vitest';
import { checkedOut, coupon, entry, included, orderOf, stacked, type TestLine } from '../../../../support/checkout.ts';
import { units } from '../../../../support/discounts.ts';

describe('if each line may be discounted only once, missing units', () => {
  const rules = { ...stacked, redeemables_products_application_mode: 'ONCE' as const };
  const tea = (quantity: number, discount_amount = 0): TestLine => ({ product_id: 'tea', quantity, discount_amount });
  const missing = (unit_off: number) => coupon(units({ unit_type: 'tea', unit_off, effect: 'ADD_MISSING_ITEMS' }));

  test.each<[string, TestLine[], number, number[][]]>([
    ['are none if the cart has them, though they cannot be free', [tea(2, 100)], 2, [[2, 100]]],
    [
      'are the units that the cart lacks, on a line of their own',
      [tea(2, 100)],
      3,
      [
        [2, 100],
        [1, 500],
      ],
    ],
    [
      'include lines out of reach, and make units in reach free',
      [tea(1, 100), tea(2)],
      3,
      [
        [1, 100],
        [2, 1000],
      ],
    ],
    [
      'are added to a line in reach',
      [tea(1, 100), tea(1)],
      3,
      [
        [1, 100],
        [2, 1000],
      ],
    ],
  ])('%s', (_, items, count, expected) => {
    const { considered, order } = checkedOut(orderOf(items), [missing(count)], { rules });
    expect(considered).toMatchObject([{ outcome: { status: 'APPLICABLE' } }]);
    expect(order.items.map(({ quantity, discount_amount }) => [quantity, discount_amount])).toEqual(expected);
  });

  test('include units that an earlier redeemable discounted', () => {
    const half = coupon({ type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' });
    const { items } = checkedOut(orderOf([tea(2)]), [half, missing(2)], { rules }).order;
    expect(items).toMatchObject([{ quantity: 2, discount_amount: 500, subtotal_amount: 500 }]);
  });

  test('include the units of a repeated request that existed before free ones', () => {
    const sent = { ...tea(3, 100), initial_quantity: 1 };
    const { items } = checkedOut(orderOf([sent]), [missing(2)], { rules }).order;
    expect(items).toMatchObject([{ quantity: 3 }, { quantity: 1, discount_amount: 500 }]);
  });
});

test('if each line may be discounted only once, replacing units never make a discounted line free', () => {
  const rules = { ...stacked, redeemables_products_application_mode: 'ONCE' as const };
  const order = orderOf([
    { product_id: 'tea', quantity: 1 },
    { product_id: 'mug', quantity: 1, discount_amount: 100 },
  ]);
  const upgrade = coupon(
    units({ unit_type: 'mug', unit_off: 1, effect: 'REPLACE_ITEMS' }),
    included(entry('prod_tea')),
  );
  const { items } = checkedOut(order, [upgrade], { rules }).order;
  expect(items).toMatchObject([
    { product_id: 'prod_tea', quantity: 0 },
    { product_id: 'prod_mug', quantity: 1, discount_amount: 100 },
    { product_id: 'prod_mug', quantity: 1, discount_amount: 700 },
  ]);
});
