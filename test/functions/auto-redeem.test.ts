import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as assignMany } from '../../functions/loyalties/assign-rewards.ts';
import { handler as remove } from '../../functions/loyalties/delete-programme-reward.ts';
import { handler as change } from '../../functions/loyalties/update-programme-reward.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as getReward } from '../../functions/rewards/get-reward.ts';
import { changesIn } from '../../lib/jobs/changes.ts';
import { runMessages } from '../../lib/jobs/messages.ts';
import { exportProject } from '../../lib/project-file/export.ts';
import { Table } from '../../lib/table/table.ts';
import { worksWith } from '../../lib/works.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { card, ledgerOf, newClub, programme } from '../support/loyalty.ts';
import { itemsOf, messagesFor, recordOf } from '../support/outbox.ts';
import { faultsOf, projectFile } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';

const mug = (more: object = {}) => ({
  id: 'rew_mug',
  name: 'Mug',
  type: 'MATERIAL',
  parameters: { product: { id: 'prod_mug' } },
  ...more,
});

const given = (id: string, reward_id: string, points: number, campaign = 'camp_club') => ({
  id,
  reward_id,
  related_object_id: campaign,
  related_object_type: 'campaign',
  parameters: { loyalty: { points, auto_redeem: true } },
});

const lists = {
  campaigns: [programme('camp_club')],
  customers: [{ id: 'cust_ada' }, { id: 'cust_bob' }],
  vouchers: [card('ADA', 0, { holder_id: 'cust_ada' }), card('BOB', 0, { holder_id: 'cust_bob' })],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [mug(), mug({ id: 'rew_hat', name: 'Hat' })],
  reward_assignments: [given('rewa_mug', 'rew_mug', 30)],
};

async function newWorld(more: object = {}) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const club = await newClub({ ...lists, ...more }, dependencies);
  const { id, credentials: headers } = club.project;
  const call = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ headers, ...request });
  const seen = new Set<string>();
  return {
    ...club,
    id,
    clock,
    dependencies,
    call,
    /** Asks again where too many are at it, as a client does. */
    add: async (memberId: string, points: number) => {
      let status = 429;
      while (status === 429) ({ status } = await call(adjustBalance, { params: { memberId }, body: { points } }));
      expect(status).toBe(200);
    },
    /** Hands over what credited points, each as often as it says at once, until nothing is new: how many rounds that took. */
    follow: async (times = 1) => {
      for (let rounds = 0; ; rounds++) {
        const records = (await itemsOf(id, 'LEDGER', dependencies)).map((item) => recordOf(item));
        const fresh = changesIn(records).filter(({ key }) => !seen.has(JSON.stringify(key)));
        if (fresh.length === 0) return rounds;
        for (const { key } of fresh) seen.add(JSON.stringify(key));
        let messages = Array.from({ length: times }, () => messagesFor(fresh.map(({ key }) => key))).flat();
        // As a queue does: what has failed for want of patience comes again.
        while (messages.length > 0) {
          const { batchItemFailures } = await runMessages(messages, dependencies, worksWith());
          const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
          messages = messages.filter(({ messageId }) => failed.delete(messageId));
        }
      }
    },
    redemptions: async () => (await call(listRedemptions, { query: 'limit=100' })).body.redemptions,
    redeemed: async (rewardId: string) => (await call(getReward, { params: { rewardId } })).body.redeemed,
    assign: (...bodies: object[]) => call(assignMany, { params: { campaignId: 'camp_club' }, body: bodies }),
    change: (assignmentId: string, loyalty: object) =>
      call(change, { params: { campaignId: 'camp_club', assignmentId }, body: { parameters: { loyalty } } }),
    remove: (assignmentId: string) => call(remove, { params: { campaignId: 'camp_club', assignmentId } }),
  };
}

/** At once. */
const many = isLong ? 20 : 8;

const byItself = (reward: string, points = 5) => ({ reward, parameters: { loyalty: { points, auto_redeem: true } } });

