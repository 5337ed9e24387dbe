import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';
import { amount, campaigns, category, loadVouchers, otherCategory, percent } from '../support/voucher-kinds.ts';

const project = await loadVouchers();

const get = (code: string) => caller(handler)({ params: { code }, headers: project.credentials });

describe('a voucher is shown with every field of the contract', () => {
  test('with a gift amount that includes later credits', async () => {
    expect((await get('CREDITED')).body.gift).toEqual({ amount: 700, balance: 600, subtracted_amount: 100 });
  });

  test("with dates that its campaign gives vouchers, which override the campaign's own", async () => {
    expect((await get('DATED')).body).toMatchObject({
      start_date: '2026-02-01T00:00:00.000Z',
      expiration_date: '2026-12-31T00:00:00.000Z',
      validity_timeframe: { interval: 'P7D', duration: 'P2D' },
    });
  });

  test('with inherited fields, if it has none of its own', async () => {
    const { status, body } = await get('SPRING-1');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^v_[\w-]{22}$/),
      code: 'SPRING-1',
      campaign: 'Spring sale',
      campaign_id: 'camp_spring',
      category: 'Spring',
      category_id: 'cat_spring',
      categories: [category],
      type: 'DISCOUNT_VOUCHER',
      discount: percent,
      gift: null,
      loyalty_card: null,
      start_date: '2026-03-01T00:00:00.000Z',
      expiration_date: '2026-05-31T23:59:59.000Z',
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
      validity_day_of_week: [1, 2],
      validity_hours: { daily: [{ start_time: '17:00', expiration_time: '19:00', days_of_week: [1] }] },
      active: true,
      additional_info: null,
      metadata: {},
      assets: {
        qr: {
          id: expect.any(String),
          url: expect.stringMatching(/^https:\/\/api\.tessera\.example\/v1\/assets\/qr\/./),
        },
        barcode: {
          id: expect.any(String),
          url: expect.stringMatching(/^https:\/\/api\.tessera\.example\/v1\/assets\/barcode\/./),
        },
      },
      is_referral_code: null,
      created_at: '2026-06-15T12:00:00.000Z',
      updated_at: null,
      object: 'voucher',
      publish: { object: 'list', count: 0, url: '/v1/vouchers/SPRING-1/publications?page=1&limit=10' },
      redemption: {
        quantity: 1,
        redeemed_quantity: 0,
        object: 'list',
        url: '/v1/vouchers/SPRING-1/redemptions?page=1&limit=10',
      },
      validation_rules_assignments: {
        object: 'list',
        data_ref: 'data',
        data: [
          {
            id: 'asgm_campaign',
            rule_id: 'val_1',
            related_object_id: 'camp_spring',
            related_object_type: 'campaign',
            created_at: '2026-02-01T00:00:00.000Z',
            object: 'validation_rules_assignment',
          },
        ],
        total: 1,
      },
    });
  });

  test('with its own fields, if it has them', async () => {
    const { body } = await get('SPRING-OWN');
    expect(body).toMatchObject({
      campaign_id: 'camp_spring',
      category: 'VIP',
      category_id: 'cat_vip',
      categories: [otherCategory],
      discount: amount,
      start_date: '2026-04-01T00:00:00.000Z',
      expiration_date: '2026-04-30T00:00:00.000Z',
      validity_timeframe: { interval: 'P7D', duration: 'PT1H' },
      validity_day_of_week: [0],
      validity_hours: { daily: [{ start_time: '08:00', expiration_time: '09:00' }] },
      active: false,
      additional_info: 'for the press',
      metadata: { deep: { list: [1, 'two', null] } },
      holder_id: 'cust_ada',
      referrer_id: 'someone',
      created_at: '2026-02-02T00:00:00.000Z',
      updated_at: '2026-02-03T00:00:00.000Z',
      publish: { count: 2 },
      redemption: { quantity: 5, redeemed_quantity: 3 },
      // The rules of its campaign apply as well.
      validation_rules_assignments: {
        total: 2,
        data: [{ id: 'asgm_own', related_object_id: body.id }, { id: 'asgm_campaign' }],
      },
    });
  });

  test('with a gift only for a gift voucher, with the remaining balance', async () => {
    const { body } = await get('GIFT-1');
    expect(body).toMatchObject({
      type: 'GIFT_VOUCHER',
      discount: null,
      loyalty_card: null,
      gift: { amount: 5000, balance: 4200, effect: 'APPLY_TO_ORDER' },
      redemption: { quantity: null, redeemed_quantity: 1, redeemed_amount: 800 },
    });
    expect(body.redemption).not.toHaveProperty('redeemed_points');
  });

  test('with loyalty figures from the lots, only for a card', async () => {
    const { body } = await get('CLUB-1');
    expect(body).toMatchObject({ discount: null, gift: null, redemption: { redeemed_points: 300 } });
    expect(body.loyalty_card).toEqual({
      points: 1200,
      balance: 900,
      next_expiration_date: '2027-12-31',
      next_expiration_points: 300,
      pending_points: 0,
      expired_points: 0,
      subtracted_points: 0,
    });
    expect((await get('CLUB-2')).body.loyalty_card).toEqual({
      points: 450,
      balance: 450,
      pending_points: 0,
      expired_points: 0,
      subtracted_points: 0,
    });
  });

  test.each([false, null, true])('as a referral code of a referral programme, though a file says %s', async (said) => {
    const voucher = { code: 'SAID', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_friend', is_referral_code: said };
    const { credentials: headers } = await loadProject({ campaigns, categories: [category], vouchers: [voucher] });
    const { body } = await caller(handler)({ params: { code: 'SAID' }, headers });
    expect(body.is_referral_code).toBe(true);
  });

  test("as a referral code by its own or its campaign's flag, and without a campaign", async () => {
    expect((await get('FRIEND-1')).body).toMatchObject({
      is_referral_code: true,
      discount: amount,
      campaign: 'Friends',
    });
    expect((await get('LOOSE')).body).toMatchObject({
      campaign: null,
      campaign_id: null,
      category: null,
      category_id: null,
      categories: [],
      start_date: null,
      expiration_date: null,
      validity_timeframe: null,
      validity_day_of_week: null,
      active: null,
      discount: amount,
      validation_rules_assignments: { data: [], total: 0 },
    });
    for (const name of ['holder_id', 'referrer_id', 'validity_hours'])
      expect((await get('LOOSE')).body).not.toHaveProperty(name);
  });

  test('the points of a card expire after their day, without a write', async () => {
    const clock = standingClock(new Date('2027-12-31T23:59:59.999Z'));
    const call = caller(handler, testDependencies({ clock }));
    const card = async () =>
      (await call({ params: { code: 'CLUB-1' }, headers: project.credentials })).body.loyalty_card;
    expect(await card()).toMatchObject({ points: 1200, balance: 900 });
    clock.set('2028-01-01T00:00:00.000Z');
    expect(await card()).toEqual({
      points: 1200,
      balance: 600,
      next_expiration_date: '2028-12-31',
      next_expiration_points: 500,
      pending_points: 0,
      expired_points: 300,
      subtracted_points: 0,
    });
  });
});
