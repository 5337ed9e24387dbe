import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#kernel/core/calendar.ts';
import { settleDue } from '#registry.ts';
import { handler as eventHandler } from '../../../../functions/events/send-event.ts';
import { handler as balanceHandler } from '../../../../functions/loyalties/adjust-member-balance.ts';
import { handler as redeemHandler } from '../../../../functions/loyalties/redeem-member-reward.ts';
import { caller } from '../../../support/call.ts';
import { ownTable, standingClock, testDependencies } from '../../../support/dependencies.ts';
import { assignedReward, earningRule } from '../../../support/lists.ts';
import { card, ledgerOf, newClub, programme } from '../../../support/loyalty.ts';

/** Compares members' points over fourteen months with a count on paper: remaining points, lapsed points, and tiers. */

const runs = process.env.LONG_TESTS ? 3 : 1;
/** `MODEL_SEED` sets another seed. A failure prints its own. */
const seed = Number(process.env.MODEL_SEED ?? 20_260_615);

const codes = ['ADA', 'BOB', 'EVE'];
const begin = '2026-06-15';
const daysInAll = 430;
const goodForMonths = 3;
const mugCosts = 40;
const pendingDays = 45;

const index = fc.nat({ max: codes.length - 1 });
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('earn' as const), who: index, points: fc.integer({ min: 1, max: 160 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('book' as const), who: index, points: fc.integer({ min: 1, max: 120 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('take' as const), who: index, points: fc.integer({ min: 1, max: 80 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('redeem' as const), who: index, points: fc.constant(mugCosts) }),
  },
);
const story = fc.array(fc.record({ days: fc.integer({ min: 5, max: 45 }), deeds: fc.array(deed, { maxLength: 3 }) }), {
  minLength: 40,
  maxLength: 40,
});

type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

const tiers = [
  { id: 'bronze', from: 1, to: 99 },
  { id: 'silver', from: 100, to: 299 },
  { id: 'gold', from: 300 },
];

const proportional = (id: string, event: string, more: object = {}) =>
  earningRule(id, event, { type: 'PROPORTIONAL', metadata_key: 'points', every: 1, points: 1 }, more);

const lists = {
  campaigns: [
    programme('camp_club', {
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: {
          points: 0,
          expiration_rules: { period_type: 'MONTH', period_value: goodForMonths, rounding_type: 'END_OF_MONTH' },
        },
      },
      loyalty_tiers_expiration: {
        qualification_type: 'POINTS_IN_PERIOD',
        qualification_period: 'MONTH',
        start_date: { type: 'IMMEDIATE' },
        expiration_date: { type: 'END_OF_NEXT_PERIOD' },
      },
    }),
  ],
  loyalty_tiers: tiers.map(({ id, ...points }) => ({ id, name: id, campaign_id: 'camp_club', points })),
  event_schema: ['bought', 'booked'].map((name) => ({ name, metadata: { points: 'number' } })),
  earning_rules: [
    proportional('ern_bought', 'bought'),
    proportional('ern_booked', 'booked', { pending_points: { days: pendingDays } }),
  ],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
  reward_assignments: [assignedReward('rewa_mug', 'rew_mug', mugCosts)],
  customers: codes.map((code) => ({ id: `cust_${code}` })),
  vouchers: codes.map((code) => card(code, 0, { holder_id: `cust_${code}` })),
};

/** Returns the day's month, or another month at this distance, as YYYY-MM. */
function monthOf(day: string, after = 0): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + after, 1)).toISOString().slice(0, 7);
}

/** A member on paper. Points are good through the month that has their last day. */
class Paper {
  credited = 0;
  expired = 0;
  taken = 0;
  redeemed = 0;
  readonly lots = new Map<string, number>();
  readonly earned = new Map<string, number>();
  pending: { points: number; from: string }[] = [];

  credit(points: number, day: string): void {
    const last = monthOf(day, goodForMonths);
    this.lots.set(last, (this.lots.get(last) ?? 0) + points);
    this.earned.set(monthOf(day), (this.earned.get(monthOf(day)) ?? 0) + points);
    this.credited += points;
  }

  spend(points: number): boolean {
    if (this.balance() < points) return false;
    let open = points;
    for (const last of [...this.lots.keys()].sort()) {
      const spent = Math.min(open, this.lots.get(last) ?? 0);
      this.lots.set(last, (this.lots.get(last) ?? 0) - spent);
      open -= spent;
    }
    return true;
  }

