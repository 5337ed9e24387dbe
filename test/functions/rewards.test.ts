import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as assignMany } from '../../functions/loyalties/assign-rewards.ts';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as removeOfProgramme } from '../../functions/loyalties/delete-programme-reward.ts';
import { handler as assignedReward } from '../../functions/loyalties/get-assigned-reward.ts';
import { handler as twinOfProgramme } from '../../functions/loyalties/get-programme-reward.ts';
import { handler as getOfProgramme } from '../../functions/loyalties/get-reward-assignment.ts';
import { handler as listOfProgramme } from '../../functions/loyalties/list-reward-assignments.ts';
import { handler as changeOfProgramme } from '../../functions/loyalties/update-programme-reward.ts';
import { handler as assign } from '../../functions/rewards/assign-reward.ts';
import { handler as create } from '../../functions/rewards/create-reward.ts';
import { handler as removeAssignment } from '../../functions/rewards/delete-assignment-of-reward.ts';
import { handler as remove } from '../../functions/rewards/delete-reward.ts';
import { handler as getAssignment } from '../../functions/rewards/get-assignment-of-reward.ts';
import { handler as get } from '../../functions/rewards/get-reward.ts';
import { handler as listAssignments } from '../../functions/rewards/list-assignments-of-reward.ts';
import { handler as list } from '../../functions/rewards/list-project-rewards.ts';
import { handler as changeAssignment } from '../../functions/rewards/update-assignment-of-reward.ts';
import { handler as update } from '../../functions/rewards/update-reward.ts';
import { handler as listRules } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import type { Endpoint } from '../../lib/http/operation.ts';
import { reward } from '../../lib/loyalty/reward.ts';
import type { Request } from '../support/api-event.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const coin = (exchange_ratio: unknown, points_ratio: unknown = 5) => ({ coin: { exchange_ratio, points_ratio } });

describeCrud('rewards', reward, {
  body: (number) => ({ name: `Coins ${number}`, parameters: coin(number), metadata: { number } }),
  refused: {
    name: { name: '', parameters: coin(1) },
    parameters: { name: 'Both', parameters: { ...coin(1), product: { id: 'prod_mug' } } },
    'parameters.coin.exchange_ratio': { name: 'Nothing', parameters: coin(0) },
    'parameters.coin.points_ratio': { name: 'Half', parameters: coin(1, 0.5) },
    stock: { name: 'Coins', parameters: coin(1), stock: 5 },
    'attributes.image_url': { name: 'Coins', parameters: coin(1), attributes: { image_url: 7 } },
  },
});

let project: TestProject;
const call = (handler: Endpoint, request: Request = {}) =>
  caller(handler)({ ...request, headers: { ...project.credentials, ...request.headers } });

