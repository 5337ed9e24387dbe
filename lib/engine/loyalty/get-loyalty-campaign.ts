import { type Campaign, type CampaignReader, presentCampaign } from '#engine/campaigns/campaign-reply.ts';
import { findLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import type { Reading } from '#kernel/http/context.ts';

/** Returns a loyalty campaign. 404 for another kind of campaign. */
export async function getLoyaltyCampaign(context: Reading & CampaignReader, idOrName: string): Promise<Campaign> {
  return presentCampaign(context, await findLoyaltyCampaign(context, idOrName));
}
