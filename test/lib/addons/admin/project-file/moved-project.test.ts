import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { switchOffAppKey } from '#kernel/access/projects/manage-app-keys.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createCampaign } from '../../../../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../../../../functions/campaigns/get-campaign.ts';
import { handler as getCustomer } from '../../../../../functions/customers/get-customer.ts';
import { handler as sendEvent } from '../../../../../functions/events/send-event.ts';
import { handler as memberTiers } from '../../../../../functions/loyalties/list-member-tiers.ts';
import { handler as transferPoints } from '../../../../../functions/loyalties/transfer-points.ts';
import { handler as createCollection } from '../../../../../functions/product-collections/create-product-collection.ts';
import { handler as listCollections } from '../../../../../functions/product-collections/list-product-collections.ts';
import { handler as createProduct } from '../../../../../functions/products/create-product.ts';
import { handler as getProduct } from '../../../../../functions/products/get-product.ts';
import { handler as createSku } from '../../../../../functions/skus/create-sku.ts';
import { handler as getSku } from '../../../../../functions/skus/get-sku.ts';
import { handler as enableVoucher } from '../../../../../functions/vouchers/enable-voucher.ts';
import { handler as getVoucher } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { ownTable, testDependencies, testTime } from '../../../../support/dependencies.ts';
import { type Entry, exported, type ProjectFile, sorted } from '../../../../support/exported.ts';
import { campaignEntry, earningRule } from '../../../../support/lists.ts';
import { itemsOf, runOutbox } from '../../../../support/outbox.ts';
import { loadFile } from '../../../../support/project.ts';

const here = testDependencies({ tableName: await ownTable(afterAll) });
const there = testDependencies({ tableName: await ownTable(afterAll) });

