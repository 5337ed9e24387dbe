import { describe, expect, test } from 'vitest';
import { handler as getActionHandler } from '../../functions/async-actions/get-async-action.ts';
import { handler as addNamedHandler } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler } from '../../functions/campaigns/delete-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as listHandler } from '../../functions/campaigns/list-campaigns.ts';
import { handler as transactionsHandler } from '../../functions/loyalties/list-member-transactions.ts';
import { handler as getTierHandler } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as listTiersHandler } from '../../functions/promotions/list-promotion-tiers.ts';
import { handler as updateTierHandler } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as purgeHandler } from '../../functions/trash-bin/delete-trash-bin-entry.ts';
import { handler as binHandler } from '../../functions/trash-bin/list-trash-bin.ts';
import { handler as createVoucherHandler } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as disableVoucherHandler } from '../../functions/vouchers/disable-voucher.ts';
import { handler as getVoucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as listVouchersHandler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const long = Boolean(process.env.LONG_TESTS);

interface World {
  dependencies: ReturnType<typeof testDependencies>;
  project: TestProject;
}

async function newWorld(lists: Record<string, unknown> = {}): Promise<World> {
  const dependencies = testDependencies({ tableName: await ownTable() });
  return { dependencies, project: await loadProject(lists, dependencies) };
}

type Handler = Parameters<typeof caller>[0];

const ask = (
  { dependencies, project }: World,
  handler: Handler,
  params: Record<string, string>,
  rest: { query?: string; body?: unknown } = {},
) => caller(handler, dependencies)({ params, headers: project.credentials, ...rest });

const remove = (world: World, campaignId: string, query = 'force=true') =>
  ask(world, handler, { campaignId }, { query });
const run = ({ project, dependencies }: World) => runOutbox(project.id, dependencies);
const items = ({ project, dependencies }: World) => itemsOf(project.id, '', dependencies);

async function resultOf(world: World, asyncActionId: string) {
  const { body } = await ask(world, getActionHandler, { asyncActionId });
  return [body.type, body.status, body.result?.done_count];
}

/** Whatever still says something of the campaign; jobs that have ended go by themselves, and people keep what they did. */
async function leftOf(world: World, id: string) {
  const kept = /#(?:JOB|IDEMPOTENCY_KEY|TOTAL)#|^ACTIVITY#|^CAMPAIGN_ACTIVITIES#/;
  return (await items(world)).filter(
    (item) => JSON.stringify(item).includes(id) && !kept.test(String(item.pk)) && !kept.test(String(item.sk)),
  );
}

const percent = { type: 'PERCENT', percent_off: 5 };
const coupons = { campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: { type: 'DISCOUNT_VOUCHER' } };

const club = {
  categories: [{ id: 'cat_1', name: 'One', hierarchy: 1 }],
  campaigns: [
    { ...coupons, id: 'camp_other', name: 'Other' },
    {
      ...{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    },
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    { ...coupons, id: 'camp_kept', name: 'Kept', protected: true },
  ],
  vouchers: [
    { code: 'OTHER', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_other' },
    { code: 'LOOSE', type: 'DISCOUNT_VOUCHER' },
    { code: 'CARD', type: 'LOYALTY_CARD', campaign_id: 'camp_club', holder_id: 'cust_1', loyalty_card: { points: 50 } },
  ],
  customers: [{ id: 'cust_1', name: 'One' }],
  event_schema: [{ name: 'visit', metadata: {} }],
  loyalty_tiers: [{ id: 'ltr_1', name: 'Tier', campaign_id: 'camp_club', points: { from: 0 } }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 5 } },
  ],
  rewards: [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  promotion_tiers: [{ id: 'promo_1', name: 'First', campaign_id: 'camp_tiers', hierarchy: 1 }],
};

describe('a deleted campaign', () => {
  test('is found by nobody at once, nor are its cards; then nothing of it is left, and all of others', async () => {
    const world = await newWorld(club);
    const publish = { campaign: { name: 'Other', count: 1 }, customer: { id: 'cust_1' }, source_id: 'first' };
    expect((await ask(world, publishHandler, {}, { body: publish })).status).toBe(200);
    const others = async () =>
      (await items(world)).filter(
        (item) => JSON.stringify(item).includes('camp_other') && !/JOB|ACTIVIT/.test(String(item.pk) + item.sk),
      );
    const before = await others();
    const { status, body } = await remove(world, 'Club');
    expect([status, body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_/) }]);

    for (const [handler, params, type] of [
      [getHandler, { campaignId: 'camp_club' }, 'campaign'],
      [getHandler, { campaignId: 'Club' }, 'campaign'],
      [getVoucherHandler, { code: 'CARD' }, 'voucher'],
      [disableVoucherHandler, { code: 'CARD' }, 'voucher'],
      [listVouchersHandler, { code: 'CARD' }, 'voucher'],
      [transactionsHandler, { memberId: 'CARD' }, 'voucher'],
      [addNamedHandler, { campaignId: 'Club', code: 'NEW' }, 'campaign'],
    ] as [Handler, Record<string, string>, string][]) {
      const reply = await ask(world, handler, params);
      expect([reply.status, reply.body.resource_type]).toEqual([404, type]);
    }
    expect((await remove(world, 'camp_club')).status).toBe(404);
    const listed = await ask(world, listHandler, {});
    expect(listed.body.campaigns.map(({ name }: { name: string }) => name)).not.toContain('Club');

    await run(world);
    expect(await leftOf(world, 'camp_club')).toEqual([]);
    expect(await others()).toEqual(before);
    expect(await resultOf(world, body.async_action_id)).toEqual(['CAMPAIGN.VOUCHERS_DELETE', 'DONE', 1]);
    expect((await ask(world, getVoucherHandler, { code: 'OTHER' })).status).toBe(200);
    // Its name and codes are free.
    const again = { name: 'Club', campaign_type: 'LOYALTY_PROGRAM', voucher: { loyalty_card: { points: 1 } } };
    expect((await ask(world, createHandler, {}, { body: again })).status).toBe(200);
    expect((await ask(world, addNamedHandler, { campaignId: 'Club', code: 'CARD' })).status).toBe(200);
  });

  test('takes its publications along, with the source ids that they claim', async () => {
    const world = await newWorld(club);
    const body = { campaign: { name: 'Other', count: 1 }, customer: { id: 'cust_1' }, source_id: 'first' };
    expect((await ask(world, publishHandler, {}, { body })).status).toBe(200);
    expect((await remove(world, 'camp_other')).status).toBe(202);
    await run(world);
    expect(await leftOf(world, 'camp_other')).toEqual([]);
    expect(await itemsOf(world.project.id, 'PUBLICATION', world.dependencies)).toEqual([]);
    expect(await itemsOf(world.project.id, 'HELD_VOUCHER', world.dependencies)).toEqual([]);
    expect((await ask(world, getVoucherHandler, { code: 'LOOSE' })).status).toBe(200);
  });

  test('takes its tiers along, which nobody finds from the start', async () => {
    const world = await newWorld(club);
    await ask(world, getTierHandler, { promotionTierId: 'promo_1' });
    expect((await remove(world, 'camp_tiers')).status).toBe(202);
    for (const [handler, body] of [[getTierHandler], [updateTierHandler, { name: 'New' }]] as [Handler, unknown][]) {
      const reply = await ask(world, handler, { promotionTierId: 'promo_1' }, body ? { body } : {});
      expect([reply.status, reply.body.resource_type]).toEqual([404, 'promotion_tier']);
    }
    expect((await ask(world, listTiersHandler, {})).body.tiers).toEqual([]);
    await run(world);
    expect(await leftOf(world, 'camp_tiers')).toEqual([]);
  });

  test('that is protected stays, and one that is not there is a 404', async () => {
    const world = await newWorld(club);
    const before = await items(world);
    const kept = await remove(world, 'Kept');
    expect([kept.status, kept.body.key, kept.body.resource_id]).toEqual([400, 'resource_protected', 'camp_kept']);
    const none = await remove(world, 'camp_none');
    expect([none.status, none.body.resource_type]).toEqual([404, 'campaign']);
    expect(await items(world)).toEqual(before);
  });

  test('by twenty callers at once is deleted once', async () => {
    const world = await newWorld(club);
    const replies = await Promise.all(Array.from({ length: 20 }, () => remove(world, 'camp_club')));
    expect(replies.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 19 }, () => 404)]);
  });
});

