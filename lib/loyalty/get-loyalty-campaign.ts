import { type Campaign, presentCampaign } from '../campaigns/campaign-reply.ts';
import { findLoyaltyCampaign } from '../campaigns/programme.ts';
import type { Reading } from '../http/context.ts';

/** A campaign that is no loyalty programme is not there. */
export async function getLoyaltyCampaign(context: Reading, idOrName: string): Promise<Campaign> {
  return presentCampaign(context.project, await findLoyaltyCampaign(context, idOrName));
}
