import { describe, expect, test } from 'vitest';
import { amountOff, newMerchant, rewardOf } from '../support/merchant.ts';
import { itemsOf } from '../support/outbox.ts';

describe('a wrong campaign is refused, and nothing is stored', () => {
  test('with all its faults at once', async () => {
    const { create } = await newMerchant();
    const { status, body } = await create({
      name: 'x'.repeat(1_000),
      type: 'DYNAMIC',
      campaign_type: 'LUCKY_DRAW',
      vouchers_count: 1.5,
      auto_join: 'yes',
      start_date: '2026-02-30T00:00:00Z',
      validity_day_of_week: [7],
      validity_hours: { daily: [{ start_time: '24:01' }] },
      activity_duration_after_publishing: 'one day',
      validation_rules: ['a', 'b'],
      metadata: [],
      category: 'One',
      category_id: 'cat_1',
      voucher: { type: 'GIFT_VOUCHER', discount: { type: 'PERCENT', percent_off: 101 }, code_config: { length: 0 } },
      promotion: { tiers: [{ action: {} }] },
    });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    for (const place of [
      'name',
      'type',
      'campaign_type',
      'vouchers_count',
      'auto_join',
      'start_date',
      'validity_day_of_week[0]',
      'validity_hours.daily[0].start_time',
      'activity_duration_after_publishing',
      'validation_rules',
      'metadata',
      'category',
      'voucher.discount.percent_off',
      'voucher.code_config.length',
      'voucher.gift',
      'promotion.tiers[0].name',
      'promotion.tiers[0].action.discount',
    ]) {
      expect(`; ${body.details}`).toContain(`; ${place} `);
    }
  });

  test.each<[string, Record<string, unknown>, number, string, string]>([
    ['a count of -1', { vouchers_count: -1 }, 400, 'invalid_payload', 'vouchers_count'],
    ['a count that is text', { vouchers_count: '10' }, 400, 'invalid_payload', 'vouchers_count'],
    ['a count of 5,000,001', { vouchers_count: 5_000_001 }, 400, 'invalid_payload', 'vouchers_count'],
    [
      'a timeframe without a start',
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      400,
      'invalid_payload',
      'validity_timeframe',
    ],
    [
      'an end before the start',
      { start_date: '2026-02-01T00:00:00Z', expiration_date: '2026-01-31T23:59:59Z' },
      400,
      'invalid_payload',
      'expiration_date',
    ],
    [
      'vouchers that end before they start',
      { expiration_date: '2026-02-01T00:00:00Z', voucher: { start_date: '2026-02-02T00:00:00Z' } },
      400,
      'invalid_payload',
      'voucher.expiration_date',
    ],
    [
      'a timeframe of vouchers without a start',
      { voucher: { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } } },
      400,
      'invalid_payload',
      'voucher.validity_timeframe',
    ],
    [
      'an invalid timeframe of vouchers',
      { voucher: { validity_timeframe: 'banana' } },
      400,
      'invalid_payload',
      'voucher.validity_timeframe',
    ],
    ['two categories', { category: 'One', category_id: 'cat_1' }, 400, 'invalid_payload', 'category'],
    ['an unknown category', { category_id: 'cat_two' }, 404, 'not_found', 'category'],
    ['an unknown validation rule', { validation_rules: ['val_2'] }, 404, 'not_found', 'validation_rules'],
    ['a pattern without #', { voucher: { code_config: { pattern: 'SALE' } } }, 400, 'invalid_code_config', 'pattern'],
    [
      'one character',
      { vouchers_count: 1, voucher: { code_config: { charset: 'a' } } },
      400,
      'invalid_code_config',
      '1 distinct',
    ],
    [
      'repeats',
      { vouchers_count: 2, voucher: { code_config: { charset: 'aab', length: 1 } } },
      400,
      'invalid_code_config',
      '2 distinct',
    ],
    [
      'a narrow space',
      { vouchers_count: 6, voucher: { code_config: { charset: '0123456789', length: 1 } } },
      400,
      'invalid_code_config',
      '10 distinct',
    ],
    ['half a character', { description: 'a \ud800 b' }, 400, 'invalid_payload', 'description must be well-formed'],
    ['1 MB of metadata', { metadata: { text: 'x'.repeat(1_000_000) } }, 400, 'invalid_payload', 'metadata'],
    ['a number that DynamoDB cannot keep', { metadata: { n: 1e300 } }, 400, 'invalid_payload', 'metadata'],
    ['an empty metadata key', { metadata: { '': 1 } }, 400, 'invalid_payload', 'metadata'],
    ['gift vouchers without a gift', { voucher: { type: 'GIFT_VOUCHER' } }, 400, 'invalid_payload', 'voucher.gift'],
    ['cards without points', { campaign_type: 'LOYALTY_PROGRAM' }, 400, 'invalid_payload', 'voucher.loyalty_card'],
    [
      'vouchers of another kind of campaign',
      { campaign_type: 'REFERRAL_PROGRAM', voucher: { type: 'LOYALTY_CARD', is_referral_code: false } },
      400,
      'invalid_payload',
      'voucher.type must be DISCOUNT_VOUCHER in a REFERRAL_PROGRAM; voucher.is_referral_code',
    ],
    [
      'a referral programme without a discount',
      { campaign_type: 'REFERRAL_PROGRAM' },
      400,
      'invalid_campaign',
      'discount',
    ],
    [
      'a reward of a missing campaign',
      { campaign_type: 'REFERRAL_PROGRAM', voucher: { discount: amountOff }, referral_program: rewardOf('camp_none') },
      404,
      'not_found',
      'campaign',
    ],
    [
      'two vouchers of a STANDALONE campaign',
      { type: 'STANDALONE', vouchers_count: 2 },
      400,
      'invalid_payload',
      'count',
    ],
    ['a STANDALONE promotion', { type: 'STANDALONE', campaign_type: 'PROMOTION' }, 400, 'invalid_payload', 'type'],
    [
      'a STANDALONE loyalty programme',
      { type: 'STANDALONE', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } },
      400,
      'invalid_payload',
      'type',
    ],
    [
      'a tier of an unknown category, together with the other tiers',
      { campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'One' }, { name: 'Two', category_id: 'cat_none' }] } },
      404,
      'not_found',
      'category',
    ],
    [
      'a tier of an unknown rule',
      { campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'One', validation_rules: ['val_2'] }] } },
      404,
      'not_found',
      'validation_rules',
    ],
    ['areas and stores', { access_settings: {} }, 400, 'invalid_payload', 'access_settings'],
    ['an array', [] as unknown as Record<string, unknown>, 400, 'invalid_payload', 'object'],
  ])('%s', async (_, body, status, key, named) => {
    const { id, create } = await newMerchant();
    const reply = await create(body);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details + reply.body.resource_type).toContain(named);
    expect(await itemsOf(id, 'CAMPAIGN')).toEqual([]);
    expect(await itemsOf(id, 'JOB')).toEqual([]);
  });

  test('takes exactly half of a code space, emoji and all', async () => {
    const { create } = await newMerchant();
    const code_config = { charset: '😀😁😀', length: 3 };
    expect((await create({ vouchers_count: 4, voucher: { code_config } })).status).toBe(200);
    expect((await create({ vouchers_count: 5, voucher: { code_config } })).body.key).toBe('invalid_code_config');
  });
});
