import { describe, expect, test } from 'vitest';
import type { TierRules } from '#engine/ledger/tier-rules.ts';
import { findTierByPoints, type Standing, moveStanding as standingBy } from '#engine/ledger/tier-standing.ts';
import { standing, tier, tiers } from '../../../support/tiers.ts';

const standingOn = (day: string, rules: TierRules, before: Standing | null, balanceOn: (day: string) => number) =>
  standingBy(day, rules, before, { balanceOn, earnedIn: () => 0 });

const expiration = (extend: string, rounded = true): TierRules['expiration'] => ({
  qualification_type: 'BALANCE',
  start_date: { type: 'IMMEDIATE' },
  expiration_date: {
    type: 'CUSTOM',
    extend,
    ...(rounded ? { rounding: { type: 'MONTH', strategy: 'END' } } : {}),
  },
});
const kept: TierRules = { tiers, expiration: expiration('P3M') };
const followed: TierRules = { tiers, expiration: undefined };

test.each([
  ['PT48H', '2026-06-17'],
  ['PT36H', '2026-06-17'],
  ['P1DT1H', '2026-06-17'],
  ['PT0.5H', '2026-06-16'],
])('a tier is kept for %s: parts of a day keep it through the day', (extend, last) => {
  const rules: TierRules = { tiers, expiration: expiration(extend, false) };
  expect(standingOn('2026-06-15', rules, null, () => 50).standing).toEqual(standing('bronze', '2026-06-15', last));
});

describe('the tier of a balance', () => {
  test.each([
    [9, undefined],
    [10, 'bronze'],
    [99, 'bronze'],
    [100, 'silver'],
    [499, 'silver'],
    [500, 'gold'],
    [Number.MAX_SAFE_INTEGER, 'gold'],
  ])('%i: %s', (points, id) => expect(findTierByPoints(tiers, points)?.id).toBe(id));

  test('is the highest if ranges overlap, and none in a gap', () => {
    const odd = [tier('wide', 0, 1_000), tier('inner', 100, 200), tier('far', 2_000)];
    expect([50, 150, 300, 1_500, 2_000].map((points) => findTierByPoints(odd, points)?.id)).toEqual([
      'wide',
      'inner',
      'wide',
      undefined,
      'far',
    ]);
    expect(findTierByPoints([], 5)).toBeUndefined();
  });
});

describe('if tiers are kept for a time', () => {
  const silver = standing('silver', '2026-01-31', '2026-04-30');
  test.each<[string, string, Standing | null, number, Standing | null, string[]]>([
    ['joins at once', '2026-06-15', null, 10, standing('bronze', '2026-06-15', '2026-09-30'), ['joined']],
    ['stays out below all tiers', '2026-06-15', null, 9, null, []],
    ['moves up at once', '2026-02-10', silver, 500, standing('gold', '2026-02-10', '2026-05-31'), ['upgraded']],
    ['is kept when the balance falls', '2026-02-10', silver, 20, silver, []],
    ['is kept when the balance falls below all tiers', '2026-02-10', silver, 0, silver, []],
    ['is kept through the last day', '2026-04-30', silver, 20, silver, []],
    [
      'moves down when the tier ends',
      '2026-05-01',
      silver,
      20,
      standing('bronze', '2026-05-01', '2026-08-31'),
      ['downgraded'],
    ],
    ['leaves when the tier ends', '2026-05-01', silver, 5, null, ['left']],
    [
      'begins the tier again if it still fits',
      '2026-05-01',
      silver,
      100,
      standing('silver', '2026-05-01', '2026-08-31'),
      ['prolonged'],
    ],
    [
      'begins the tier again as often as needed',
      '2026-12-01',
      silver,
      100,
      standing('silver', '2026-09-01', '2026-12-31'),
      ['prolonged', 'prolonged'],
    ],
    [
      'moves up when the tier ends',
      '2026-05-02',
      silver,
      600,
      standing('gold', '2026-05-01', '2026-08-31'),
      ['upgraded'],
    ],
    ['leaves once, however long ago that was', '2031-01-01', silver, 0, null, ['left']],
  ])('a member %s', (_, today, before, balance, after, moves) => {
    const told = standingOn(today, kept, before, () => balance);
    expect([told.standing, told.moves.map(({ kind }) => kind)]).toEqual([after, moves]);
  });

  test('the end of 31 January and three months is 30 April, rounded or not; in a leap year a month later is 29 February', () => {
    const on = (day: string, extend: string, rounded: boolean) =>
      standingOn(day, { tiers, expiration: expiration(extend, rounded) }, null, () => 10).standing?.expiration_date;
    expect([on('2026-01-31', 'P3M', true), on('2026-01-31', 'P3M', false)]).toEqual(['2026-04-30', '2026-04-30']);
    expect([on('2028-01-31', 'P1M', false), on('2028-01-05', 'P1M', true)]).toEqual(['2028-02-29', '2028-02-29']);
    expect([on('2026-12-05', 'P1Y', false), on('2026-12-05', 'P1Y', true)]).toEqual(['2027-12-05', '2027-12-31']);
    expect([on('2026-06-15', 'P2W', false), on('2026-06-15', 'P2W', true)]).toEqual(['2026-06-29', '2026-06-30']);
  });

  test('each move goes from the tier before to the one after, by the balance of its day', () => {
    const balances = (day: string) => (day < '2026-09-01' ? 50 : 5);
    const { standing: after, moves } = standingOn('2026-12-01', kept, silver, balances);
    expect(after).toBeNull();
    expect(moves).toEqual([
      { kind: 'downgraded', from: { id: 'silver', name: 'SILVER' }, to: { id: 'bronze', name: 'BRONZE' } },
      { kind: 'left', from: { id: 'bronze', name: 'BRONZE' }, to: null },
    ]);
  });

  test('a tier for no time at all ends with its day', () => {
    const rules = { tiers, expiration: expiration('PT1H', false) };
    const before = standing('silver', '2026-06-14', '2026-06-14');
    expect(standingOn('2026-06-15', rules, before, () => 20).standing?.tier_id).toBe('bronze');
  });

  test('a deleted tier is no longer kept', () => {
    const gone = standing('platinum', '2026-06-01', '2026-09-30');
    const told = standingOn('2026-06-15', kept, gone, () => 20);
    expect(told).toMatchObject({ standing: { tier_id: 'bronze' }, moves: [{ kind: 'joined', from: null }] });
  });
});

