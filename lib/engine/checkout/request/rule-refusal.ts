import type { Refusal } from '#engine/rules/benefit.ts';
import type { Counts, RuleContext } from '#engine/rules/context.ts';
import { type CountedSubject, counterKey, counters } from '#engine/rules/counter.ts';
import { type FindSchema, noSchemas } from '#kernel/core/metadata/check.ts';
import { asDeclaredBy, findLineSchemas } from '#kernel/core/metadata/declared.ts';
import { addUp } from '#kernel/core/sum.ts';
import { keyText } from '#kernel/table/keys.ts';
import { computeRest } from '../engine/cart.ts';
import type { EarlierRedeemable, Effects } from '../engine/redeemable.ts';
import type { TargetRule } from './target-rules.ts';

/** Decides whether the validation rules of a redeemable allow its use. */

/** The facts for all rules of a request. */
export interface RuleFacts extends Pick<RuleContext, 'customer' | 'areas'> {
  readonly projectId: string;
  readonly now: Date;
  readonly orderMetadata: Readonly<Record<string, unknown>> | undefined;
  readonly redemptionMetadata: Readonly<Record<string, unknown>> | undefined;
  readonly apiKey: string | undefined;
  /** The decimals of the project's currency. */
  readonly decimals?: number;
  /** The schemas that declare how metadata compares. */
  readonly schemas?: FindSchema;
}

/** A redeemable to judge. */
export interface Judged {
  /** The name of its type in errors. */
  readonly called: string;
  readonly rules: readonly TargetRule[];
  readonly counted: CountedSubject;
  /** Limits that its redemption moves, including those that only other rules name. */
  readonly names: ReadonlySet<string>;
  readonly counts: Counts;
  readonly holderId: string | undefined;
}

/** Returns the total discount of an application. */
export function sumDiscount({ applied }: Pick<Effects, 'applied'>): number {
  const lines = addUp([...applied.lines.values()], ({ applied_discount_amount = 0 }) => applied_discount_amount);
  return (applied.order ?? 0) + lines;
}

/** Returns the context for rules. `counts` are the counts before this redemption. */
export function buildRuleContext(
  { now, areas, customer, orderMetadata, redemptionMetadata, apiKey, schemas = noSchemas }: RuleFacts,
  { holderId }: Pick<Judged, 'holderId'>,
  effects: Effects,
  counts: Counts,
): RuleContext {
  const { before, after, credits, points } = effects;
  const hasMoney = before.amount !== undefined;
  return {
    now,
    areas,
    lineSchemas: findLineSchemas(schemas),
    customer: customer && { ...customer, metadata: asDeclaredBy(schemas('customer'), customer.metadata) },
    order: before.isOrdered
      ? {
          ...(hasMoney ? { amount: computeRest(before), total_amount: computeRest(after) } : {}),
          initial_amount: before.initial_amount,
          items: before.lines,
          metadata: asDeclaredBy(schemas('order'), orderMetadata),
        }
      : undefined,
    redeemable: { holder_id: holderId },
    redemption: {
      metadata: asDeclaredBy(schemas('redemption'), redemptionMetadata),
      api_key: apiKey,
      discount_amount: sumDiscount(effects),
      gift_credits: credits,
      points,
    },
    counts,
  };
}

/** Returns the counts, including redeemables that the same request uses before. */
function countsAfter(
  facts: RuleFacts,
  judged: Judged,
  earlier: readonly (EarlierRedeemable<unknown> & { judged: Judged })[],
) {
  const { projectId, now } = facts;
  const keyOf = (name: string, counted: CountedSubject) => {
    const key = counterKey(projectId, name, counted, now);
    return key && keyText(key);
  };
  const names = new Set(judged.rules.flatMap(({ compiled }) => [...compiled.needs.counters]));
  const counts: Record<string, number | undefined> = { ...judged.counts };
  for (const name of earlier.length === 0 ? [] : names) {
    const own = keyOf(name, judged.counted);
    for (const one of earlier) {
      if (own === undefined || !one.judged.names.has(name) || keyOf(name, one.judged.counted) !== own) continue;
      const grown = counters.get(name)?.grows(buildRuleContext(facts, one.judged, one, {})) ?? 0;
      counts[name] = (counts[name] ?? 0) + grown;
    }
  }
  return counts;
}

function missingCustomer({ customer }: RuleFacts): string {
  return customer?.is_nobody
    ? 'customer must have an e-mail address, a phone number or a source_id, because a rule limits uses by person'
    : 'Customer is required to validate rules';
}

/** Returns the first rule that is not met, with the others of its kind. */
export function findRuleRefusal(
  facts: RuleFacts,
  judged: Judged,
  effects: Effects,
  earlier: readonly (EarlierRedeemable<unknown> & { judged: Judged })[],
): Refusal | undefined {
  if (judged.rules.length === 0) return undefined;
  const context = buildRuleContext(facts, judged, effects, countsAfter(facts, judged, earlier));
  const failed = judged.rules.flatMap(({ id, compiled, isDeleted }) => {
    const verdict = compiled.judge(context);
    return verdict.met ? [] : [{ id: isDeleted ? `${id} (deleted: remove it)` : id, verdict }];
  });
  const [first] = failed;
  if (!first) return undefined;
  const { key, message } = first.verdict;
  const ids = failed.filter(({ verdict }) => verdict.key === key).map(({ id }) => id);
  const details =
    key === 'missing_customer'
      ? missingCustomer(facts)
      : `${judged.called} cannot be redeemed because of violated validation rules: ${ids.join(', ')}`;
  const traces = () => judged.rules.map(({ id, compiled }) => ({ id, steps: compiled.trace(context) }));
  return { key, details, traces, ...(message === undefined ? {} : { message }) };
}