describe('a used project', () => {
  const headers = { 'x-app-id': 'shop', 'x-app-token': 'the-token-of-the-shop' };
  const file = {
    project: { id: 'proj_lived', name: 'Lived' },
    app_keys: [
      { app_id: 'shop', app_token: 'the-token-of-the-shop', name: 'Shop' },
      { app_id: 'till', app_token: 'the-token-of-the-till', name: 'Till' },
    ],
    categories: [{ id: 'cat_old', name: 'Old name' }],
    customers: [{ id: 'a customer, with spaces' }, { id: 'cust_bob', source_id: 'bob' }],
    event_schema: [{ name: 'came_in', metadata: {} }],
    earning_rules: [earningRule('ern_1', 'came_in', { type: 'FIXED', points: 5 }, { pending_points: { days: 14 } })],
    campaigns: [
      campaignEntry('camp_club', 'Club', 'LOYALTY_PROGRAM', {
        type: 'AUTO_UPDATE',
        voucher: { type: 'LOYALTY_CARD' },
        loyalty_tiers_expiration: {
          qualification_type: 'BALANCE',
          start_date: { type: 'IMMEDIATE' },
          expiration_date: { type: 'CUSTOM', extend: 'P1Y' },
        },
      }),
      { id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', type: 'AUTO_UPDATE' },
    ],
    loyalty_tiers: [
      { id: 'ltr_low', name: 'Low', campaign_id: 'camp_club', points: { from: 0, to: 99 } },
      { id: 'ltr_high', name: 'High', campaign_id: 'camp_club', points: { from: 100 } },
    ],
    vouchers: [
      { code: 'ADA', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 100 } },
      {
        code: 'BOB/2',
        type: 'LOYALTY_CARD',
        campaign_id: 'camp_club',
        holder_id: 'cust_bob',
        loyalty_card: { points: 30, lots: [{ points: 30, expires: '2027-01-31' }] },
      },
      { code: 'ASLEEP', type: 'DISCOUNT_VOUCHER', active: false },
      { code: 'FRIEND', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_friends', holder_id: 'cust_bob' },
    ],
    validation_rules: [{ id: 'val_1', name: 'Basket over 20' }],
    validation_rules_assignments: [
      { rule_id: 'val_1', related_object_id: 'ASLEEP', related_object_type: 'voucher' },
      { rule_id: 'val_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
    ],
    activities: [
      {
        type: 'customer.confirmed',
        data: { data: { customer: { id: 'a customer, with spaces' } } },
        category: 'Old name',
      },
    ],
    pending_points: [
      {
        ...{ id: 'lopp_1', code: 'ADA', points: 7, activates_at: '2026-12-24T00:00:00.000Z' },
        segment: { id: 'seg_1', name: 'Regulars' },
        loyalty_tier: { id: 'ltr_low', name: 'Low' },
        holder_loyalty_tier: { id: 'ltr_high', name: 'High' },
        group_id: 'grp_lived',
      },
    ],
  };

  let moved: ProjectFile;

  beforeAll(async () => {
    await loadFile(file, testTime, here);
    const call = (handler: Endpoint, params: Record<string, string>, body?: unknown) =>
      caller(handler, here)({ params, headers, body });
    const came = {
      event: 'came_in',
      customer: { source_id: 'new' },
      referral: { code: 'FRIEND' },
      loyalty: { code: 'ADA' },
    };
    const ofFive = { junction: 'and', price: { conditions: { $is: [5] } } };
    const transfer = [{ code: 'ADA', points: 60, source_id: 'tx-1' }];
    const replies = [
      await call(enableVoucher, { code: 'ASLEEP' }),
      await call(transferPoints, { campaignId: 'camp_club', memberId: 'BOB/2' }, transfer),
      await call(createCampaign, {}, { name: 'Codes', vouchers_count: 30 }),
      await call(sendEvent, {}, came),
      await call(createProduct, {}, { source_id: 'mug', metadata: {} }),
      await call(createSku, { productId: 'mug' }, { source_id: 'small', price: 5, attributes: { size: 'S' } }),
      await call(createCollection, {}, { type: 'STATIC', name: 'C', products: [{ object: 'sku', id: 'small' }] }),
      await call(createCollection, {}, { type: 'AUTO_UPDATE', name: 'D', filter: ofFive }),
    ];
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await runOutbox('proj_lived', here);
    await switchOffAppKey(new Table(here.dynamodb, here.tableName, testTime), 'till');
    await loadFile({ project: file.project, categories: [{ id: 'cat_old', name: 'New name' }] }, testTime, here);
    moved = await exported('proj_lived', here);
    await loadFile(moved, testTime, there);
  });

  test('moves to another table with an equal export', async () => {
    expect(sorted(await exported('proj_lived', there))).toEqual(sorted(moved));
  });

  const seen = async (table: typeof here, handler: Endpoint, params: Record<string, string>) => {
    const { status, body } = await caller(handler, table)({ params, headers });
    expect(status).toBe(200);
    return body;
  };
  const seenHereAndThere = (handler: Endpoint, params: Record<string, string>) =>
    Promise.all([seen(here, handler, params), seen(there, handler, params)]);

  test.each(['ADA', 'BOB/2', 'ASLEEP'])('shows voucher %s equally in both, except for ids', async (code) => {
    const [one, other] = await seenHereAndThere(getVoucher, { code });
    const ids = { id: other.id, assets: other.assets };
    const assignments = JSON.parse(JSON.stringify(one.validation_rules_assignments).replaceAll(one.id, other.id));
    expect(other).toEqual({ ...one, ...ids, validation_rules_assignments: assignments });
  });

  test('shows products, SKUs and collections equally in both', async () => {
    const all = (table: typeof here) =>
      Promise.all([
        seen(table, getProduct, { productId: 'mug' }),
        seen(table, getSku, { skuId: 'small' }),
        seen(table, listCollections, {}),
      ]);
    const [one, other] = await Promise.all([here, there].map(all));
    expect(other).toEqual(one);
    expect(one).toMatchObject([{ skus: { total: 1 } }, { price: 5 }, { total: 2 }]);
  });

  test.each(['Club', 'Codes'])('shows campaign %s equally in both', async (campaignId) => {
    const [one, other] = await seenHereAndThere(getCampaign, { campaignId });
    expect(other).toEqual(one);
  });

  test.each(['bob', 'new'])(
    'shows customer %s equally in both, and does not count a referral again',
    async (customerId) => {
      const [one, other] = await seenHereAndThere(getCustomer, { customerId });
      const referralCode = (text: string) => text.replace(/v_[\w-]{22}/g, 'the id of FRIEND');
      expect(JSON.parse(referralCode(JSON.stringify(other)))).toEqual(JSON.parse(referralCode(JSON.stringify(one))));
      expect(one).toMatchObject(
        customerId === 'bob'
          ? { loyalty: { referred_customers: 1, campaigns: { Friends: { referred_customers: 1 } } } }
          : { referrals: { total: 1 } },
      );
      const again = { event: 'came_in', customer: { source_id: 'new' }, referral: { code: 'FRIEND' } };
      expect((await caller(sendEvent, there)({ headers, body: again })).status).toBe(200);
      const { referrals, loyalty } = await seen(there, getCustomer, { customerId });
      expect([referrals.total, loyalty.referred_customers]).toEqual([
        one.referrals.total,
        one.loyalty.referred_customers,
      ]);
    },
  );

  test('keeps the tier of a member whose balance alone would not give it', async () => {
    const [one, other] = await seenHereAndThere(memberTiers, { memberId: 'ADA' });
    expect(one.data.map(({ id }: { id: string }) => id)).toEqual(['ltr_high']);
    expect(other).toEqual(one);
  });

  test('brings generated codes along, and pending points become due on their day', async () => {
    expect(moved.vouchers.filter(({ type }: Entry) => type === 'DISCOUNT_VOUCHER')).toHaveLength(32);
    const pending = (await itemsOf('proj_lived', 'PENDING_POINTS', there)).toSorted(
      (a, b) => Number(a.points) - Number(b.points),
    );
    expect(pending).toMatchObject([
      { points: 5, dueAt: '2026-06-29T00:00:00.000Z', earning_rule_id: 'ern_1', event: 'came_in' },
      { points: 7, dueAt: '2026-12-24T00:00:00.000Z', project_id: 'proj_lived' },
    ]);
    expect(pending[1], 'what they were earned with').toMatchObject({
      segment: { id: 'seg_1', name: 'Regulars' },
      loyalty_tier: { id: 'ltr_low', name: 'Low' },
      holder_loyalty_tier: { id: 'ltr_high', name: 'High' },
    });
    expect(
      pending.map(({ group_id }) => group_id),
      'with the activities of what earned them',
    ).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), 'grp_lived']);
  });

  test('keeps a disabled key disabled, and does not know a renamed category by its old name', () => {
    expect(moved.app_keys.map(({ app_id, active }: Entry) => [app_id, active])).toEqual([
      ['shop', undefined],
      ['till', false],
    ]);
    const confirmed = moved.activities.filter(({ type }: Entry) => type === 'customer.confirmed');
    expect(confirmed).toHaveLength(1);
    expect(confirmed[0]).not.toHaveProperty('category');
  });
});
