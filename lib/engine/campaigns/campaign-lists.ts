import * as v from 'valibot';
import type { Attributes } from '#kernel/table/item.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import type { Update } from '#kernel/table/update.ts';
import { campaignType } from './campaign.ts';

/** Lists all campaigns of a project, up to thousands. A read costs one page. */
export const campaignLists = {
  created_at: listing(listIndexes.first, 'CAMPAIGNS_BY_CREATION', { counted: true }),
  updated_at: listing(listIndexes.second, 'CAMPAIGNS_BY_CHANGE'),
};

/** The lists carry these fields of a campaign, so that filtering by them needs no read. */
export const campaignEntry = v.object({ id: v.string(), created_at: v.string(), campaign_type: campaignType });

/** These fields decide the place of a campaign in its lists. */
export const placedCampaign = v.object({ ...campaignEntry.entries, updated_at: v.nullish(v.string()) });

function changePlace(projectId: string, id: string, changedAt: string): Attributes {
  return placeInList(campaignLists.updated_at, [projectId], [changedAt, id]);
}

/** Places a campaign in its lists. A campaign that has never changed is listed under its creation time. */
export function placeCampaign(
  projectId: string,
  { id, campaign_type, created_at, updated_at }: v.InferInput<typeof placedCampaign>,
): Attributes {
  return {
    ...placeInList(campaignLists.created_at, [projectId], [created_at, id]),
    ...changePlace(projectId, id, updated_at ?? created_at),
    listed: { id, created_at, campaign_type } satisfies v.InferOutput<typeof campaignEntry>,
  };
}

/** Notes that a campaign has changed, and moves it to the end of the order of changes. */
export function moveCampaign<U extends Update>(update: U, projectId: string, id: string, now: string): U {
  update.set(['updated_at'], now);
  for (const [name, value] of Object.entries(changePlace(projectId, id, now))) update.set([name], value);
  return update;
}
