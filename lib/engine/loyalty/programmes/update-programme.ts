import type { CampaignItem } from '#engine/campaigns/campaign.ts';
import type { UpdateCampaignBody } from '#engine/campaigns/campaign-body.ts';
import type { Campaign, ListTiersOf } from '#engine/campaigns/campaign-reply.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { updateCampaign } from '#engine/campaigns/update-campaign.ts';
import type { Starting } from '#kernel/http/context.ts';
import { startMemberSettlement } from './settle-members.ts';

/** Starts the examination of members if the body requests it. */
function settled({ project, now }: Starting, { options }: UpdateCampaignBody) {
  return ({ id, campaign_type }: CampaignItem) =>
    campaign_type === 'LOYALTY_PROGRAM' && options?.recalculate_tiers
      ? [startMemberSettlement(project.id, id, now, { recalculates: true })]
      : [];
}

/** Updates a campaign of any kind. Fields for other kinds are ignored. */
export function updateAnyCampaign(
  context: Starting,
  idOrName: string,
  body: UpdateCampaignBody,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  return updateCampaign(context, idOrName, body, listTiersOf, { beside: settled(context, body) });
}

/** Updates a loyalty campaign, 404 for another kind. Members are examined afterwards if the body requests it. */
export function updateProgramme(
  context: Starting,
  idOrName: string,
  body: UpdateCampaignBody,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  return updateCampaign(context, idOrName, body, listTiersOf, {
    checkPath: (item) => checkLoyaltyCampaign(item, idOrName),
    beside: settled(context, body),
  });
}
