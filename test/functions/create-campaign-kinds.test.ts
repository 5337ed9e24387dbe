import { describe, expect, test } from 'vitest';
import { handler as listTiers } from '../../functions/promotions/list-campaign-promotion-tiers.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { caller } from '../support/call.ts';
import { amountOff, newMerchant, rewardOf } from '../support/merchant.ts';
import { itemsOf } from '../support/outbox.ts';

const merchant = await newMerchant();

describe('campaigns of other kinds', () => {
  const generating = { vouchers_count: 0, creation_status: 'IN_PROGRESS', vouchers_generation_status: 'IN_PROGRESS' };
  const vouchersOf = async (id: string) =>
    (await itemsOf(merchant.id, 'VOUCHER')).filter(({ sk, campaign_id }) => sk === 'VOUCHER' && campaign_id === id);

  test('follow from their vouchers if the body does not name the kind', async () => {
    for (const [voucher, campaign_type] of [
      [{ type: 'DISCOUNT_VOUCHER' }, 'DISCOUNT_COUPONS'],
      [{ type: 'GIFT_VOUCHER', gift: { amount: 1 } }, 'GIFT_VOUCHERS'],
      [{ type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }, 'LOYALTY_PROGRAM'],
    ] as const) {
      expect((await merchant.create({ voucher })).body).toMatchObject({ campaign_type, voucher });
    }
  });

  test('of gift vouchers generate vouchers with the whole amount', async () => {
    const gift = { amount: 2_500, effect: 'APPLY_TO_ITEMS' };
    const sent = { campaign_type: 'GIFT_VOUCHERS', vouchers_count: 2, voucher: { gift } };
    const { status, body } = await merchant.create(sent);
    expect([status, body]).toMatchObject([
      200,
      { ...generating, type: 'AUTO_UPDATE', voucher: { type: 'GIFT_VOUCHER', gift } },
    ]);
    await merchant.run();
    const made = await vouchersOf(body.id);
    expect(made).toHaveLength(2);
    expect(await merchant.voucher(made[0]?.code)).toMatchObject({
      type: 'GIFT_VOUCHER',
      gift: { ...gift, balance: 2_500 },
    });
  });

  test('of cards equal campaigns of POST /v1/loyalties: join_once always, STATIC by default, points that expire by its rules', async () => {
    const loyalty_card = {
      points: '50',
      expiration_rules: { period_type: 'MONTH', period_value: 0, rounding_type: 'END_OF_MONTH' },
    };
    const loyalty_tiers_expiration = { qualification_type: 'BALANCE' };
    const sent = { campaign_type: 'LOYALTY_PROGRAM', join_once: false, vouchers_count: 1, loyalty_tiers_expiration };
    const { status, body } = await merchant.create({ ...sent, voucher: { loyalty_card } });
    const card = { ...loyalty_card, points: 50 };
    expect([status, body]).toMatchObject([
      200,
      { ...generating, type: 'STATIC', join_once: true, loyalty_tiers_expiration, voucher: { loyalty_card: card } },
    ]);
    await merchant.run();
    const [made] = await vouchersOf(body.id);
    expect((await merchant.voucher(made?.code)).loyalty_card).toEqual({
      points: 50,
      balance: 50,
      next_expiration_date: '2026-06-30',
      next_expiration_points: 50,
      pending_points: 0,
      expired_points: 0,
      subtracted_points: 0,
    });
  });

  test('of referrals generate referral codes, and keep the conversion and its reward', async () => {
    const loyalty = await merchant.create({ voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } });
    const referral_program = {
      conversion_event_type: 'custom_event',
      custom_event: { id: 'ms_1', name: 'signed' },
      ...rewardOf(loyalty.body.id),
    };
    const sent = { campaign_type: 'REFERRAL_PROGRAM', vouchers_count: 1, referral_program };
    const { status, body } = await merchant.create({ ...sent, voucher: { discount: amountOff } });
    expect([status, body]).toMatchObject([
      200,
      { ...generating, referral_program, voucher: { discount: amountOff, is_referral_code: true } },
    ]);
    await merchant.run();
    const [made] = await vouchersOf(body.id);
    expect(await merchant.voucher(made?.code)).toMatchObject({ is_referral_code: true, discount: amountOff });
    const wrong = { ...sent, referral_program: rewardOf(body.id), voucher: { discount: amountOff } };
    expect((await merchant.create(wrong)).body).toMatchObject({ code: 400, key: 'invalid_campaign' });
  });

  test('of promotion tiers are done at once, with tiers ranked in the order sent', async () => {
    const tiers = [
      { name: 'One', banner: 'First', hierarchy: 9, action: { discount: amountOff }, metadata: { a: 1 } },
      { name: 'Two', active: false, category: 'One', validation_rules: ['val_1'] },
    ];
    const { status, body } = await merchant.create({ name: 'Tiers', campaign_type: 'PROMOTION', promotion: { tiers } });
    const done = {
      creation_status: 'DONE',
      vouchers_generation_status: 'DONE',
      type: 'STATIC',
      use_voucher_metadata_schema: false,
    };
    expect([status, body]).toMatchObject([200, { ...done, active: true, auto_join: false, join_once: false }]);
    expect(body).not.toHaveProperty('voucher');
    expect(body).not.toHaveProperty('vouchers_count');
    expect(body).not.toHaveProperty('validation_rules_assignments');
    expect(body.promotion).toMatchObject({
      total: 2,
      has_more: false,
      tiers: [
        { name: 'One', hierarchy: 1, active: true, promotion_id: body.id, campaign: { id: body.id } },
        { name: 'Two', hierarchy: 2, active: false, category_id: 'cat_1', validation_rule_assignments: { total: 1 } },
      ],
    });
    expect((await merchant.get('Tiers')).body).toEqual(body);
    const none = await merchant.create({ campaign_type: 'PROMOTION', promotion: { tiers: null } });
    expect(none.body.promotion.total).toBe(0);
    const ruled = await merchant.create({ campaign_type: 'PROMOTION', validation_rules: ['val_1'] });
    expect(ruled.body.validation_rules_assignments).toMatchObject({ total: 1, data: [{ rule_id: 'val_1' }] });
  });

  test('of eighty-six promotion tiers are made, with forty-two rules; more rules are refused', async () => {
    const alone = await newMerchant();
    const ruled = { name: 'Ruled', validation_rules: ['val_1'] };
    const named = (count: number, tier: object) => ({
      campaign_type: 'PROMOTION',
      promotion: { tiers: Array(count).fill({ action: { discount: amountOff }, ...tier }) },
    });
    for (const sent of [named(86, { name: 'Small' }), named(42, ruled)]) {
      const { status, body } = await alone.create(sent);
      const { length } = sent.promotion.tiers;
      expect([status, body.promotion?.total]).toEqual([200, length]);
      const found = await caller(listTiers)({
        headers: alone.credentials,
        params: { campaignId: body.id },
        query: 'limit=100',
      });
      expect(found.body.total).toBe(length);
    }
    const valid = await caller(validatePromotions)({ headers: alone.credentials, body: { order: { amount: 10_000 } } });
    expect(valid.body.promotions.length).toBe(128);
    const refused = await alone.create(named(86, ruled));
    expect([refused.status, refused.body.details]).toEqual([
      400,
      'promotion.tiers must fit one transaction of 99 items and 4 MB: send fewer tiers, shorter tiers, or fewer tiers with validation rules',
    ]);
  });

  test('are refused if they are larger than one transaction or a reply, and nothing is stored', async () => {
    const alone = await newMerchant({});
    const quoted = Array.from({ length: 75 }, () => ({ name: 'Quoted', metadata: { text: '"'.repeat(25_000) } }));
    const long = await alone.create({ campaign_type: 'PROMOTION', promotion: { tiers: quoted } });
    expect(long.body).toMatchObject({
      code: 400,
      details: expect.stringContaining('send fewer or shorter promotion.tiers'),
    });
    const tiers = Array.from({ length: 82 }, () => ({ name: 'Long', metadata: { text: 'x'.repeat(50_000) } }));
    const { body } = await alone.create({ campaign_type: 'PROMOTION', promotion: { tiers } });
    expect(body).toMatchObject({ code: 400, key: 'invalid_payload', details: expect.stringContaining('tiers') });
    expect([await itemsOf(alone.id, 'CAMPAIGN'), await itemsOf(alone.id, 'PROMOTION')]).toEqual([[], []]);
  });

  test('a STANDALONE campaign has its one voucher at once under the sent code, or none', async () => {
    const sent = { type: 'STANDALONE', join_once: true, voucher: { code: 'ALL-OF-US', discount: amountOff } };
    const { status, body } = await merchant.create(sent);
    expect([status, body]).toMatchObject([
      200,
      { type: 'STANDALONE', join_once: false, vouchers_count: 1, creation_status: 'DONE' },
    ]);
    expect(await merchant.voucher('ALL-OF-US')).toMatchObject({ campaign_id: body.id, discount: amountOff });
    expect((await merchant.get(body.id)).body).toEqual(body);
    const again = await merchant.create(sent);
    expect(again.body).toMatchObject({ code: 409, key: 'duplicate_found', resource_type: 'voucher' });
    expect((await merchant.create({ type: 'STANDALONE' })).body.vouchers_count).toBe(0);
    expect((await merchant.create({ type: 'STANDALONE', vouchers_count: 1 })).body.vouchers_count).toBe(1);
  });

  test.each<[string, object, Record<string, unknown>]>([
    ['DISCOUNT_COUPONS', { discount: amountOff }, { type: 'DISCOUNT_VOUCHER', discount: amountOff }],
    [
      'GIFT_VOUCHERS',
      { gift: { amount: 5, effect: 'APPLY_TO_ITEMS' } },
      { type: 'GIFT_VOUCHER', discount: null, gift: { amount: 5, balance: 5, effect: 'APPLY_TO_ITEMS' } },
    ],
    [
      'REFERRAL_PROGRAM',
      { discount: amountOff },
      { type: 'DISCOUNT_VOUCHER', discount: amountOff, is_referral_code: true },
    ],
  ])(
    'a STANDALONE campaign of %s has its one voucher of its own type, sent or drawn',
    async (campaign_type, content, made) => {
      const standalone = { campaign_type, type: 'STANDALONE' };
      const code = `ONLY-${campaign_type}`;
      const sent = await merchant.create({ ...standalone, voucher: { ...content, code } });
      expect([sent.status, sent.body]).toMatchObject([200, { campaign_type, vouchers_count: 1 }]);
      expect(await merchant.voucher(code)).toMatchObject({ ...made, campaign_id: sent.body.id });
      const drawn = await merchant.create({ ...standalone, vouchers_count: 1, voucher: content });
      expect([drawn.status, drawn.body]).toMatchObject([200, { campaign_type, vouchers_count: 1 }]);
      expect(await vouchersOf(drawn.body.id)).toMatchObject([{ type: made.type }]);
    },
  );

  test('a STANDALONE campaign has its voucher also if only a gift voucher tells the kind', async () => {
    const voucher = { type: 'GIFT_VOUCHER', gift: { amount: 5 } };
    const { body } = await merchant.create({ type: 'STANDALONE', vouchers_count: 1, voucher });
    expect(body).toMatchObject({ campaign_type: 'GIFT_VOUCHERS', vouchers_count: 1 });
    expect(await vouchersOf(body.id)).toMatchObject([{ type: 'GIFT_VOUCHER', gift: { amount: 5 } }]);
  });
});