describe('a campaign in the bin', () => {
  const entries = async (world: World) => (await ask(world, binHandler, {})).body.data;

  test('keeps its name and codes until its entry is deleted, and is found by nobody', async () => {
    const world = await newWorld(club);
    const { body } = await remove(world, 'Club', '');
    await run(world);
    expect(await resultOf(world, body.async_action_id)).toEqual(['CAMPAIGN.VOUCHERS_DELETE', 'DONE', 1]);
    const [entry, ...rest] = await entries(world);
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      resource_id: 'camp_club',
      resource_type: 'campaign',
      resource_name: 'Club',
      resource_parent_id: null,
      object: 'campaign',
    });
    expect((await ask(world, getHandler, { campaignId: 'Club' })).status).toBe(404);
    expect((await ask(world, getVoucherHandler, { code: 'CARD' })).status).toBe(404);
    const named = await ask(world, createHandler, {}, { body: { name: 'Club' } });
    expect([named.body.key, named.body.details]).toEqual(['duplicate_found', expect.stringContaining('bin')]);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: percent };
    const coded = () => ask(world, createVoucherHandler, { code: 'CARD' }, { body: voucher });
    expect((await coded()).body.key).toBe('duplicate_found');

    expect((await ask(world, purgeHandler, { binEntryId: entry.id })).status).toBe(204);
    expect(await entries(world)).toEqual([]);
    expect((await ask(world, createHandler, {}, { body: { name: 'Club' } })).status).toBe(200);
    await run(world);
    expect(await leftOf(world, 'camp_club')).toEqual([]);
    expect((await coded()).status).toBe(200);
  });

  test('whose entry is deleted while its vouchers still go leaves nothing either', async () => {
    const world = await newWorld(club);
    await remove(world, 'Club', '');
    const [entry] = await entries(world);
    expect((await ask(world, purgeHandler, { binEntryId: entry.id })).status).toBe(204);
    await run(world);
    expect(await leftOf(world, 'camp_club')).toEqual([]);
  });
});

