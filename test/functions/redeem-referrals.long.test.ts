import { describe, expect, test } from 'vitest';
import { countRecords } from '#addons/upkeep/count-records.ts';
import { changesOf } from '../support/changes.ts';
import { changeRecord } from '../support/counted.ts';
import { uniqueId } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { itemsOf } from '../support/outbox.ts';
import { codes, openReferring } from '../support/referring.ts';
import { typesOf } from '../support/shop.ts';
import { bearer, issueToken } from '../support/tokens.ts';

const order = { amount: 1000 };

describe('a redemption of a referral code whose programme converts by redemptions', () => {
  test('is a conversion for referrer and referee, whether the code was assigned before or not', async () => {
    const shop = await openReferring();
    expect((await shop.assign('BY-points', 'cleo')).status).toBe(200);
    for (const [index, source_id] of ['cleo', 'bob', 'new'].entries()) {
      const { status, body } = await shop.redeem({ redeemables: codes('BY-points'), customer: { source_id }, order });
      expect([status, body]).toMatchObject([200, { order: { referrer_id: 'cust_ada' } }]);
      expect(await shop.referralsOf(source_id)).toEqual({
        total: 1,
        campaigns: [
          {
            campaign_id: 'camp_by_points',
            referrer_id: 'cust_ada',
            related_object_id: expect.stringMatching(/^v_/),
            related_object_type: 'voucher',
            date: expect.any(String),
          },
        ],
      });
      const { loyalty } = await shop.customer('ada');
      expect(loyalty).toMatchObject({
        referred_customers: index + 1,
        campaigns: { 'By points': { referred_customers: index + 1 } },
      });
      const { data } = await shop.activities('ada');
      expect(data.filter(({ type }: { type: string }) => type === 'customer.referred')[0]?.data.data).toMatchObject({
        referee: { id: body.redemptions[0].customer_id },
        campaign: { id: 'camp_by_points' },
        voucher: { code: 'BY-points' },
        redemption: { id: body.redemptions[0].id },
        order: { id: body.order.id },
      });
    }
    expect((await shop.card('BOBS')).balance).toBe(150);
    expect(await shop.memberships('new')).toMatchObject({ Crew: { points: 50 } });
  });

  test('is a conversion without an order, too, and by the paths of one voucher and of web pages', async () => {
    const project = { id: uniqueId('proj_'), name: 'Test', client: { redemption: true, customers: true } };
    const shop = await openReferring({ project });
    const page = bearer(await issueToken(shop.project.credentials, 'client_api'));
    const redeemables = codes('BY-points');
    const ways = {
      servers: (customer: object) => shop.redeem({ redeemables, customer }),
      voucher: (customer: object) => shop.redeemVoucher('BY-points', { customer }),
      voucherOnOrder: (customer: object) => shop.redeemVoucher('BY-points', { customer, order }),
      page: (customer: object) => shop.redeemFromPage({ redeemables, customer, order }, page),
    };
    for (const [source_id, redeem] of Object.entries(ways)) {
      expect((await redeem({ source_id })).status).toBe(200);
      expect((await shop.referralsOf(source_id)).total).toBe(1);
      expect(await shop.memberships(source_id)).toMatchObject({ Crew: { points: 50 } });
    }
    expect(await shop.referredBy('ada')).toBe(Object.keys(ways).length);
  });

  test('is no conversion a second time, for a guest, or for the referrer', async () => {
    const shop = await openReferring();
    const redeem = (more: object) => shop.redeem({ redeemables: codes('BY-points'), order, ...more });
    const redeemed = await Promise.all([redeem({ customer: { source_id: 'bob' } }), redeem({})]);
    expect(redeemed.map(({ status }) => status)).toEqual([200, 200]);
    expect((await redeem({ customer: { source_id: 'bob' } })).status).toBe(200);
    expect((await redeem({ customer: { source_id: 'ada' } })).body.key).toBe('referrer_not_permitted_to_redeem');
    expect([await shop.referredBy('ada'), (await shop.referralsOf('ada')).total]).toEqual([1, 0]);
    expect((await shop.card('BOBS')).balance).toBe(150);
  });

  test.each(['BY-event', 'BY-anything', 'TEN'])(
    'is no conversion by %s, which does not convert by redemptions',
    async (code) => {
      const shop = await openReferring();
      expect((await shop.redeem({ redeemables: codes(code), customer: { source_id: 'bob' }, order })).status).toBe(200);
      expect([await shop.referredBy('ada'), (await shop.referralsOf('bob')).total]).toEqual([0, 0]);
      expect((await shop.card('BOBS')).balance).toBe(100);
    },
  );

  test('is one per programme, by its first code, for a customer who redeems several at once', async () => {
    const shop = await openReferring();
    const redeemables = codes('BY-points', 'BY-event', 'BY-more', 'TEN');
    const { status, body } = await shop.redeem({ redeemables, customer: { source_id: 'bob' }, order });
    expect([status, body]).toMatchObject([200, {}]);
    expect((await shop.referralsOf('bob')).campaigns).toMatchObject([
      { campaign_id: 'camp_by_points' },
      { campaign_id: 'camp_by_more' },
    ]);
    expect((await shop.customer('ada')).loyalty).toMatchObject({
      referred_customers: 2,
      campaigns: { 'By points': { referred_customers: 1 }, 'By more': { referred_customers: 1 } },
    });
    expect((await shop.card('BOBS')).balance).toBe(155);
    const { redemptions } = body;
    expect(await shop.ledger('BOBS')).toMatchObject([
      { points: 5, details: { redemption: { id: redemptions[2].id }, referral_code: 'BY-more' } },
      { points: 50, details: { redemption: { id: redemptions[0].id }, referral_code: 'BY-points' } },
    ]);
  });

  test.each([
    ['a new customer', 'many'],
    ['a known one', 'cleo'],
  ])('is one of twenty at once by %s', async (_, source_id) => {
    const shop = await openReferring();
    const sent = Array.from({ length: 20 }, (_, index) =>
      shop.redeem({ redeemables: codes('BY-gifts'), customer: { source_id }, ...(index % 2 ? { order } : {}) }),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    const { referrals, summary } = await shop.customer(source_id);
    expect([referrals.total, summary.redemptions.gift.amount_to_go]).toEqual([1, 700]);
    expect(await shop.referredBy('ada')).toBe(1);
    expect(typesOf(await shop.activities('ada'))).toEqual(['customer.referred']);
  });

  test('stays a conversion when it is rolled back, and is not repeated', async () => {
    const shop = await openReferring();
    const redeem = () => shop.redeem({ redeemables: codes('BY-points'), customer: { source_id: 'bob' }, order });
    const { body } = await redeem();
    expect((await shop.rollBack(body.redemptions[0].id)).status).toBe(200);
    expect((await redeem()).status).toBe(200);
    expect([await shop.referredBy('ada'), (await shop.referralsOf('bob')).total]).toEqual([1, 1]);
    expect((await shop.card('BOBS')).balance).toBe(150);
  });

  test('counts for the campaign in the background, like one by an event, however often a record is delivered', async () => {
    const shop = await openReferring({ event_schema: [{ name: 'in', metadata: {} }] });
    const customer = { source_id: 'bob' };
    await shop.redeem({ redeemables: codes('BY-points', 'BY-more'), customer });
    await shop.redeem({ redeemables: codes('BY-points'), customer: { source_id: 'cleo' } });
    await shop.send({ event: 'in', customer, referral: { code: 'BY-event' } });
    const activities = await itemsOf(shop.project.id, 'ACTIVITY');
    const records = activities.map((after, index) => changeRecord(index + 1, { after }));
    for (const some of [records.slice(0, 2), records, records])
      await countRecords(tableOfFile(), 'shard', changesOf(some));
    const summaries = await Promise.all(
      ['points', 'more', 'event', 'gifts'].map((name) => shop.summary(`camp_by_${name}`)),
    );
    expect(summaries.map(({ referred_customers }) => referred_customers)).toEqual([2, 1, 1, 0]);
  });

  test('changes nothing if it is refused for its voucher or its reward', async () => {
    const shop = await openReferring();
    const customer = { source_id: 'bob' };
    const before = await itemsOf(shop.project.id, '');
    const { body } = await shop.redeem({ redeemables: codes('BY-lots'), customer, order });
    expect(body).toMatchObject({
      key: 'invalid_amount',
      details: 'the referral would earn more points than a card can hold',
    });
    expect(await itemsOf(shop.project.id, '')).toEqual(before);
    expect((await shop.redeem({ redeemables: codes('BY-points', 'NONE'), customer, order })).status).toBe(404);
    expect([await shop.referredBy('ada'), (await shop.referralsOf('bob')).total]).toEqual([0, 0]);
  });
});
