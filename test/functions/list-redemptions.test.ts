import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as getHandler } from '../../functions/redemptions/get-redemption.ts';
import { handler } from '../../functions/redemptions/list-redemptions.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { handler as ofVoucherHandler } from '../../functions/vouchers/get-voucher-redemptions.ts';
import { handler as listOfVoucherHandler } from '../../functions/vouchers/list-voucher-redemptions.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { insertRedemptions, redemptionOf } from '../support/redemptions.ts';
import { openShop } from '../support/shop.ts';

const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
const lists = {
  customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada', email: 'ada@mail.example' }, { id: 'cust_bob' }],
  campaigns: [
    { id: 'camp_few', name: 'Few', type: 'STATIC', campaign_type: 'DISCOUNT_COUPONS', voucher: discount },
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
  ],
  vouchers: [
    { code: 'ONE', campaign_id: 'camp_few', ...discount, redemption: { quantity: 5, redeemed_quantity: 2 } },
    { code: 'CARD', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 300 }, redemption: { redeemed_amount: 200 } },
  ],
  promotion_tiers: [
    { id: 'promo_one', name: 'Tier', campaign_id: 'camp_tiers', hierarchy: 1, action: { discount: discount.discount } },
  ],
};

const at = (minute: number) => ({ date: `2026-06-15T10:0${minute}:00.000Z` });

async function open() {
  const shop = await openShop(undefined, lists);
  const one = { related_object_id: (await shop.voucher('ONE')).id, voucher_code: 'ONE' };
  const ofFew = { ...one, related_object_parent_id: 'camp_few', campaign: 'Few' };
  const card = { related_object_id: (await shop.voucher('CARD')).id, voucher_code: 'CARD' };
  const ada = { customer_id: 'cust_ada', tracking_id: 'track_ada' };
  const rolledBack = [{ id: 'rr_1', ...at(2), rollback_order_mode: 'WITH_ORDER' as const }];
  await insertRedemptions(shop.project.id, [
    redemptionOf('r_1', {
      ...at(1),
      ...ofFew,
      ...ada,
      status: 'ROLLED_BACK',
      rollbacks: rolledBack,
      metadata: { till: 1 },
    }),
    redemptionOf('rr_1', {
      ...at(2),
      ...ofFew,
      ...ada,
      object: 'redemption_rollback',
      redemption: 'r_1',
      reason: 'torn',
    }),
    redemptionOf('rf_1', {
      ...at(3),
      ...ofFew,
      customer_id: 'cust_bob',
      tracking_id: 'track_bob',
      result: 'FAILURE',
      status: 'FAILED',
      failure_code: 'voucher_expired',
      failure_message: 'The voucher has expired.',
    }),
    redemptionOf('r_0', {
      ...at(4),
      related_object_type: 'redemption',
      related_object_id: 'r_0',
      redemptions: ['r_2', 'r_3'],
      ...ada,
    }),
    redemptionOf('r_2', {
      ...at(4),
      ...card,
      ...ada,
      redemption: 'r_0',
      amount: 200,
      gift_credits: 200,
      session_key: 'ssn_1',
    }),
    redemptionOf('r_3', {
      ...at(4),
      ...ada,
      redemption: 'r_0',
      related_object_type: 'promotion_tier',
      related_object_id: 'promo_one',
      related_object_parent_id: 'camp_tiers',
      campaign: 'Tiers',
      order: { items: [], metadata: {}, object: 'order', amount: 500, total_amount: 450 },
    }),
  ]);
  return shop;
}

const idsOf = (all: { id: string }[]) => all.map(({ id }) => id);

