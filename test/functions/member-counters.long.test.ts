import { expect, test } from 'vitest';
import { settleDue } from '#registry.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as redeem } from '../../functions/loyalties/redeem-member-reward.ts';
import { handler as rollback } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { ownTable, standingClock, testDependencies } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { assignedReward, earningRule } from '../support/lists.ts';
import { card, entry, ledgerOf, newClub } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';

type Handler = Parameters<typeof caller>[0];

const rule = (id: string, event: string, points: number, more: object = {}) =>
  earningRule(id, event, { type: 'FIXED', points }, more);

const lists = {
  customers: [{ id: 'cust_ada' }],
  vouchers: [
    card(
      'ADA',
      [
        { points: 300, expires: '2026-06-30' },
        { points: 700, expires: null },
      ],
      { holder_id: 'cust_ada' },
    ),
    card('TO', 0),
  ],
  event_schema: [
    { name: 'seen', metadata: {} },
    { name: 'booked', metadata: {} },
  ],
  earning_rules: [rule('ern_seen', 'seen', 10), rule('ern_booked', 'booked', 7, { pending_points: { days: 90 } })],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
  reward_assignments: [assignedReward('rewa_mug', 'rew_mug', 20)],
};

async function newWorld(content: Record<string, unknown> = lists) {
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName: await ownTable() }), clock };
  const club = await newClub(content, dependencies);
  const { id, credentials: headers } = club.project;
  const call = (handler: Handler, request: object) => caller(handler, dependencies)({ headers, ...request });
  return {
    ...club,
    clock,
    stored: async (code: string) => (await itemsOf(id, 'VOUCHER', dependencies)).find((item) => item.code === code),
    send: (event: string) => call(sendEvent, { body: { event, customer: { id: 'cust_ada' } } }),
    take: (points: number) => call(adjustBalance, { params: { memberId: 'ADA' }, body: { points: -points } }),
    redeem: () => call(redeem, { params: { memberId: 'ADA' }, body: { reward: { id: 'rew_mug' } } }),
    rollback: (redemptionId: string) => call(rollback, { params: { redemptionId }, body: {} }),
    set: (points: number) => call(updateVoucher, { params: { code: 'ADA' }, body: { loyalty_card: { points } } }),
    shown: async () => {
      const { loyalty_card: own, redemption } = await club.voucher('ADA');
      expect(own.points - own.expired_points - own.subtracted_points - redemption.redeemed_points).toBe(own.balance);
      return own;
    },
  };
}

test('twenty changes at once leave counters that explain each point', async () => {
  const world = await newWorld();
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => world.send('seen')),
    ...Array.from({ length: 4 }, () => world.send('booked')),
    ...Array.from({ length: 4 }, () => world.take(5)),
    ...Array.from({ length: 3 }, () => world.redeem()),
    ...Array.from({ length: 3 }, () => world.transfer('TO', [entry('ADA', 30)])),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await world.shown()).toMatchObject({
    points: 1_000 + 6 * 10,
    balance: 1_060 - 4 * 5 - 3 * 20 - 3 * 30,
    pending_points: 4 * 7,
    expired_points: 0,
    subtracted_points: 4 * 5 + 3 * 30,
  });
  await ledgerOf(world, 'ADA');
});

test('points that lapse are counted after their last day, whether or not that is written', async () => {
  const world = await newWorld();
  await world.take(100);
  world.clock.set('2026-07-01T00:00:00Z');
  const lapsed = { points: 1_000, balance: 700, expired_points: 200, subtracted_points: 100 };
  expect(await world.shown()).toMatchObject(lapsed);
  expect(await settleDue(world.dependencies)).toMatchObject({ failed: 0 });
  expect(await world.shown()).toMatchObject(lapsed);
  expect(await world.stored('ADA')).toMatchObject({ expired_points: 200 });
});

test('rolled-back points were not spent, and initial points were never earned: neither were taken away', async () => {
  const world = await newWorld();
  const { body } = await world.redeem();
  expect(await world.shown()).toMatchObject({ balance: 980, subtracted_points: 0 });
  expect((await world.rollback(body.id)).status).toBe(200);
  expect(await world.shown()).toMatchObject({ balance: 1_000, subtracted_points: 0 });
  expect((await world.set(900)).status).toBe(200);
  expect(await world.shown()).toMatchObject({ points: 900, balance: 900, subtracted_points: 0, expired_points: 0 });
});

test('a project file has the counters', async () => {
  const world = await newWorld();
  await world.take(60);
  await world.send('booked');
  world.clock.set('2026-07-01T00:00:00Z');
  await settleDue(world.dependencies);
  const shown = await world.shown();
  expect(shown).toMatchObject({ pending_points: 7, expired_points: 240, subtracted_points: 60 });
  const { project: _, app_keys: __, ...content } = await exported(world.project.id, world.dependencies);
  const again = await newWorld(content);
  again.clock.set('2026-07-01T00:00:00Z');
  expect(await again.shown()).toEqual(shown);
});