/** The refusals that docs/campaigns.md names for each kind. */
test.each([
  ['gift vouchers without their worth', 'invalid_payload', { campaign_type: 'GIFT_VOUCHERS' }],
  ['a programme without cards', 'invalid_payload', { campaign_type: 'LOYALTY_PROGRAM' }],
  ['referrals without a discount', 'invalid_campaign', { campaign_type: 'REFERRAL_PROGRAM' }],
  [
    'referrals with the reward of an unknown campaign',
    'not_found',
    { campaign_type: 'REFERRAL_PROGRAM', voucher: { discount: amountOff }, referral_program: rewardOf('?') },
  ],
  ['a STANDALONE promotion', 'invalid_payload', { campaign_type: 'PROMOTION', type: 'STANDALONE' }],
  [
    'a STANDALONE programme',
    'invalid_payload',
    { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }, type: 'STANDALONE' },
  ],
  ['two vouchers of a STANDALONE campaign', 'invalid_payload', { type: 'STANDALONE', vouchers_count: 2 }],
  ['more codes than a campaign has', 'invalid_payload', { vouchers_count: 5_000_001 }],
  [
    '87 tiers',
    'invalid_payload',
    { campaign_type: 'PROMOTION', promotion: { tiers: Array(87).fill({ name: 'Tier' }) } },
  ],
])('%s are refused with %s', async (_, key, body) => {
  expect((await merchant.create(body)).body.key).toBe(key);
});

test('a promotion ignores the fields that only campaigns with codes have', async () => {
  const sent = { join_once: true, auto_join: true, activity_duration_after_publishing: 'P1D', type: 'AUTO_UPDATE' };
  const client_publication = ['DISCOUNT_VOUCHER'];
  const { body } = await merchant.create({ campaign_type: 'PROMOTION', ...sent, client_publication });
  expect(body).toMatchObject({ type: 'STATIC', join_once: false, auto_join: false });
  expect(body).not.toHaveProperty('activity_duration_after_publishing');
  expect(body).not.toHaveProperty('client_publication');
});
