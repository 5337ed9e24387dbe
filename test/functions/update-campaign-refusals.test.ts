import { describe, expect, test } from 'vitest';
import { campaigns, coupons, openCampaigns } from '../support/updated-campaigns.ts';

const percent = { type: 'PERCENT', percent_off: 10 };

const { update, read } = await openCampaigns({
  campaigns: [
    ...campaigns,
    {
      ...coupons,
      id: 'camp_parts',
      name: 'Parts',
      start_date: '2026-03-01T00:00:00Z',
      voucher: {
        ...coupons.voucher,
        expiration_date: '2026-05-01T00:00:00Z',
        validity_timeframe: { interval: 'P2D', duration: 'P1D' },
      },
    },
    {
      ...coupons,
      id: 'camp_later',
      name: 'Later',
      voucher: { ...coupons.voucher, start_date: '2026-05-01T00:00:00Z' },
    },
  ],
});

describe('an update', () => {
  test.each<[string, string, Record<string, unknown>, number, string, string]>([
    ['a type from STANDALONE', 'camp_alone', { type: 'STATIC' }, 400, 'invalid_campaign', 'STANDALONE'],
    ['the type STANDALONE that it has', 'camp_alone', { type: 'STANDALONE' }, 400, 'invalid_campaign', 'AUTO_UPDATE'],
    ['a type to STANDALONE', 'camp_busy', { type: 'STANDALONE' }, 400, 'invalid_campaign', 'AUTO_UPDATE'],
    ['no discount for referrals', 'camp_friends', { discount: null }, 400, 'invalid_campaign', 'discount is required'],
    ['a discount for cards', 'camp_club', { discount: percent }, 400, 'invalid_campaign', 'LOYALTY_CARD'],
    [
      'an end before the stored start',
      'camp_dated',
      { expiration_date: '2026-02-01T00:00:00Z' },
      400,
      'invalid_payload',
      'expiration_date',
    ],
    [
      'removing the start from a timeframe',
      'camp_dated',
      { start_date: null },
      400,
      'invalid_payload',
      'validity_timeframe',
    ],
    [
      'a start after the end of its vouchers',
      'camp_parts',
      { start_date: '2026-06-01T00:00:00Z' },
      400,
      'invalid_payload',
      'start_date',
    ],
    [
      'an end before the start of its vouchers',
      'camp_later',
      { expiration_date: '2026-04-01T00:00:00Z' },
      400,
      'invalid_payload',
      'expiration_date',
    ],
    [
      'removing the start from the timeframe of its vouchers',
      'camp_parts',
      { start_date: null },
      400,
      'invalid_payload',
      'start_date',
    ],
    [
      'a timeframe without a start',
      'camp_busy',
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      400,
      'invalid_payload',
      'validity_timeframe',
    ],
    ['two categories', 'camp_busy', { category: 'One', category_id: 'cat_1' }, 400, 'invalid_payload', 'category'],
    ['an unknown category', 'camp_busy', { category_id: 'cat_two' }, 404, 'not_found', 'category'],
    ['an unknown campaign', 'camp_nope', {}, 404, 'not_found', 'campaign'],
    [
      'a wrong effect',
      'camp_busy',
      { discount: { ...percent, effect: 'APPLY_TO_NOTHING' } },
      400,
      'invalid_payload',
      'discount.effect',
    ],
    [
      'hours that overlap',
      'camp_busy',
      { validity_hours: { daily: [{ start_time: '10:00' }, { expiration_time: '10:01' }] } },
      400,
      'invalid_payload',
      'validity_hours.daily',
    ],
    ['metadata that is a list', 'camp_busy', { metadata: [1] }, 400, 'invalid_payload', 'metadata'],
    ['null for a flag', 'camp_busy', { auto_join: null }, 400, 'invalid_payload', 'auto_join'],
    ['null for another', 'camp_busy', { join_once: null }, 400, 'invalid_payload', 'join_once'],
    ['null for its type', 'camp_busy', { type: null }, 400, 'invalid_payload', 'type'],
    ['no gift for gift vouchers', 'camp_gifts', { gift: null }, 400, 'invalid_payload', 'gift'],
    [
      'a reward of a missing campaign',
      'camp_friends',
      {
        referral_program: { referee_reward: { type: 'LOYALTY_CARD', amount: 1, related_object_parent: { id: 'no' } } },
      },
      404,
      'not_found',
      'campaign',
    ],
    [
      'a reward of another type',
      'camp_friends',
      {
        referral_program: {
          referee_reward: { type: 'GIFT_VOUCHER', amount: 1, related_object_parent: { id: 'camp_club' } },
        },
      },
      400,
      'invalid_campaign',
      'LOYALTY_PROGRAM',
    ],
    [
      'a reward of the referrer of another type',
      'camp_friends',
      {
        referral_program: {
          referrer_reward: { type: 'GIFT_VOUCHER', amount: 1, related_object_parent: { id: 'camp_club' } },
        },
      },
      400,
      'invalid_campaign',
      'referral_program.referrer_reward',
    ],
    ['areas and stores', 'camp_busy', { access_settings: {} }, 400, 'invalid_payload', 'access_settings'],
  ])('is refused with %s, and changes nothing', async (_, campaignId, body, status, key, named) => {
    const before = await read(campaignId);
    const reply = await update(campaignId, body);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(`${reply.body.details} ${reply.body.resource_type}`).toContain(named);
    expect({ ...(await read(campaignId)), request_id: '' }).toEqual({ ...before, request_id: '' });
  });

  test('is refused if its metadata would be longer than 50 KB', async () => {
    expect((await update('camp_busy', { metadata: { one: 'x'.repeat(26_000) } })).status).toBe(200);
    const { status, body } = await update('camp_busy', { metadata: { two: 'x'.repeat(26_000) } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('metadata would have');
    expect((await read('camp_busy')).metadata).not.toHaveProperty('two');
  });
});