  pass(day: string): void {
    for (const [last, points] of this.lots) {
      if (last >= monthOf(day)) continue;
      this.expired += points;
      this.lots.delete(last);
    }
    for (const { points, from } of this.pending) if (from <= day) this.credit(points, day);
    this.pending = this.pending.filter(({ from }) => from > day);
  }

  balance(): number {
    return [...this.lots.values()].reduce((sum, points) => sum + points, 0);
  }

  /** Returns the best tier of this month and the previous month: a tier is kept through the month after it was reached. */
  tier(day: string): string | undefined {
    const best = Math.max(...[0, -1].map((after) => this.earned.get(monthOf(day, after)) ?? 0));
    return tiers.findLast(({ from }) => best >= from)?.id;
  }
}

async function play(steps: readonly { days: number; deeds: Deed[] }[], tableName: string): Promise<void> {
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName }), clock };
  const club = await newClub(lists, dependencies);
  const { credentials: headers } = club.project;
  const papers = codes.map(() => new Paper());

  async function run({ kind, who, points }: Deed, day: string): Promise<void> {
    const [paper, code] = [papers[who], codes[who] ?? ''];
    if (!paper) return;
    const memberId = code;
    const event = (name: string) => ({ event: name, customer: { id: `cust_${code}` }, metadata: { points } });
    const calls = {
      earn: () => caller(eventHandler, dependencies)({ headers, body: event('bought') }),
      book: () => caller(eventHandler, dependencies)({ headers, body: event('booked') }),
      take: () => caller(balanceHandler, dependencies)({ params: { memberId }, headers, body: { points: -points } }),
      redeem: () =>
        caller(redeemHandler, dependencies)({ params: { memberId }, headers, body: { reward: { id: 'rew_mug' } } }),
    };
    const { status } = await calls[kind]();
    if (kind === 'earn') paper.credit(points, day);
    if (kind === 'book') paper.pending.push({ points, from: addDays(day, pendingDays) });
    const isSpent = (kind === 'take' || kind === 'redeem') && paper.spend(points);
    if (kind === 'take' && isSpent) paper.taken += points;
    if (kind === 'redeem' && isSpent) paper.redeemed += points;
    expect([kind, status]).toEqual([kind, kind === 'earn' || kind === 'book' || isSpent ? 200 : 400]);
  }

  async function check(day: string): Promise<void> {
    for (const [index, code] of codes.entries()) {
      const paper = papers[index];
      const { loyalty_card, redemption } = await club.voucher(code);
      expect([day, code, { ...loyalty_card, redeemed_points: redemption.redeemed_points }]).toMatchObject([
        day,
        code,
        {
          points: paper?.credited,
          balance: paper?.balance(),
          pending_points: paper?.pending.reduce((sum, { points }) => sum + points, 0),
          expired_points: paper?.expired,
          subtracted_points: paper?.taken,
          redeemed_points: paper?.redeemed,
        },
      ]);
      const [tier] = (await club.tiers(code)).body.data;
      expect([day, code, tier?.id]).toEqual([day, code, paper?.tier(day)]);
    }
  }

  let day = begin;
  for (const { days, deeds } of steps) {
    day = addDays(day, days);
    if (day > addDays(begin, daysInAll)) break;
    clock.set(`${day}T00:30:00Z`);
    expect(await settleDue(dependencies)).toMatchObject({ failed: 0, finished: true });
    for (const paper of papers) paper.pass(day);
    for (const one of deeds) await run(one, day);
    await check(day);
  }
  // After half a year without events nothing is left.
  for (const days of [pendingDays, 200]) {
    day = addDays(day, days);
    clock.set(`${day}T00:30:00Z`);
    expect(await settleDue(dependencies)).toMatchObject({ failed: 0, finished: true });
    for (const paper of papers) paper.pass(day);
    await check(day);
  }
  expect(papers.map((paper) => [paper.balance(), paper.tier(day)])).toEqual(papers.map(() => [0, undefined]));
  for (const code of codes) await ledgerOf(club, code);
}

test(`in random stories of fourteen months (${runs}) points lapse, ripen and are spent as on paper, and decide tiers`, {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const cleanUps: (() => Promise<void>)[] = [];
      try {
        await play(steps, await ownTable((cleanUp) => cleanUps.push(cleanUp)));
      } finally {
        for (const cleanUp of cleanUps) await cleanUp();
      }
    }),
    { seed, numRuns: runs, endOnFailure: true },
  );
});
