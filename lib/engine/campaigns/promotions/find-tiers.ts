import { planCategories } from '#engine/rules/categories/resource.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { readParsedPage } from '#kernel/http/page.ts';
import type { Key } from '#kernel/table/keys.ts';
import { readItemsOf } from '#kernel/table/read.ts';
import { campaigns } from '../campaign.ts';
import { type CampaignTerms, campaignsByVersion, readTerms } from '../campaign-terms.ts';
import type { FoundCampaign } from '../find-campaign.ts';
import type { Surroundings } from './present-tier.ts';
import { type PromotionTierItem, promotionTierItem, promotionTiers } from './promotion-tier.ts';

interface Place {
  readonly key: Key;
}

/** Reads the tiers under these keys, in their order. Leaves out missing tiers. */
export async function readTiers({ table }: Reading, places: readonly Place[]): Promise<PromotionTierItem[]> {
  const tiers = await readItemsOf(table, promotionTiers, places);
  return tiers.filter((tier) => tier !== undefined);
}

/** Reads the tiers of a page. Answers 400 if a reply has no room for them. */
export function readTierPage({ table }: Reading, places: readonly Place[]): Promise<PromotionTierItem[]> {
  const keys = places.map(({ key }) => key);
  return readParsedPage(table, promotionTierItem, keys);
}

/** Returns the tier if it and its campaign exist, or answers 404. */
export async function tierOr404({ table, project }: Reading, tierId: string): Promise<PromotionTierItem> {
  const tier = await table.get(promotionTiers(project.id, tierId), promotionTierItem);
  const isThere = tier && (await readTerms({ table, project }, [tier.campaign_id])).has(tier.campaign_id);
  if (!isThere) throw notFound('promotion_tier', tierId);
  return tier;
}

/** Reads in one call what replies show with the tiers. `found` is a campaign that was read already. */
export async function readSurroundings(
  { table, project }: Reading,
  tiers: readonly PromotionTierItem[],
  found?: FoundCampaign,
): Promise<Surroundings> {
  const known = new Map<string, CampaignTerms>(found ? [[found.item.id, found.item]] : []);
  const ids = new Set(tiers.map(({ campaign_id }) => campaign_id).filter((id) => !known.has(id)));
  const wanted = [...ids].map((id) => campaigns(project.id, id));
  const categoriesWanted = planCategories(
    project.id,
    tiers.map(({ category_id }) => category_id),
  );
  const [terms, stored] = await Promise.all([
    campaignsByVersion.read(table, wanted),
    table.getMany(categoriesWanted.keys),
  ]);
  for (const campaign of terms) if (campaign) known.set(campaign.id, campaign);
  return { campaigns: known, categories: categoriesWanted.of(stored) };
}
