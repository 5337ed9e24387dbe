import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { LoyaltyTierItem } from '#engine/campaigns/programme.ts';
import {
  computeTierEarnings,
  type EarningRule,
  earningRuleItem,
  multiplyRoundedDown,
} from '#engine/loyalty/earning/earning-rule.ts';

const now = new Date('2026-06-15T12:00:00Z');
const base = { campaign_id: 'camp_1', event: 'paid', active: true };
const fixed = (points: number, more = {}): EarningRule => ({
  ...base,
  id: 'ern_1',
  loyalty: { type: 'FIXED', points },
  ...more,
});
const perUnit = (points: number, every: number): EarningRule => ({
  ...base,
  id: 'ern_1',
  loyalty: { type: 'PROPORTIONAL', metadata_key: 'amount', points, every },
});
const paid = (metadata: Record<string, unknown>) => ({ event: 'paid', metadata, customerMetadata: {} });
const tier = (earning_rules: LoyaltyTierItem['earning_rules']): LoyaltyTierItem => ({
  id: 'ltr_1',
  name: 'Gold',
  campaign_id: 'camp_1',
  created_at: '2026-01-01T00:00:00.000Z',
  points: { from: 0 },
  metadata: {},
  earning_rules,
  rewards: {},
});
const times = (multiplier: number) => tier({ ern_1: { type: 'MULTIPLY', multiplier } });
const custom = (points: number) => tier({ ern_1: { type: 'CUSTOM', points } });

describe('an event earns', () => {
  test.each<[string, EarningRule[], LoyaltyTierItem | undefined, Record<string, unknown>, number[]]>([
    ['fixed points', [fixed(20)], undefined, {}, [20]],
    ['1.5 times 20', [fixed(20)], times(1.5), {}, [30]],
    ['1.5 times 7, rounded down', [fixed(7)], times(1.5), {}, [10]],
    ['0.5 times 1, which is nothing', [fixed(1)], times(0.5), {}, []],
    ['nothing in a tier that multiplies by 0', [fixed(20)], times(0), {}, []],
    ["the tier's own points", [fixed(20)], custom(75), {}, [75]],
    ["nothing if the tier's own points are 0", [fixed(20)], custom(0), {}, []],
    ['its points in a tier that changes another rule', [fixed(20, { id: 'ern_2' })], custom(75), {}, [20]],
    ['nothing by a disabled rule', [fixed(20, { active: false })], undefined, {}, []],
    ['nothing by a rule for another event', [fixed(20, { event: 'seen' })], undefined, {}, []],
    ['points per full unit', [perUnit(2, 100)], undefined, { amount: 399.99 }, [6]],
    ['points per full unit, then 1.5 times, rounded down', [perUnit(1, 100)], times(1.5), { amount: 300 }, [4]],
    ["the tier's own points per unit", [perUnit(1, 100)], custom(9), { amount: 300 }, [27]],
    ['nothing without the number', [perUnit(1, 100)], custom(9), {}, []],
    ['nothing for a value that is not a number', [perUnit(1, 100)], undefined, { amount: '300' }, []],
    ['nothing for a number below 0', [perUnit(1, 100)], undefined, { amount: -300 }, []],
    ['by two rules at once', [fixed(20), perUnit(1, 100)], times(2), { amount: 100 }, [40, 2]],
    ['more than any card can have', [perUnit(1000, 1)], undefined, { amount: 2 ** 53 - 1 }, [Number.POSITIVE_INFINITY]],
  ])('%s', (_, rules, inTier, metadata, expected) => {
    expect(computeTierEarnings(rules, paid(metadata), inTier, now).map(({ points }) => points)).toEqual(expected);
  });

  test('pending points if the rule has a period, also of 0 days', () => {
    const earned = computeTierEarnings(
      [fixed(5, { pending_points: { days: 14 } }), fixed(6, { pending_points: { days: 0 } })],
      paid({}),
      undefined,
      now,
    );
    expect(earned.map(({ points, pendingDays }) => [points, pendingDays])).toEqual([
      [5, 14],
      [6, 0],
    ]);
  });
});

