import { type Campaign, type CampaignReader, presentCampaign } from '../campaigns/campaign-reply.ts';
import { findLoyaltyCampaign } from '../campaigns/programme.ts';
import type { Reading } from '../http/context.ts';

/** Returns a loyalty campaign. 404 for another kind of campaign. */
export async function getLoyaltyCampaign(context: Reading & CampaignReader, idOrName: string): Promise<Campaign> {
  return presentCampaign(context, await findLoyaltyCampaign(context, idOrName));
}
