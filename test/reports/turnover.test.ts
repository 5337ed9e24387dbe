import { describe, expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import type { ReportName } from '#addons/reports/report-list.ts';
import { type AskedReport, buildReportQuery } from '#addons/reports/report-query.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as rollBackAll } from '../../functions/redemptions/rollback-redemptions.ts';
import { openPacker } from './fact-bucket.ts';
import { openAthena } from './fake-athena.ts';
import { lists } from './story.ts';
import { noFault, openStore, openWorld, type World } from './world.ts';

/** An order of 100.00 on which two campaigns give 5.00 and 3.00, so that the customer pays 92.00. */

const coupon = { type: 'DISCOUNT_VOUCHER', active: true };
const shop = {
  ...lists,
  categories: [...lists.categories, { id: 'cat_food', name: 'Food' }],
  campaigns: [
    ...lists.campaigns,
    { id: 'camp_late', name: 'Late', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', category_id: 'cat_food' },
  ],
  vouchers: [
    ...lists.vouchers,
    { ...coupon, code: 'FIRST', campaign_id: 'camp_free', discount: { type: 'AMOUNT', amount_off: 500 } },
    { ...coupon, code: 'SECOND', campaign_id: 'camp_late', discount: { type: 'AMOUNT', amount_off: 300 } },
  ],
};

async function sell(world: World, ids: string[]) {
  const redeemables = ids.map((id) => ({ object: 'voucher', id }));
  const { status, body } = await world.call(redeem, { body: { redeemables, order: { amount: 10_000 } } });
  expect(status).toBe(200);
  return body;
}

/** Returns the rows of a report. The embedded engine and Athena must give the same rows. */
async function openReports(world: World) {
  const facts = findFacts(await world.changes(), noFault);
  const { store } = await openStore();
  await store.keep(facts);
  const packer = await openPacker();
  packer.clock.set(world.clock());
  await packer.deliver(facts);
  const { engine } = await openAthena(packer.bucket, { today: world.clock() });
  return async (report: ReportName, more: Partial<AskedReport> = {}) => {
    const days = { from: '2026-01-01', to: '2028-12-31', timezone: 'UTC' };
    const query = buildReportQuery({ report, projectId: world.id, ...days, ...more, limit: 100, page: 1 });
    const rows = await store.query(query);
    expect(await engine.query(query)).toEqual(rows);
    return rows.map(({ group_key, orders, orders_amount_minor, orders_total_minor, discount_minor }) => [
      group_key,
      [orders, orders_amount_minor, orders_total_minor, discount_minor],
    ]);
  };
}

describe('an order with several redemptions', () => {
  test('counts once in each row, with its amounts after all of them', async () => {
    const world = await openWorld(shop);
    await sell(world, ['FIRST', 'SECOND']);
    const ask = await openReports(world);
    expect(await ask('redemptions')).toEqual([[expect.any(String), [1, 10_000, 9_200, 800]]]);
    expect(Object.fromEntries(await ask('redemptions', { by: 'campaign' }))).toEqual({
      camp_free: [1, 10_000, 9_200, 500],
      camp_late: [1, 10_000, 9_200, 300],
    });
    expect(await ask('redemptions', { by: 'campaign', campaignId: 'camp_free' })).toEqual([
      ['camp_free', [1, 10_000, 9_200, 500]],
    ]);
    expect(await ask('categories')).toEqual([
      ['cat_food', [1, 10_000, 9_200, 300]],
      [null, [1, 10_000, 9_200, 500]],
    ]);
    expect(await ask('segments')).toEqual([[null, [1, 10_000, 9_200, 800]]]);
  });

  test('leaves the turnover with its discount when it is rolled back, on the day of the rollback', async () => {
    const world = await openWorld(shop);
    const { parent_redemption: parent } = await sell(world, ['FIRST', 'SECOND']);
    const { redemptions } = await sell(world, ['FIVE']);
    await sell(world, ['FREE-A']);
    world.clock.advance(86_400);
    const params = { parentRedemptionId: parent.id, redemptionId: parent.id };
    expect((await world.call(rollBackAll, { params, body: {} })).status).toBe(200);
    const one = { params: { redemptionId: redemptions[0].id }, body: {} };
    expect((await world.call(rollBack, one)).status).toBe(200);
    const ask = await openReports(world);
    expect((await ask('redemptions')).map(([, figures]) => figures)).toEqual([
      [3, 30_000, 9_200 + 9_500 + 9_300, 800 + 500 + 700],
      [-2, -20_000, -9_200 - 9_500, -800 - 500],
    ]);
    expect(Object.fromEntries(await ask('redemptions', { by: 'campaign' }))).toEqual({
      camp_free: [1, 10_000, 9_300, 700],
      camp_late: [0, 0, 0, 0],
      null: [0, 0, 0, 0],
    });
    expect(await ask('segments')).toEqual([[null, [1, 10_000, 9_300, 700]]]);
  });
});
