import * as v from 'valibot';
import { category } from '../campaigns/category.ts';
import { discount } from '../campaigns/discount.ts';
import { validationRulesAssignment } from '../campaigns/validation-rules-assignment.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from '../campaigns/validity.ts';
import { parseStored } from '../dynamodb.ts';
import type { Listing } from '../lists/counted-list.ts';
import { count, dateTime, listOf, metadata, object } from '../schema.ts';
import { orderedLists, placeBy } from '../table.ts';

const figures = v.object({
  redemptions: v.object({ total_redeemed: count }),
  orders: v.object({ total_amount: count, total_discount_amount: count }),
});

const definition = {
  id: v.string(),
  name: v.string(),
  banner: v.optional(v.string()),
  action: v.optional(object({ discount: v.optional(discount) })),
  hierarchy: count,
  campaign_id: v.string(),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  validity_timeframe: v.optional(validityTimeframe),
  validity_day_of_week: v.optional(validityDayOfWeek),
  validity_hours: v.optional(validityHours),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
};

/** Contract, "Promotion tier": the summary of its campaign, with these fields and no others. */
const campaignSummary = v.object({
  id: v.string(),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  validity_day_of_week: v.optional(validityDayOfWeek),
  active: v.boolean(),
  category_id: v.nullable(v.string()),
  object: v.literal('campaign'),
});

/** Contract, "Promotion tier". */
export const promotionTier = v.object({
  ...definition,
  metadata,
  promotion_id: v.string(),
  /** Not there only while a load of the project is on its way to the campaign. */
  campaign: v.optional(campaignSummary),
  active: v.boolean(),
  summary: figures,
  object: v.literal('promotion_tier'),
  validation_rule_assignments: listOf(validationRulesAssignment),
  category_id: v.nullable(v.string()),
  categories: v.array(category),
});

export type PromotionTier = v.InferOutput<typeof promotionTier>;

/** As stored. The category is kept by its id, so that a renamed one shows everywhere at once. */
export const promotionTierItem = v.object({
  ...definition,
  active: v.optional(v.boolean(), true),
  metadata: v.optional(metadata, {}),
  category_id: v.optional(v.string()),
  summary: v.optional(figures, {
    redemptions: { total_redeemed: 0 },
    orders: { total_amount: 0, total_discount_amount: 0 },
  }),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
});

export type PromotionTierItem = v.InferOutput<typeof promotionTierItem>;

const listed = v.object({
  id: v.string(),
  campaign_id: v.string(),
  hierarchy: v.number(),
  created_at: v.string(),
  updated_at: v.optional(v.string()),
});

/** Of equal rank the older tier comes first; of the same moment, the one whose id does. */
const places = {
  hierarchy: ({ hierarchy, created_at, id }) => placeBy(hierarchy, created_at, id),
  created_at: ({ created_at, id }) => placeBy(created_at, id),
  /** A tier that was never updated stands where it was created. */
  updated_at: ({ created_at, updated_at = created_at, id }) => placeBy(updated_at, id),
} satisfies Record<string, (tier: v.InferOutput<typeof listed>) => string>;

export type TierOrder = keyof typeof places;

/** The lists of the project and of the campaign, one for each order that they can be asked in. */
export function promotionTierListing(projectId: string): Listing {
  return {
    by: ['campaign_id', 'hierarchy', 'created_at', 'updated_at'],
    placesOf: (element) => {
      const tier = parseStored(listed, element);
      return Object.entries(places).flatMap(([order, placeOf]) => {
        const at = placeOf(tier);
        return [
          { list: orderedLists.promotionTiers(projectId, order), at },
          { list: orderedLists.campaignPromotionTiers(projectId, tier.campaign_id, order), at },
        ];
      });
    },
  };
}
