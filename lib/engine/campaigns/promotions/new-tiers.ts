import * as v from 'valibot';
import { insertRuleAssignments, newAssignment, ruleType, storedRules } from '#engine/rules/assignment.ts';
import { categoryEntries, hasOneCategory, oneOfBoth } from '#engine/rules/categories/category-fields.ts';
import {
  type Categories,
  type ChosenCategories,
  chooseCategories,
  chooseCategory,
} from '#engine/rules/categories/resource.ts';
import { sentDiscount } from '#engine/rules/discounts/discount.ts';
import {
  areInOrder,
  datesOutOfOrder,
  hasNoStart,
  timeframeNeedsStart,
  validityEntries,
} from '#engine/rules/validity/dates.ts';
import { staggerTime } from '#kernel/core/calendar.ts';
import { notFound } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import {
  array,
  identifier,
  integer,
  nullable,
  object,
  reference,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { drawIdInPart, renewNoted } from '#kernel/kit/offers/offer-notes.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import { presentPromotionTier, type Surroundings } from './present-tier.ts';
import {
  type PromotionTier,
  type PromotionTierItem,
  placeTier,
  promotionTierItem,
  promotionTiers,
  type TierList,
} from './promotion-tier.ts';
import { keepFirstRank } from './ranks.ts';

/** One transaction and one read can check this many rules. */
const maxRules = 20;

/** Checks that depend on the stored tier run in the use case. */
export const updateTierBody = v.pipe(
  object({
    name: v.optional(identifier),
    banner: nullable(shortText),
    action: nullable(object({ discount: sentDiscount })),
    metadata: nullable(sentMetadata),
    hierarchy: v.optional(integer),
    ...validityEntries,
    /** Accepts the list in the form of a reply. Only the rules that it names count. */
    validation_rule_assignments: nullable(
      object({
        data: array(object({ rule_id: reference }), maxRules, 'assignments'),
      }),
    ),
    ...categoryEntries,
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type UpdateTierBody = v.InferOutput<typeof updateTierBody>;

/** Describes a new promotion tier. */
export const newTierBody = v.pipe(
  object({
    name: identifier,
    banner: nullable(shortText),
    action: nullable(object({ discount: sentDiscount })),
    metadata: nullable(sentMetadata),
    active: v.optional(v.boolean(), true),
    hierarchy: v.optional(integer),
    ...validityEntries,
    ...categoryEntries,
    validation_rules: v.optional(array(reference, 1, 'rule')),
    /** Accepts the list in the form of a reply. Only the rule that it names counts. */
    validation_rule_assignments: nullable(object({ data: array(object({ rule_id: reference }), 1, 'assignment') })),
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
  v.forward(
    v.partialCheck([['start_date'], ['validity_timeframe']], (body) => !hasNoStart(body), timeframeNeedsStart),
    ['validity_timeframe'],
  ),
  v.forward(
    v.partialCheck(
      [['validation_rules'], ['validation_rule_assignments']],
      (body) => !(body.validation_rules && body.validation_rule_assignments),
      'must not be sent together with validation_rule_assignments',
    ),
    ['validation_rules'],
  ),
);

export type NewTierBody = v.InferOutput<typeof newTierBody>;

type OfCampaign = Surroundings['campaigns'] extends ReadonlyMap<string, infer C> ? C : never;

function readRuleId({ validation_rules, validation_rule_assignments }: NewTierBody): string | undefined {
  return validation_rules?.[0] ?? validation_rule_assignments?.data[0]?.rule_id;
}

/** Reads each rule and category that the bodies name once. Answers 404 if any is missing. */
async function readReferences(
  context: Reading,
  bodies: readonly NewTierBody[],
  known?: Categories,
): Promise<ChosenCategories> {
  const { table, project } = context;
  const ruleIds = [...new Set(bodies.map(readRuleId))].filter((id) => id !== undefined);
  const choices = new Map(bodies.map((body) => [JSON.stringify([body.category_id, body.category]), body]));
  const named = [...choices.values()].filter(({ category, category_id }) => category || category_id);
  const [{ rules }, chosen] = await Promise.all([
    read(table, { rules: ruleIds.map((id) => storedRules(project.id, id)) }),
    chooseCategories(context, [], named, known),
  ]);
  const unknown = ruleIds.find((_, index) => rules[index] === undefined);
  if (unknown !== undefined) throw notFound(ruleType, unknown);
  return chosen;
}

function buildTier(
  body: NewTierBody,
  tier: { id: string; campaignId: string; hierarchy: number; category_id: string | undefined },
  now: Date,
  newRules: readonly string[] = [],
) {
  const { category, validation_rules, validation_rule_assignments, ...rest } = body;
  const { id } = tier;
  const named = readRuleId(body);
  const ruleIds = [...(named === undefined ? [] : [named]), ...newRules];
  const sent = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined));
  return parseStored(promotionTierItem, {
    ...sent,
    id,
    campaign_id: tier.campaignId,
    category_id: tier.category_id,
    hierarchy: tier.hierarchy,
    created_at: now.toISOString(),
    validation_rules_assignments: ruleIds.map((ruleId) => newAssignment(ruleId, { type: 'promotion_tier', id }, now)),
  });
}

function insertTier(projectId: string, tier: PromotionTierItem): Effect[] {
  const key = promotionTiers(projectId, tier.id);
  return [
    insert(key, { ...tier, ...placeTier(projectId, tier) }),
    ...renewNoted(key, 'promotion_tier', tier.id),
    ...insertRuleAssignments(projectId, tier.validation_rules_assignments),
  ];
}

/**
 * Returns the effects that create a tier, and the tier as a reply shows it. The same transaction must create the rules with the ids
 * `newRules`, which apply to the tier.
 */
export async function newTier(
  context: Reading,
  campaign: OfCampaign,
  body: NewTierBody,
  { id, hierarchy, newRules = [] }: { id: string; hierarchy: number; newRules?: readonly string[] },
): Promise<{ effects: Effect[]; shown: PromotionTier }> {
  const { project, now } = context;
  checkBySchema(project.schemas('promotion_tier'), body.metadata ?? {}, { place: 'metadata' });
  const { categories, created } = await readReferences(context, [body]);
  const category_id = chooseCategory(categories, body)?.id;
  const tier = buildTier(body, { id, campaignId: campaign.id, hierarchy, category_id }, now, newRules);
  const surroundings = { campaigns: new Map([[campaign.id, campaign]]), categories };
  return { effects: [...created, ...insertTier(project.id, tier)], shown: presentPromotionTier(tier, surroundings) };
}

/** Returns the effects that create the tiers of a new promotion, ranked in the order sent, and the tiers as its reply shows them. */
export async function newTiers(
  context: Reading,
  campaign: OfCampaign,
  bodies: readonly NewTierBody[],
  known: Categories,
): Promise<{ effects: Effect[]; shown: TierList }> {
  const { project, now } = context;
  for (const [index, { metadata }] of bodies.entries())
    checkBySchema(project.schemas('promotion_tier'), metadata ?? {}, { place: `promotion.tiers[${index}].metadata` });
  const { categories, created } = await readReferences(context, bodies, known);
  const tiers = bodies.map((body, index) => {
    const category_id = chooseCategory(categories, body)?.id;
    const id = drawIdInPart('promotion_tier', { what: 'campaign', id: campaign.id }, () => newId('promotion_tier'));
    return buildTier(body, { id, campaignId: campaign.id, hierarchy: index + 1, category_id }, staggerTime(now, index));
  });
  const surroundings = { campaigns: new Map([[campaign.id, campaign]]), categories };
  const last = tiers.at(-1);
  return {
    effects: [
      ...created,
      ...tiers.flatMap((tier) => insertTier(project.id, tier)),
      ...(last ? [keepFirstRank(project.id, campaign.id, last)] : []),
    ],
    shown: {
      object: 'list',
      data_ref: 'tiers',
      tiers: tiers.map((tier) => presentPromotionTier(tier, surroundings)),
      total: tiers.length,
      has_more: false,
    },
  };
}
