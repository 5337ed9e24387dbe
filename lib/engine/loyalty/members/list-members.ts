import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { listVouchers, vouchersListed } from '#engine/vouchers/search/list-vouchers.ts';
import type { Showing } from '#kernel/http/context.ts';

/** The query of a list of vouchers, without the campaign, which the path names. */
export const listMembersQuery = v.omit(vouchersListed.query, ['campaign', 'campaign_id']);

/** Lists the cards of a programme, including those without a holder. */
export async function listMembers(
  context: Showing,
  campaignIdOrName: string,
  query: v.InferOutput<typeof listMembersQuery>,
) {
  const campaign = await campaignOr404(context, campaignIdOrName);
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  return listVouchers(context, { ...query, campaign_id: campaign.id });
}
