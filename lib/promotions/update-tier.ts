import { dateFaults, dateNames } from '../campaigns/campaign-body.ts';
import { categoriesItem } from '../campaigns/category.ts';
import { changeMetadata } from '../campaigns/change-metadata.ts';
import { type Context, type FoundCampaign, setCategory } from '../campaigns/find-campaign.ts';
import { onceWritten, untilAnswered } from '../conflicts.ts';
import { type Attributes, parseStored } from '../dynamodb.ts';
import { detailsOf, notFound, ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { itemSizeTold } from '../item-size.ts';
import { movesBetween, transactWithMoves } from '../lists/counted-list.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { getTier } from './get-tier.ts';
import {
  type PromotionTier,
  type PromotionTierItem,
  promotionTierItem,
  promotionTierListing,
} from './promotion-tier.ts';
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

function ruleIdsOf({ validation_rule_assignments: sent }: UpdateTierBody): string[] {
  return [...new Set(sent?.data.map(({ rule_id }) => rule_id))];
}

/** The tier as stored, and what the body names; 404 for what is not there. */
async function read({ table, project }: Context, tierId: string, body: UpdateTierBody) {
  const ruleIds = ruleIdsOf(body);
  const [stored, categories, ...rules] = await table.getMany([
    keys.promotionTier(project.id, tierId),
    keys.categories(project.id),
    ...ruleIds.map((id) => keys.validationRule(project.id, id)),
  ]);
  if (!stored) throw notFound('promotion_tier', tierId);
  const unknownRule = ruleIds.find((_, index) => rules[index] === undefined);
  if (unknownRule !== undefined) throw notFound('validation_rule', unknownRule);
  return { stored, categories: categories ? parseStored(categoriesItem, categories).items : {} };
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

function updateOf(tier: PromotionTierItem, body: UpdateTierBody, categories: FoundCampaign['categories'], now: string) {
  const update = new UpdateExpression().whenThere().take(body, [...clearable, 'name', 'hierarchy']);
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
  { table, project }: Context,
  stored: Attributes,
  update: UpdateExpression,
  moved: Attributes,
): Promise<boolean> {
  const { by, placesOf } = promotionTierListing(project.id);
  const id = String(stored.id);
  for (const name of by) update.whenStill(name, stored[name]);
  const change = { key: keys.promotionTier(project.id, id), change: update.build() };
  const moves = movesBetween(id, placesOf(stored), placesOf({ ...stored, ...moved }));
  try {
    return (await transactWithMoves(table, [change], moves)).done;
  } catch (error) {
    throw itemSizeTold(error, 'the body would make the promotion tier');
  }
}

/**
 * Contract, endpoint 11. Fields that are not sent are not touched, so that concurrent updates of different fields both
 * survive; the tier and its places in the lists change in one transaction.
 */
export async function updateTier(context: Context, tierId: string, body: UpdateTierBody): Promise<PromotionTier> {
  const now = context.now.toISOString();
  await untilAnswered(context.table, async () => {
    const { stored, categories } = await read(context, tierId, body);
    const tier = parseStored(promotionTierItem, stored);
    const faults = dateFaults('tier', tier, body);
    if (faults.length > 0) throw new ServiceError('invalid_payload', { details: detailsOf(faults) });
    const update = updateOf(tier, body, categories, now);
    const moved = { updated_at: now, hierarchy: body.hierarchy ?? tier.hierarchy };
    return (await write(context, stored, update, moved)) || undefined;
  });
  return onceWritten(() => getTier(context, tierId));
}
