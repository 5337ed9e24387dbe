import { describe, expect, test } from 'vitest';
import { type EarningRule, earningsOf, timesRoundedDown } from '../../../lib/events/earning-rule.ts';
import type { LoyaltyTierItem } from '../../../lib/loyalty/loyalty-tier.ts';

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
    ['what the tier puts in its place', [fixed(20)], custom(75), {}, [75]],
    ['nothing where the tier puts 0 in its place', [fixed(20)], custom(0), {}, []],
    ['its points in a tier that changes another rule', [fixed(20, { id: 'ern_2' })], custom(75), {}, [20]],
    ['nothing by a rule that is off', [fixed(20, { active: false })], undefined, {}, []],
    ['nothing by a rule for another event', [fixed(20, { event: 'seen' })], undefined, {}, []],
    ['points per full unit', [perUnit(2, 100)], undefined, { amount: 399.99 }, [6]],
    ['points per full unit, then 1.5 times, rounded down', [perUnit(1, 100)], times(1.5), { amount: 300 }, [4]],
    ['what the tier puts in place of points per unit', [perUnit(1, 100)], custom(9), { amount: 300 }, [9]],
    ['nothing without the number', [perUnit(1, 100)], custom(9), {}, []],
    ['nothing for a number that is no number', [perUnit(1, 100)], undefined, { amount: '300' }, []],
    ['nothing for a number below 0', [perUnit(1, 100)], undefined, { amount: -300 }, []],
    ['by two rules at once', [fixed(20), perUnit(1, 100)], times(2), { amount: 100 }, [40, 2]],
    ['more than any card holds', [perUnit(1000, 1)], undefined, { amount: 2 ** 53 - 1 }, [Number.POSITIVE_INFINITY]],
  ])('%s', (_, rules, inTier, metadata, expected) => {
    expect(earningsOf(rules, 'paid', metadata, inTier).map(({ points }) => points)).toEqual(expected);
  });

  test('pending points where the rule has a period, of 0 days none', () => {
    const earned = earningsOf(
      [fixed(5, { pending_points: { days: 14 } }), fixed(6, { pending_points: { days: 0 } })],
      'paid',
      {},
      undefined,
    );
    expect(earned.map(({ points, pendingDays }) => [points, pendingDays])).toEqual([
      [5, 14],
      [6, 0],
    ]);
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
  expect(timesRoundedDown(points, factor)).toBe(expected);
});
