import { type Campaign, presentCampaign } from './campaign-reply.ts';
import { type Context, findCampaign } from './find-campaign.ts';

/** Not in the contract: how else would a caller see the statuses of a campaign move? */
export async function getCampaign(context: Context, idOrName: string): Promise<Campaign> {
  const { item, categories } = await findCampaign(context, idOrName);
  return presentCampaign(item, categories);
}
