import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as campaignHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as createHandler } from '../../functions/vouchers/create-voucher.ts';
import { handler as namedHandler } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as transactionsHandler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const coupon = { type: 'DISCOUNT_VOUCHER', discount };
const gift = { type: 'GIFT_VOUCHER', gift: { amount: 500 } };
const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 20 } };

const expiration_rules = { period_type: 'MONTH', period_value: 3 };

/** A project with a campaign of each kind. */
async function aShop() {
  const campaign = (id: string, campaign_type: string, voucher?: object, more: object = {}) => ({
    ...{ id: `camp_${id}`, name: id, campaign_type, type: 'AUTO_UPDATE', vouchers_count: 0 },
    ...(voucher ? { voucher } : {}),
    ...more,
  });
  const project = await loadProject({
    categories: [{ id: 'cat_1', name: 'Fresh', hierarchy: 1 }],
    validation_rules: [{ id: 'val_1', name: 'Any' }],
    campaigns: [
      campaign(
        'coupons',
        'DISCOUNT_COUPONS',
        { ...coupon, redemption: { quantity: 3 }, code_config: { prefix: 'C-', length: 6 } },
        { start_date: '2026-02-01T00:00:00Z' },
      ),
      campaign('gifts', 'GIFT_VOUCHERS', { type: 'GIFT_VOUCHER', gift: { amount: 900, effect: 'APPLY_TO_ORDER' } }),
      campaign('club', 'LOYALTY_PROGRAM', {
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 7, expiration_rules },
      }),
      campaign('friends', 'REFERRAL_PROGRAM', coupon),
      campaign('tiers', 'PROMOTION'),
      campaign('one', 'DISCOUNT_COUPONS', coupon, { type: 'STANDALONE' }),
    ],
  });
  const call = (handler: Endpoint, request: object) => caller(handler)({ headers: project.credentials, ...request });
  return {
    create: (body: object) => call(createHandler, { body }),
    named: (code: string, body: object) => call(namedHandler, { params: { code }, body }),
    get: (code: string) => call(getHandler, { params: { code } }),
    count: async (campaignId: string) =>
      (await call(campaignHandler, { params: { campaignId } })).body.vouchers_count as number,
    transactions: (code: string) => call(transactionsHandler, { params: { code } }),
  };
}

