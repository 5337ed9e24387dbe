import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settleDue } from '#registry.ts';
import { handler as eventHandler } from '../../../../functions/events/send-event.ts';
import { handler as balanceHandler } from '../../../../functions/loyalties/adjust-member-balance.ts';
import { handler as redeemHandler } from '../../../../functions/loyalties/redeem-member-reward.ts';
import { handler as rollbackHandler } from '../../../../functions/redemptions/rollback-redemption.ts';
import { caller } from '../../../support/call.ts';
import { closing } from '../../../support/closes.ts';
import { ownTable, standingClock, testDependencies } from '../../../support/dependencies.ts';
import { card, entry, newClub } from '../../../support/loyalty.ts';
import { manageProjects } from '../../../support/managed-projects.ts';
import { isLong } from '../../../support/sampled.ts';
import { lists, mugCosts } from './story.ts';

const runs = isLong ? 6 : 2;
const seed = Number(process.env.MODEL_SEED ?? 20_260_615);
const codes = ['A', 'B', 'C', 'D', 'E', 'F'];

const nameOf = fc.constantFrom(...codes);
const move = fc.oneof(
  fc.record({ kind: fc.constant('buy' as const), code: nameOf }),
  fc.record({ kind: fc.constant('redeem' as const), code: nameOf }),
  fc.record({ kind: fc.constant('rollback' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('settle' as const) }),
  fc.record({
    kind: fc.constant('adjust' as const),
    code: nameOf,
    points: fc.integer({ min: -60, max: 90 }).filter((points) => points !== 0),
    days: fc.option(fc.nat(80)),
  }),
  fc.record({
    kind: fc.constant('transfer' as const),
    to: nameOf,
    from: nameOf,
    points: fc.integer({ min: 1, max: 40 }),
  }),
);

const story = fc.record({
  timezone: fc.constantFrom('UTC', 'Pacific/Auckland', 'America/New_York'),
  lots: fc.array(
    fc.array(
      fc.record({
        points: fc.integer({ min: 1, max: 100 }),
        expires: fc.constantFrom(null, '2026-06-30', '2026-07-31'),
      }),
      { maxLength: 2 },
    ),
    { minLength: codes.length, maxLength: codes.length },
  ),
  rounds: fc.array(
    fc.record({ hours: fc.integer({ min: 1, max: 24 * 40 }), moves: fc.array(move, { minLength: 2, maxLength: 8 }) }),
    { minLength: 2, maxLength: 5 },
  ),
  /** Moves that happen while the closes are made. */
  meanwhile: fc.array(move, { minLength: 2, maxLength: 6 }),
});

type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** The sums that the callers' answers make. */
const nothing = { earned: 0, spent: 0, returned: 0, adjusted: 0 };

async function play({ timezone, lots, rounds, meanwhile }: Story, tableName: string): Promise<void> {
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName }), clock };
  const vouchers = codes.map((code, index) =>
    card(code, lots[index] ?? [], { holder_id: `cust_${code}`, created_at: '2026-05-01T00:00:00.000Z' }),
  );
  const { customers: _, pending_points, earning_rules, ...others } = lists;
  const customers = codes.map((code) => ({ id: `cust_${code}` }));
  const rules = earning_rules.filter(({ id }) => id === 'ern_1');
  const club = await newClub({ ...others, loyalty_tiers: [], earning_rules: rules, customers, vouchers }, dependencies);
  const { credentials: headers } = club.project;
  await manageProjects(dependencies).update(club.project.id, { timezone });
  const redeemed: string[] = [];
  let told = { ...nothing };

  async function act(one: Move): Promise<void> {
    switch (one.kind) {
      case 'buy': {
        const body = { event: 'bought', customer: { id: `cust_${one.code}` }, loyalty: { code: one.code } };
        if ((await caller(eventHandler, dependencies)({ headers, body })).status === 200) told.earned += 25;
        return;
      }
      case 'redeem': {
        const request = { params: { memberId: one.code }, headers, body: { reward: { id: 'rew_mug' } } };
        const { status, body } = await caller(redeemHandler, dependencies)(request);
        if (status !== 200) return;
        redeemed.push(body.id);
        told.spent += mugCosts;
        return;
      }
      case 'rollback': {
        const [redemptionId] = redeemed.splice(one.which % Math.max(1, redeemed.length), 1);
        if (!redemptionId) return;
        const { status } = await caller(rollbackHandler, dependencies)({ params: { redemptionId }, headers });
        if (status === 200) told.returned += mugCosts;
        return;
      }
      case 'adjust': {
        const day = new Date(clock().getTime() + (one.days ?? 0) * 86_400_000).toISOString();
        const last = { expiration_type: one.days === null ? 'NON_EXPIRING' : 'CUSTOM_DATE', expiration_date: day };
        const request = { params: { memberId: one.code }, headers, body: { points: one.points, ...last } };
        if ((await caller(balanceHandler, dependencies)(request)).status === 200) told.adjusted += one.points;
        return;
      }
      case 'transfer':
        await club.transfer(one.to, [entry(one.from, one.points)]);
        return;
      case 'settle':
        expect(await settleDue(dependencies)).toMatchObject({ failed: 0 });
    }
  }

  const shownBalance = async () => {
    const balances = await Promise.all(codes.map((code) => club.balance(code)));
    return balances.reduce((sum, balance) => sum + balance, 0);
  };

  const instants: { at: string; balance: number; told: typeof nothing }[] = [];
  const first = clock().toISOString();
  const opening = await shownBalance();
  for (const { hours, moves } of rounds) {
    clock.advance(1);
    await Promise.all(moves.map(act));
    clock.advance(hours * 3_600);
    instants.push({ at: clock().toISOString(), balance: await shownBalance(), told });
    told = { ...nothing };
  }
  clock.advance(3_600);

  const { close } = closing(club);
  let before = opening;
  for (const [index, { at, balance, told: expected }] of instants.entries()) {
    const during = meanwhile.filter((_, place) => place % instants.length === index);
    const [{ months }] = await Promise.all([
      close({ at, ...(index === 0 ? { from: first } : {}) }),
      ...during.map(act),
    ]);
    const sum = (name: keyof (typeof months)[number]['points']) =>
      months.reduce((total, { points }) => total + points[name], 0);
    expect(months[0]?.points.opening).toBe(before);
    for (const { points } of months) {
      const { opening, corrected, opened, earned, spent, returned, expired, adjusted, transferred } = points;
      expect(opening + corrected + opened + earned - spent + returned - expired + adjusted + transferred).toBe(
        points.closing,
      );
    }
    expect({
      ...{ earned: sum('earned'), spent: sum('spent'), returned: sum('returned'), adjusted: sum('adjusted') },
      ...{ transferred: sum('transferred'), corrected: sum('corrected'), opened: sum('opened') },
      closing: months.at(-1)?.points.closing,
    }).toEqual({ ...expected, transferred: 0, corrected: 0, opened: 0, closing: balance });
    before = balance;
  }
}

async function inOwnTable(one: Story): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  try {
    await play(one, await ownTable((cleanUp) => cleanUps.push(cleanUp)));
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

test(`in ${runs} random stories, each close ends with the sum of the balances that members saw, and has every answered move once`, {
  timeout: 3_000_000,
}, async () => {
  await fc.assert(fc.asyncProperty(story, inOwnTable), { seed, numRuns: runs, endOnFailure: true });
});
