import type { Reading } from '#kernel/http/context.ts';
import { type Campaign, type CampaignReader, type ListTiersOf, showCampaign } from './campaign-reply.ts';
import { findCampaign } from './find-campaign.ts';

/** Reads a campaign of any kind, so that callers can watch its statuses. */
export async function getCampaign(
  context: Reading & CampaignReader,
  idOrName: string,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  return showCampaign(context, await findCampaign(context, idOrName), listTiersOf);
}
