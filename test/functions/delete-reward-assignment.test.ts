import { beforeAll, describe, expect, test } from 'vitest';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as removeOfProgramme } from '../../functions/loyalties/delete-programme-reward.ts';
import { handler as removeAssignment } from '../../functions/rewards/delete-assignment-of-reward.ts';
import { handler as remove } from '../../functions/rewards/delete-reward.ts';
import { caller } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { testDependencies } from '../support/dependencies.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { type Catalogue, mug, ofClub, ofReward, openCatalogue, priced } from '../support/reward-catalogue.ts';

let call: Catalogue['call'];
let made: Catalogue['made'];
let assign: Catalogue['assign'];
beforeAll(async () => {
  ({ call, made, assign } = await openCatalogue());
});

/** Loads a programme that gives a mug under each of these assignments. */
const clubGiving = (assignmentIds: readonly string[], more: object = {}) =>
  loadProject({
    campaigns: [programme('camp_club')],
    rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
    reward_assignments: assignmentIds.map((id) => ({
      ...{ id, reward_id: 'rew_mug', related_object_id: 'camp_club' },
      ...{ related_object_type: 'campaign', ...priced(30) },
    })),
    ...more,
  });

describe('the assignment of a reward', () => {
  test('removes its price from the tiers when it is deleted', async () => {
    const own = await clubGiving(['rewa_1', 'rewa_2'], {
      loyalty_tiers: [
        {
          id: 'ltr_gold',
          name: 'Gold',
          campaign_id: 'camp_club',
          points: { from: 0 },
          rewards: { rewa_1: { type: 'CUSTOM', points: 10 }, rewa_2: { type: 'CUSTOM', points: 20 } },
        },
      ],
    });
    const headers = own.credentials;
    expect((await call(removeOfProgramme, { ...ofClub('rewa_1'), headers })).status).toBe(204);
    const tier = (await itemsOf(own.id, 'LOYALTY_TIER')).find(({ kind }) => kind === 'LOYALTY_TIER');
    expect(tier?.rewards).toEqual({ rewa_2: { type: 'CUSTOM', points: 20 } });
  });

  test('is named by no tier that is created during its deletion', async () => {
    const own = await clubGiving(['rewa_1']);
    const headers = own.credentials;
    const body = [{ name: 'Gold', points: { from: 0 }, rewards: { rewa_1: { type: 'CUSTOM', points: 10 } } }];
    const { dynamodb } = testDependencies();
    let made: Promise<unknown> | undefined;
    const between = clientWith(dynamodb, async (command, real) => {
      // This happens between the deletion's read and its write.
      if (isTransaction(command)) {
        made ??= caller(createTiers)({ params: { campaignId: 'camp_club' }, headers, body });
        await made;
      }
      return real();
    });
    const removeThen = caller(removeOfProgramme, testDependencies({ dynamodb: between }));
    expect((await removeThen({ ...ofClub('rewa_1'), headers })).status).toBe(204);
    expect(await made).toMatchObject({ status: 200 });
    const tier = (await itemsOf(own.id, 'LOYALTY_TIER')).find(({ kind }) => kind === 'LOYALTY_TIER');
    expect(tier?.rewards).toEqual({});
  });

  test('protects its reward from deletion, also if both happen at once', async () => {
    const { id } = await made(mug);
    const { body } = await assign(id, { campaign: 'camp_club', ...priced(5) });
    const refused = await call(remove, { params: { rewardId: id } });
    expect(refused.body).toMatchObject({ code: 400, key: 'resource_in_use', resource_id: id, resource_type: 'reward' });
    expect(refused.body).toMatchObject({ related_object_ids: [body.id], related_object_type: 'reward_assignment' });
    await call(removeAssignment, ofReward(id, body.id));
    const [gone, given] = await Promise.all([
      call(remove, { params: { rewardId: id } }),
      assign(id, { campaign: 'camp_club', ...priced(5) }),
    ]);
    expect([
      [204, 404],
      [400, 200],
    ]).toContainEqual([gone.status, given.status]);
  });
});
