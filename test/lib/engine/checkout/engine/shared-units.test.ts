import { describe, expect, test } from 'vitest';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import type { DiscountScope, ScopeEntry } from '#engine/checkout/engine/selection.ts';
import type { StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { checkedOut, coupon, entry, included, orderOf, stacked, type TestLine } from '../../../../support/checkout.ts';
import { amount, fixed, percent, units } from '../../../../support/discounts.ts';

const all = (how: Partial<ScopeEntry> = {}) => included(entry('pc_a11pr0dUc75', how));
const line = (quantity: number, price: number): TestLine => ({ source_id: `of ${price}`, quantity, price });

type Asked = readonly [Discount, DiscountScope];

/** Returns the amounts that each discount in turn deducts from each line. */
function taken(items: readonly TestLine[], asked: readonly Asked[], rules: Partial<StackingRules> = {}) {
  const redeemables = asked.map(([discount, scope]) => coupon(discount, scope));
  const { considered } = checkedOut(orderOf(items), redeemables, { rules: { ...stacked, ...rules } });
  return considered.map(({ outcome }) =>
    outcome.status === 'APPLICABLE'
      ? outcome.order.items.map(({ applied_discount_amount: off = 0 }) => off)
      : outcome.status,
  );
}

describe('an AMOUNT takes at most the part of a line that the counted units have', () => {
  test.each<[string, TestLine[], Discount, Partial<ScopeEntry>, number[]]>([
    ['with a limit of units for the line', [line(5, 15000)], amount(20000), { quantity_limit: 1 }, [15000]],
    ['with room for the whole amount', [line(5, 15000)], amount(20000), { quantity_limit: 2 }, [20000]],
    [
      'with a limit of units for all lines',
      [line(2, 300), line(5, 200)],
      amount(1000),
      { aggregated_quantity_limit: 3 },
      [600, 200],
    ],
    ['if one unit is the target', [line(3, 500)], amount(900), { effect: 'APPLY_TO_CHEAPEST', target: 'UNIT' }, [500]],
    [
      'if every second unit is the target',
      [line(5, 100)],
      amount(900),
      { skip_initially: 1, repeat: 2, target: 'UNIT' },
      [200],
    ],
    [
      'if it is taken off each unit',
      [line(5, 100)],
      amount(150, 'APPLY_TO_ITEMS_BY_QUANTITY'),
      { quantity_limit: 2 },
      [200],
    ],
    [
      'if it is shared by amounts',
      [line(5, 100), line(1, 500)],
      amount(900, 'APPLY_TO_ITEMS_PROPORTIONALLY'),
      { quantity_limit: 1 },
      [100, 500],
    ],
    [
      'if it is shared by units',
      [line(5, 100), line(1, 500)],
      amount(400, 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'),
      { quantity_limit: 1 },
      [100, 300],
    ],
    ['rounded half up', [{ amount: 100, quantity: 3 }], amount(90), { quantity_limit: 2 }, [67]],
    [
      'of what an earlier discount left',
      [{ ...line(5, 100), discount_amount: 250 }],
      amount(90),
      { quantity_limit: 1 },
      [50],
    ],
  ])('%s', (_, items, discount, how, expected) => {
    expect(taken(items, [[discount, all(how)]])).toEqual([expected]);
  });
});

test('a gift card for items pays at most the units that its rule counts', () => {
  const gift: Redeemable = {
    benefit: { kind: 'gift', gift: { balance: 40000, effect: 'APPLY_TO_ITEMS' } },
    scope: all({ quantity_limit: 1 }),
  };
  const [{ outcome } = {}] = checkedOut(orderOf([line(5, 15000)]), [gift]).considered;
  expect(outcome).toMatchObject({ status: 'APPLICABLE', result: { gift: { balance: 40000, credits: 15000 } } });
});

describe('each unit is made free once', () => {
  const free: Asked = [percent(100), all({ quantity_limit: 1 })];
  const free200: Asked = [amount(200), all({ quantity_limit: 1 })];
  const cheapest: Asked = [percent(100), all({ effect: 'APPLY_TO_CHEAPEST', target: 'UNIT' })];
  const threeForTwo: Asked = [
    percent(100),
    all({ effect: 'APPLY_FROM_MOST_EXPENSIVE', skip_initially: 2, repeat: 3, target: 'UNIT' }),
  ];

  test.each<[string, TestLine[], Asked[], number[][]]>([
    ['by two discounts of one unit on a line of two', [line(2, 150)], [free, free], [[150], [150]]],
    ['by two amounts above the price', [line(2, 150)], [free200, free200], [[150], [150]]],
    ['by a percentage, then an amount', [line(3, 150)], [free, free200], [[150], [150]]],
    [
      'by prices of 0',
      [line(2, 150)],
      [[fixed(0, 'APPLY_TO_ITEMS'), all({ quantity_limit: 1 })], free],
      [[150], [150]],
    ],
    ['until no unit is left', [line(2, 150)], [free, free, free], [[150], [150], [0]]],
    [
      'by units that are given',
      [line(2, 500)].map((one) => ({ ...one, source_id: 'tea' })),
      [[units({ unit_off: 1, unit_type: 'tea' }), all()], free],
      [[500], [500]],
    ],
    [
      'while the others keep their own discounts',
      [line(2, 150)],
      [[percent(10), all()], free, free],
      [[30], [135], [135]],
    ],
    ['before the others are discounted', [line(2, 150)], [free, [percent(10), all()]], [[150], [15]]],
    [
      'and the others are the ones that a price is for',
      [line(2, 150)],
      [free, [fixed(100, 'APPLY_TO_ITEMS'), all()]],
      [[150], [50]],
    ],
    [
      'and by two discounts of the cheapest unit, of two products',
      [line(1, 1000), line(1, 1400), line(1, 2000)],
      [cheapest, cheapest],
      [
        [1000, 0, 0],
        [0, 1400, 0],
      ],
    ],
    [
      'and by two discounts of the cheapest line',
      [line(1, 1000), line(1, 1400)],
      [
        [percent(100), all({ effect: 'APPLY_TO_CHEAPEST' })],
        [percent(100), all({ effect: 'APPLY_TO_CHEAPEST' })],
      ],
      [
        [1000, 0],
        [0, 1400],
      ],
    ],
    [
      'and by two discounts of three for two, among six and then among the other four',
      [line(6, 300)],
      [threeForTwo, threeForTwo],
      [[600], [300]],
    ],
  ])('%s', (_, items, asked, expected) => {
    expect(taken(items, asked)).toEqual(expected);
  });

  test('and a sent number of free units is not believed without their discount', () => {
    const sent = { ...line(2, 150), discount_quantity: 1 };
    expect(taken([sent], [free])).toEqual([[150]]);
    expect(taken([{ ...sent, discount_amount: 150 }], [free])).toEqual([[150]]);
  });

  test('also if percentages are of the initial amount', () => {
    const rules = { discount_calculation_mode: 'INITIAL_AMOUNT' } as const;
    expect(taken([line(2, 150)], [free, free, free], rules)).toEqual([[150], [150], [0]]);
    expect(taken([line(2, 150)], [free, [percent(10), all()]], rules)).toEqual([[150], [30]]);
  });

  test('and replies list other units for each discount', () => {
    const { considered } = checkedOut(orderOf([line(2, 150)]), [coupon(...free), coupon(...free)]);
    const listed = considered.map(({ outcome }) =>
      outcome.status === 'APPLICABLE' ? outcome.applicable_to.data[0]?.order_item_units : [],
    );
    expect(listed).toMatchObject([[{ index: 0, units: [1] }], [{ index: 0, units: [2] }]]);
  });
});

describe('three for two, the cheapest free', () => {
  const scope = all({ effect: 'APPLY_FROM_MOST_EXPENSIVE', skip_initially: 2, repeat: 3, target: 'UNIT' });
  const sum = (of: (string | number[])[]) => of.flat().reduce<number>((total, off) => total + Number(off), 0);

  test.each<[string, [quantity: number, price: number][], number[]]>([
    ['one of three equal units', [[3, 900]], [900]],
    [
      'the last of each group, from the dearest unit on',
      [
        [1, 1000],
        [1, 1000],
        [1, 2000],
      ],
      [0, 1000, 0],
    ],
    [
      'of equal units the one of the later line',
      [
        [2, 1000],
        [1, 1000],
      ],
      [0, 1000],
    ],
    ['none of two', [[2, 1000]], [0]],
    [
      'two of six, each the cheapest of its three',
      [
        [2, 300],
        [4, 500],
      ],
      [300, 500],
    ],
    ['one of five', [[5, 400]], [400]],
  ])('takes off %s', (_, items, expected) => {
    const lines = items.map(([quantity, price], index) => ({ source_id: `p${index}`, quantity, price }));
    const found = taken(lines, [[percent(100), scope]]);
    expect(found.map((one) => (sum([one]) === 0 ? items.map(() => 0) : one))).toEqual([expected]);
  });

  test('is taken off nothing by the cheapest with skipped units', () => {
    const how = { effect: 'APPLY_TO_CHEAPEST', skip_initially: 2, repeat: 3, target: 'UNIT' } as const;
    expect(sum(taken([line(1, 1000), line(1, 1500), line(1, 2000)], [[percent(100), all(how)]]))).toBe(0);
  });
});
