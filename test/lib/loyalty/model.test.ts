import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handler as eventHandler } from '../../../functions/events/send-event.ts';
import { handler as activateHandler } from '../../../functions/loyalties/activate-pending-points.ts';
import { handler as addHandler } from '../../../functions/loyalties/add-member.ts';
import { handler as balanceHandler } from '../../../functions/loyalties/adjust-member-balance.ts';
import { handler as cancelHandler } from '../../../functions/loyalties/cancel-pending-points.ts';
import { handler as pendingHandler } from '../../../functions/loyalties/list-campaign-pending-points.ts';
import { handler as redeemHandler } from '../../../functions/loyalties/redeem-member-reward.ts';
import { handler as transferHandler } from '../../../functions/loyalties/transfer-points.ts';
import { handler as rollbackHandler } from '../../../functions/redemptions/rollback-redemption.ts';
import { settleDue } from '../../../lib/due.ts';
import { caller, type Reply } from '../../support/call.ts';
import { clientWith } from '../../support/client.ts';
import { ownTable, standingClock, testDependencies } from '../../support/dependencies.ts';
import { card, type Entry, newClub, programme } from '../../support/loyalty.ts';
import { itemsOf } from '../../support/outbox.ts';

const long = Boolean(process.env.LONG_TESTS);
const runs = long ? 200 : 4;
/** Another one is tried with `MODEL_SEED`; a failure tells its own. */
const seed = Number(process.env.MODEL_SEED ?? 20_260_615);

const cards = Array.from({ length: 10 }, (_, index) => `CARD-${index}`);
const earnedAtOnce = 25;
const earnedPending = 40;
const pendingDays = 20;
const startedWith = 1_000;
const joinedWith = 15;
const joiners = 4;
const mugCosts = 30;
const earnedByRising = 5;