describe('a paid order earns by', () => {
  const order = {
    id: 'ord_1',
    amount: 1250,
    total_amount: 999,
    metadata: { weight: 7, note: 'x' },
    items: [
      {
        product_id: 'prod_tea',
        sku_id: 'sku_tin',
        quantity: 3,
        discount_quantity: 1,
        amount: 900,
        subtotal_amount: 600,
      },
      { product_id: 'prod_cup', quantity: 1, amount: 350, subtotal_amount: 350 },
      { quantity: 5 },
    ],
  };
  const earned = { event: 'order.paid', metadata: {}, customerMetadata: { years: 4 }, order };
  const by = (loyalty: object): EarningRule =>
    v.parse(earningRuleItem, {
      ...base,
      id: 'ern_1',
      event: 'order.paid',
      loyalty: { type: 'PROPORTIONAL', ...loyalty },
    });
  const each = { every: 100, points: 2 };
  const product = { object: 'product', id: 'prod_tea' };
  const items = (calculation: string, figure: string, more: object) =>
    by({ calculation_type: calculation, order_items: { [figure]: { every: 1, points: 1, ...more } } });

  test.each<[string, EarningRule, number[]]>([
    ['its amount', by({ calculation_type: 'ORDER_AMOUNT', order: { amount: each } }), [24]],
    ['the amount to pay', by({ calculation_type: 'ORDER_TOTAL_AMOUNT', order: { total_amount: each } }), [18]],
    [
      'its metadata',
      by({ calculation_type: 'ORDER_METADATA', order: { metadata: { every: 2, points: 5, property: 'weight' } } }),
      [15],
    ],
    [
      'no text in its metadata',
      by({ calculation_type: 'ORDER_METADATA', order: { metadata: { ...each, property: 'note' } } }),
      [],
    ],
    [
      'no name that every object has',
      by({ calculation_type: 'ORDER_METADATA', order: { metadata: { ...each, property: 'constructor' } } }),
      [],
    ],
    [
      'its customer’s metadata',
      by({ calculation_type: 'CUSTOMER_METADATA', customer: { metadata: { every: 1, points: 1, property: 'years' } } }),
      [4],
    ],
    ['units of a product, without free ones', items('ORDER_ITEMS_QUANTITY', 'quantity', product), [2]],
    ['the price of a SKU', items('ORDER_ITEMS_AMOUNT', 'amount', { object: 'sku', id: 'sku_tin' }), [900]],
    ['the amount paid for a product', items('ORDER_ITEMS_SUBTOTAL_AMOUNT', 'subtotal_amount', product), [600]],
    ['no line of another product', items('ORDER_ITEMS_AMOUNT', 'amount', { object: 'product', id: 'prod_x' }), []],
    [
      'a line that matches twice once',
      items('ORDER_ITEMS_AMOUNT', 'amount', {
        applicable_to: [product, { object: 'sku', id: 'sku_tin' }, { object: 'product', id: 'prod_cup' }],
      }),
      [1250],
    ],
    [
      'all lines, also of unknown products',
      items('ORDER_ITEMS_QUANTITY', 'quantity', { object: 'products_collection', id: 'pc_a11pr0dUc75' }),
      [8],
    ],
  ])('%s', (_, rule, expected) => {
    expect(computeTierEarnings([rule], earned, undefined, now).map(({ points }) => points)).toEqual(expected);
    expect(computeTierEarnings([rule], { ...earned, event: 'paid' }, undefined, now)).toEqual([]);
  });

  test("points of a tier replace the rule's own, and an event without an order earns nothing", () => {
    const rule = by({ calculation_type: 'ORDER_AMOUNT', order: { amount: each } });
    expect(computeTierEarnings([rule], earned, custom(3), now).map(({ points }) => points)).toEqual([36]);
    expect(computeTierEarnings([rule], { ...earned, order: undefined }, undefined, now)).toEqual([]);
  });
});

