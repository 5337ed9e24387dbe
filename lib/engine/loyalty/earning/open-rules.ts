import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { copyMetadata, findProducts } from '#engine/catalogue/products/resource.ts';
import { readCustomers } from '#engine/customers/find-customer.ts';
import { readFacts } from '#engine/customers/read-facts.ts';
import { buildSubject } from '#engine/customers/segments/match-segments.ts';
import { classifyEvent } from '#engine/ledger/earning-events.ts';
import { type CompiledRule, CompiledRules } from '#engine/rules/compile.ts';
import type { RuleContext } from '#engine/rules/context.ts';
import { mergeNeeds, type Needs } from '#engine/rules/needs.ts';
import { readDocuments } from '#engine/rules/resource.ts';
import type { RuleDocument } from '#engine/rules/shape.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { asDeclaredBy, findLineSchemas } from '#kernel/core/metadata/declared.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type AssignedRules, readAssigned, rememberWaiting } from './assigned-rules.ts';
import type { Programmes } from './earning-programmes.ts';
import { anyTier, type EarningRule } from './earning-rule.ts';
import type { EarningLine, EarningOccasion } from './measure.ts';

/** Finds the rules that earn: they wait for the event, are active now, and their validation rules are met. */

/** The compiler of the container. */
const compiler = new CompiledRules();

const compiledDocuments = new WeakMap<object, CompiledRule>();

/** Compiles a document, and looks its long text up only once for each object. */
function compiledOf(document: RuleDocument): CompiledRule {
  const compiled = compiledDocuments.get(document) ?? compiler.of(document);
  compiledDocuments.set(document, compiled);
  return compiled;
}

function waitsFor({ event, segment, loyalty_tier, client_events }: EarningRule, earned: EarningOccasion): boolean {
  if (event !== earned.event || (earned.isFromBrowser && !client_events)) return false;
  const kind = classifyEvent(event);
  if (kind === 'segment') return segment !== undefined && segment.id === earned.subjectId;
  return kind !== 'tier' || loyalty_tier?.id === anyTier || (loyalty_tier?.id ?? '') === earned.subjectId;
}

/** Returns whether the rule is active and within its own and its campaign's dates. The dates of the campaign's cards do not count. */
function isOn(rule: EarningRule, campaign: CampaignTerms | undefined, now: Date): boolean {
  return !findVoucherRefusal(rule, campaign && { ...campaign, voucher: undefined }, now);
}

export function findWaitingRules(
  rules: readonly EarningRule[],
  campaign: CampaignTerms | undefined,
  earned: EarningOccasion,
  now: Date,
): EarningRule[] {
  return rules.filter((rule) => waitsFor(rule, earned) && isOn(rule, campaign, now));
}

/** The customer that earns. */
interface Of {
  readonly customerId: string;
}

type CollectionsOf = Awaited<ReturnType<typeof readFacts>>['collectionsOf'];

/**
 * Returns lines with all metadata of their products and SKUs. Sent metadata wins over stored metadata, key by key. Without `collectionsOf`
 * a line keeps its collections.
 */
export async function completeLines<L extends EarningLine>(
  context: Reading,
  items: readonly L[],
  collectionsOf?: CollectionsOf,
) {
  const known = await findProducts(context, {
    products: items.flatMap(({ product_id }) => product_id ?? []),
    skus: items.flatMap(({ sku_id }) => sku_id ?? []),
  });
  return items.map((line) => {
    const bySku = known.skus.get(line.sku_id ?? '');
    const product = bySku?.product ?? known.products.get(line.product_id ?? '');
    return {
      ...line,
      product: { ...line.product, metadata: { ...copyMetadata(product), ...line.product?.metadata } },
      sku: { ...line.sku, metadata: { ...copyMetadata(bySku?.sku), ...line.sku?.metadata } },
      collections: collectionsOf ? collectionsOf(line, { product, sku: bySku?.sku }) : line.collections,
    };
  });
}

async function ruleContext(
  context: Reading,
  needs: Needs,
  { customerId, ...earned }: EarningOccasion & Of,
  programmes: Programmes,
): Promise<RuleContext> {
  const { now } = context;
  const { schemas } = context.project;
  const { order, metadata, customerMetadata } = earned;
  const looksAtCustomer = needs.segments.size > 0 || needs.loyaltyTiers;
  const [found] = looksAtCustomer ? await readCustomers(context, [customerId], (ids) => programmes.get(ids)) : [];
  const customer = found && { ...found, item: { ...found.item, metadata: customerMetadata } };
  const facts = await readFacts(context, needs, { customer, counted: [] });
  const standings = customer ? Object.values(buildSubject(context, customer).loyalty.campaigns) : [];
  return {
    now,
    areas: facts.areas,
    lineSchemas: findLineSchemas(schemas),
    customer: {
      id: customerId,
      metadata: asDeclaredBy(schemas('customer'), customerMetadata),
      segments: facts.segments,
      loyalty_tiers: standings.flatMap(({ loyalty_tier }) => loyalty_tier ?? []),
    },
    order: order && {
      amount: order.amount ?? undefined,
      initial_amount: order.initial_amount ?? order.amount ?? undefined,
      total_amount: order.total_amount ?? undefined,
      items: await completeLines(context, order.items, facts.collectionsOf),
      metadata: asDeclaredBy(schemas('order'), order.metadata),
    },
    event: classifyEvent(earned.event) === 'custom' ? { metadata } : undefined,
  };
}

/**
 * Returns the ids of waiting rules that earn. Reads assignments that are not `known` in one call, and further items only if a rule has any.
 * A deleted validation rule is never met.
 */
export async function openRules(
  context: Reading,
  rules: readonly EarningRule[],
  earned: EarningOccasion & Of,
  { assigned: known, programmes }: { readonly assigned: AssignedRules; readonly programmes: Programmes },
): Promise<ReadonlySet<string>> {
  rememberWaiting(context, rules, earned.event);
  const ofOthers = await readAssigned(
    context,
    rules.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    programmes.kept,
  );
  const assigned = rules.map(({ id }) => known.get(id) ?? ofOthers.get(id) ?? []);
  const ids = [...new Set(assigned.flat())];
  if (ids.length === 0) return new Set(rules.map(({ id }) => id));
  const documents = await readDocuments(context, ids);
  const compiled = documents.map((one) => ({ id: one.id, rule: compiledOf(one) }));
  const judged = await ruleContext(context, mergeNeeds(compiled.map(({ rule }) => rule.needs)), earned, programmes);
  const met = new Set(compiled.filter(({ rule }) => rule.judge(judged).met).map(({ id }) => id));
  return new Set(rules.filter((_, index) => assigned[index]?.every((id) => met.has(id))).map(({ id }) => id));
}
