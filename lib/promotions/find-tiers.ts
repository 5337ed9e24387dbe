import { campaignItem } from '../campaigns/campaign.ts';
import { categoriesItem } from '../campaigns/category.ts';
import type { Context, FoundCampaign } from '../campaigns/find-campaign.ts';
import { parseStored } from '../dynamodb.ts';
import { keys } from '../table.ts';
import type { Surroundings } from './present-tier.ts';
import { type PromotionTierItem, promotionTierItem } from './promotion-tier.ts';

/** The tiers with these ids, in their order. */
export async function readTiers({ table, project }: Context, ids: readonly string[]): Promise<PromotionTierItem[]> {
  const stored = await table.getMany(ids.map((id) => keys.promotionTier(project.id, id)));
  return stored.flatMap((item) => (item ? [parseStored(promotionTierItem, item)] : []));
}

/** What the tiers are shown with, in one call: none where it is all `found` already. */
export async function readSurroundings(
  { table, project }: Context,
  tiers: readonly PromotionTierItem[],
  found?: FoundCampaign,
): Promise<Surroundings> {
  const campaigns = new Map(found ? [[found.item.id, found.item]] : []);
  const ids = new Set(tiers.map(({ campaign_id }) => campaign_id).filter((id) => !campaigns.has(id)));
  const wanted = [...ids].map((id) => keys.campaign(project.id, id));
  if (!found) wanted.push(keys.categories(project.id));
  const stored = await table.getMany(wanted);
  const categories = found ? undefined : stored.pop();
  for (const item of stored) {
    const campaign = item && parseStored(campaignItem, item);
    if (campaign) campaigns.set(campaign.id, campaign);
  }
  return {
    campaigns,
    categories: found?.categories ?? (categories ? parseStored(categoriesItem, categories).items : {}),
  };
}
