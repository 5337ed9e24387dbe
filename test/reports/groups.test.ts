import { expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import type { ReportRow } from '#kernel/core/reports.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as removeCategory } from '../../functions/categories/delete-category.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as removeSegment } from '../../functions/segments/delete-segment.ts';
import { seeded } from '../support/seeded.ts';
import type { Books } from './books.ts';
import { openPacker } from './fact-bucket.ts';
import { openAthena } from './fake-athena.ts';
import { type GroupOf, sumRedemptions } from './recalculate.ts';
import { everything, lists, play } from './story.ts';
import { noFault, openStore, openWorld, type World } from './world.ts';

/** Redemptions by what their voucher and customer belong to now: a category, and any number of segments. */

const shop = {
  ...lists,
  categories: [
    ...lists.categories,
    ...['food', 'toys', 'gone'].map((name) => ({ id: `cat_${name}`, name: `It's "${name}"` })),
  ],
  campaigns: lists.campaigns.map((one) => (one.id === 'camp_free' ? { ...one, category_id: 'cat_food' } : one)),
  promotion_tiers: lists.promotion_tiers.map((one) => ({ ...one, category_id: 'cat_toys' })),
  vouchers: lists.vouchers.map((one) => {
    if (one.code === 'FREE-A') return { ...one, category_id: 'cat_toys' };
    return one.code === 'FIVE' || one.code === 'FREE-B' ? { ...one, category_id: 'cat_gone' } : one;
  }),
};

/** Keeps the figures of each group. Zeros are left out, because a plain sum has none. */
function figuresOf(rows: Iterable<readonly [string, object]>) {
  const own = [...rows].map(([key, row]) => {
    const figures = Object.entries(row).filter(([, value]) => typeof value === 'number' && value !== 0);
    return [key, Object.fromEntries(figures)] as const;
  });
  return Object.fromEntries(own.filter(([, row]) => Object.keys(row).length > 0));
}

const byGroup = (rows: readonly ReportRow[]) => figuresOf(rows.map((row) => [String(row.group_key ?? ''), row]));

async function sumBy(world: World, books: Books, groupOf: GroupOf) {
  return figuresOf(await sumRedemptions(world, books, groupOf));
}

/** Keeps all facts in a store and in a packed bucket, some of them twice, and returns both answers of a report. */
async function openReports(world: World) {
  const facts = findFacts(await world.changes(), noFault);
  const { store } = await openStore();
  const packer = await openPacker();
  packer.clock.set(world.clock());
  for (const some of [facts, facts.filter((_, index) => index % 3 === 0)]) {
    await store.keep(some);
    await packer.deliver(some);
    if (some === facts) await Promise.all([store.pack(), packer.pack()]);
  }
  const { engine } = await openAthena(packer.bucket, { today: world.clock() });
  return async (report: 'categories' | 'segments') => {
    const days = { from: '2026-01-01', to: '2028-12-31', timezone: 'Europe/Oslo' };
    const query = buildReportQuery({ report, projectId: world.id, ...days, limit: 1_000, page: 1 });
    const rows = await store.query(query);
    expect(await engine.query(query), report).toEqual(rows);
    return rows;
  };
}

test('redemptions count in the category that their voucher, tier or campaign has now, and none in a deleted one', async () => {
  const world = await openWorld(shop);
  const { succeeded, books } = await play(world, seeded(8), 80);
  expect(succeeded).toBeGreaterThan(20);
  for (const id of ['FREE-A', 'FREE-B', 'FREE-C', 'FIVE']) {
    const redeemables = [{ object: 'voucher', id }];
    const reply = await world.call(redeem, { body: { redeemables, order: { amount: 1_000 }, ...everything } });
    if (reply.status === 200) books.enterSale(reply);
  }
  await world.call(removeCategory, { params: { categoryId: 'cat_gone' } });
  await world.call(updateCampaign, { params: { campaignId: 'camp_club' }, body: { category_id: 'cat_food' } });
  const ask = await openReports(world);
  const rows = await ask('categories');
  const names = new Map(rows.map((row) => [row.group_key, row.name]));
  expect([names.get('cat_food'), names.get('cat_toys')]).toEqual(['It\'s "food"', 'It\'s "toys"']);
  const ofCampaign = new Map([
    ['camp_free', 'cat_food'],
    ['camp_club', 'cat_food'],
  ]);
  const expected = await sumBy(world, books, ({ item }) => {
    if (item.voucher_code === 'FREE-A' || item.related_object_type === 'promotion_tier') return 'cat_toys';
    return ofCampaign.get(item.related_object_parent_id) ?? '';
  });
  expect(byGroup(rows)).toEqual(expected);
  expect(Object.keys(expected).sort()).toEqual(['', 'cat_food', 'cat_toys']);
});

test('redemptions count in each segment that keeps their customer now, and in none after it was deleted', async () => {
  const world = await openWorld(shop);
  const make = (name: string, customers: string[]) =>
    world.call(createSegment, { body: { name, type: 'static', customers } });
  const { id: ada } = (await make('Ada alone', ['cust_ada'])).body;
  const { id: again } = (await make('Ada again', ['cust_ada'])).body;
  const { id: gone } = (await make('Gone', ['cust_bob'])).body;
  const { succeeded, books } = await play(world, seeded(7), 60);
  expect(succeeded).toBeGreaterThan(15);
  await world.call(removeSegment, { params: { segmentId: gone } });
  const ask = await openReports(world);
  const rows = await ask('segments');
  const found = byGroup(rows);
  const of = await sumBy(world, books, ({ item }) => item.customer_id ?? '');
  expect(found).toEqual({ [ada]: of.cust_ada, [again]: of.cust_ada, '': of.cust_bob });
  expect(rows.map(({ name }) => name).sort()).toEqual(['Ada again', 'Ada alone', null].sort());
});
