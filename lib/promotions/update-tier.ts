import { changeMetadata } from '../campaigns/change-metadata.ts';
import { setCategory } from '../campaigns/find-campaign.ts';
import { type Categories, readCategories } from '../categories/category.ts';
import type { Reading } from '../context.ts';
import { detailsOf, notFound, ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { validationRule } from '../rules/resource.ts';
import { onceWritten, retryOptimistically } from '../table/conflicts.ts';
import { parseStored } from '../table/item.ts';
import { itemSizeTold } from '../table/item-size.ts';
import { Update } from '../table/update.ts';
import {
  type PromotionTier,
  type PromotionTierItem,
  promotionTierItem,
  promotionTiers,
  tierPlaces,
} from '../tiers/promotion-tier.ts';
import { dateFaults, dateNames } from '../validity/dates.ts';
import { getTier } from './get-tier.ts';
import type { UpdateTierBody } from './tier-body.ts';

/** What `null` clears. */
const clearable = [
  'banner',
  'action',
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
] as const;

/** What its places in the lists follow from. */
const placedBy = ['campaign_id', 'hierarchy', 'created_at', 'updated_at'] as const;

function ruleIdsOf({ validation_rule_assignments: sent }: UpdateTierBody): string[] {
  return [...new Set(sent?.data.map(({ rule_id }) => rule_id))];
}

/** The tier as stored, and what the body names; 404 for what is not there. */
async function read(context: Reading, tierId: string, body: UpdateTierBody) {
  const { table, project } = context;
  const ruleIds = ruleIdsOf(body);
  const [[stored, ...rules], categories] = await Promise.all([
    table.getMany([promotionTiers(project.id, tierId), ...ruleIds.map((id) => validationRule.few(project.id, id))]),
    readCategories(context, [], body),
  ]);
  if (!stored) throw notFound('promotion_tier', tierId);
  const unknownRule = ruleIds.find((_, index) => rules[index] === undefined);
  if (unknownRule !== undefined) throw notFound('validation_rule', unknownRule);
  return { stored, categories };
}

/** One assignment for each rule: a rule that the tier has already keeps its own. */
function assignmentsOf(tier: PromotionTierItem, body: UpdateTierBody, now: string) {
  return ruleIdsOf(body).map(
    (rule_id) =>
      tier.validation_rules_assignments.find((own) => own.rule_id === rule_id) ?? {
        id: newId('validation_rules_assignment'),
        rule_id,
        related_object_id: tier.id,
        related_object_type: 'promotion_tier' as const,
        created_at: now,
        object: 'validation_rules_assignment' as const,
      },
  );
}

function updateOf(tier: PromotionTierItem, body: UpdateTierBody, categories: Categories, now: string) {
  const update = new Update().whenThere().take(body, [...clearable, 'name', 'hierarchy']);
  setCategory(update, body, categories);
  if (body.validation_rule_assignments !== undefined) {
    update.set(['validation_rules_assignments'], assignmentsOf(tier, body, now));
  }
  changeMetadata(update, tier.metadata, { sent: body.metadata });
  if (dateNames.some((name) => body[name] !== undefined)) {
    for (const name of dateNames) update.whenStill(name, tier[name]);
  }
  return update.set(['updated_at'], now);
}

/** `false` when the tier is no longer as it was read. */
async function write(
  { table, project }: Reading,
  tier: PromotionTierItem,
  update: Update,
  moved: Pick<PromotionTierItem, 'hierarchy' | 'updated_at'>,
): Promise<boolean> {
  for (const name of placedBy) update.whenStill(name, tier[name]);
  const places = tierPlaces(project.id, { ...tier, ...moved });
  for (const [name, value] of Object.entries(places)) update.set([name], value);
  try {
    return (await table.change(promotionTiers(project.id, tier.id), update.build())).done;
  } catch (error) {
    throw itemSizeTold(error, 'the body would make the promotion tier');
  }
}

/**
 * Fields that are not sent are not touched, so that concurrent updates of different fields both
 * survive; its places in the lists change with it.
 */
export async function updateTier(context: Reading, tierId: string, body: UpdateTierBody): Promise<PromotionTier> {
  const now = context.now.toISOString();
  await retryOptimistically(context.table, async () => {
    const { stored, categories } = await read(context, tierId, body);
    const tier = parseStored(promotionTierItem, stored);
    const faults = dateFaults('tier', tier, body);
    if (faults.length > 0) throw new ServiceError('invalid_payload', { details: detailsOf(faults) });
    const update = updateOf(tier, body, categories, now);
    const moved = { updated_at: now, hierarchy: body.hierarchy ?? tier.hierarchy };
    return (await write(context, tier, update, moved)) || undefined;
  });
  return onceWritten(() => getTier(context, tierId));
}