const count = long ? 10_000 : 1_500;

test(`${count} codes go with their campaign, the job killed twice half-way: none is left, none of others touched, all counted`, {
  timeout: 900_000,
}, async () => {
  const world = await newWorld();
  const create = async (body: Record<string, unknown>) => (await ask(world, createHandler, {}, { body })).body.id;
  const id = await create({ vouchers_count: count, voucher: { discount: percent } });
  const other = await create({ vouchers_count: 50 });
  await run(world);
  const vouchersOf = async (campaignId: string) =>
    (await itemsOf(world.project.id, 'VOUCHER', world.dependencies)).filter((one) => one.campaign_id === campaignId);
  const others = await vouchersOf(other);
  const [one] = await vouchersOf(id);
  const { body } = await remove(world, id);
  expect((await ask(world, getVoucherHandler, { code: String(one?.code) })).status).toBe(404);

  const { tableName } = world.dependencies;
  for (const isLastDone of [true, false]) {
    const worker = mortal(Math.ceil(count / 90), isLastDone, { tableName });
    await deliver(await openJobs(world.project.id, world.dependencies), worker);
    const left = (await vouchersOf(id)).length;
    expect([left > 0, left < count]).toEqual([true, true]);
  }
  await run(world);
  expect(await leftOf(world, id)).toEqual([]);
  expect(await vouchersOf(other)).toEqual(others);
  expect(await resultOf(world, body.async_action_id)).toEqual(['CAMPAIGN.VOUCHERS_DELETE', 'DONE', count]);
});

test('a generation that still runs while its campaign is deleted ends quietly, and leaves nothing', {
  timeout: 120_000,
}, async () => {
  const world = await newWorld();
  const { body } = await ask(world, createHandler, {}, { body: { vouchers_count: 2_100 } });
  const jobs = () => openJobs(world.project.id, world.dependencies);
  await deliver(await jobs(), world.dependencies);
  const chunks = (await jobs()).filter(({ kind }) => kind === 'generate-chunk');
  expect(chunks).toHaveLength(3);
  // One is under way while the campaign goes, one was killed half-way, one was not begun.
  await deliver(chunks.slice(1, 2), mortal(8, true, { tableName: world.dependencies.tableName }));
  const running = deliver(chunks.slice(0, 1), world.dependencies);
  const deleted = await remove(world, body.id);
  expect(deleted.status).toBe(202);
  await deliver(await jobs(), world.dependencies);
  await running;
  await run(world);
  expect(await leftOf(world, body.id)).toEqual([]);
  expect(await jobs()).toEqual([]);
  expect(world.dependencies.lines.join()).not.toContain('given_up');
});
