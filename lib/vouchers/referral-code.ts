import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import type { VoucherItem } from './voucher.ts';

/** True for every voucher of a referral programme; else its own word, or its campaign's. */
export function isReferralCode(
  item: Pick<VoucherItem, 'is_referral_code'>,
  campaign: CampaignTerms | undefined,
): boolean | null {
  if (campaign?.campaign_type === 'REFERRAL_PROGRAM') return true;
  return item.is_referral_code ?? campaign?.voucher?.is_referral_code ?? null;
}
