import { describe, expect, test } from 'vitest';
import { handler as assignMany } from '../../functions/loyalties/assign-rewards.ts';
import { handler as removeOfProgramme } from '../../functions/loyalties/delete-programme-reward.ts';
import { handler as assignedReward } from '../../functions/loyalties/get-assigned-reward.ts';
import { handler as twinOfProgramme } from '../../functions/loyalties/get-programme-reward.ts';
import { handler as getOfProgramme } from '../../functions/loyalties/get-reward-assignment.ts';
import { handler as listOfProgramme } from '../../functions/loyalties/list-reward-assignments.ts';
import { handler as changeOfProgramme } from '../../functions/loyalties/update-programme-reward.ts';
import { handler as removeAssignment } from '../../functions/rewards/delete-assignment-of-reward.ts';
import { handler as getAssignment } from '../../functions/rewards/get-assignment-of-reward.ts';
import { handler as get } from '../../functions/rewards/get-reward.ts';
import { handler as listAssignments } from '../../functions/rewards/list-assignments-of-reward.ts';
import { handler as list } from '../../functions/rewards/list-project-rewards.ts';
import { handler as changeAssignment } from '../../functions/rewards/update-assignment-of-reward.ts';
import { handler as listRules } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';
import { coin, mug, ofClub, ofReward, openCatalogue, priced } from '../support/reward-catalogue.ts';

const { call, made, assign } = await openCatalogue();

