import type { CampaignItem } from '../../campaigns/campaign.ts';
import type { UpdateCampaignBody } from '../../campaigns/campaign-body.ts';
import type { Campaign } from '../../campaigns/campaign-reply.ts';
import { checkLoyaltyCampaign } from '../../campaigns/programme.ts';
import type { ListTiersOf } from '../../campaigns/show-campaign.ts';
import { updateCampaign } from '../../campaigns/update-campaign.ts';
import type { Starting } from '../../http/context.ts';
import { membersSettled } from './settle-members.ts';

/** Has the members looked at, where that is asked for of a programme. */
function settled({ project, now }: Starting, { options }: UpdateCampaignBody) {
  return ({ id, campaign_type }: CampaignItem) =>
    campaign_type === 'LOYALTY_PROGRAM' && options?.recalculate_tiers
      ? [membersSettled(project.id, id, now, { recalculates: true })]
      : [];
}

/** Of a campaign of any kind; what is sent for other kinds is passed over. */
export function updateAnyCampaign(
  context: Starting,
  idOrName: string,
  body: UpdateCampaignBody,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  return updateCampaign(context, idOrName, body, listTiersOf, { beside: settled(context, body) });
}

/** 404 where it is no loyalty campaign; else as any campaign. Who is in which tier is looked at behind it, where that is asked for. */
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
