import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findCampaign } from '#engine/campaigns/find-campaign.ts';
import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import type { AskedPublication } from './publication-body.ts';

/** The target of a publication: a named voucher, or a number of vouchers of a campaign. */
export type PublicationTarget =
  | { readonly item: VoucherItem; readonly campaign: CampaignTerms | undefined }
  | FromCampaign;

export interface FromCampaign {
  readonly campaign: CampaignTerms;
  readonly count: number;
}

/** Finds the target. 404 if it is missing or belongs to a deleted campaign. */
export async function findTarget(context: Writing, target: AskedPublication['target']): Promise<PublicationTarget> {
  if ('campaign' in target) {
    const { item } = await findCampaign(context, target.campaign);
    return { campaign: item, count: target.count };
  }
  const item = await voucherOr404(context, target.voucher);
  if (!item.campaign_id) return { item, campaign: undefined };
  const campaign = (await readTerms(context, [item.campaign_id])).get(item.campaign_id);
  if (!campaign) throw notFound('voucher', target.voucher);
  return { item, campaign };
}