describe('a new voucher', () => {
  test('equals what was sent, and reads the same by code and by id', async () => {
    const { named, get } = await aShop();
    const sent = {
      ...coupon,
      start_date: '2026-06-01T00:00:00.000Z',
      expiration_date: '2026-07-01T00:00:00.000Z',
      validity_timeframe: { interval: 'P7D', duration: 'P2D' },
      validity_day_of_week: [1, 2],
      validity_hours: { daily: [{ start_time: '08:00', expiration_time: '12:00' }] },
      additional_info: 'for Siv',
      metadata: { till: 3 },
    };
    const body = {
      ...sent,
      category: 'Fresh',
      redemption: { quantity: 2 },
      validation_rules: ['val_1'],
      active: false,
    };
    const made = await named('Løk & 5/7', { ...body, code: 'Løk & 5/7' });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      ...sent,
      code: 'Løk & 5/7',
      campaign: null,
      campaign_id: null,
      category_id: 'cat_1',
      categories: [{ name: 'Fresh' }],
      active: false,
      is_referral_code: false,
      updated_at: null,
      publish: { count: 0 },
      redemption: { quantity: 2, redeemed_quantity: 0 },
      validation_rules_assignments: { total: 1, data: [{ rule_id: 'val_1', related_object_type: 'voucher' }] },
    });
    for (const name of ['Løk & 5/7', made.body.id]) expect((await get(name)).body).toEqual(made.body);
  });

  test('without a code gets one that is drawn in the form of the body or of its campaign', async () => {
    const { create } = await aShop();
    const code = async (body: object) => (await create({ ...coupon, ...body })).body.code;
    expect(await code({})).toMatch(/^[0-9A-Za-z]{8}$/);
    expect(await code({ code: null, code_config: { pattern: 'X-##-Y', charset: '01' } })).toMatch(/^X-[01]{2}-Y$/);
    expect(await code({ campaign: 'coupons' })).toMatch(/^C-[0-9A-Za-z]{6}$/);
    expect(await code({ campaign: 'coupons', code_config: { length: 3 } })).toMatch(/^[0-9A-Za-z]{3}$/);
  });

  test('takes missing fields from its campaign, named by name or id, and its campaign counts it', async () => {
    const { create, count } = await aShop();
    const { body } = await create({ type: 'DISCOUNT_VOUCHER', campaign: 'camp_coupons', code: 'A' });
    expect(body).toMatchObject({
      campaign: 'coupons',
      campaign_id: 'camp_coupons',
      discount,
      start_date: '2026-02-01T00:00:00.000Z',
      redemption: { quantity: 3 },
    });
    const free = await create({ ...coupon, campaign: 'coupons', redemption: { quantity: null } });
    expect(free.body.redemption.quantity).toBeNull();
    expect(await count('coupons')).toBe(2);
    expect((await create({ type: 'GIFT_VOUCHER', campaign_id: 'camp_gifts' })).body.gift).toEqual({
      amount: 900,
      balance: 900,
      effect: 'APPLY_TO_ORDER',
    });
    expect((await create({ ...gift, campaign: 'gifts' })).body.gift).toMatchObject({ amount: 500, balance: 500 });
    expect((await create({ type: 'DISCOUNT_VOUCHER', campaign: 'friends' })).body.is_referral_code).toBe(true);
  });

  test('without a type has the type of its campaign, else of its content', async () => {
    const { create, named } = await aShop();
    const byPath = (body: object) => named(`NAMED-${JSON.stringify(body).length}`, body);
    for (const make of [create, byPath]) {
      const typeOf = async (body: object) => (await make(body)).body.type;
      expect(await typeOf({ discount })).toBe('DISCOUNT_VOUCHER');
      expect(await typeOf({ gift: { amount: 500 }, discount: null })).toBe('GIFT_VOUCHER');
      expect(await typeOf({ campaign: 'gifts' })).toBe('GIFT_VOUCHER');
      expect(await typeOf({ campaign_id: 'camp_club', loyalty_card: { points: 1 } })).toBe('LOYALTY_CARD');
      expect((await make({ loyalty_card: { points: 1 } })).body.key).toBe('invalid_voucher');
    }
    expect((await named('NAMED', { gift: gift.gift })).body).toMatchObject({ type: 'GIFT_VOUCHER', code: 'NAMED' });
  });

  test("of a loyalty programme has its first points by the programme's rules, and a ledger that begins after them", async () => {
    const { create, transactions } = await aShop();
    const given = await create({ type: 'LOYALTY_CARD', campaign: 'club', code: 'M-1' });
    expect(given.body.loyalty_card).toEqual({
      points: 7,
      balance: 7,
      next_expiration_date: '2026-09-15',
      next_expiration_points: 7,
      pending_points: 0,
      expired_points: 0,
      subtracted_points: 0,
    });
    const sent = await create({ ...card, campaign: 'club', code: 'M-2' });
    expect(sent.body.loyalty_card).toMatchObject({ points: 20, balance: 20 });
    for (const code of ['M-1', 'M-2']) expect((await transactions(code)).body).toMatchObject({ data: [], total: 0 });
  });
});

