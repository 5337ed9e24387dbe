import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { countRecords } from '#addons/upkeep/count-records.ts';
import { handler as addNamedHandler } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as activatePending } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as adjustPending } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as transfer } from '../../functions/loyalties/transfer-points.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollbackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as balanceHandler } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as deleteVoucherHandler } from '../../functions/vouchers/delete-voucher.ts';
import { caller } from '../support/call.ts';
import { changesOf } from '../support/changes.ts';
import { changeRecord, countingRedemptions } from '../support/counted.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { openShop } from '../support/shop.ts';

const clock = standingClock();
const dependencies = testDependencies({ clock });

type Handler = Parameters<typeof caller>[0];

const ask = (
  project: TestProject,
  handler: Handler,
  params: Record<string, string>,
  rest: { query?: string; body?: unknown } = {},
) => caller(handler, dependencies)({ params, headers: project.credentials, ...rest });

async function create(project: TestProject, body: Record<string, unknown>): Promise<string> {
  const reply = await ask(project, createHandler, {}, { body });
  expect(reply.status).toBe(200);
  await runOutbox(project.id, dependencies);
  return reply.body.id;
}

const summaryOf = async (project: TestProject, campaignId: string, query = '') =>
  (await ask(project, handler, { campaignId }, { query })).body;

describe('the summary of a campaign', () => {
  test('counts events of gift vouchers, in minor units', async () => {
    const project = await loadProject({ customers: [{ id: 'cust_1' }] });
    const gift = { amount: 1_000 };
    const id = await create(project, { campaign_type: 'GIFT_VOUCHERS', vouchers_count: 3, voucher: { gift } });
    await ask(project, addNamedHandler, { campaignId: id, code: 'ONE' });
    await ask(project, addNamedHandler, { campaignId: id, code: 'TWO' });
    expect((await ask(project, balanceHandler, { code: 'ONE' }, { body: { amount: 250 } })).status).toBe(200);
    expect((await ask(project, balanceHandler, { code: 'ONE' }, { body: { amount: -50 } })).status).toBe(200);
    const publish = { voucher: 'TWO', customer: { id: 'cust_1' } };
    expect((await ask(project, publishHandler, {}, { body: publish })).status).toBe(200);
    expect((await ask(project, publishHandler, {}, { body: publish })).status).toBe(400);
    expect((await ask(project, deleteVoucherHandler, { code: 'ONE' }, { query: 'force=true' })).status).toBe(204);
    const summary = await summaryOf(project, id);
    expect(summary).toMatchObject({
      object: 'campaign_summary',
      campaign: { id, categories: [], object: 'campaign', vouchers_count: 4 },
      vouchers_created: 5,
      vouchers_deleted: 1,
      publications: 2,
      publications_succeeded: 1,
      publications_failed: 1,
      created_vouchers_amount: 5_000,
      amount_added: 250,
      amount_subtracted: 50,
      amount_deleted: 1_200,
      amount_redeemed: 0,
      redemptions: 0,
    });
    expect(summary).not.toHaveProperty('discounted_amount');
    expect(summary).not.toHaveProperty('points_added');
  });

  test('has zeros of its kind without events, and no vouchers of a promotion', async () => {
    const project = await loadProject();
    const promotion = await summaryOf(project, await create(project, { campaign_type: 'PROMOTION' }));
    expect(promotion).toMatchObject({ redemptions: 0, validations_failed: 0, discounted_amount: 0 });
    expect(promotion).not.toHaveProperty('vouchers_created');
    const voucher = { loyalty_card: { points: 5 } };
    const loyalty = await create(project, { campaign_type: 'LOYALTY_PROGRAM', vouchers_count: 2, voucher });
    expect(await summaryOf(project, loyalty)).toMatchObject({ created_vouchers_points: 10, points_added: 0 });
  });

  test('covers the requested days, both included', async () => {
    const project = await loadProject();
    const id = await create(project, { vouchers_count: 1 });
    const today = clock().toISOString().slice(0, 10);
    clock.advance(24 * 3_600);
    const tomorrow = clock().toISOString().slice(0, 10);
    for (const code of ['A', 'B']) await ask(project, addNamedHandler, { campaignId: id, code });
    const created = async (query: string) => (await summaryOf(project, id, query)).vouchers_created;
    expect([await created(''), await created(`end_date=${today}`)]).toEqual([3, 1]);
    expect(await created(`start_date=${tomorrow}&end_date=${tomorrow}`)).toBe(2);
    expect(await created(`start_date=${today}&end_date=${tomorrow}`)).toBe(3);
    expect(await created(`start_date=${tomorrow}T23:59:59.000Z&end_date=${tomorrow}T00:00:00Z`)).toBe(2);
    expect(await created(`start_date=${today}T23:59:59.999Z&end_date=${tomorrow}T00:30:00%2B01:00`)).toBe(3);
    const wrong = await ask(
      project,
      handler,
      { campaignId: id },
      { query: 'start_date=2026-02-01&end_date=2026-01-01' },
    );
    expect([wrong.status, wrong.body.key]).toEqual([400, 'invalid_query_params']);
  });

  test('counts each of twenty concurrent events, and no event of others', async () => {
    const project = await loadProject();
    const [id, other] = [await create(project, {}), await create(project, {})];
    const codes = Array.from({ length: 20 }, (_, index) => `AT-ONCE-${index}`);
    await Promise.all(codes.map((code) => ask(project, addNamedHandler, { campaignId: id, code })));
    expect((await summaryOf(project, id)).vouchers_created).toBe(20);
    expect((await summaryOf(project, other)).vouchers_created).toBe(0);
    const none = await ask(project, handler, { campaignId: 'camp_none' });
    expect([none.status, none.body.resource_type]).toEqual([404, 'campaign']);
  });
});