describe('redemptions', () => {
  let project: TestProject;
  beforeAll(async () => {
    ({ project } = await open());
  });
  const list = (query = '') => caller(handler)({ headers: project.credentials, query });
  const get = (redemptionId: string) => caller(getHandler)({ headers: project.credentials, params: { redemptionId } });

  test('are listed from the newest on, with rollbacks and what failed', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', data_ref: 'redemptions', total: 6, has_more: false });
    expect(idsOf(body.redemptions)).toEqual(['r_3', 'r_2', 'r_0', 'rf_1', 'rr_1', 'r_1']);
  });

  test('have their voucher in short, with the customer and the tier as they now are', async () => {
    const { body: one } = await get('r_1');
    expect(one).toEqual({
      id: 'r_1',
      object: 'redemption',
      date: at(1).date,
      customer_id: 'cust_ada',
      tracking_id: 'track_ada',
      metadata: { till: 1 },
      redemption: null,
      result: 'SUCCESS',
      status: 'ROLLED_BACK',
      related_redemptions: { rollbacks: [{ id: 'rr_1', ...at(2), rollback_order_mode: 'WITH_ORDER' }] },
      order: null,
      reward: null,
      channel: { channel_id: 'demo-app', channel_type: 'API' },
      customer: {
        id: 'cust_ada',
        source_id: 'ada',
        name: 'Ada',
        email: 'ada@mail.example',
        metadata: {},
        object: 'customer',
      },
      related_object_type: 'voucher',
      related_object_id: one.voucher.id,
      voucher: { id: expect.any(String), code: 'ONE', campaign: 'Few', campaign_id: 'camp_few', object: 'voucher' },
    });
    expect((await get('r_3')).body).toMatchObject({
      redemption: 'r_0',
      voucher: null,
      promotion_tier: { id: 'promo_one', name: 'Tier', campaign: { id: 'camp_tiers' } },
      order: { amount: 500, total_amount: 450, object: 'order' },
    });
    expect((await get('r_0')).body).toMatchObject({
      related_redemptions: {
        redemptions: [
          { id: 'r_2', ...at(4) },
          { id: 'r_3', ...at(4) },
        ],
      },
      voucher: null,
    });
    expect((await get('r_2')).body).toMatchObject({ amount: 200, gift: { amount: 200 }, session: { key: 'ssn_1' } });
    expect((await get('rr_1')).body).toMatchObject({
      object: 'redemption_rollback',
      redemption: 'r_1',
      reason: 'torn',
      status: 'SUCCEEDED',
    });
    expect((await get('rf_1')).body).toMatchObject({ status: 'FAILED', failure_code: 'voucher_expired', order: null });
  });

  test('one that is not there is not found', async () => {
    expect((await get('r_9')).body).toMatchObject({ code: 404, key: 'not_found', resource_type: 'redemption' });
  });

  test.each([
    ['order=created_at', ['r_1', 'rr_1', 'rf_1', 'r_0', 'r_2', 'r_3']],
    ['order=id', ['r_0', 'r_1', 'r_2', 'r_3', 'rf_1', 'rr_1']],
    ['order=-customer_id', ['rf_1', 'r_3', 'r_2', 'r_0', 'rr_1', 'r_1']],
    ['order=voucher_code&customer=ada', ['r_0', 'r_3', 'r_2', 'r_1', 'rr_1']],
    ['order=tracking_id&result=FAILURE', ['rf_1']],
    ['result=SUCCESS&result=FAILURE&campaign=Few', ['rf_1', 'rr_1', 'r_1']],
    ['campaign=camp_few&customer=cust_ada', ['rr_1', 'r_1']],
    ['campaign=Nothing', []],
    ['customer=nobody', []],
    [`created_at[after]=${at(1).date}&created_at[before]=${at(4).date}`, ['rf_1', 'rr_1']],
    [`created_at[after]=${at(1).date}&campaign=Few&order=created_at`, ['rr_1', 'rf_1']],
    [`created_at[before]=${at(4).date}&customer=ada`, ['rr_1', 'r_1']],
    [`created_at[before]=${at(4).date}&order=customer_id`, ['r_1', 'rr_1', 'rf_1']],
    ['filters[voucher_code][conditions][$starts_with]=CA', ['r_2']],
    ['filters[parent_redemption_id][conditions][$is]=r_0', ['r_3', 'r_2']],
    ['filters[related_object_id][conditions][$is]=promo_one', ['r_3']],
    ['filters[related_object_parent_id][conditions][$has_value]=1', ['r_3', 'rf_1', 'rr_1', 'r_1']],
    ['filters[campaign_name][conditions][$is]=Few&filters[object][conditions][$is]=redemption', ['rf_1', 'r_1']],
    [
      'filters[junction]=or&filters[failure_code][conditions][$is]=voucher_expired&filters[result][conditions][$is]=FAILURE',
      ['rf_1'],
    ],
    ['filters[customer_id][conditions][$is_not]=cust_ada', ['rf_1']],
    ['filters[user_login][conditions][$has_value]=1', []],
  ])('asked for by %s', async (query, expected) => {
    const { body } = await list(query);
    expect(idsOf(body.redemptions ?? [])).toEqual(expected);
    expect(body.total).toBe(expected.length);
  });

  test('pages follow each other', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`limit=2&page=${page}`)));
    expect(pages.flatMap(({ body }) => idsOf(body.redemptions))).toEqual(['r_3', 'r_2', 'r_0', 'rf_1', 'rr_1', 'r_1']);
    expect(pages.map(({ body }) => body.has_more)).toEqual([true, true, false, false]);
  });

  test.each([
    'result=MAYBE',
    'order=status',
    'limit=0',
    'created_at[after]=soon',
    'filters[points][conditions][$is]=1',
  ])('a query of %s is refused', async (query) => {
    expect((await list(query)).body).toMatchObject({ code: 400, key: 'invalid_query_params' });
  });

  test('of a voucher come with its figures', async () => {
    const headers = project.credentials;
    const of = caller(ofVoucherHandler);
    const { body } = await of({ headers, params: { code: 'ONE' }, query: 'limit=2' });
    expect(body).toMatchObject({
      quantity: 5,
      redeemed_quantity: 2,
      object: 'list',
      url: '/v1/vouchers/ONE/redemptions?page=1&limit=10',
      data_ref: 'redemption_entries',
      total: 3,
      has_more: true,
    });
    expect(idsOf(body.redemption_entries)).toEqual(['rf_1', 'rr_1']);
    expect(body).not.toHaveProperty('redeemed_amount');
    const { body: gift } = await of({ headers, params: { code: 'CARD' } });
    expect(gift).toMatchObject({ quantity: null, redeemed_amount: 200, total: 1 });
    expect((await of({ headers, params: { code: 'NONE' } })).body).toMatchObject({
      code: 404,
      resource_type: 'voucher',
    });
    const listed = await caller(listOfVoucherHandler)({ headers, params: { code: 'ONE' } });
    expect(idsOf(listed.body.redemptions)).toEqual(['rf_1', 'rr_1', 'r_1']);
    expect((await caller(listOfVoucherHandler)({ headers, params: { code: 'NONE' } })).status).toBe(404);
  });
});

