import * as v from 'valibot';
import { expect, test } from 'vitest';
import { campaignItem } from '#engine/campaigns/campaign.ts';
import { isReferralCode, voucherItem } from '#engine/vouchers/voucher.ts';

const created_at = '2026-01-01T00:00:00.000Z';

const campaign = (campaign_type: string, is_referral_code?: boolean) =>
  v.parse(campaignItem, {
    id: 'camp_1',
    name: 'One',
    type: 'STATIC',
    campaign_type,
    voucher: { type: 'DISCOUNT_VOUCHER', ...(is_referral_code === undefined ? {} : { is_referral_code }) },
    created_at,
    creation_status: 'DONE',
    vouchers_generation_status: 'DONE',
  });

const voucher = (is_referral_code?: boolean) =>
  v.parse(voucherItem, { id: 'v_1', code: 'A', type: 'DISCOUNT_VOUCHER', created_at, is_referral_code });

test.each([
  ['of a referral programme is a referral code', undefined, campaign('REFERRAL_PROGRAM'), true],
  ['of a referral programme is one, whatever its own flag says', false, campaign('REFERRAL_PROGRAM'), true],
  ['of another campaign follows its own flag', false, campaign('DISCOUNT_COUPONS', true), false],
  ['without a flag follows its campaign', undefined, campaign('DISCOUNT_COUPONS', true), true],
  ['without a flag and a campaign is neither', undefined, undefined, null],
])('a voucher %s', (_, own, of, expected) => {
  expect(isReferralCode(voucher(own), of)).toBe(expected);
});
