import * as v from 'valibot';
import { validationRulesAssignment } from '#engine/rules/assignment.ts';
import { category } from '#engine/rules/categories/resource.ts';
import { discount } from '#engine/rules/discounts/discount.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from '#engine/rules/validity/validity.ts';
import { areDistinct } from '#kernel/core/distinct.ts';
import { named } from '#kernel/core/documented.ts';
import {
  array,
  count,
  dateTime,
  identifier,
  integer,
  listEnvelope,
  metadata,
  nullable,
  object,
  reference,
} from '#kernel/core/schema.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kind, projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';

/** Promotion stacks: tiers of one campaign that are used together, in the order in which they are named. */

const maxTiers = 30;

const hierarchyMode = v.literal('MANUAL');

const tiers = object({
  ids: v.pipe(
    array(reference, maxTiers, 'tiers'),
    v.minLength(1, 'must name at least one tier'),
    v.check(areDistinct, 'must not have a tier twice'),
  ),
  hierarchy_mode: v.optional(hierarchyMode),
});

const fields = {
  name: required(identifier, 'The name that operators see.'),
  campaign_id: required(identifier, 'The campaign of its tiers.'),
  tiers: required(tiers, 'Its tiers, in the order in which they are applied.'),
  category_id: optional(identifier, 'Its category.'),
};

const plain = resource('promotion_stack', {
  prefix: 'stack',
  number: 'few',
  fields,
  orders: ['created_at', 'updated_at', 'name'],
  fileKey: 'promotion_stacks',
});

const reply = named(
  'PromotionStack',
  v.object({
    id: v.string(),
    name: v.string(),
    campaign_id: v.string(),
    tiers: v.object({ ids: v.array(v.string()), hierarchy_mode: v.optional(hierarchyMode) }),
    category_id: v.nullable(v.string()),
    categories: v.array(category.reply),
    created_at: dateTime,
    updated_at: v.optional(dateTime),
    object: v.literal('promotion_stack'),
  }),
);

/** Describes a promotion stack: the plain resource, with its own reply. */
export const promotionStack = { ...plain, reply };

export type PromotionStack = v.InferOutput<typeof plain.stored>;
export type ShownStack = v.InferOutput<typeof reply>;

export const stackList = named('PromotionStackList', listEnvelope(reply));

export const createStackBody = object({
  name: fields.name.schema,
  tiers: fields.tiers.schema,
  category_id: nullable(fields.category_id.schema),
});

export const updateStackBody = object(v.partial(v.object(createStackBody.entries)).entries);

export type CreateStackBody = v.InferOutput<typeof createStackBody>;
export type UpdateStackBody = v.InferOutput<typeof updateStackBody>;

/** Increases with each stack that names tiers, so that no such tier is deleted unseen. */
export const stackGuards = projectKind(kinds.promotionStacksGuard, v.object({ revision: count }));

const figures = v.object({
  redemptions: v.object({ total_redeemed: count }),
  orders: v.object({ total_amount: count, total_discount_amount: count }),
});

const definition = {
  id: v.string(),
  name: v.string(),
  banner: v.optional(v.string()),
  action: v.optional(object({ discount: v.optional(discount) })),
  hierarchy: integer,
  campaign_id: v.string(),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  validity_timeframe: v.optional(validityTimeframe),
  validity_day_of_week: v.optional(validityDayOfWeek),
  validity_hours: v.optional(validityHours),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
};

/** Shows the tier's campaign with these fields and no others. */
const campaignSummary = v.object({
  id: v.string(),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  validity_day_of_week: v.optional(validityDayOfWeek),
  active: v.boolean(),
  category_id: v.nullable(v.string()),
  object: v.literal('campaign'),
});

export const promotionTier = named(
  'PromotionTier',
  v.object({
    ...definition,
    metadata,
    promotion_id: v.string(),
    /** Absent only while a project file is being loaded. */
    campaign: v.optional(campaignSummary),
    active: v.boolean(),
    summary: figures,
    object: v.literal('promotion_tier'),
    validation_rule_assignments: listEnvelope(validationRulesAssignment),
    category_id: v.nullable(v.string()),
    categories: v.array(category.reply),
  }),
);

export type PromotionTier = v.InferOutput<typeof promotionTier>;

/** The array of this list is called `tiers`. In all other lists it is called `data`. */
export const tierList = named(
  'PromotionTierList',
  v.object({
    object: v.literal('list'),
    data_ref: v.literal('tiers'),
    tiers: v.array(promotionTier),
    total: count,
    has_more: v.boolean(),
  }),
);

export type TierList = v.InferOutput<typeof tierList>;

/** Stores a tier. It refers to its category by id, so that a new name shows everywhere immediately. */
export const promotionTierItem = v.object({
  ...definition,
  active: v.optional(v.boolean(), true),
  metadata: v.optional(metadata, {}),
  category_id: v.optional(v.string()),
  summary: v.optional(figures, {
    redemptions: { total_redeemed: 0 },
    orders: { total_amount: 0, total_discount_amount: 0 },
  }),
  /** Counts redemptions after the summary that a project file brought. Amounts are in minor currency units. */
  redeemed_quantity: v.optional(count, 0),
  orders_amount: v.optional(count, 0),
  orders_discount_amount: v.optional(count, 0),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
});

export type PromotionTierItem = v.InferOutput<typeof promotionTierItem>;

/** Adds later redemptions to the summary that a project file brought. */
export function summariseTier(item: PromotionTierItem): PromotionTier['summary'] {
  const { redemptions, orders } = item.summary;
  return {
    redemptions: { total_redeemed: redemptions.total_redeemed + item.redeemed_quantity },
    orders: {
      total_amount: orders.total_amount + item.orders_amount,
      total_discount_amount: orders.total_discount_amount + item.orders_discount_amount,
    },
  };
}

export const promotionTiers = kind(kinds.promotionTier, promotionTierItem);

/** Defines two lists of the project, by rank and by time, and one list of each campaign, by rank. */
export const tierLists = {
  hierarchy: listing(listIndexes.first, 'PROMOTION_TIERS_BY_RANK', { counted: true }),
  created_at: listing(listIndexes.second, 'PROMOTION_TIERS_BY_TIME'),
  ofCampaign: listing(listIndexes.third, 'PROMOTION_TIERS_OF_CAMPAIGN', { counted: true }),
};

type Placed = Pick<PromotionTierItem, 'id' | 'campaign_id' | 'hierarchy' | 'created_at' | 'updated_at'>;

/** Returns the attributes that place a tier in its lists: by rank, then age, then id. */
export function placeTier(projectId: string, tier: Placed): Attributes {
  const { id, campaign_id, hierarchy, created_at, updated_at = created_at } = tier;
  const byRank = [hierarchy, created_at, id];
  return {
    listed: { created_at, updated_at },
    ...placeInList(tierLists.hierarchy, [projectId], byRank),
    ...placeInList(tierLists.created_at, [projectId], [created_at, id]),
    ...placeInList(tierLists.ofCampaign, [projectId, campaign_id], byRank),
  };
}