test('all of a customer are counted, however many they are', async () => {
  const { id, credentials: headers } = await loadProject(lists);
  const ofTier = {
    customer_id: 'cust_ada',
    related_object_id: 'promo_one',
    related_object_type: 'promotion_tier' as const,
  };
  const all = Array.from({ length: 120 }, (_, index) => redemptionOf(`r_${String(index).padStart(3, '0')}`, ofTier));
  await insertRedemptions(id, all.slice(0, 60));
  await insertRedemptions(id, all.slice(60));
  const { body } = await caller(handler)({ headers, query: 'customer=ada&limit=100&page=2' });
  expect(body).toMatchObject({ total: 120, has_more: false });
  expect(body.redemptions).toHaveLength(20);
});

test.each(['force=true', ''])(
  'redemptions outlive voucher, tier, campaign and customer, which they show as they know them (deleted with %j)',
  async (query) => {
    const { project } = await open();
    const headers = project.credentials;
    const remove = async (handler: Parameters<typeof caller>[0], params: Record<string, string>) => {
      expect([202, 204]).toContain((await caller(handler)({ headers, params, query })).status);
    };
    await remove(deleteVoucher, { code: 'CARD' });
    await remove(deleteTier, { promotionTierId: 'promo_one' });
    for (const campaignId of ['camp_few', 'camp_tiers']) await remove(deleteCampaign, { campaignId });
    await remove(deleteCustomer, { customerId: 'cust_ada' });
    await runOutbox(project.id);
    const { status, body } = await caller(handler)({ headers });
    expect([status, body.total, idsOf(body.redemptions)]).toEqual([
      200,
      6,
      ['r_3', 'r_2', 'r_0', 'rf_1', 'rr_1', 'r_1'],
    ]);
    const [ofTier, ofCard] = body.redemptions;
    expect(ofTier).toMatchObject({ customer_id: 'cust_ada', customer: null, promotion_tier: null, voucher: null });
    expect(ofCard).toMatchObject({ amount: 200, gift: { amount: 200 }, voucher: { code: 'CARD', campaign: null } });
    expect(body.redemptions[5].voucher).toMatchObject({ code: 'ONE', campaign: 'Few', campaign_id: 'camp_few' });
    for (const one of body.redemptions) {
      const reply = await caller(getHandler)({ headers, params: { redemptionId: one.id } });
      expect([reply.status, reply.body]).toEqual([200, one]);
    }
    for (const gone of ['customer=cust_ada', 'campaign=camp_few']) {
      expect((await caller(handler)({ headers, query: gone })).body).toMatchObject({ redemptions: [], total: 0 });
    }
  },
);
