import { type CampaignItem, campaignItem } from '../campaigns/campaign.ts';
import { findCampaign } from '../campaigns/find-campaign.ts';
import { parseStored, type Table } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { keys, loyaltyTiersOf } from '../table.ts';
import type { Programme } from './card.ts';
import { type LoyaltyTierItem, loyaltyTierItem } from './loyalty-tier.ts';

export interface Context {
  table: Table;
  project: Project;
  now: Date;
}

/** 404 for a campaign of another kind, in the words for one that is not there (ruling E.7). */
export function checkLoyaltyCampaign(campaign: CampaignItem, idOrName: string): void {
  if (campaign.campaign_type !== 'LOYALTY_PROGRAM') throw notFound('campaign', idOrName);
}

/** By id or name; 404 where there is no loyalty campaign. */
export async function findLoyaltyCampaign(context: Context, idOrName: string) {
  const found = await findCampaign(context, idOrName);
  checkLoyaltyCampaign(found.item, idOrName);
  return found;
}

export async function tiersOf({ table, project }: Context, campaignId: string): Promise<LoyaltyTierItem[]> {
  const items = await table.query(loyaltyTiersOf(project.id, campaignId));
  return items.map((item) => parseStored(loyaltyTierItem, item));
}

/** The programmes of these campaigns, by id: one call for the campaigns, and one each for the tiers. */
export async function findProgrammes(
  context: Context,
  campaignIds: readonly (string | null | undefined)[],
): Promise<Map<string, Programme>> {
  const { table, project } = context;
  const wanted = [...new Set(campaignIds.filter((id) => typeof id === 'string'))];
  const [campaigns, tiers] = await Promise.all([
    table.getMany(wanted.map((id) => keys.campaign(project.id, id))),
    Promise.all(wanted.map((id) => tiersOf(context, id))),
  ]);
  return new Map(
    wanted.flatMap((id, index) => {
      const item = campaigns[index];
      return item ? [[id, { campaign: parseStored(campaignItem, item), tiers: tiers[index] ?? [] }] as const] : [];
    }),
  );
}