describe('a new voucher is refused', () => {
  test.each<[why: string, key: string, body: object, details: string]>([
    ['a coupon that gives nothing', 'invalid_payload', { type: 'DISCOUNT_VOUCHER' }, 'discount is required'],
    ['a gift without an amount', 'invalid_payload', { type: 'GIFT_VOUCHER' }, 'gift.amount is required'],
    ['the content of another type', 'invalid_payload', { ...gift, discount }, 'discount must be left out'],
    ['no type, and nothing that tells it', 'invalid_payload', { metadata: 5 }, 'type is required'],
    ['no type, and two contents', 'invalid_payload', { discount, gift: { amount: 1 } }, 'discount must be left out'],
    ['no type, of a promotion', 'invalid_campaign', { campaign: 'tiers' }, 'PROMOTION'],
    ['two names of a category', 'invalid_payload', { ...coupon, category: 'Fresh', category_id: 'cat_1' }, 'category'],
    [
      'an end before the start',
      'invalid_payload',
      { ...coupon, start_date: '2026-02-01T00:00:00Z', expiration_date: '2026-01-01T00:00:00Z' },
      'expiration_date must not be before start_date',
    ],
    [
      'an end before the campaign starts',
      'invalid_payload',
      { ...coupon, campaign: 'coupons', expiration_date: '2026-01-01T00:00:00Z' },
      'expiration_date must not be before start_date',
    ],
    [
      'a timeframe without a start',
      'invalid_payload',
      { ...coupon, validity_timeframe: { interval: 'P7D', duration: 'P1D' } },
      'validity_timeframe needs a start_date',
    ],
    ['a card without a programme', 'invalid_voucher', card, 'campaign is required'],
    ['a type that the campaign does not have', 'invalid_voucher', { ...gift, campaign: 'coupons' }, 'DISCOUNT_VOUCHER'],
    ['a voucher of a promotion', 'invalid_campaign', { ...coupon, campaign: 'tiers' }, 'PROMOTION'],
    ['an impossible form of codes', 'invalid_code_config', { ...coupon, code_config: { pattern: 'NONE' } }, 'pattern'],
    ['an unknown campaign', 'not_found', { ...coupon, campaign: 'nope' }, 'campaign'],
    ['an unknown category', 'not_found', { ...coupon, category_id: 'cat_nope' }, 'category'],
    ['an unknown rule', 'not_found', { ...coupon, validation_rules: ['val_0'] }, 'no validation rule has this id'],
  ])('%s', async (_, key, body, details) => {
    const { create, count } = await aShop();
    const { body: error } = await create(body);
    expect(error).toMatchObject({ key, details: expect.stringContaining(details) });
    expect(await count('coupons')).toBe(0);
  });

  test('under a code that differs from the code of the path, or that is impossible', async () => {
    const { named } = await aShop();
    expect((await named('A', { ...coupon, code: 'B' })).body.key).toBe('invalid_payload');
    expect((await named('A'.repeat(301), coupon)).body.key).toBe('invalid_path_params');
  });

  test('if all codes of the form are taken', async () => {
    const { create } = await aShop();
    const code_config = { pattern: 'X#', charset: 'ab' };
    const codes = [await create({ ...coupon, code_config }), await create({ ...coupon, code_config })];
    expect(codes.map(({ body }) => body.code).sort()).toEqual(['Xa', 'Xb']);
    expect((await create({ ...coupon, code_config })).body.key).toBe('invalid_code_config');
  });

  test('if a STANDALONE campaign has its one voucher', async () => {
    const { create, count } = await aShop();
    const all = await Promise.all(Array.from({ length: 5 }, () => create({ ...coupon, campaign: 'one' })));
    expect(all.map(({ status, body }) => body.key ?? status).sort()).toEqual([
      200,
      ...Array.from({ length: 4 }, () => 'invalid_campaign'),
    ]);
    expect(await count('one')).toBe(1);
  });
});

test('twenty concurrent requests with one code make and count one voucher', async () => {
  const { named, get, count } = await aShop();
  const body = (till: number) => ({ ...coupon, campaign: 'coupons', metadata: { till } });
  const replies = await Promise.all(Array.from({ length: 20 }, (_, till) => named('ONCE', body(till))));
  const made = replies.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  for (const { status, body } of replies) {
    if (status !== 200) expect(body).toMatchObject({ key: 'duplicate_found', resource_id: 'ONCE', code: 409 });
  }
  expect((await get('ONCE')).body).toEqual(made[0]?.body);
  expect(await count('coupons')).toBe(1);
});

test('twenty concurrent requests without a code make and count all, under different codes', async () => {
  const { create, count } = await aShop();
  const replies = await Promise.all(Array.from({ length: 20 }, () => create({ ...coupon, campaign: 'coupons' })));
  expect(new Set(replies.map(({ body }) => body.code)).size).toBe(20);
  expect(await count('coupons')).toBe(20);
});