beforeAll(async () => {
  project = await loadProject({
    campaigns: [
      programme('camp_club'),
      programme('camp_other'),
      { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE' },
      { id: 'camp_gift', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
      { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
    ],
    products: [
      { id: 'prod_mug', source_id: 'mug', name: 'Mug' },
      { id: 'prod_hat', name: 'Hat' },
    ],
    skus: [{ id: 'sku_red', source_id: 'red', product_id: 'prod_mug' }],
    validation_rules: [{ id: 'val_big', name: 'Big', rules: {}, error: null }],
  });
});

const made = async (body: object) => {
  const reply = await call(create, { body });
  expect(reply.status).toBe(200);
  return reply.body;
};
const mug = { name: 'Mug', parameters: { product: { id: 'mug', sku_id: 'red' } }, stock: '5' };
const priced = (points: unknown) => ({ parameters: { loyalty: { points } } });

describe('a reward', () => {
  test('gives a product, by the ids of the service, with a stock that may be sent as text', async () => {
    expect(await made(mug)).toMatchObject({
      type: 'MATERIAL',
      parameters: { product: { id: 'prod_mug', sku_id: 'sku_red' } },
      stock: 5,
      redeemed: null,
      updated_at: null,
    });
  });

  test.each([
    [{ id: 'camp_codes' }, { id: 'camp_codes', balance: null, type: 'DISCOUNT_COUPONS' }],
    [
      { id: 'camp_gift', balance: '500' },
      { id: 'camp_gift', balance: 500, type: 'GIFT_VOUCHERS' },
    ],
    [
      { id: 'camp_club', balance: 50 },
      { id: 'camp_club', balance: 50, type: 'LOYALTY_PROGRAM' },
    ],
  ])('gives what a campaign has: %j', async (campaign, shown) => {
    expect(await made({ name: 'Of a campaign', type: 'CAMPAIGN', parameters: { campaign } })).toMatchObject({
      type: 'CAMPAIGN',
      parameters: { campaign: shown },
    });
  });

  test.each([
    [{ campaign: { id: 'camp_nope' } }, 404, 'not_found', 'camp_nope'],
    [{ campaign: { id: 'camp_promo' } }, 400, 'invalid_payload', 'camp_promo'],
    [{ campaign: { id: 'camp_codes', balance: 5 } }, 400, 'invalid_balance', undefined],
    [{ campaign: { id: 'camp_gift' } }, 400, 'invalid_balance', undefined],
    [{ campaign: { id: 'camp_club', balance: 0 } }, 400, 'invalid_balance', undefined],
    [{ product: { id: 'prod_nope' } }, 404, 'not_found', 'prod_nope'],
    [{ product: { id: 'prod_hat', sku_id: 'red' } }, 404, 'not_found', 'red'],
  ])('is refused with %j', async (parameters, status, key, id) => {
    const { body } = await call(create, { body: { name: 'Wrong', parameters } });
    expect(body).toMatchObject({ code: status, key });
    expect(body.resource_id).toBe(id);
  });

  test('is of the kind that its parameters say, and stays so', async () => {
    const wrong = await call(create, { body: { name: 'Wrong', type: 'COIN', parameters: mug.parameters } });
    expect(wrong.body.details).toContain('type must be what parameters say');
    const { id } = await made(mug);
    const changed = await call(update, { params: { rewardId: id }, body: { parameters: coin(1) } });
    expect(changed.body).toMatchObject({ key: 'invalid_payload' });
    const other = { parameters: { product: { id: 'prod_hat' } }, stock: null };
    expect((await call(update, { params: { rewardId: id }, body: other })).body).toMatchObject({
      name: 'Mug',
      parameters: { product: { id: 'prod_hat', sku_id: null } },
      stock: null,
    });
  });
});

describe('the assignment of a reward', () => {
  const one = (rewardId: string, assignmentId: string) => ({ params: { rewardId, assignmentId } });
  const ofClub = (assignmentId: string, campaignId = 'camp_club') => ({ params: { campaignId, assignmentId } });

  test('is one thing under its reward and its programme', async () => {
    const { id } = await made(mug);
    const { status, body } = await call(assign, {
      params: { rewardId: id },
      body: { campaign: 'camp_club', ...priced('30') },
    });
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
      (await call(getAssignment, one(id, body.id))).body,
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

    await call(changeAssignment, { ...one(id, body.id), body: priced(40) });
    const changed = await call(changeOfProgramme, { ...ofClub(body.id), body: priced(45) });
    expect(changed.body).toMatchObject({ id: body.id, parameters: { loyalty: { points: 45 } } });
    expect(new Set((await all()).map((shown) => JSON.stringify(shown)))).toEqual(
      new Set([JSON.stringify(changed.body)]),
    );
    expect((await call(removeOfProgramme, ofClub(body.id))).status).toBe(204);
    for (const reply of [
      await call(getAssignment, one(id, body.id)),
      await call(removeAssignment, one(id, body.id)),
      await call(getOfProgramme, ofClub(body.id)),
      await call(changeOfProgramme, { ...ofClub(body.id), body: priced(1) }),
    ]) {
      expect(reply.body).toMatchObject({ code: 404, resource_id: body.id, resource_type: 'reward_assignment' });
    }
    expect((await call(listAssignments, { params: { rewardId: id } })).body).toMatchObject({ data: [], total: 0 });
  });

  test('is not there under another reward, programme or project', async () => {
    const [{ id }, other] = [await made(mug), await made(mug)];
    const { body } = await call(assign, { params: { rewardId: id }, body: { campaign: 'camp_club', ...priced(3) } });
    expect((await call(getAssignment, one(other.id, body.id))).status).toBe(404);
    expect((await call(getOfProgramme, ofClub(body.id, 'camp_other'))).status).toBe(404);
    expect((await call(getOfProgramme, ofClub(body.id, 'camp_codes'))).body.resource_type).toBe('campaign');
    const { credentials } = await loadProject({ campaigns: [programme('camp_club')] });
    expect((await call(getOfProgramme, { ...ofClub(body.id), headers: credentials })).status).toBe(404);
  });

  test('is made once for a programme, by one of twenty who ask at once', async () => {
    const { id } = await made(mug);
    const body = { campaign: 'camp_other', ...priced(10) };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call(assign, { params: { rewardId: id }, body })),
    );
    const [first] = replies.flatMap((reply) => (reply.status === 200 ? [reply.body.id] : []));
    for (const { status, body } of replies) {
      if (status === 200) expect(body.id).toBe(first);
      else
        expect(body).toMatchObject({ key: 'duplicate_found', resource_id: first, resource_type: 'reward_assignment' });
    }
    expect((await call(listAssignments, { params: { rewardId: id } })).body.total).toBe(1);
  });

  test('comes with others of a programme, all of them or none', async () => {
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

  test('of money has no price, and a rule in its place, which goes with it', async () => {
    const { id } = await made({ name: 'Coins', parameters: coin('0.5', '10') });
    const asked = (more: object) =>
      call(assign, { params: { rewardId: id }, body: { campaign: 'camp_club', ...more } });
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
    expect((await call(changeAssignment, { ...one(id, body.id), body: priced(5) })).body.key).toBe('invalid_payload');
    await call(removeAssignment, one(id, body.id));
    expect(await rules()).toEqual([]);
  });

  test('is refused with a price of nothing', async () => {
    const { id } = await made(mug);
    const reply = await call(assign, { params: { rewardId: id }, body: { campaign: 'camp_club', ...priced(0) } });
    expect(reply.body).toMatchObject({ code: 400, key: 'invalid_payload' });
  });

  test('is not of points to the programme that they would be paid in', async () => {
    const { id } = await made({ name: 'Points', parameters: { campaign: { id: 'camp_club', balance: 50 } } });
    const to = (campaign: string) => call(assign, { params: { rewardId: id }, body: { campaign, ...priced(5) } });
    expect((await to('camp_club')).body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect((await to('camp_other')).status).toBe(200);
  });

  test('takes its price out of the tiers when it goes', async () => {
    const own = await loadProject({
      campaigns: [programme('camp_club')],
      rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
      reward_assignments: ['rewa_1', 'rewa_2'].map((id) => ({
        id,
        reward_id: 'rew_mug',
        related_object_id: 'camp_club',
        related_object_type: 'campaign',
        ...priced(30),
      })),
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

  test('is named by no tier that is made while it goes', async () => {
    const own = await loadProject({
      campaigns: [programme('camp_club')],
      rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
      reward_assignments: [
        {
          ...{ id: 'rewa_1', reward_id: 'rew_mug', related_object_id: 'camp_club' },
          ...{ related_object_type: 'campaign', ...priced(30) },
        },
      ],
    });
    const headers = own.credentials;
    const body = [{ name: 'Gold', points: { from: 0 }, rewards: { rewa_1: { type: 'CUSTOM', points: 10 } } }];
    const { dynamodb } = testDependencies();
    let made: Promise<unknown> | undefined;
    const send = async (command: Parameters<typeof dynamodb.send>[0]) => {
      // Between what the deletion has read and what it writes.
      if (command instanceof TransactWriteCommand) {
        made ??= caller(createTiers)({ params: { campaignId: 'camp_club' }, headers, body });
        await made;
      }
      return dynamodb.send(command);
    };
    const between = testDependencies({ dynamodb: Object.assign(Object.create(dynamodb), { send }) });
    expect((await caller(removeOfProgramme, between)({ ...ofClub('rewa_1'), headers })).status).toBe(204);
    expect(await made).toMatchObject({ status: 200 });
    const tier = (await itemsOf(own.id, 'LOYALTY_TIER')).find(({ kind }) => kind === 'LOYALTY_TIER');
    expect(tier?.rewards).toEqual({});
  });

  test.each(['camp_nope', 'camp_codes'])('is to a loyalty programme, which %s is not', async (campaign) => {
    const { id } = await made(mug);
    const reply = await call(assign, { params: { rewardId: id }, body: { campaign, ...priced(5) } });
    expect(reply.body).toMatchObject({ code: 404, resource_id: campaign, resource_type: 'campaign' });
  });

  test('keeps its reward from being deleted, also while both come at once', async () => {
    const { id } = await made(mug);
    const { body } = await call(assign, { params: { rewardId: id }, body: { campaign: 'camp_club', ...priced(5) } });
    const refused = await call(remove, { params: { rewardId: id } });
    expect(refused.body).toMatchObject({ code: 400, key: 'resource_in_use', resource_id: id, resource_type: 'reward' });
    expect(refused.body).toMatchObject({ related_object_ids: [body.id], related_object_type: 'reward_assignment' });
    await call(removeAssignment, one(id, body.id));
    const [gone, given] = await Promise.all([
      call(remove, { params: { rewardId: id } }),
      call(assign, { params: { rewardId: id }, body: { campaign: 'camp_club', ...priced(5) } }),
    ]);
    expect([
      [204, 404],
      [400, 200],
    ]).toContainEqual([gone.status, given.status]);
  });
});
