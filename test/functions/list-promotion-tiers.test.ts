import { describe, expect, test } from 'vitest';
import { placeTier, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { insertManyLimit } from '#kernel/table/command.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as getCampaignHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as getHandler } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as campaignHandler } from '../../functions/promotions/list-campaign-promotion-tiers.ts';
import { handler as listHandler } from '../../functions/promotions/list-promotion-tiers.ts';
import { caller } from '../support/call.ts';
import { countAsTheStreamDoes } from '../support/counted.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { loadProject } from '../support/project.ts';

const past = '2026-06-01T00:00:00.000Z';
const now = testTime.toISOString();

const campaign = { campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' };
const campaigns = [
  { ...campaign, id: 'camp_a', name: 'All year', start_date: past, validity_day_of_week: [1, 2], category: 'Tea' },
  { ...campaign, id: 'camp_b', name: 'Second one' },
  { ...campaign, id: 'camp_c', name: 'Third one', description: 'not in a summary' },
  { ...campaign, id: 'camp_empty', name: 'Empty' },
  { ...campaign, id: 'camp_cards', name: 'Cards', campaign_type: 'LOYALTY_PROGRAM' },
];

const pad = (number: number) => String(number).padStart(2, '0');

/** Ranks repeat. Neither ids nor the file have the order of ranks or dates. */
const tiers = Array.from({ length: 25 }, (_, index) => ({
  id: `promo_${pad((index * 7) % 25)}`,
  name: `Tier ${index}`,
  campaign_id: campaigns[index % 3]?.id,
  hierarchy: ((index * 3) % 8) - 3,
  created_at: `2026-01-${pad(1 + ((index * 11) % 25))}T00:00:00.000Z`,
  ...(index % 4 ? {} : { updated_at: `2026-02-${pad(28 - index)}T00:00:00.000Z` }),
  ...(index === 5 ? { category: 'Tea', banner: 'Hello', action: { discount: { type: 'AMOUNT', amount_off: 5 } } } : {}),
}));
type Tier = (typeof tiers)[number];

const byCreation = (tier: Tier) => `${tier.created_at} ${tier.id}`;
const byUpdate = (tier: Tier) => `${tier.updated_at ?? tier.created_at} ${tier.id}`;
const byRank = (tier: Tier) => `${tier.hierarchy + 3} ${byCreation(tier)}`;
const sorted = (by: (tier: Tier) => string, some = tiers) =>
  some.toSorted((a, b) => (by(a) < by(b) ? -1 : 1)).map(({ id }) => id);

const project = await loadProject({
  categories: [{ id: 'cat_tea', name: 'Tea', created_at: now }],
  validation_rules: [{ id: 'val_1', name: 'One' }],
  validation_rules_assignments: [
    { id: 'asgm_1', rule_id: 'val_1', related_object_type: 'promotion_tier', related_object_id: 'promo_10' },
    { id: 'asgm_2', rule_id: 'val_1', related_object_type: 'campaign', related_object_id: 'camp_a' },
  ],
  campaigns,
  promotion_tiers: tiers,
});

const list = (query = '') => caller(listHandler)({ query, headers: project.credentials });
const ofCampaign = (campaignId: string, query = '') =>
  caller(campaignHandler)({ params: { campaignId }, query, headers: project.credentials });
const idsOf = (body: { tiers: { id: string }[] }) => body.tiers.map(({ id }) => id);

/** Reads every page until one has no more. */
async function walked(read: (query: string) => ReturnType<typeof list>, query = 'limit=4') {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await read(`${query}&page=${page}`);
    expect(status).toBe(200);
    ids.push(...idsOf(body));
    if (!body.has_more) return { ids, pages: page, total: body.total };
  }
}

describe('the tiers of a project', () => {
  test('appear once each page by page, by rank and then the older first', async () => {
    expect(await walked(list)).toEqual({ ids: sorted(byRank), pages: 7, total: 25 });
    expect(idsOf((await list()).body)).toEqual(sorted(byRank).slice(0, 10));
  });

  test.each([
    ['created_at', sorted(byCreation)],
    ['-created_at', sorted(byCreation).toReversed()],
    ['updated_at', sorted(byUpdate)],
    ['-updated_at', sorted(byUpdate).toReversed()],
  ])('are sorted by %s', async (order, ids) => {
    expect((await walked(list, `limit=6&order=${order}`)).ids).toEqual(ids);
    const ofB = ids.filter((id) => tiers.find((tier) => tier.id === id)?.campaign_id === 'camp_b');
    expect((await walked((query) => ofCampaign('camp_b', query), `limit=3&order=${order}`)).ids).toEqual(ofB);
  });

  test('of one campaign are named by its id or its name', async () => {
    const own = sorted(
      byRank,
      tiers.filter(({ campaign_id }) => campaign_id === 'camp_c'),
    );
    for (const name of ['camp_c', 'Third one']) {
      expect(await walked((query) => ofCampaign(name, query))).toEqual({ ids: own, pages: 2, total: 8 });
    }
    const empty = { object: 'list', data_ref: 'tiers', tiers: [], total: 0, has_more: false };
    expect((await ofCampaign('camp_empty')).body).toEqual(empty);
  });

  test('are shown with their own campaign', async () => {
    const read = async (campaignId: string) =>
      (await caller(getCampaignHandler)({ params: { campaignId }, headers: project.credentials })).body;
    expect((await read('camp_c')).promotion).toEqual((await ofCampaign('camp_c', 'limit=100')).body);
    expect((await read('camp_empty')).promotion).toMatchObject({ tiers: [], total: 0 });
    expect(await read('camp_cards')).not.toHaveProperty('promotion');
  });

  test('show only a summary of their campaign; category and rules are their own', async () => {
    const { body } = await ofCampaign('camp_a', 'limit=100');
    for (const tier of body.tiers) {
      expect(tier.campaign).toEqual({
        id: 'camp_a',
        start_date: past,
        validity_day_of_week: [1, 2],
        active: true,
        category_id: 'cat_tea',
        object: 'campaign',
      });
      expect(tier).toMatchObject({
        category_id: null,
        categories: [],
        campaign_id: 'camp_a',
        object: 'promotion_tier',
      });
      expect(tier.validation_rule_assignments.total).toBe(0);
    }
    const third = (await ofCampaign('camp_c', 'limit=100')).body.tiers;
    expect(third.find(({ id }: { id: string }) => id === 'promo_10')).toMatchObject({
      name: 'Tier 5',
      banner: 'Hello',
      action: { discount: { type: 'AMOUNT', amount_off: 5 } },
      category_id: 'cat_tea',
      categories: [{ id: 'cat_tea', name: 'Tea' }],
      campaign: { id: 'camp_c', active: true, category_id: null, object: 'campaign' },
      summary: { redemptions: { total_redeemed: 0 }, orders: { total_amount: 0, total_discount_amount: 0 } },
      validation_rule_assignments: { object: 'list', data_ref: 'data', data: [{ id: 'asgm_1', rule_id: 'val_1' }] },
      active: true,
      metadata: {},
    });
  });

  test('are shown one by one exactly as in a list', async () => {
    for (const tier of (await list('limit=3')).body.tiers) {
      const reply = await caller(getHandler)({ params: { promotionTierId: tier.id }, headers: project.credentials });
      expect(reply.body).toEqual(tier);
    }
    const params = { promotionTierId: 'promo_nope' };
    expect((await caller(getHandler)({ params, headers: project.credentials })).body).toMatchObject({
      key: 'not_found',
      resource_id: 'promo_nope',
      resource_type: 'promotion_tier',
    });
  });
});

describe('a list is refused', () => {
  test.each(['camp_nope', 'camp_cards', 'Cards'])('of %s, which is not a promotion', async (name) => {
    expect((await ofCampaign(name)).body).toMatchObject({ code: 404, resource_id: name, resource_type: 'campaign' });
  });

  test.each([
    ['order=hierarchy', 'order'],
    ['is_available=yes', 'is_available'],
  ])('with %s, naming the parameter', async (query, name) => {
    for (const reply of [await list(query), await ofCampaign('camp_a', query)]) {
      expect(reply.body).toMatchObject({ code: 400, key: 'invalid_query_params' });
      expect(reply.body.details).toMatch(new RegExp(`^${name} must be `));
    }
  });
});

test('a page costs a page, the first and the hundredth of 1,000 tiers in 50 campaigns, and of 500 in one of them', async () => {
  const own = await loadProject({
    campaigns: Array.from({ length: 50 }, (_, index) => ({ ...campaign, id: `camp_${index}`, name: `${index}` })),
  });
  const { dynamodb, tableName } = testDependencies();
  const table = new Table(dynamodb, tableName, testTime);
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    id: `promo_${String(index).padStart(4, '0')}`,
    name: 'T',
    campaign_id: `camp_${index % 2 === 0 ? 0 : index % 50}`,
    hierarchy: index % 7,
    created_at: new Date(testTime.getTime() + index).toISOString(),
    metadata: {},
  }));
  const items = many.map((tier) => ({ ...tier, ...placeTier(own.id, tier) }));
  for await (const batch of splitIntoBatches(items, insertManyLimit)) {
    await table.insertMany(batch.map((item) => ({ key: promotionTiers(own.id, item.id), item })));
  }
  await countAsTheStreamDoes(tableOfFile(), items);
  for (const query of ['page=1', 'page=100&order=created_at']) {
    const dependencies = testDependencies();
    const { body } = await caller(listHandler, dependencies)({ query, headers: own.credentials });
    expect([body.tiers.length, body.total]).toEqual([10, 1_000]);
    const { read_units } = JSON.parse(dependencies.lines.at(-1) ?? '{}');
    // The page reads ten tiers, ten campaigns, the credentials, the total, and the keys up to it: at most a thousand.
    expect(read_units).toBeLessThanOrEqual(query === 'page=1' ? 30 : 70);
  }
  const dependencies = testDependencies();
  const request = { params: { campaignId: 'camp_0' }, query: 'page=5', headers: own.credentials };
  const { body } = await caller(campaignHandler, dependencies)(request);
  expect([body.tiers.length, body.total]).toEqual([10, 500]);
  expect(JSON.parse(dependencies.lines.at(-1) ?? '{}').read_units).toBeLessThanOrEqual(25);
});
