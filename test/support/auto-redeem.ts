import { expect } from 'vitest';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { createWorks } from '#registry.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as assignMany } from '../../functions/loyalties/assign-rewards.ts';
import { handler as remove } from '../../functions/loyalties/delete-programme-reward.ts';
import { handler as change } from '../../functions/loyalties/update-programme-reward.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as getReward } from '../../functions/rewards/get-reward.ts';
import { caller } from './call.ts';
import { segmentMessages } from './changes.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { card, newClub, programme } from './loyalty.ts';
import { itemsOf, messagesFor, recordOf } from './outbox.ts';
import { isLong } from './sampled.ts';

export const mug = (more: object = {}) => ({
  id: 'rew_mug',
  name: 'Mug',
  type: 'MATERIAL',
  parameters: { product: { id: 'prod_mug' } },
  ...more,
});

export const given = (id: string, reward_id: string, points: number, campaign = 'camp_club') => ({
  id,
  reward_id,
  related_object_id: campaign,
  related_object_type: 'campaign',
  parameters: { loyalty: { points, auto_redeem: true } },
});

export const lists = {
  campaigns: [programme('camp_club')],
  customers: [{ id: 'cust_ada' }, { id: 'cust_bob' }],
  vouchers: [card('ADA', 0, { holder_id: 'cust_ada' }), card('BOB', 0, { holder_id: 'cust_bob' })],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [mug(), mug({ id: 'rew_hat', name: 'Hat' })],
  reward_assignments: [given('rewa_mug', 'rew_mug', 30)],
};

/** Loads a club whose reward redeems itself. Returns the calls that add points and show rewards. */
export async function newWorld(more: object = {}) {
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
    /** Repeats the call after a conflict, as a client does. */
    add: async (memberId: string, points: number) => {
      let status = 429;
      while (status === 429) ({ status } = await call(adjustBalance, { params: { memberId }, body: { points } }));
      expect(status).toBe(200);
    },
    /**
     * Delivers each credit as often as `times` says, simultaneously, until nothing is new. Returns the number of
     * rounds.
     */
    follow: async (times = 1) => {
      for (let rounds = 0; ; rounds++) {
        const records = (await itemsOf(id, 'LEDGER', dependencies)).map((item) => recordOf(item));
        const fresh = segmentMessages(records).filter(({ key }) => !seen.has(JSON.stringify(key)));
        if (fresh.length === 0) return rounds;
        for (const { key } of fresh) seen.add(JSON.stringify(key));
        let messages = Array.from({ length: times }, () => messagesFor(fresh.map(({ key }) => key))).flat();
        // Messages that failed for lack of time come back, as from a queue.
        while (messages.length > 0) {
          const { batchItemFailures } = await runMessages(messages, dependencies, createWorks());
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

/** The number of simultaneous calls. */
export const many = isLong ? 20 : 8;