test.each([
  [100, 1.15, 115],
  [100, 1.1, 110],
  [3, 1 / 3, 0],
  [1_000_000, 1e-6, 1],
  [7, 1e2, 700],
  [1, 1e21, Number.POSITIVE_INFINITY],
  [1, 1.9999999999999998, 1],
  [0, 5, 0],
])('%d times %d, rounded down, is %d', (points, factor, expected) => {
  expect(multiplyRoundedDown(points, factor)).toBe(expected);
});

describe('a formula', () => {
  const earned = {
    event: 'paid',
    metadata: { length: 4 },
    customerMetadata: { level: 2.5, name: 'Ada' },
    customerBirthdate: '1990-06-15',
    order: {
      id: 'ord_1',
      amount: 12_345,
      metadata: { bonus: 3 },
      items: [
        { product_id: 'tea', quantity: 2, amount: 1_000, product: { metadata: { stars: 4 } } },
        { product_id: 'mug', quantity: 1, amount: 11_345 },
      ],
    },
  };
  const pointsOf = (points_formula: string, inTier?: LoyaltyTierItem) =>
    computeTierEarnings([fixed(9, { loyalty: { type: 'FIXED', points: 9, points_formula } })], earned, inTier, now).map(
      ({ points }) => points,
    );

  test.each<[string, number[]]>([
    ['ORDER_AMOUNT / 10', [12]],
    ['ORDER_AMOUNT * 0.02', [2]],
    ['ORDER_UNITS_QUANTITY * 10 + ORDER_METADATA("bonus")', [33]],
    ['ROUND(CUSTOMER_METADATA("level"); 0)', [3]],
    ['CUSTOM_EVENT_METADATA("length") * 1.5', [6]],
    ['CHEAPEST_ORDER_ITEM_PRODUCT_METADATA("stars")', [4]],
    ['MOST_EXPENSIVE_ORDER_ITEM_PRICE', [113]],
    ['IF(YEARS_SINCE(CUSTOMER_BIRTHDATE) > 35; 70; 7)', [70]],
    ['IF(DATE_IS(NOW); 50; 5)', [50]],
    ['DEFAULT_TO(ORDER_METADATA("none"); 8)', [8]],
    // Less than half a point counts as nothing.
    ['0 - 5', []],
    ['0.4', []],
    // A formula without a value leaves the plain points.
    ['ORDER_METADATA("none")', [9]],
    ['CUSTOMER_METADATA("name")', [9]],
    ['1 / 0', [9]],
    ['ORDER_ITEM_AMOUNT', [9]],
    ['NOBODY_KNOWS', [9]],
    ['1e', [9]],
    ['10 * 1000000000000000000', [9]],
  ])('%s: %j', (formula, points) => expect(pointsOf(formula)).toEqual(points));

  test('is multiplied by a tier, and replaced by its own points', () => {
    expect(pointsOf('ORDER_AMOUNT / 10', times(1.5))).toEqual([18]);
    expect(pointsOf('ORDER_AMOUNT / 10', custom(3))).toEqual([3]);
  });

  test('gives the points for each unit of a proportional rule', () => {
    const loyalty = (points_formula: string) => ({
      type: 'PROPORTIONAL' as const,
      calculation_type: 'ORDER_AMOUNT' as const,
      order: { amount: { every: 1_000, points: 1, points_formula } },
    });
    const points = (formula: string) =>
      computeTierEarnings([fixed(0, { loyalty: loyalty(formula) })], earned, undefined, now);
    expect(points('CUSTOMER_METADATA("level") * 2')).toMatchObject([{ points: 12 * 5 }]);
    expect(points('CUSTOMER_METADATA("none")')).toMatchObject([{ points: 12 }]);
  });
});
