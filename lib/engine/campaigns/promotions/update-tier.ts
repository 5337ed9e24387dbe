import {
  type ValidationRulesAssignment as Assignment,
  insertRuleAssignments,
  newAssignment,
  removeRuleAssignments,
  ruleType,
  storedRules,
} from '#engine/rules/assignment.ts';
import { type Categories, chooseCategories } from '#engine/rules/categories/resource.ts';
import { dateNames, findUpdateDateFaults, hourNames } from '#engine/rules/validity/dates.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { type Effect, mergeEffects } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { Update } from '#kernel/table/update.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { readTerms } from '../campaign-terms.ts';
import { mergeFields } from '../change-metadata.ts';
import { setCategory } from '../find-campaign.ts';
import { getPromotionTier } from './get-tier.ts';
import type { UpdateTierBody } from './new-tiers.ts';
import {
  type PromotionTier,
  type PromotionTierItem,
  placeTier,
  promotionTierItem,
  promotionTiers,
} from './promotion-tier.ts';
import { chooseRank } from './ranks.ts';

/** `null` clears these fields. */
const clearable = ['banner', 'action', ...dateNames, ...hourNames] as const;

/** The tier's places in the lists follow from these fields. */
const placedBy = ['campaign_id', 'hierarchy', 'created_at', 'updated_at'] as const;

/**
 * An update removes at most this many assignments. Further assignments, from a project file, are deleted with their
 * rule.
 */
const maxRemoved = 50;

function readRuleIds({ validation_rule_assignments: sent }: UpdateTierBody): string[] {
  return [...new Set(sent?.data.map(({ rule_id }) => rule_id))];
}

/** Reads the tier and everything that the body names. Answers 404 for anything missing. */
async function read(context: Reading, tierId: string, body: UpdateTierBody) {
  const { table, project } = context;
  const ruleIds = readRuleIds(body);
  const [[stored, ...rules], chosen] = await Promise.all([
    table.getMany([promotionTiers(project.id, tierId), ...ruleIds.map((id) => storedRules(project.id, id))]),
    chooseCategories(context, [], [body]),
  ]);
  if (!stored) throw notFound('promotion_tier', tierId);
  const { campaign_id } = parseStored(promotionTierItem, stored);
  if (!(await readTerms(context, [campaign_id])).has(campaign_id)) throw notFound('promotion_tier', tierId);
  const unknownRule = ruleIds.find((_, index) => rules[index] === undefined);
  if (unknownRule !== undefined) throw notFound(ruleType, unknownRule);
  return { stored, ...chosen };
}

/** Returns one assignment for each rule. A rule that the tier already has keeps its assignment. */
function buildAssignments(
  { id, validation_rules_assignments: known }: PromotionTierItem,
  body: UpdateTierBody,
  now: Date,
) {
  return readRuleIds(body).map(
    (rule_id) =>
      known.find((own) => own.rule_id === rule_id) ?? newAssignment(rule_id, { type: 'promotion_tier', id }, now),
  );
}

type TierUpdate = Update<typeof promotionTierItem>;

/** Replaces the assignments, and returns the effects that belong to the same transaction. */
function reassign(
  update: TierUpdate,
  project: Reading['project'],
  tier: PromotionTierItem,
  next: readonly Assignment[],
) {
  const before = tier.validation_rules_assignments;
  update.set(['validation_rules_assignments'], next);
  if (before.length > 0) update.whenStill('validation_rules_assignments', before);
  else update.whenUnsetOr('validation_rules_assignments', before);
  const added = next.filter((one) => !before.includes(one));
  const removed = before.filter((one) => !next.includes(one)).slice(0, maxRemoved);
  return [...insertRuleAssignments(project.id, added), ...removeRuleAssignments(project.id, removed)];
}

function buildUpdate(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  tier: PromotionTierItem,
  body: UpdateTierBody,
  categories: Categories,
) {
  const update: TierUpdate = new Update().whenThere().take(body, [...clearable, 'name', 'hierarchy']);
  setCategory(update, body, categories);
  mergeFields(update, tier.metadata, { sent: body.metadata, schema: project.schemas('promotion_tier') });
  if (dateNames.some((name) => body[name] !== undefined)) {
    for (const name of dateNames) update.whenStill(name, tier[name]);
  }
  return update.set(['updated_at'], now.toISOString());
}

/** Writes the update. Returns `false` if the tier has changed since it was read. */
async function write(
  { table, project }: Reading,
  tier: PromotionTierItem,
  update: TierUpdate,
  { moved, besides }: { moved: Pick<PromotionTierItem, 'hierarchy' | 'updated_at'>; besides: Effect[] },
): Promise<boolean> {
  for (const name of placedBy) update.whenStill(name, tier[name]);
  const version = newVersion();
  const noted = noteResource(project.id, 'promotion_tier', { id: tier.id, version });
  const places = { ...placeTier(project.id, { ...tier, ...moved }), version };
  update.setAll(places);
  try {
    const change = { key: promotionTiers(project.id, tier.id), change: update.build() };
    return (await table.commit([change, ...mergeEffects([...besides, ...noted]).map((one) => one.write)])).done;
  } catch (error) {
    throw explainItemSize(error, 'the body would make the promotion tier');
  }
}

/** Changes only the sent fields, so that concurrent updates of other fields survive. Moves the tier in its lists. */
export async function updateTier(context: Reading, tierId: string, body: UpdateTierBody): Promise<PromotionTier> {
  const { now, project } = context;
  await retryOptimistically(context.table, async () => {
    const { stored, categories, created } = await read(context, tierId, body);
    const tier = parseStored(promotionTierItem, stored);
    const faults = findUpdateDateFaults('tier', tier, body);
    if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
    const update = buildUpdate(context, tier, body, categories);
    const moved = { updated_at: now.toISOString(), hierarchy: body.hierarchy ?? tier.hierarchy };
    const isSent = body.validation_rule_assignments !== undefined;
    const assignments = isSent ? reassign(update, project, tier, buildAssignments(tier, body, now)) : [];
    const ranked = body.hierarchy === undefined ? [] : [(await chooseRank(context, tier, moved.hierarchy)).given];
    return (await write(context, tier, update, { moved, besides: [...assignments, ...ranked, ...created] })) || again;
  });
  return readAfterWrite(() => getPromotionTier(context, tierId));
}
