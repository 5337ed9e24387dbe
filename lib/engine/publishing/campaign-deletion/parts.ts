import { listCounters } from '#engine/campaigns/counters.ts';
import { loyaltyTiers, tierOwners } from '#engine/campaigns/programme.ts';
import {
  promotionStack,
  promotionTierItem,
  promotionTiers,
  tierLists,
} from '#engine/campaigns/promotions/promotion-tier.ts';
import { promotionRanks } from '#engine/campaigns/promotions/ranks.ts';
import { removeAssignmentWithRules } from '#engine/loyalty/assign-reward.ts';
import { earningProgrammes, earningRules } from '#engine/loyalty/earning/earning-rule.ts';
import { guardKey } from '#engine/loyalty/programme-guard.ts';
import { rewardAssignmentListing, rewardAssignments } from '#engine/loyalty/reward.ts';
import { removeRuleAssignments, rulesOfObject } from '#engine/rules/assignment.ts';
import {
  campaignJoins,
  listedPublication,
  publicationLists,
  publicationSources,
  publications,
} from '#engine/vouchers/publication.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { type Effect, remove } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { type Entry, type Listing, readAll, walkList } from '#kernel/table/listing.ts';
import { read, readChildren, readItemsOf } from '#kernel/table/read.ts';

const gone = (key: ItemKey) => remove(key, (update) => update);

/** Finds the elements of a campaign's list, with the items that are removed together. */
async function* listed(
  { table, project }: Reading,
  { list, campaignId, some }: { list: Listing; campaignId: string; some: (entry: Entry) => Effect[] },
): AsyncGenerator<Effect> {
  for await (const entry of walkList(table, list, [project.id, campaignId])) yield* some(entry);
}

async function* rulesOf({ table, project }: Reading, id: string): AsyncGenerator<Effect> {
  const rules = await readChildren(table, earningRules, project.id, id);
  const { assigned } = await read(table, {
    assigned: rules.map((rule) => rulesOfObject(project.id, 'earning_rule', rule.id)),
  });
  for (const event of new Set(rules.map((rule) => rule.event))) yield gone(earningProgrammes(project.id, event, id));
  for (const [index, rule] of rules.entries()) {
    const own = assigned[index];
    if (own) yield gone(rulesOfObject(project.id, 'earning_rule', rule.id));
    yield* removeRuleAssignments(project.id, own?.validation_rules_assignments ?? []);
    yield gone(earningRules(project.id, id, rule.id));
  }
}

/** Limits the elements that are read together. */
const maxAssignmentsAtOnce = 50;

async function* all(context: Reading, id: string): AsyncGenerator<Effect> {
  const { table, project } = context;
  for (const { key } of await readAll(table, tierLists.ofCampaign, [project.id, id])) {
    const tier = await table.get(key, promotionTierItem);
    yield* removeRuleAssignments(project.id, tier?.validation_rules_assignments ?? []);
    // These are removed before the tier, which leads to them.
    if (tier) yield* noteResource(project.id, 'promotion_tier', { id: tier.id, version: undefined });
    yield gone({ ...promotionTiers(project.id, ''), ...key });
  }
  yield gone(promotionRanks(project.id, id));
  for (const stack of await readChildren(table, promotionStack.few, project.id))
    if (stack.campaign_id === id) yield gone(promotionStack.few(project.id, stack.id));
  for await (const some of splitIntoBatches(
    walkList(table, rewardAssignmentListing, [project.id, id]),
    maxAssignmentsAtOnce,
  )) {
    const items = await readItemsOf(table, rewardAssignments, some);
    for (const item of items) if (item) yield* await removeAssignmentWithRules(context, item);
  }
  for (const tier of await readChildren(table, loyaltyTiers, project.id, id)) {
    yield gone(tierOwners(project.id, tier.id));
    yield gone(loyaltyTiers(project.id, id, tier.id));
  }
  yield gone(guardKey(project.id, id));
  yield* rulesOf(context, id);
  for await (const key of listCounters(context, id)) yield gone(key);
  yield* listed(context, {
    list: publicationLists.ofCampaign,
    campaignId: id,
    some: ({ key, listed }) => {
      const { source_id, customer_id } = parseStored(listedPublication, listed);
      return [
        gone({ ...publications(project.id, ''), ...key }),
        ...(source_id ? [gone(publicationSources(project.id, source_id))] : []),
        ...(customer_id ? [gone(campaignJoins(project.id, id, customer_id))] : []),
      ];
    },
  });
}

/**
 * Yields the parts of a campaign besides vouchers: tiers, reward assignments, earning rules, publications. Each batch
 * fits into a single transaction.
 */
export function walkPartBatches(context: Reading, campaignId: string, atOnce: number): AsyncGenerator<Effect[]> {
  return splitIntoBatches(all(context, campaignId), atOnce);
}
