import { describe, expect, test } from 'vitest';
import { addEarned, sumEarned, type TierRules } from '#engine/ledger/tier-rules.ts';
import { moveStanding, type Standing } from '#engine/ledger/tier-standing.ts';
import { standing, tiers } from '../../../support/tiers.ts';

describe('by the points earned in a period, a tier', () => {
  type Expiration = NonNullable<TierRules['expiration']>;
  const byPeriod = (
    end: 'END_OF_PERIOD' | 'END_OF_NEXT_PERIOD',
    start: 'IMMEDIATE' | 'NEXT_PERIOD' = 'IMMEDIATE',
    extend?: string,
    qualification_period: Expiration['qualification_period'] = 'MONTH',
  ): TierRules => ({
    tiers,
    expiration: {
      qualification_type: 'POINTS_IN_PERIOD',
      qualification_period,
      start_date: { type: start },
      expiration_date: { type: end, ...(extend ? { extend } : {}) },
    },
  });
  const on = (today: string, rules: TierRules, before: Standing | null, earned: Record<string, number>) =>
    moveStanding(today, rules, before, { balanceOn: () => 0, earnedIn: (period) => sumEarned(earned, period) });
  const march = { '2026-03': 150 };

  test.each<[string, TierRules, string, Standing | null]>([
    [
      'begins at once and ends with its period',
      byPeriod('END_OF_PERIOD'),
      '2026-03-10',
      standing('silver', '2026-03-10', '2026-03-31'),
    ],
    [
      'ends with the next one',
      byPeriod('END_OF_NEXT_PERIOD'),
      '2026-03-10',
      standing('silver', '2026-03-10', '2026-04-30'),
    ],
    [
      'ends some days later',
      byPeriod('END_OF_PERIOD', 'IMMEDIATE', 'P7D'),
      '2026-03-10',
      standing('silver', '2026-03-10', '2026-04-07'),
    ],
    ['does not begin before the next period', byPeriod('END_OF_PERIOD', 'NEXT_PERIOD'), '2026-03-31', null],
    [
      'begins with the next period',
      byPeriod('END_OF_PERIOD', 'NEXT_PERIOD'),
      '2026-04-01',
      standing('silver', '2026-04-01', '2026-04-30'),
    ],
    [
      'begins with it, whenever it is settled',
      byPeriod('END_OF_NEXT_PERIOD', 'NEXT_PERIOD'),
      '2026-04-20',
      standing('silver', '2026-04-01', '2026-04-30'),
    ],
    ['does not exist if it would already be over', byPeriod('END_OF_PERIOD', 'NEXT_PERIOD'), '2026-05-01', null],
    [
      'lasts a quarter',
      byPeriod('END_OF_PERIOD', 'IMMEDIATE', undefined, 'QUARTER'),
      '2026-03-10',
      standing('silver', '2026-03-10', '2026-03-31'),
    ],
    [
      'lasts half a year',
      byPeriod('END_OF_PERIOD', 'IMMEDIATE', undefined, 'HALF_YEAR'),
      '2026-06-10',
      standing('silver', '2026-06-10', '2026-06-30'),
    ],
    [
      'lasts a year and the next',
      byPeriod('END_OF_NEXT_PERIOD', 'IMMEDIATE', undefined, 'YEAR'),
      '2026-12-31',
      standing('silver', '2026-12-31', '2027-12-31'),
    ],
  ])('%s', (_, rules, today, after) => {
    expect(on(today, rules, null, march).standing).toEqual(after);
  });

  test.each<[string, TierRules, string, Record<string, number>, Standing | null, string[]]>([
    [
      'stays in the tier by points earned meanwhile',
      byPeriod('END_OF_NEXT_PERIOD'),
      '2026-05-01',
      { ...march, '2026-04': 100 },
      standing('silver', '2026-05-01', '2026-05-31'),
      ['prolonged'],
    ],
    [
      'falls to the tier of the points earned meanwhile',
      byPeriod('END_OF_NEXT_PERIOD'),
      '2026-05-01',
      { ...march, '2026-04': 20 },
      standing('bronze', '2026-05-01', '2026-05-31'),
      ['downgraded'],
    ],
    ['leaves if nothing was earned', byPeriod('END_OF_NEXT_PERIOD'), '2026-05-01', march, null, ['left']],
    [
      'rises at once',
      byPeriod('END_OF_NEXT_PERIOD'),
      '2026-04-02',
      { ...march, '2026-04': 500 },
      standing('gold', '2026-04-02', '2026-05-31'),
      ['upgraded'],
    ],
    [
      'stays unchanged by points for the same tier',
      byPeriod('END_OF_NEXT_PERIOD'),
      '2026-04-02',
      { ...march, '2026-04': 150 },
      standing('silver', '2026-03-10', '2026-04-30'),
      [],
    ],
  ])('a member %s', (_, rules, today, earned, after, moves) => {
    const before = standing('silver', '2026-03-10', '2026-04-30');
    const told = on(today, rules, before, earned);
    expect([told.standing, told.moves.map(({ kind }) => kind)]).toEqual([after, moves]);
  });

  test('refunded, transferred and initial points are not earned, and spent points are', () => {
    const postings = [
      ['POINTS_ACCRUAL', 10],
      ['PENDING_POINTS_ACTIVATION', 20],
      ['POINTS_ADDITION', 40],
      ['POINTS_REFUND', 100],
      ['POINTS_TRANSFER_IN', 100],
      ['POINTS_REDEMPTION', -50],
      ['POINTS_REMOVAL', -5],
    ] as const;
    const earned = postings.reduce(
      (sum: ReturnType<typeof addEarned>, [type, points]) => addEarned(sum, { type, points }, '2026-03-10'),
      undefined,
    );
    expect(earned).toEqual({ '2026-03': 70 });
    expect(
      addEarned({ '2024-02': 1, '2024-03': 2, '2026-02': 3 }, { type: 'POINTS_ACCRUAL', points: 1 }, '2026-03-01'),
    ).toEqual({ '2024-03': 2, '2026-02': 3, '2026-03': 1 });
  });
});
