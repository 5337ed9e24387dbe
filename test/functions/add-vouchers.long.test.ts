import { describe, expect, test } from 'vitest';
import { handler as getActionHandler } from '../../functions/async-actions/get-async-action.ts';
import { handler as addNamedHandler } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as addHandler } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { caller } from '../support/call.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';

const dependencies = testDependencies();
/** The crowd of codes. */
const scale = isLong ? 10 : 1;
const callNamed = caller(addNamedHandler, dependencies);

const percent = { type: 'PERCENT', percent_off: 5 };
const file = { categories: [{ id: 'cat_1', name: 'One', hierarchy: 1 }] };

interface World {
  project: TestProject;
  id: string;
  dependencies?: typeof dependencies;
}

async function campaignOf(body: Record<string, unknown>, project?: TestProject): Promise<World> {
  const own = project ?? (await loadProject(file));
  const reply = await caller(createHandler, dependencies)({ headers: own.credentials, body });
  expect(reply.status).toBe(200);
  await runOutbox(own.id, dependencies);
  return { project: own, id: reply.body.id };
}

const add = ({ project, id, dependencies: own = dependencies }: World, query = '', body?: unknown) =>
  caller(
    addHandler,
    own,
  )({ params: { campaignId: id }, headers: project.credentials, query, ...(body === undefined ? {} : { body }) });
const addNamed = ({ project, id }: World, code: string, body?: unknown) =>
  callNamed({
    params: { campaignId: id, code },
    headers: project.credentials,
    ...(body === undefined ? {} : { body }),
  });
const read = async ({ project, id, dependencies: own = dependencies }: World) =>
  (await caller(getHandler, own)({ params: { campaignId: id }, headers: project.credentials })).body;
const vouchersOf = async ({ project, id, dependencies: own }: World) =>
  (await itemsOf(project.id, 'VOUCHER', own)).filter(({ campaign_id }) => campaign_id === id);

async function expectExact(world: World, count: number, status = 'DONE') {
  const codes = new Set((await vouchersOf(world)).map(({ code }) => code));
  expect(codes.size).toBe(count);
  expect(await read(world)).toMatchObject({ vouchers_count: count, vouchers_generation_status: status });
}

const own = {
  category: 'One',
  metadata: { till: 3 },
  redemption: { quantity: 7 },
  additional_info: 'Printed',
  start_date: '2026-01-01T00:00:00.000Z',
  expiration_date: '2026-12-31T00:00:00.000Z',
};

const shownOwn = { ...own, category: 'One', category_id: 'cat_1', redemption: { quantity: 7, redeemed_quantity: 0 } };

describe('one voucher', () => {
  test('is in the reply, has the form of the campaign and counts, also without a body', async () => {
    const world = await campaignOf({ voucher: { discount: percent, code_config: { pattern: 'A-######' } } });
    const { status, body } = await add(world);
    expect([status, body]).toMatchObject([200, { campaign_id: world.id, discount: percent, active: true }]);
    expect(body.code).toMatch(/^A-\w{6}$/);
    expect((await add(world, 'vouchers_count=1', {})).body.active).toBe(true);
    await expectExact(world, 2);
  });

  test('has its own values from the body, under the sent or a drawn code', async () => {
    const world = await campaignOf({ voucher: { discount: percent } });
    expect(await addNamed(world, 'NAMED', own)).toMatchObject({ status: 200, body: { ...shownOwn, code: 'NAMED' } });
    expect(await add(world, '', { ...own, code: 'SENT' })).toMatchObject({
      status: 200,
      body: { ...shownOwn, code: 'SENT' },
    });
    const drawn = await add(world, '', { ...own, code_config: { pattern: 'B-####' } });
    expect(drawn).toMatchObject({ status: 200, body: { ...shownOwn, code: expect.stringMatching(/^B-\w{4}$/) } });
    await expectExact(world, 3);
  });

  test('has the type and the content of its kind of campaign', async () => {
    const project = await loadProject();
    const gift = { amount: 900 };
    const gifts = await campaignOf({ campaign_type: 'GIFT_VOUCHERS', voucher: { gift } }, project);
    expect((await add(gifts)).body).toMatchObject({ type: 'GIFT_VOUCHER', gift: { ...gift, balance: 900 } });
    const cards = await campaignOf(
      { campaign_type: 'LOYALTY_PROGRAM', voucher: { loyalty_card: { points: 9 } } },
      project,
    );
    expect((await addNamed(cards, 'CARD')).body).toMatchObject({ type: 'LOYALTY_CARD', loyalty_card: { balance: 9 } });
    const referral = { campaign_type: 'REFERRAL_PROGRAM', voucher: { discount: percent } };
    expect((await add(await campaignOf(referral, project))).body).toMatchObject({ is_referral_code: true });
  });

  test('is made and counted once when twenty callers send one code at once', async () => {
    const world = await campaignOf({});
    const replies = await Promise.all(Array.from({ length: 20 }, () => addNamed(world, 'ONCE')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.key === 'duplicate_found')).toHaveLength(19);
    await expectExact(world, 1);
  });

  test('is the first and only voucher of a STANDALONE campaign', async () => {
    const world = await campaignOf({ type: 'STANDALONE' });
    expect((await addNamed(world, `ONLY-${world.id}`)).status).toBe(200);
    for (const reply of [await add(world), await addNamed(world, 'SECOND'), await add(world, 'vouchers_count=2')]) {
      expect([reply.status, reply.body.key]).toEqual([400, 'invalid_campaign']);
    }
    await expectExact(world, 1);
  });
});

