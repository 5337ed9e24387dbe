import type { CampaignItem } from '../campaigns/campaign.ts';
import type { VoucherItem } from './voucher.ts';

/** Its own word, else that of its campaign: contract, true for vouchers of a referral programme. */
export function isReferralCode(item: VoucherItem, campaign: CampaignItem | undefined): boolean | null {
  if (typeof item.is_referral_code === 'boolean') return item.is_referral_code;
  return campaign?.campaign_type === 'REFERRAL_PROGRAM' ? true : (campaign?.voucher?.is_referral_code ?? null);
}
