import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settleDue } from '#registry.ts';
import { handler as eventHandler } from '../../../../functions/events/send-event.ts';
import { handler as activateHandler } from '../../../../functions/loyalties/activate-pending-points.ts';
import { handler as addHandler } from '../../../../functions/loyalties/add-member.ts';
import { handler as balanceHandler } from '../../../../functions/loyalties/adjust-member-balance.ts';
import { handler as cancelHandler } from '../../../../functions/loyalties/cancel-pending-points.ts';
import { handler as redeemHandler } from '../../../../functions/loyalties/redeem-member-reward.ts';
import { handler as transferHandler } from '../../../../functions/loyalties/transfer-points.ts';
import { handler as rollbackHandler } from '../../../../functions/redemptions/rollback-redemption.ts';
import { caller, type Reply } from '../../../support/call.ts';
import { clientWith } from '../../../support/client.ts';
import { ownTable, standingClock, testDependencies } from '../../../support/dependencies.ts';
import { card, newClub } from '../../../support/loyalty.ts';
import { isLong } from '../../../support/sampled.ts';
import { checkBooks, sum, type Told, type Transfer } from './books.ts';
import { type Command, cards, lists, type Story, story } from './story.ts';

const runs = isLong ? 10 : 3;
/** `MODEL_SEED` sets another seed. A failure prints its own. */
const seed = Number(process.env.MODEL_SEED ?? 20_260_615);

/** A run settles its whole table. */
async function inOwnTable(one: Story): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  try {
    await play(one, await ownTable((cleanUp) => cleanUps.push(cleanUp)));
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
  const told: Told = {
    ...{ atOnce: 0, pending: 0, adjusted: 0, balanced: 0 },
    ...{ transfers: [], redeemed: [], rolledBack: new Set(), joined: new Set() },
  };
  const { transfers, redeemed, rolledBack, joined } = told;

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
    // The change is either new, if the first attempt was refused, or refused.
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
    await checkBooks(club, lots, told);
  }
  // Pending points ripen first. A member who rises gets points for that within the hour. Then everything that can expire does. A year later
  // the member may have fallen, and the points would cause another rise, every year.
  for (let year = 0; year < 4; year++) {
    clock.advance(366 * 86_400);
    for (let hour = 0; hour < 3; hour++) {
      expect(await settleDue(dependencies)).toMatchObject({ failed: 0 });
      clock.advance(3_601);
    }
  }
  const after = await checkBooks(club, lots, told);
  expect(sum(after.map(({ balance }) => balance))).toBe(sum(after.map(({ forEver }) => forEver)));
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

test(`${runs} random stories of members, transfers, rewards, rollbacks, repeats, losses and expiries at once lose, double or overdraw no point`, {
  timeout: 3_000_000,
}, async () => {
  await fc.assert(fc.asyncProperty(story, inOwnTable), { seed, numRuns: runs, endOnFailure: true });
});
