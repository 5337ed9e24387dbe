import { type Categories, findCountingCategory, findCountingId } from '#engine/rules/categories/resource.ts';
import { defined } from '#kernel/core/defined.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { CampaignTerms } from '../campaign-terms.ts';
import { type PromotionTier, type PromotionTierItem, summariseTier } from './promotion-tier.ts';

/** Holds the campaigns and categories that replies show with tiers. */
export interface Surroundings {
  /** Maps the ids of the tiers' campaigns to their terms. */
  campaigns: ReadonlyMap<string, CampaignTerms>;
  categories: Categories;
}

function summariseCampaign({
  id,
  start_date,
  expiration_date,
  validity_day_of_week,
  active,
  category_id,
}: CampaignTerms): PromotionTier['campaign'] {
  return {
    ...defined({ id, start_date, expiration_date, validity_day_of_week }),
    active,
    category_id,
    object: 'campaign',
  };
}

/** Returns the tier as the interface shows it. Its category and rules are its own, not its campaign's. */
export function presentPromotionTier(item: PromotionTierItem, { campaigns, categories }: Surroundings): PromotionTier {
  const {
    validation_rules_assignments,
    category_id,
    summary: _,
    redeemed_quantity: __,
    orders_amount: ___,
    orders_discount_amount: ____,
    ...shown
  } = item;
  const category = findCountingCategory(categories, [category_id]);
  const campaign = campaigns.get(item.campaign_id);
  return {
    ...shown,
    // A promotion is a campaign of tiers, so the tier shows the campaign's id under both names.
    promotion_id: item.campaign_id,
    ...(campaign ? { campaign: summariseCampaign(campaign) } : {}),
    summary: summariseTier(item),
    object: 'promotion_tier',
    validation_rule_assignments: wrapList(validation_rules_assignments),
    category_id: findCountingId(categories, [category_id]) ?? null,
    categories: category ? [category] : [],
  };
}