describe('if no time is defined, the tier follows the balance', () => {
  const silver = standing('silver', '2026-01-31', null);
  test.each<[string, number, Standing | null, string[]]>([
    ['up', 500, standing('gold', '2026-06-15', null), ['upgraded']],
    ['down', 99, standing('bronze', '2026-06-15', null), ['downgraded']],
    ['out', 9, null, ['left']],
    ['not while it fits', 100, silver, []],
  ])('%s', (_, balance, after, moves) => {
    const told = standingOn('2026-06-15', followed, silver, () => balance);
    expect([told.standing, told.moves.map(({ kind }) => kind)]).toEqual([after, moves]);
  });

  test('into a gap and out again', () => {
    const rules = { tiers: [tier('low', 1, 10), tier('high', 20)], expiration: undefined };
    const low = standing('low', '2026-01-01', null);
    expect(standingOn('2026-06-15', rules, low, () => 15)).toMatchObject({ standing: null, moves: [{ kind: 'left' }] });
    expect(standingOn('2026-06-15', rules, null, () => 25)).toMatchObject({ moves: [{ kind: 'joined' }] });
  });
});

describe('a tier is kept', () => {
  type Rounding = NonNullable<NonNullable<NonNullable<TierRules['expiration']>['expiration_date']>['rounding']>;
  test.each<[Rounding | undefined, string]>([
    [undefined, '2026-05-15'],
    [{ type: 'MONTH' }, '2026-05-31'],
    [{ type: 'MONTH', strategy: 'START' }, '2026-05-01'],
    [{ type: 'QUARTER', strategy: 'END' }, '2026-06-30'],
    [{ type: 'HALF_YEAR' }, '2026-06-30'],
    [{ type: 'YEAR' }, '2026-12-31'],
    [{ type: 'CUSTOM', unit: 'MONTH', value: 8 }, '2026-09-30'],
    [{ type: 'CUSTOM', value: 1 }, '2027-02-28'],
    [{ type: 'CUSTOM', value: 4, strategy: 'START' }, '2026-05-01'],
    // It never ends before the day on which the member reached it.
    [{ type: 'YEAR', strategy: 'START' }, '2026-04-15'],
  ])('rounded by %j through %s', (rounding, last) => {
    const end = { type: 'CUSTOM' as const, extend: 'P1M', ...(rounding ? { rounding } : {}) };
    const rules: TierRules = { tiers, expiration: { qualification_type: 'BALANCE', expiration_date: end } };
    expect(standingOn('2026-04-15', rules, null, () => 50).standing?.expiration_date).toBe(last);
  });
});
