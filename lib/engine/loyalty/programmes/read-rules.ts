import * as v from 'valibot';
import type { LoyaltyTierItem } from '#engine/campaigns/programme.ts';
import { readRelated } from '#engine/vouchers/assignments/related-object.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, type Page, pageQuery } from '#kernel/http/page.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { type EarningRule, earningRules, multiplyRoundedDown } from '../earning/earning-rule.ts';
import { presentEarningRule, type ShownEarningRule } from '../earning/public-rule.ts';
import { findLoyaltyTier, findProgrammeId, sortByTime, timeOrder } from './read-tiers.ts';

export const rulesQuery = v.object({
  ...pageQuery,
  order: described(v.optional(timeOrder, 'created_at'), 'The time to sort by. A leading dash means descending.'),
});

export const rulesOfTierQuery = v.object(pageQuery);

/** Returns the rules with their assignments. */
async function showEarningRules(context: Reading, items: readonly EarningRule[]): Promise<ShownEarningRule[]> {
  const related = await readRelated(
    context,
    items.map(({ id }) => ({ type: 'earning_rule', id })),
  );
  return items.map((item, index) => presentEarningRule(item, related[index]?.assignments[0]?.rule_id));
}

interface Sorted extends Page {
  order: v.InferOutput<typeof timeOrder>;
}

async function pageOfRules(context: Reading, campaignId: string, { order, ...page }: Sorted) {
  const { table, project } = context;
  const all = await readChildren(table, earningRules, project.id, campaignId);
  const offset = computeOffset(page);
  const items = sortByTime(all, order).slice(offset, offset + page.limit);
  return { items, total: all.length };
}

/** Lists the rules, the oldest first unless `order` says otherwise. */
export async function listEarningRules(context: Reading, idOrName: string, query: v.InferOutput<typeof rulesQuery>) {
  const { items, total } = await pageOfRules(context, await findProgrammeId(context, idOrName), query);
  return wrapList(await showEarningRules(context, items), total);
}

/** Shows a rule for members of the tier. Multipliers are applied, and the tier's own points are not. */
function inTier(rule: EarningRule, { earning_rules }: LoyaltyTierItem): EarningRule {
  const { loyalty } = rule;
  const change = Object.hasOwn(earning_rules, rule.id) ? earning_rules[rule.id] : undefined;
  if (change?.type !== 'MULTIPLY') return rule;
  const times = (points: number) => multiplyRoundedDown(points, change.multiplier);
  if (loyalty.type === 'FIXED' || 'metadata_key' in loyalty) {
    return { ...rule, loyalty: { ...loyalty, points: times(loyalty.points) } };
  }
  return { ...rule, loyalty: multiplied(loyalty, times) };
}

type Measured = Exclude<EarningRule['loyalty'], { type: 'FIXED' } | { metadata_key: string }>;

function multiplied(loyalty: Measured, times: (points: number) => number): Measured {
  const by = <M extends { points: number }>(measure: M): M => ({ ...measure, points: times(measure.points) });
  switch (loyalty.calculation_type) {
    case 'ORDER_AMOUNT':
      return { ...loyalty, order: { amount: by(loyalty.order.amount) } };
    case 'ORDER_TOTAL_AMOUNT':
      return { ...loyalty, order: { total_amount: by(loyalty.order.total_amount) } };
    case 'ORDER_METADATA':
      return { ...loyalty, order: { metadata: by(loyalty.order.metadata) } };
    case 'ORDER_ITEMS_QUANTITY':
      return { ...loyalty, order_items: { quantity: by(loyalty.order_items.quantity) } };
    case 'ORDER_ITEMS_AMOUNT':
      return { ...loyalty, order_items: { amount: by(loyalty.order_items.amount) } };
    case 'ORDER_ITEMS_SUBTOTAL_AMOUNT':
      return { ...loyalty, order_items: { subtotal_amount: by(loyalty.order_items.subtotal_amount) } };
    case 'CUSTOMER_METADATA':
      return { ...loyalty, customer: { metadata: by(loyalty.customer.metadata) } };
  }
}

/** Lists the programme's rules for members of the tier. */
export async function listEarningRulesOfTier(context: Reading, idOrName: string, tierId: string, page: Page) {
  const tier = await findLoyaltyTier(context, idOrName, tierId);
  const { items, total } = await pageOfRules(context, tier.campaign_id, { ...page, order: 'created_at' });
  return wrapList(
    await showEarningRules(
      context,
      items.map((item) => inTier(item, tier)),
    ),
    total,
  );
}

/** Returns a rule. 404 if the programme has no such rule. */
export async function findEarningRule(context: Reading, campaignId: string, ruleId: string): Promise<EarningRule> {
  const { rule } = await read(context.table, { rule: earningRules(context.project.id, campaignId, ruleId) });
  if (!rule) throw notFound('earning_rule', ruleId);
  return rule;
}

export async function getEarningRule(context: Reading, idOrName: string, ruleId: string): Promise<ShownEarningRule> {
  const rule = await findEarningRule(context, await findProgrammeId(context, idOrName), ruleId);
  const [shown] = await showEarningRules(context, [rule]);
  return shown ?? presentEarningRule(rule, undefined);
}
