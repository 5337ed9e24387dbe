import type { UpdateCampaignBody } from '../campaigns/campaign-body.ts';
import type { Campaign } from '../campaigns/campaign-reply.ts';
import type { ListTiersOf } from '../campaigns/show-campaign.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import type { Starting } from '../context.ts';
import { checkLoyaltyCampaign } from '../loyalty/programme.ts';
import { membersSettled } from './settle-members.ts';

/** 404 where it is no loyalty campaign; else as any campaign. Who is in which tier is looked at behind it, where that is asked for. */
export function updateProgramme(
  context: Starting,
  idOrName: string,
  body: UpdateCampaignBody,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  const { project, now } = context;
  return updateCampaign(context, idOrName, body, listTiersOf, {
    checkPath: (item) => checkLoyaltyCampaign(item, idOrName),
    beside: ({ id }) =>
      body.options?.recalculate_tiers ? [membersSettled(project.id, id, now, { recalculates: true })] : [],
  });
}
