import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as getHandler } from '../../functions/redemptions/get-redemption.ts';
import { handler } from '../../functions/redemptions/list-redemptions.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import type { TestProject } from '../support/project.ts';
import { at, idsOf, newestFirst, openRedemptions } from '../support/redemption-history.ts';

describe('redemptions', () => {
  let project: TestProject;
  beforeAll(async () => {
    ({ project } = await openRedemptions());
  });
  const get = (redemptionId: string) => caller(getHandler)({ headers: project.credentials, params: { redemptionId } });

  test('show their voucher in short, and customer and tier in their present state', async () => {
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
      channel: { channel_id: 'demo-app', channel_type: 'API' },
      customer: {
        id: 'cust_ada',
        source_id: 'ada',
        name: 'Ada',
        email: 'ada@mail.example',
        object: 'customer',
      },
      related_object_type: 'voucher',
      related_object_id: one.voucher.id,
      voucher: { id: expect.any(String), code: 'ONE', campaign: 'Few', campaign_id: 'camp_few', object: 'voucher' },
    });
    expect((await get('r_3')).body).toMatchObject({
      redemption: 'r_0',
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
    });
    for (const id of ['r_0', 'r_3'])
      for (const name of ['voucher', 'reward']) expect((await get(id)).body).not.toHaveProperty(name);
    expect((await get('r_2')).body).toMatchObject({ amount: 200, gift: { amount: 200 }, session: { key: 'ssn_1' } });
    expect((await get('rr_1')).body).toMatchObject({
      object: 'redemption_rollback',
      redemption: 'r_1',
      reason: 'torn',
      status: 'SUCCEEDED',
    });
    expect((await get('rf_1')).body).toMatchObject({ status: 'FAILED', failure_code: 'voucher_expired', order: null });
  });

  test('an unknown redemption is not found', async () => {
    expect((await get('r_9')).body).toMatchObject({ code: 404, key: 'not_found', resource_type: 'redemption' });
  });
});

test.each(['force=true', ''])(
  'redemptions outlive voucher, tier, campaign and customer, and show their stored data (deleted with %j)',
  async (query) => {
    const { project } = await openRedemptions();
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
    expect([status, body.total, idsOf(body.redemptions)]).toEqual([200, 6, newestFirst]);
    const [ofTier, ofCard] = body.redemptions;
    expect(ofTier).toMatchObject({ customer_id: 'cust_ada', customer: null, promotion_tier: null });
    expect(ofTier).not.toHaveProperty('voucher');
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
