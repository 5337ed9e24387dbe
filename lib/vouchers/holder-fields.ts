import * as v from 'valibot';
import { campaignType } from '../campaigns/campaign.ts';
import { dateTime } from '../core/schema.ts';
import { voucherType } from './voucher.ts';

/** Replies show these fields of a holding, in a customer's wallet and among a referral code's holders. */
export const holderFields = {
  id: v.string(),
  created_at: dateTime,
  redeemable_id: v.string(),
  redeemable_object: v.literal('voucher'),
  customer_id: v.string(),
  holder_role: v.picklist(['OWNER', 'REFERRER', 'REFEREE']),
  campaign_id: v.nullable(v.string()),
  /** Is `null` for a voucher without a campaign. */
  campaign_type: v.nullable(campaignType),
  voucher_type: voucherType,
};