describe('several vouchers', () => {
  test('are generated behind the request with the values of the body, and counted by their action', async () => {
    const world = await campaignOf({ vouchers_count: 30, voucher: { discount: percent } });
    const { status, body } = await add(world, 'vouchers_count=20', { ...own, code_config: { pattern: 'MORE-#####' } });
    expect([status, body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_/) }]);
    const during = { vouchers_count: 30, creation_status: 'DONE', vouchers_generation_status: 'IN_PROGRESS' };
    expect(await read(world)).toMatchObject(during);
    await runOutbox(world.project.id, dependencies);
    await expectExact(world, 50);
    const added = (await vouchersOf(world)).filter(({ code }) => String(code).startsWith('MORE-'));
    expect(added).toHaveLength(20);
    const { category: _, redemption, ...kept } = own;
    expect(added[0]).toMatchObject({ ...kept, category_id: 'cat_1', redemption_quantity: redemption.quantity });
    const params = { asyncActionId: body.async_action_id };
    const action = await caller(getActionHandler, dependencies)({ params, headers: world.project.credentials });
    expect(action.body).toMatchObject({
      type: 'CAMPAIGN.VOUCHERS_GENERATE',
      status: 'DONE',
      result: { done_count: 20 },
    });
  });

  test('are exact in each of many concurrent additions, also before the codes of the creation exist', async () => {
    // They have a separate partition, because other tests look through all of theirs.
    const dependencies = testDependencies({ tableName: await ownTable() });
    const project = await loadProject({}, dependencies);
    const code_config = { length: isLong ? 4 : 3, charset: '0123456789' };
    const body = { vouchers_count: 110 * scale, voucher: { code_config } };
    const created = await caller(createHandler, dependencies)({ headers: project.credentials, body });
    const world = { project, id: created.body.id, dependencies };
    const replies = await Promise.all(Array.from({ length: 20 }, () => add(world, `vouchers_count=${4 * scale}`)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    expect(await openJobs(project.id, dependencies)).toHaveLength(21);
    await runOutbox(project.id, dependencies);
    await expectExact(world, 190 * scale);
    expect((await add(world, `vouchers_count=${310 * scale}`)).status).toBe(202);
    await runOutbox(project.id, dependencies);
    await expectExact(world, 500 * scale);
    expect((await add(world, 'vouchers_count=2')).body.key).toBe('invalid_code_config');
  });

  test('end as FAILED and are counted if they find no free code, and later ones do not hide it', async () => {
    const project = await loadProject();
    const code_config = { charset: '01', length: 5 };
    const taken = await campaignOf({ vouchers_count: 16, voucher: { code_config } }, project);
    await campaignOf({ vouchers_count: 14, voucher: { code_config } }, project);
    const world = await campaignOf({}, project);
    expect((await add(world, 'vouchers_count=4', { code_config })).status).toBe(202);
    expect((await add(world, 'vouchers_count=3')).status).toBe(202);
    await runOutbox(project.id, dependencies);
    await expectExact(world, 5, 'FAILED');
    expect(await read(world)).toMatchObject({ creation_status: 'DONE' });
    await expectExact(taken, 16);
  });
});

describe('vouchers that do not fit the campaign are refused', () => {
  test.each<[string, Record<string, unknown>, string, unknown, number, string]>([
    ['of a promotion', { campaign_type: 'PROMOTION' }, 'vouchers_count=1', undefined, 400, 'invalid_campaign'],
    ['several of a promotion', { campaign_type: 'PROMOTION' }, 'vouchers_count=2', undefined, 400, 'invalid_campaign'],
    ['none', {}, 'vouchers_count=0', undefined, 400, 'invalid_query_params'],
    ['fewer', {}, 'vouchers_count=-1', undefined, 400, 'invalid_query_params'],
    ['5,000,001', {}, 'vouchers_count=5000001', undefined, 400, 'invalid_query_params'],
    [
      'more than a campaign may have',
      { vouchers_count: 1 },
      'vouchers_count=5000000',
      undefined,
      400,
      'invalid_campaign',
    ],
    ['several under one code', {}, 'vouchers_count=2', { code: 'ONE' }, 400, 'invalid_payload'],
    ['of two categories', {}, '', { category: 'One', category_id: 'cat_1' }, 400, 'invalid_payload'],
    ['of an unknown category', {}, 'vouchers_count=2', { category_id: 'cat_two' }, 404, 'not_found'],
    [
      'that end before they start',
      {},
      'vouchers_count=2',
      { ...own, start_date: '2027-01-01T00:00:00Z' },
      400,
      'invalid_payload',
    ],
    [
      'with a form that yields too few codes',
      {},
      'vouchers_count=9',
      { code_config: { pattern: '#', charset: 'ab' } },
      400,
      'invalid_code_config',
    ],
  ])('%s', async (_, campaign, query, body, status, key) => {
    const world = await campaignOf(campaign);
    const before = await itemsOf(world.project.id, '');
    const reply = await add(world, query, body);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(await itemsOf(world.project.id, '')).toEqual(before);
  });

  test('of a missing campaign, or under a taken or too long code', async () => {
    const world = await campaignOf({});
    const nowhere = { ...world, id: 'camp_none' };
    for (const reply of [await add(nowhere), await add(nowhere, 'vouchers_count=2'), await addNamed(nowhere, 'A')]) {
      expect([reply.status, reply.body.resource_type]).toEqual([404, 'campaign']);
    }
    expect((await addNamed(world, 'A')).status).toBe(200);
    expect((await addNamed(world, 'A')).body).toMatchObject({ key: 'duplicate_found', resource_id: 'A' });
    expect((await addNamed(world, 'x'.repeat(400))).body.key).toBe('invalid_path_params');
  });
});
