import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as getRule } from '../../functions/loyalties/get-earning-rule.ts';
import { handler as updateRule } from '../../functions/loyalties/update-earning-rule.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { guardedShop } from '../support/guarded-shop.ts';

/** A web page must not give itself money: vouchers by publication, points by events. */

const ada = { source_id: 'ada' };

describe('a web page publishes', () => {
  const on = { publication: true };

  test('nothing, unless the project allows it', async () => {
    const shop = await guardedShop();
    const { body } = await shop.publish({ campaign: 'Open', customer: ada });
    expect(body).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(body.details).toContain('client.publication');
  });

  test.each(['Gift tins', 'Given tins', 'Shut', 'Club', 'Mate', 'Tiers', 'camp_tins'])(
    'nothing from the campaign %s, which does not allow it for its type of vouchers',
    async (name) => {
      const shop = await guardedShop(on);
      for (const campaign of [name, { name, count: 1 }]) {
        const { body } = await shop.publish({ campaign, customer: ada });
        expect(body).toMatchObject({ code: 403, key: 'client_side_disabled' });
        expect(body.details).toContain('client_publication');
      }
      const { vouchers } = await exported(shop.id);
      expect(vouchers.filter(({ holder_id }: { holder_id?: string }) => holder_id)).toHaveLength(1);
    },
  );

  test('gift vouchers of a campaign that allows them, one per customer', async () => {
    const shop = await guardedShop(on);
    const first = await shop.publish({ campaign: 'Shown tins', customer: ada });
    const again = await shop.publish({ campaign: 'Shown tins', customer: ada }, 'join_once=false');
    expect([first.status, first.body.voucher.type]).toEqual([200, 'GIFT_VOUCHER']);
    expect(again.body.id).toBe(first.body.id);
  });

  test('one code per call', async () => {
    const shop = await guardedShop(on);
    for (const count of [2, 50]) {
      const { body } = await shop.publish({ campaign: { name: 'Open', count }, customer: ada });
      expect(body).toMatchObject({ code: 400, key: 'too_many_vouchers_requested' });
    }
  });

  test('one code to a customer, also with twenty calls at once', async () => {
    const shop = await guardedShop(on);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.publish({ campaign: { name: 'Open' }, customer: ada }, 'join_once=false')),
    );
    expect([...new Set(replies.map(({ body }) => body.voucher?.code ?? body.key))]).toHaveLength(1);
    const other = { source_id: 'another', campaign: 'Open', customer: ada };
    expect((await shop.publish(other)).body.key).toBe('voucher_cannot_be_published');
  });

  test('a named code of an open campaign, and finds no other codes by trying', async () => {
    const shop = await guardedShop(on);
    for (const voucher of ['SHUT-1', 'TEN', 'GIFT', 'NOBODYS']) {
      const { body } = await shop.publish({ voucher, customer: ada });
      expect(body).toMatchObject({ code: 404, resource_id: voucher, resource_type: 'voucher' });
    }
    expect((await shop.publish({ voucher: 'OPEN-1', customer: ada })).body.voucher.code).toBe('OPEN-1');
  });

  test('without metadata, which formulas would read', async () => {
    const shop = await guardedShop(on);
    const { body } = await shop.publish({ voucher: 'OPEN-1', customer: ada, metadata: { percent: 100 } });
    expect([body.voucher.code, body.metadata]).toEqual(['OPEN-1', {}]);
  });

  test('less than a server that calls the same path with its own key', async () => {
    const shop = await guardedShop();
    const body = {
      campaign: { name: 'Gift tins', count: 3 },
      customer: { source_id: 'new', name: 'New' },
      metadata: { till: 3 },
    };
    const reply = await shop.publishAsServer(body);
    expect([reply.status, reply.body.vouchers_id.length, reply.body.metadata]).toEqual([200, 3, { till: 3 }]);
    expect((await shop.customer('new')).body.name).toBe('New');
  });
});

describe('an event from a web page', () => {
  const visit = { event: 'visit', customer: ada, metadata: { amount: 1_000_000_000 } };

  test('is refused, unless the project allows it', async () => {
    const shop = await guardedShop();
    expect((await shop.send(visit)).body).toMatchObject({ code: 403, key: 'client_side_disabled' });
  });

  test('earns only by rules that allow it, and never by a number in the event', async () => {
    const shop = await guardedShop({ events: true });
    expect((await shop.send(visit)).status).toBe(200);
    expect((await shop.customer('ada')).body.loyalty.points).toBe(3);
    const { vouchers } = await exported(shop.id);
    const { code } = vouchers.find(({ type }: { type: string }) => type === 'LOYALTY_CARD');
    expect((await shop.send({ ...visit, customer: { source_id: 'bob' }, loyalty: { code } })).status).toBe(200);
    expect((await shop.customer('ada')).body.loyalty.points).toBe(6);
  });

  test('counts no referral, unless the project allows it', async () => {
    const referral = { code: 'MATE-ADA' };
    const sent = { event: 'visit', customer: { source_id: 'bob' }, referral };
    const off = await guardedShop({ events: true });
    const refused = await off.send(sent);
    expect(refused.body).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(refused.body.details).toContain('client.referrals');
    const on = await guardedShop({ events: true, referrals: true });
    expect((await on.send(sent)).status).toBe(200);
  });
});

describe('the permission of a campaign or rule for web pages', () => {
  test('is set and cleared over the API, shown, and in project files', async () => {
    const shop = await guardedShop();
    const headers = shop.server;
    const created = await caller(createCampaign)({
      headers,
      body: { name: 'New', client_publication: ['DISCOUNT_VOUCHER'], voucher: { type: 'DISCOUNT_VOUCHER' } },
    });
    expect([created.status, created.body.client_publication]).toEqual([200, ['DISCOUNT_VOUCHER']]);
    const params = { campaignId: created.body.id };
    const changed = await caller(updateCampaign)({ headers, params, body: { client_publication: ['GIFT_VOUCHER'] } });
    expect(changed.body.client_publication).toEqual(['GIFT_VOUCHER']);
    const { campaigns, earning_rules } = await exported(shop.id);
    expect(campaigns.find(({ id }: { id: string }) => id === created.body.id).client_publication).toEqual([
      'GIFT_VOUCHER',
    ]);
    expect(earning_rules.filter((rule: { client_events?: boolean }) => rule.client_events)).toHaveLength(2);
    await caller(updateCampaign)({ headers, params, body: { client_publication: null } });
    expect((await caller(getCampaign)({ headers, params })).body).not.toHaveProperty('client_publication');
    const wrong = await caller(updateCampaign)({ headers, params, body: { client_publication: ['ALL'] } });
    expect(wrong.body).toMatchObject({ code: 400, details: expect.stringContaining('client_publication') });
  });

  test('of earning rules, too', async () => {
    const shop = await guardedShop();
    const headers = shop.server;
    const made = await caller(createRules)({
      headers,
      params: { campaignId: 'camp_club' },
      body: [{ event: 'visit', client_events: true, loyalty: { type: 'FIXED', points: 1 } }],
    });
    const [rule] = made.body;
    expect([made.status, rule.client_events]).toEqual([200, true]);
    const params = { campaignId: 'camp_club', earningRuleId: rule.id };
    await caller(updateRule)({ headers, params, body: { client_events: false } });
    expect((await caller(getRule)({ headers, params })).body).not.toHaveProperty('client_events');
  });
});
