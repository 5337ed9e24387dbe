import { describe, expect, test } from 'vitest';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import { mergeLines } from '#engine/checkout/orders/figures.ts';
import { buildNextOrder } from '#engine/checkout/orders/next-order.ts';
import type { KeptOrder } from '#engine/checkout/orders/redeemed-order.ts';
import type { OrderItem } from '#engine/checkout/orders/resource.ts';
import { coupon, entry, included, orderOf } from '../../../../support/checkout.ts';
import { now, redeemAll, redeemedBy, seen, storedAs, without } from '../../../../support/redeemed-orders.ts';

/** An order with several redemptions, one after the other. Each is rolled back alone. */

const off = (amount_off: number) => coupon({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const offLines = (amount_off: number) => coupon({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ITEMS' });
const gets = (effect: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS', unit_type: string) =>
  coupon({ type: 'UNIT', unit_off: 1, unit_type, effect });
const upgrade = coupon(
  { type: 'UNIT', unit_off: 1, unit_type: 'prod_mug', effect: 'REPLACE_ITEMS' },
  included(entry('prod_tea')),
);
const teas = storedAs(orderOf([{ product_id: 'tea', quantity: 2 }]), false);

test('a rollback of any redemption leaves the figures of the others', () => {
  const { last, kept } = redeemAll(teas, [[off(100)], [offLines(50)], [gets('ADD_NEW_ITEMS', 'prod_tea')]]);
  expect(last).toMatchObject({ amount: 1500, discount_amount: 100, items_discount_amount: 550, total_amount: 850 });
  const [ofOrder, ofLines, ofUnits] = kept;
  if (!ofOrder || !ofLines || !ofUnits) throw new Error('one is missing');
  const rows: [KeptOrder, object][] = [
    [ofOrder, { amount: 1500, items_discount_amount: 550, total_amount: 950 }],
    [ofLines, { amount: 1500, discount_amount: 100, items_discount_amount: 500 }],
    [ofUnits, { amount: 1000, discount_amount: 100, items_discount_amount: 50, total_amount: 850 }],
  ];
  for (const [own, expected] of rows) {
    expect(without(last, own, kept)).toMatchObject({ status: 'CANCELED', ...expected });
  }
  expect(without(last, ofUnits, kept).items).toMatchObject([
    { quantity: 2, amount: 1000, discount_amount: 50, subtotal_amount: 950 },
  ]);
  expect(without(last, ofOrder, kept)).not.toHaveProperty('discount_amount');
});

test('a rollback removes the line that it added, with discounts of others on that line', () => {
  const { last, kept } = redeemAll(teas, [[gets('ADD_NEW_ITEMS', 'prod_mug')], [offLines(30)]]);
  const [ofUnits, ofLines] = kept;
  if (!ofLines || !ofUnits) throw new Error('one is missing');
  expect(last.items).toHaveLength(2);
  const after = without(last, ofUnits, kept);
  expect(after).toMatchObject({ amount: 1000, items_discount_amount: 30, total_amount: 970 });
  expect(after.items).toHaveLength(1);
});

test('a discount on replaced units is taken off the new units, and returns with the original ones', () => {
  const { last, kept } = redeemAll(teas, [[offLines(100)], [upgrade], [off(10)]]);
  const [ofLines, ofUpgrade, ofOrder] = kept;
  if (!ofLines || !ofUpgrade || !ofOrder) throw new Error('one is missing');
  expect(last).toMatchObject({ amount: 2400, items_discount_amount: 1500, discount_amount: 10, total_amount: 890 });
  expect(without(last, ofLines, kept)).toMatchObject({
    ...{ amount: 2400, items_discount_amount: 1400, discount_amount: 10, total_amount: 990 },
  });
  expect(without(last, ofUpgrade, kept)).toMatchObject({
    ...{ amount: 1000, items_discount_amount: 100, discount_amount: 10, total_amount: 890 },
    items: [{ product_id: 'prod_tea', quantity: 2, discount_amount: 100 }],
  });
});

const mug = storedAs(orderOf([{ product_id: 'mug' }]), false);
const cheaper = coupon(
  { type: 'UNIT', unit_off: 1, unit_type: 'prod_tea', effect: 'REPLACE_ITEMS' },
  included(entry('prod_mug')),
);

test.each([
  ['ADD_NEW_ITEMS', 2, 1000, [{ quantity: 1, discount_quantity: 1 }]],
  ['ADD_MISSING_ITEMS', 1, 500, []],
] as const)(
  'replaced units stay replaced if another redemption replaces some as well, by %s',
  (effect, quantity, amount, alone) => {
    const { last, kept } = redeemAll(mug, [[cheaper], [gets(effect, 'prod_tea')]]);
    const [ofUpgrade, ofUnits] = kept;
    if (!ofUpgrade || !ofUnits) throw new Error('one is missing');
    expect(last).toMatchObject({ amount, total_amount: amount - 500, items: [{ quantity: 0 }, { quantity }] });
    const withoutUpgrade = without(last, ofUpgrade, kept);
    expect(withoutUpgrade).toMatchObject({ total_amount: 1200, items: [{ quantity: 1 }, ...alone] });
    const withoutUnits = without(last, ofUnits, kept);
    expect(withoutUnits).toMatchObject({ amount: 500, total_amount: 500, items: [{ quantity: 0 }, { quantity: 1 }] });
    expect(seen(without(withoutUpgrade, ofUnits, [ofUnits]))).toEqual(seen(mug));
    expect(seen(without(withoutUnits, ofUpgrade, [ofUpgrade]))).toEqual(seen(mug));
  },
);

describe('a discount above the cost of cheaper units', () => {
  const figuresOf = ({ amount, discount_amount = 0, total_amount }: OrderItem) => [
    amount,
    discount_amount,
    total_amount,
  ];

  test.each<[string, Redeemable[][], number[], number[][]]>([
    [
      'all of it',
      [[off(1200)], [cheaper]],
      [500, 500, 0],
      [
        [500, 0, 500],
        [1200, 1200, 0],
      ],
    ],
    [
      'a part',
      [[off(700)], [cheaper]],
      [500, 500, 0],
      [
        [500, 0, 500],
        [1200, 700, 500],
      ],
    ],
    [
      'by two',
      [[off(600)], [off(600)], [cheaper]],
      [500, 500, 0],
      [
        [500, 500, 0],
        [500, 500, 0],
        [1200, 1200, 0],
      ],
    ],
    [
      'in one request',
      [[off(1200), cheaper], [off(10)]],
      [500, 500, 0],
      [
        [1200, 0, 1200],
        [500, 500, 0],
      ],
    ],
    [
      'with units that came after it',
      [[off(1200)], [cheaper], [gets('ADD_NEW_ITEMS', 'prod_tea')]],
      [1000, 500, 0],
      [
        [1000, 0, 500],
        [1700, 1200, 0],
        [500, 500, 0],
      ],
    ],
  ])('returns with the dearer units: %s', (_, all, expected, expectedWithout) => {
    const { last, kept } = redeemAll(mug, all);
    expect(figuresOf(last)).toEqual(expected);
    expect(kept.at(-1)).toMatchObject({ amount: last.amount, total_amount: last.total_amount });
    expect(kept.map((own) => figuresOf(without(last, own, kept)))).toEqual(expectedWithout);
  });
});

test('a line that was sent again since then keeps its discount of that time', () => {
  const first = redeemedBy(teas, [offLines(100)]);
  const lines = teas.items.map((line) => ({ ...line, quantity: 2 }));
  const people = { customer_id: undefined, referrer_id: undefined };
  const sent = mergeLines(lines, first.order.items);
  const anew = buildNextOrder(first.order, { body: {}, lines: sent, people }, now);
  const second = redeemedBy(anew, [offLines(70)]);
  expect(second.order).toMatchObject({ total_discount_amount: 70 });
  expect(without(second.order, first.kept, [first.kept, second.kept])).toMatchObject({ total_discount_amount: 70 });
  expect(without(second.order, second.kept, [first.kept, second.kept])).toMatchObject({ total_amount: 1000 });
});
