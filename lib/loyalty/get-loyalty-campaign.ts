import { type Campaign, presentCampaign } from '../campaigns/campaign-reply.ts';
import { type Context, findLoyaltyCampaign } from './programme.ts';

/** Contract, endpoint 3. */
export async function getLoyaltyCampaign(context: Context, idOrName: string): Promise<Campaign> {
  const { item, categories } = await findLoyaltyCampaign(context, idOrName);
  return presentCampaign(item, categories);
}
