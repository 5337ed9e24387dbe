import { type Campaign, presentCampaign } from '../campaigns/campaign-reply.ts';
import type { Reading } from '../context.ts';
import { findLoyaltyCampaign } from './programme.ts';

/** A campaign that is no loyalty programme is not there. */
export async function getLoyaltyCampaign(context: Reading, idOrName: string): Promise<Campaign> {
  return presentCampaign(context.project, await findLoyaltyCampaign(context, idOrName));
}