describe('a reward that members get by themselves', () => {
  test('is redeemed as often as the points reach for it, moments after they came', async () => {
    const world = await newWorld();
    await world.add('ADA', 29);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([29, null]);
    await world.add('ADA', 71);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([10, 3]);
    const redemptions = await world.redemptions();
    expect(redemptions).toHaveLength(3);
    for (const one of redemptions) {
      expect(one).toMatchObject({
        amount: 30,
        result: 'SUCCESS',
        customer_id: 'cust_ada',
        channel: { channel_id: 'rewa_mug', channel_type: 'AUTO_REDEEM' },
        reward: { id: 'rew_mug', assignment_id: 'rewa_mug' },
      });
    }
    await ledgerOf(world, 'ADA');
  });

  test('is not redeemed again for points that a rollback brings back', async () => {
    const world = await newWorld();
    await world.add('ADA', 30);
    await world.follow();
    const [{ id: redemptionId }] = await world.redemptions();
    expect((await world.call(rollBack, { params: { redemptionId } })).status).toBe(200);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([30, 0]);
    await world.add('ADA', 1);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([1, 1]);
  });

  test('is given for no more than there are points, of many that add them and twice as many that look at once', async () => {
    const world = await newWorld();
    const points = 13 * many;
    await Promise.all(Array.from({ length: many }, () => world.add('ADA', 13)));
    await world.follow(2);
    const given = Math.floor(points / 30);
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([points % 30, given]);
    const redeemed = (await world.redemptions()).filter((one: { result: string }) => one.result === 'SUCCESS');
    expect(redeemed).toHaveLength(given);
    await ledgerOf(world, 'ADA');
  });

  test('is given while the stock lasts, and nobody pays for what is gone', async () => {
    const world = await newWorld({ rewards: [mug({ stock: 3 }), mug({ id: 'rew_hat' })] });
    await Promise.all([world.add('ADA', 90), world.add('BOB', 90)]);
    await world.follow(4);
    const left = (await world.balance('ADA')) + (await world.balance('BOB'));
    expect([left, await world.redeemed('rew_mug')]).toEqual([90, 3]);
  });

  test('is given 25 times by one credit, and to one member by ten credits of a day', async () => {
    const world = await newWorld();
    await world.add('ADA', 30 * 26);
    await world.follow();
    expect(await world.balance('ADA')).toBe(30);
    for (let run = 0; run < 9; run++) {
      await world.add('ADA', 30);
      await world.follow();
    }
    const balance = await world.balance('ADA');
    await world.add('ADA', 30);
    await world.follow();
    expect(await world.balance('ADA')).toBe(balance + 30);
    await world.add('BOB', 30);
    await world.follow();
    expect(await world.balance('BOB')).toBe(0);
    world.clock.set('2026-06-16T00:00:00.000Z');
    await world.add('ADA', 1);
    await world.follow();
    expect(await world.balance('ADA')).toBeLessThan(30);
  });

  test('ends after ten rounds where programmes give each other points', async () => {
    const points = (id: string, campaign: string) => ({
      id,
      name: id,
      type: 'CAMPAIGN',
      parameters: { campaign: { id: campaign, balance: 10 } },
    });
    const world = await newWorld({
      campaigns: [programme('camp_club'), programme('camp_other')],
      vouchers: [
        card('ADA', 0, { holder_id: 'cust_ada' }),
        card('OTHER', 0, { holder_id: 'cust_ada', campaign_id: 'camp_other' }),
      ],
      rewards: [points('rew_other', 'camp_other'), points('rew_club', 'camp_club')],
      reward_assignments: [given('rewa_1', 'rew_other', 10), given('rewa_2', 'rew_club', 10, 'camp_other')],
    });
    await world.add('ADA', 10);
    expect(await world.follow(3)).toBe(10);
    expect(await world.redemptions()).toHaveLength(10);
    expect([await world.balance('ADA'), await world.balance('OTHER')]).toEqual([10, 0]);
    await ledgerOf(world, 'ADA');
    await ledgerOf(world, 'OTHER');
  });

  test('is not given while the card or the programme can’t be used', async () => {
    const off = await newWorld({ campaigns: [programme('camp_club', { active: false })] });
    await off.add('ADA', 100);
    await off.follow();
    expect([await off.balance('ADA'), await off.redemptions()]).toEqual([100, []]);
  });
});

describe('which reward that is', () => {
  test('a programme says of one of them, of many at once as well', async () => {
    const world = await newWorld({ reward_assignments: [] });
    const replies = await Promise.all(
      Array.from({ length: many }, (_, index) => world.assign(byItself(index % 2 === 0 ? 'rew_mug' : 'rew_hat'))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const keys = new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.key));
    expect([...keys].every((key) => ['invalid_payload', 'duplicate_found'].includes(key))).toBe(true);
    await world.add('ADA', 5);
    await world.follow();
    expect(await world.balance('ADA')).toBe(0);
    const both = await newWorld({ reward_assignments: [] });
    expect((await both.assign(byItself('rew_mug'), byItself('rew_hat'))).body).toMatchObject({
      code: 400,
      key: 'invalid_payload',
    });
  });

  test('changes with its assignment: off and on again, with its price alone, and free once it is gone', async () => {
    const world = await newWorld();
    expect((await world.assign(byItself('rew_hat'))).body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect((await world.change('rewa_mug', { points: 40 })).body.parameters.loyalty).toEqual({
      points: 40,
      auto_redeem: true,
    });
    await world.change('rewa_mug', { points: 40, auto_redeem: false });
    await world.add('ADA', 50);
    await world.follow();
    expect(await world.balance('ADA')).toBe(50);
    const { body: assigned } = await world.assign(byItself('rew_hat'));
    expect((await world.change('rewa_mug', { points: 40, auto_redeem: true })).body.key).toBe('invalid_payload');
    expect((await world.remove(assigned[0].id)).status).toBe(204);
    expect((await world.change('rewa_mug', { points: 40, auto_redeem: true })).status).toBe(200);
    await world.add('ADA', 1);
    await world.follow();
    expect(await world.balance('ADA')).toBe(11);
  });

  test('stands in project files, once in a programme', async () => {
    const world = await newWorld({ reward_assignments: [] });
    await world.assign(byItself('rew_hat'));
    const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
    try {
      const path = join(folder, 'exported.json');
      const { dynamodb, tableName } = world.dependencies;
      await exportProject(new Table(dynamodb, tableName, testTime), world.id, path);
      const [entry] = JSON.parse(await readFile(path, 'utf8')).reward_assignments;
      expect(entry.parameters).toEqual({ loyalty: { points: 5, auto_redeem: true } });
    } finally {
      await rm(folder, { recursive: true });
    }
    const file = projectFile({ ...lists, reward_assignments: [given('a', 'rew_mug', 3), given('b', 'rew_hat', 3)] });
    const fault = 'parameters.loyalty.auto_redeem must be true of one assignment of the programme only';
    expect(await faultsOf(file)).toEqual([`reward_assignments[0].${fault}`, `reward_assignments[1].${fault}`]);
  });
});