describe('behind the writes', () => {
  const stateOf = async ({ id }: TestProject) =>
    new Map(
      (await Promise.all(['LEDGER', 'PENDING_POINTS', 'VOUCHER'].map((kind) => itemsOf(id, kind))))
        .flat()
        .map((item) => [`${item.pk} ${item.sk}`, item]),
    );

  /** Returns the records of everything that has changed in the project since then. */
  async function toldSince(project: TestProject, before: Awaited<ReturnType<typeof stateOf>>) {
    const after = [...(await stateOf(project))].filter(([key, item]) => !isDeepStrictEqual(item, before.get(key)));
    return after.map(([key, item], index) => {
      const old = before.get(key);
      return changeRecord(index + 1, { after: item, ...(old ? { before: old } : {}) });
    });
  }

  test('counts points that are earned, transferred, pending or expired, each record once', async () => {
    const later = standingClock();
    const { project, send } = await openShop({ ...testDependencies(), clock: later });
    const summary = async () => (await ask(project, handler, { campaignId: 'camp_club' })).body;
    const shards = { number: 0 };
    /** Delivers all changes, twice. */
    const happens = async (what: () => Promise<unknown>) => {
      const before = await stateOf(project);
      await what();
      const records = await toldSince(project, before);
      const shard = `shard-${shards.number++}`;
      for (const some of [records.slice(0, 1), records]) await countRecords(tableOfFile(), shard, changesOf(some));
    };
    await happens(() => send({ event: 'visited', customer: { id: 'cust_bob' }, loyalty: { code: 'BOB' } }));
    expect(await summary()).toMatchObject({ points_rewarded: 100, points_added: 0, vouchers_created: 0 });

    await happens(() => send({ event: 'photo_added', customer: { id: 'cust_bob' }, loyalty: { code: 'BOB' } }));
    const [pending] = await itemsOf(project.id, 'PENDING_POINTS');
    const params = { memberId: 'BOB', pendingPointsId: String(pending?.id) };
    await happens(() => ask(project, adjustPending, params, { body: { points: -20 } }));
    await happens(() => ask(project, adjustPending, params, { body: { points: 5 } }));
    expect(await summary()).toMatchObject({ pending_points_added: 55, pending_points_subtracted: 20 });
    await happens(() => ask(project, activatePending, params));
    expect(await summary()).toMatchObject({ pending_points_activated: 35, pending_points_canceled: 0 });

    await happens(async () => {
      const body = [{ code: 'BOB', points: 30, source_id: 'tx-1' }];
      const reply = await ask(project, transfer, { campaignId: 'camp_club', memberId: 'ADA' }, { body });
      expect(reply.status).toBe(200);
    });
    expect(await summary()).toMatchObject({ points_transferred_in: 30, points_transferred_out: 30 });
  });

  test('counts redemptions and rollbacks once, and no redemption writes an item that another of its campaign writes', async () => {
    const discount = { type: 'AMOUNT', amount_off: 100 };
    const project = await loadProject({
      campaigns: [{ id: 'camp_sale', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
      vouchers: Array.from({ length: 20 }, (_, index) => ({
        ...{ code: `SALE-${index}`, type: 'DISCOUNT_VOUCHER', active: true, campaign_id: 'camp_sale', discount },
        redemption: { quantity: 1 },
      })),
    });
    const redeem = (code: string) =>
      ask(
        project,
        redeemHandler,
        {},
        { body: { redeemables: [{ object: 'voucher', id: code }], order: { amount: 250 } } },
      );
    const done = await Promise.all(Array.from({ length: 20 }, (_, index) => redeem(`SALE-${index}`)));
    expect(done.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await redeem('SALE-0')).status).toBe(400);
    const [first] = done;
    const params = { redemptionId: first?.body.redemptions[0].id };
    expect((await ask(project, rollbackHandler, params)).status).toBe(200);
    expect(await itemsOf(project.id, 'CAMPAIGN_DAY')).toEqual([]);
    await countingRedemptions(project.id, tableOfFile())();
    expect(await summaryOf(project, 'camp_sale')).toMatchObject({
      ...{ redemptions: 21, redemptions_succeeded: 20, redemptions_failed: 1, rollbacks: 1, rollbacks_succeeded: 1 },
      ...{ orders_amount: 5_000, orders_rolledback_amount: 250, discounted_amount: 2_000 },
      rolledback_discounted_amount: 100,
    });
  });

  test('counts vouchers that are made for customers for the campaign, and only while it exists', async () => {
    const project = await loadProject({ customers: [{ id: 'cust_1' }, { id: 'cust_2' }] });
    const id = await create(project, { campaign_type: 'GIFT_VOUCHERS', voucher: { gift: { amount: 700 } } });
    const before = await stateOf(project);
    for (const customer of ['cust_1', 'cust_2']) {
      const body = { campaign: { name: id }, customer: { id: customer } };
      expect((await ask(project, publishHandler, {}, { body })).status).toBe(200);
    }
    const records = await toldSince(project, before);
    await countRecords(tableOfFile(), 'shard', changesOf(records.slice(0, 1)));
    await Promise.all([1, 2, 3].map(() => countRecords(tableOfFile(), 'shard', changesOf(records))));
    expect(await summaryOf(project, id)).toMatchObject({
      campaign: { vouchers_count: 2 },
      vouchers_created: 2,
      created_vouchers_amount: 1_400,
      publications_succeeded: 2,
    });
    expect((await ask(project, deleteCampaign, { campaignId: id }, { query: 'force=true' })).status).toBe(202);
    await runOutbox(project.id, dependencies);
    await countRecords(tableOfFile(), 'other-shard', changesOf(records));
    expect(await itemsOf(project.id, 'CAMPAIGN_DAY')).toEqual([]);
    expect((await ask(project, handler, { campaignId: id })).status).toBe(404);
  });
});