describe('the assignment of a reward', () => {
  test('is the same under its reward and its programme', async () => {
    const { id } = await made(mug);
    const { status, body } = await assign(id, { campaign: 'camp_club', ...priced('30') });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^rewa_/),
        reward_id: id,
        related_object_id: 'camp_club',
        related_object_type: 'campaign',
        parameters: { loyalty: { points: 30 } },
        created_at: expect.any(String),
        updated_at: null,
        object: 'reward_assignment',
      },
    ]);
    const all = async () => [
      (await call(getAssignment, ofReward(id, body.id))).body,
      (await call(getOfProgramme, ofClub(body.id))).body,
      (await call(twinOfProgramme, ofClub(body.id, 'Name of camp_club'))).body,
      (await call(listAssignments, { params: { rewardId: id } })).body.data[0],
      (await call(listOfProgramme, { params: { campaignId: 'camp_club' }, query: `assignment_id=${body.id}` })).body
        .data[0],
    ];
    expect(new Set((await all()).map((shown) => JSON.stringify(shown)))).toEqual(new Set([JSON.stringify(body)]));
    expect((await call(assignedReward, ofClub(body.id))).body).toEqual(
      (await call(get, { params: { rewardId: id } })).body,
    );
    expect((await call(list, { query: `assignment_id=${body.id}` })).body).toMatchObject({ data: [{ id }], total: 1 });

    await call(changeAssignment, { ...ofReward(id, body.id), body: priced(40) });
    const changed = await call(changeOfProgramme, { ...ofClub(body.id), body: priced(45) });
    expect(changed.body).toMatchObject({ id: body.id, parameters: { loyalty: { points: 45 } } });
    expect(new Set((await all()).map((shown) => JSON.stringify(shown)))).toEqual(
      new Set([JSON.stringify(changed.body)]),
    );
    expect((await call(removeOfProgramme, ofClub(body.id))).status).toBe(204);
    for (const reply of [
      await call(getAssignment, ofReward(id, body.id)),
      await call(removeAssignment, ofReward(id, body.id)),
      await call(getOfProgramme, ofClub(body.id)),
      await call(changeOfProgramme, { ...ofClub(body.id), body: priced(1) }),
    ]) {
      expect(reply.body).toMatchObject({ code: 404, resource_id: body.id, resource_type: 'reward_assignment' });
    }
    expect((await call(listAssignments, { params: { rewardId: id } })).body).toMatchObject({ data: [], total: 0 });
  });

  test('is a 404 under another reward, programme or project', async () => {
    const [{ id }, other] = [await made(mug), await made(mug)];
    const { body } = await assign(id, { campaign: 'camp_club', ...priced(3) });
    expect((await call(getAssignment, ofReward(other.id, body.id))).status).toBe(404);
    expect((await call(getOfProgramme, ofClub(body.id, 'camp_other'))).status).toBe(404);
    expect((await call(getOfProgramme, ofClub(body.id, 'camp_codes'))).body.resource_type).toBe('campaign');
    const { credentials } = await loadProject({ campaigns: [programme('camp_club')] });
    expect((await call(getOfProgramme, { ...ofClub(body.id), headers: credentials })).status).toBe(404);
  });

  test('is created once for a programme, by one of twenty callers at once', async () => {
    const { id } = await made(mug);
    const body = { campaign: 'camp_other', ...priced(10) };
    const replies = await Promise.all(Array.from({ length: 20 }, () => assign(id, body)));
    const [first] = replies.flatMap((reply) => (reply.status === 200 ? [reply.body.id] : []));
    for (const { status, body } of replies) {
      if (status === 200) expect(body.id).toBe(first);
      else
        expect(body).toMatchObject({ key: 'duplicate_found', resource_id: first, resource_type: 'reward_assignment' });
    }
    expect((await call(listAssignments, { params: { rewardId: id } })).body.total).toBe(1);
  });

  test('is created with others of a programme, all of them or none', async () => {
    const [first, second] = [await made(mug), await made({ name: 'Coins', parameters: coin(1) })];
    const many = (body: unknown) => call(assignMany, { params: { campaignId: 'camp_other' }, body });
    const { body } = await many([{ reward: first.id, ...priced(7) }, { reward: second.id }]);
    expect(
      body.map(({ reward_id, parameters }: { reward_id: string; parameters?: unknown }) => [reward_id, parameters]),
    ).toEqual([
      [first.id, { loyalty: { points: 7 } }],
      [second.id, undefined],
    ]);
    const third = await made(mug);
    for (const [wrong, key] of [
      [
        [
          { reward: third.id, ...priced(1) },
          { reward: 'rew_nope', ...priced(1) },
        ],
        'not_found',
      ],
      [
        [
          { reward: third.id, ...priced(1) },
          { reward: first.id, ...priced(1) },
        ],
        'duplicate_found',
      ],
      [
        [
          { reward: third.id, ...priced(1) },
          { reward: third.id, ...priced(1) },
        ],
        'invalid_payload',
      ],
      [[{ reward: third.id }], 'missing_param'],
      [[], 'invalid_payload'],
    ] as const) {
      expect((await many(wrong)).body.key).toBe(key);
    }
    expect((await call(listAssignments, { params: { rewardId: third.id } })).body.total).toBe(0);
  });

  test('of a COIN has no price, and a rule in its place, which is deleted with it', async () => {
    const { id } = await made({ name: 'Coins', parameters: coin('0.5', '10') });
    const asked = (more: object) => assign(id, { campaign: 'camp_club', ...more });
    expect((await asked(priced(5))).body).toMatchObject({ key: 'invalid_payload' });
    expect((await asked({ validation_rules: ['val_nope'] })).body).toMatchObject({ key: 'not_found' });
    expect((await asked({ validation_rules: ['val_big', 'val_big'] })).body).toMatchObject({ key: 'invalid_payload' });
    const { body } = await asked({ validation_rules: ['val_big'] });
    expect(body.parameters).toBeUndefined();
    const rules = async () =>
      (await call(listRules, { params: { validationRuleId: 'val_big' } })).body.data.map(
        (one: { related_object_id: string }) => one.related_object_id,
      );
    expect(await rules()).toEqual([body.id]);
    expect((await call(changeAssignment, { ...ofReward(id, body.id), body: priced(5) })).body.key).toBe(
      'invalid_payload',
    );
    await call(removeAssignment, ofReward(id, body.id));
    expect(await rules()).toEqual([]);
  });

  test('is refused with a price of 0', async () => {
    const { id } = await made(mug);
    const reply = await assign(id, { campaign: 'camp_club', ...priced(0) });
    expect(reply.body).toMatchObject({ code: 400, key: 'invalid_payload' });
  });

  test('is refused for points of the programme that would pay for them', async () => {
    const { id } = await made({ name: 'Points', parameters: { campaign: { id: 'camp_club', balance: 50 } } });
    const to = (campaign: string) => assign(id, { campaign, ...priced(5) });
    expect((await to('camp_club')).body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect((await to('camp_other')).status).toBe(200);
  });
  test.each(['camp_nope', 'camp_codes'])('is refused for %s, which is not a loyalty programme', async (campaign) => {
    const { id } = await made(mug);
    const reply = await assign(id, { campaign, ...priced(5) });
    expect(reply.body).toMatchObject({ code: 404, resource_id: campaign, resource_type: 'campaign' });
  });
});
