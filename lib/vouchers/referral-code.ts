import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import type { VoucherItem } from './voucher.ts';

/** Returns true for every voucher of a referral programme. Otherwise the voucher's own flag wins over its campaign's. */
export function isReferralCode(
  item: Pick<VoucherItem, 'is_referral_code'>,
  campaign: CampaignTerms | undefined,
): boolean | null {
  if (campaign?.campaign_type === 'REFERRAL_PROGRAM') return true;
  return item.is_referral_code ?? campaign?.voucher?.is_referral_code ?? null;
}