const cardIndex = fc.nat({ max: cards.length - 1 });
const points = fc.integer({ min: 1, max: 120 });
const daysOfLots = [null, '2026-06-20', '2026-07-05', '2026-08-31', '2026-12-31'];

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      to: cardIndex,
      from: fc.array(fc.record({ card: cardIndex, points }), { minLength: 1, maxLength: 3 }),
      /** The call to the table at which the request breaks off, before or after the table has done it. */
      breaks: fc.option(fc.record({ at: fc.integer({ min: 1, max: 8 }), after: fc.boolean() })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('repeat' as const), which: fc.nat(), more: fc.nat({ max: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      card: cardIndex,
      points: fc.integer({ min: -300, max: 300 }).filter((by) => by !== 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('earn' as const), card: cardIndex, pending: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('balance' as const),
      card: cardIndex,
      points: fc.integer({ min: -150, max: 150 }).filter((by) => by !== 0),
      /** Days that they are good for; `null` for ever, without it as the programme has it. */
      days: fc.option(fc.option(fc.nat({ max: 400 })), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      card: cardIndex,
      by: fc.constantFrom('activate' as const, 'cancel' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      who: fc.nat({ max: joiners - 1 }),
      source: fc.option(fc.nat({ max: joiners - 1 }), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('redeem' as const), card: cardIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

const story = fc.record({
  lots: fc.array(
    fc.array(fc.record({ points: fc.nat({ max: 100 }), expires: fc.constantFrom(...daysOfLots) }), { maxLength: 3 }),
    {
      minLength: cards.length,
      maxLength: cards.length,
    },
  ),
  /** What is in one round happens at once. */
  rounds: fc.array(
    fc.record({ days: fc.integer({ min: 0, max: 140 }), commands: fc.array(command, { minLength: 3, maxLength: 8 }) }),
    {
      minLength: 2,
      maxLength: 4,
    },
  ),
});

type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

interface Transfer {
  to: string;
  body: Entry[];
  /** Whether it was ever answered with a 200. */
  done: boolean;
}

const lists = {
  campaigns: [
    programme('camp_club', {
      type: 'AUTO_UPDATE',
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: {
          points: joinedWith,
          expiration_rules: { period_type: 'MONTH', period_value: 1, rounding_type: 'END_OF_MONTH' },
        },
      },
      loyalty_tiers_expiration: {
        qualification_type: 'BALANCE',
        expiration_date: { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'MONTH', strategy: 'END' } },
      },
    }),
  ],
  loyalty_tiers: [
    { id: 'low', name: 'Low', campaign_id: 'camp_club', points: { from: 50, to: 149 } },
    { id: 'high', name: 'High', campaign_id: 'camp_club', points: { from: 150 } },
  ],
  event_schema: ['bought', 'reviewed'].map((name) => ({ name, metadata: {} })),
  earning_rules: [
    {
      id: 'ern_1',
      campaign_id: 'camp_club',
      event: 'bought',
      active: true,
      loyalty: { type: 'FIXED', points: earnedAtOnce },
    },
    {
      id: 'ern_2',
      campaign_id: 'camp_club',
      event: 'reviewed',
      active: true,
      loyalty: { type: 'FIXED', points: earnedPending },
      pending_points: { days: pendingDays },
    },
    {
      id: 'ern_rising',
      campaign_id: 'camp_club',
      event: 'customer.loyalty.tier.upgraded',
      loyalty_tier: { id: '__ANY__' },
      active: true,
      loyalty: { type: 'FIXED', points: earnedByRising },
    },
  ],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
  reward_assignments: [
    {
      id: 'rewa_mug',
      reward_id: 'rew_mug',
      related_object_id: 'camp_club',
      related_object_type: 'campaign',
      parameters: { loyalty: { points: mugCosts } },
    },
  ],
  customers: cards.map((code) => ({ id: `cust_${code}` })),
  pending_points: cards.map((code) => ({ id: `lopp_${code}`, code, points: startedWith, state: 'PENDING' })),
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A run settles all of its table. */
async function inOwnTable(told: Story): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  try {
    await play(told, await ownTable((cleanUp) => cleanUps.push(cleanUp)));
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

async function play({ lots, rounds }: Story, tableName: string): Promise<void> {
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName }), clock };
  const vouchers = cards.map((code, index) => card(code, lots[index] ?? [], { holder_id: `cust_${code}` }));
  const club = await newClub({ ...lists, vouchers }, dependencies);
  const { credentials: headers } = club.project;
  const transfers: Transfer[] = [];
  const told = { atOnce: 0, pending: 0, adjusted: 0, balanced: 0 };
  const redeemed: string[] = [];
  const rolledBack = new Set<string>();
  const joined = new Set<string>();

  async function send(transfer: Transfer, breaks: { at: number; after: boolean } | null, more = 0): Promise<void> {
    const [first, ...others] = transfer.body;
    const body = first ? [{ ...first, points: first.points + more }, ...others] : [];
    const request = { params: { campaignId: 'camp_club', memberId: transfer.to }, headers, body };
    let reply: Reply;
    let container = breaking(dependencies, breaks);
    do {
      reply = await caller(transferHandler, container)(request);
      container = dependencies;
    } while (reply.status === 500 || reply.status === 429);
    if (reply.status === 200 && more === 0) transfer.done = true;
    const known = ['loyalty_card_points_exceeded', 'duplicate_source_id', 'invalid_payload'];
    if (reply.status !== 200) expect(known).toContain(reply.body.key);
    // What was changed is either new, where the first was refused, or refused.
    if (more > 0 && reply.status === 200) transfers.push({ to: transfer.to, body, done: true });
  }

  async function run(one: Command): Promise<void> {
    switch (one.kind) {
      case 'transfer': {
        const number = transfers.length;
        const body = one.from.map(({ card, points }, index) => ({
          code: cards[card] ?? '',
          points,
          source_id: `tx-${number}-${index}`,
        }));
        const transfer = { to: cards[one.to] ?? '', body, done: false };
        transfers.push(transfer);
        return send(transfer, one.breaks);
      }
      case 'repeat': {
        const transfer = transfers[one.which % Math.max(1, transfers.length)];
        return transfer && send(transfer, null, one.more);
      }
      case 'adjust': {
        const code = cards[one.card] ?? '';
        const { status } = await club.adjust(code, `lopp_${code}`, one.points);
        expect([200, 400, 429]).toContain(status);
        if (status === 200) told.adjusted += one.points;
        return;
      }
      case 'earn': {
        const code = cards[one.card] ?? '';
        const body = {
          event: one.pending ? 'reviewed' : 'bought',
          customer: { id: `cust_${code}` },
          loyalty: { code },
        };
        const { status } = await caller(eventHandler, dependencies)({ headers, body });
        expect([200, 429]).toContain(status);
        if (status === 200) told[one.pending ? 'pending' : 'atOnce'] += 1;
        return;
      }
      case 'balance': {
        const { card, points, days } = one;
        const day = new Date(clock().getTime() + (days ?? 0) * 86_400_000).toISOString();
        const last = { expiration_type: days === null ? 'NON_EXPIRING' : 'CUSTOM_DATE', expiration_date: day };
        const body = { points, ...(days === undefined ? {} : last) };
        const reply = await caller(
          balanceHandler,
          dependencies,
        )({ params: { memberId: cards[card] ?? '' }, headers, body });
        if (reply.status === 200) told.balanced += points;
        else expect(['loyalty_card_points_exceeded', 'too_many_requests']).toContain(reply.body.key);
        return;
      }
      case 'end': {
        const code = cards[one.card] ?? '';
        const handler = one.by === 'activate' ? activateHandler : cancelHandler;
        const params = { memberId: code, pendingPointsId: `lopp_${code}` };
        const { body } = await caller(handler, dependencies)({ params, headers });
        if (body.key) expect(['invalid_pending_points_state', 'too_many_requests']).toContain(body.key);
        return;
      }
      case 'join': {
        const source_id = one.source === undefined ? {} : { source_id: `desk-${one.source}` };
        const body = { customer: { source_id: `joiner-${one.who}` }, ...source_id };
        const request = { params: { campaignId: 'camp_club' }, headers, body };
        for (const reply of await Promise.all([1, 2].map(() => caller(addHandler, dependencies)(request)))) {
          if (reply.status === 200) joined.add(`joiner-${one.who}`);
          else
            expect(['voucher_cannot_be_published', 'duplicate_source_id', 'too_many_requests']).toContain(
              reply.body.key,
            );
        }
        return;
      }
      case 'redeem': {
        const request = { params: { memberId: cards[one.card] ?? '' }, headers, body: { reward: { id: 'rew_mug' } } };
        const { status, body } = await caller(redeemHandler, dependencies)(request);
        if (status === 200) redeemed.push(body.id);
        else expect(['loyalty_card_points_exceeded', 'too_many_requests']).toContain(body.key);
        return;
      }
      case 'rollback': {
        const redemptionId = redeemed[one.which % Math.max(1, redeemed.length)];
        if (!redemptionId) return;
        const { status, body } = await caller(rollbackHandler, dependencies)({ params: { redemptionId }, headers });
        if (status === 200) {
          expect(rolledBack).not.toContain(redemptionId);
          rolledBack.add(redemptionId);
        } else expect(['already_rolled_back', 'invalid_redemption', 'too_many_requests']).toContain(body.key);
        return;
      }
      case 'settle':
        expect(await settleDue(dependencies)).toMatchObject({ failed: 0, finished: true });
    }
  }

  for (const { days, commands } of rounds) {
    clock.advance(days * 86_400);
    await Promise.all(commands.map(run));
    await check();
  }
  // What is pending ripens, who rises by it is given points for that, and then all that can expire does. Points for rising are given within the
  // hour: a year later they would be given to who has fallen meanwhile, and raise him again, every year.
  for (let year = 0; year < 4; year++) {
    clock.advance(366 * 86_400);
    for (let hour = 0; hour < 3; hour++) {
      expect(await settleDue(dependencies)).toMatchObject({ failed: 0 });
      clock.advance(3_601);
    }
  }
  const after = await check();
  expect(sum(after.map(({ balance }) => balance))).toBe(sum(after.map(({ forEver }) => forEver)));

  async function check() {
    const items = await itemsOf(club.project.id, '', dependencies);
    const ofCard = Map.groupBy(items, ({ pk }) => String(pk));
    const found = items
      .filter(({ sk }) => sk === 'VOUCHER')
      .map((item) => cardOf(item, ofCard.get(String(item.pk)) ?? []));
    const entries = found.flatMap(({ entries }) => entries);
    const pointsOf = (type: string) => sum(entries.filter((entry) => entry.type === type).map(({ points }) => points));

    // Points come and go by credits and expiries only.
    expect(pointsOf('POINTS_TRANSFER_IN') + pointsOf('POINTS_TRANSFER_OUT')).toBe(0);
    const pending = items.filter(({ sk }) => String(sk).startsWith('PENDING_POINTS#'));
    const pendingOf = (...states: string[]) =>
      sum(pending.filter(({ state }) => states.includes(String(state))).map(({ points }) => Number(points)));
    // Whoever rises is given points once the rules for that were asked.
    const moved = items.filter(({ sk, dueAt }) => /^(?:LEDGER|ACTIVITY)#/.test(String(sk)) && dueAt === undefined);
    const risen = moved.reduce((count, { type, moves = [] }) => {
      const ofEntry = (moves as { kind: string }[]).filter(({ kind }) => kind === 'upgraded').length;
      return count + ofEntry + (type === 'customer.loyalty.tier.upgraded' ? 1 : 0);
    }, 0);
    expect(pointsOf('POINTS_ACCRUAL')).toBe(told.atOnce * earnedAtOnce + risen * earnedByRising);
    expect(pointsOf('POINTS_REDEMPTION')).toBe(0 - redeemed.length * mugCosts);
    expect(pointsOf('POINTS_REFUND')).toBe(rolledBack.size * mugCosts);
    const [mug] = items.filter(({ kind, id }) => kind === 'REWARD' && id === 'rew_mug');
    expect(mug?.redeemed ?? 0).toBe(redeemed.length - rolledBack.size);
    expect(pointsOf('PENDING_POINTS_ACTIVATION')).toBe(pendingOf('ACTIVATED'));
    expect(pointsOf('POINTS_ADDITION') + pointsOf('POINTS_REMOVAL')).toBe(told.balanced);
    const opening = sum(lots.flat().map(({ points }) => points)) + joined.size * joinedWith;
    const credits = [...earning, 'POINTS_REMOVAL', 'POINTS_REDEMPTION', 'POINTS_REFUND'];
    expect(sum(found.map(({ balance }) => balance))).toBe(
      opening + sum([...credits, 'POINTS_EXPIRATION'].map(pointsOf)),
    );
    // So do those that are pending, and what is in no other state is listed.
    expect(pendingOf('PENDING', 'ACTIVATED', 'CANCELED')).toBe(
      startedWith * cards.length + told.adjusted + told.pending * earnedPending,
    );
    expect(sum(found.map((one) => one.pending))).toBe(pendingOf('PENDING'));
    const request = { params: { campaignId: 'camp_club' }, headers, query: 'limit=100&order=id' };
    const listed: { id: string }[] = (await caller(pendingHandler, dependencies)(request)).body.data;
    const open = pending.filter(({ state }) => state === 'PENDING').map(({ id }) => String(id));
    expect(listed.map(({ id }) => id)).toEqual(open.sort());
    // Whoever joined has one card, however often and by however many desks they asked.
    expect(found).toHaveLength(cards.length + joined.size);
    // Each transaction id took effect once, and only for a transfer that was answered with a 200.
    const out = entries.filter(({ type }) => type === 'POINTS_TRANSFER_OUT').map(outcomeOf);
    const answered = transfers.filter(({ done }) => done).flatMap(({ body }) => body);
    expect(out.sort()).toEqual([...new Set(answered.map(outcomeOf))].sort());
    return found;
  }
}

const earning = ['POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION', 'POINTS_ADDITION'];

const outcomeOf = ({ code, source_id, points }: Record<string, unknown> | Entry) =>
  `${code} ${source_id} ${Math.abs(Number(points))}`;

/** A card with its ledger, in which each entry follows from the one before, and all add up to what the card has. */
function cardOf(item: Record<string, unknown>, beside: readonly Record<string, unknown>[]) {
  const stored = beside.filter(({ sk }) => String(sk).startsWith('LEDGER#'));
  const entries = stored
    .map(({ type, points, balance, sequence, code, source_id, created_at }) => ({
      type: String(type),
      points: Number(points),
      balance: Number(balance),
      sequence: Number(sequence),
      code: String(code),
      month: String(created_at).slice(0, 7),
      source_id,
    }))
    .sort((one, other) => one.sequence - other.sequence);
  let balance = Number(item.opening_balance);
  let credited = balance;
  for (const [index, entry] of entries.entries()) {
    balance += entry.points;
    // What is refunded was credited before.
    credited += entry.type === 'POINTS_REFUND' ? 0 : Math.max(0, entry.points);
    expect([entry.sequence, entry.balance]).toEqual([index + 1, balance]);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  const lots = item.lots as { points: number; expires: string | null }[];
  expect(sum(lots.map(({ points }) => points))).toBe(balance);
  expect([Number(item.ledger_entries ?? 0), item.credited_points]).toEqual([entries.length, credited]);
  const sumOf = (...types: string[]) =>
    sum(entries.filter(({ type }) => types.includes(type)).map(({ points }) => points));
  const { expired_points: expired = 0, redeemed_points: spent = 0, earned = {} } = item;
  expect([expired, spent]).toEqual([
    Math.abs(sumOf('POINTS_EXPIRATION')),
    Math.abs(sumOf('POINTS_REDEMPTION', 'POINTS_REFUND')),
  ]);
  // What is neither left nor expired nor spent was taken away or moved to others.
  expect(credited - balance - Number(expired) - Number(spent)).toBe(0 - sumOf('POINTS_REMOVAL', 'POINTS_TRANSFER_OUT'));
  for (const [month, points] of Object.entries(earned as Record<string, number>)) {
    const own = entries.filter((entry) => entry.month === month && earning.includes(entry.type));
    expect([month, points]).toEqual([month, sum(own.map(({ points }) => points))]);
  }
  const pending = beside.filter(({ sk, state }) => String(sk).startsWith('PENDING_POINTS#') && state === 'PENDING');
  expect(item.pending_points).toBe(sum(pending.map(({ points }) => Number(points))));
  const forEver = sum(lots.filter(({ expires }) => expires === null).map(({ points }) => points));
  return { balance, entries, pending: Number(item.pending_points), forEver };
}

/** A container whose request breaks off at one of its calls. */
function breaking(dependencies: ReturnType<typeof testDependencies>, breaks: { at: number; after: boolean } | null) {
  if (!breaks) return dependencies;
  const { dynamodb } = dependencies;
  let calls = 0;
  const client = clientWith(dynamodb, async (_, real) => {
    calls += 1;
    if (calls !== breaks.at) return real();
    if (breaks.after) await real();
    throw new Error('broken');
  });
  return { ...dependencies, dynamodb: client };
}

test(`${runs} random stories of members, transfers, balances, rewards, rollbacks, tiers, repeats, losses, earnings and expiries at once lose, double or overdraw no point`, {
  timeout: 3_000_000,
}, async () => {
  await fc.assert(fc.asyncProperty(story, inOwnTable), { seed, numRuns: runs, endOnFailure: true });
});
