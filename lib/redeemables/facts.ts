import type { Reading } from '../context.ts';
import { type FoundCustomer, readCustomers } from '../customers/find-customer.ts';
import type { Counted } from '../rule-facts/counter.ts';
import { type Facts, readFacts } from '../rule-facts/read-facts.ts';
import { type Needs, needsOfAll } from '../rules/needs.ts';
import { subjectOf } from '../segments/membership.ts';
import type { TargetRule } from './target-rules.ts';

/** What the rules of a request are judged by, read with as much as can be guessed of what they need. */

export interface RequestFacts extends Facts {
  /** The tiers of loyalty programmes that the customer is in, where a rule asks. */
  readonly loyaltyTiers: readonly string[];
}

interface About {
  /** Of a customer who is there. */
  readonly customerId: string | undefined;
  readonly counted: readonly Counted[];
  /** The key of the session that asks. */
  readonly session: string | undefined;
}

export function needsOfRules(rules: Iterable<TargetRule>): Needs {
  return needsOfAll([...rules].map(({ compiled }) => compiled.needs));
}

/** Whether facts that were read for some needs serve others too. */
export function covers(had: Needs, wanted: Needs): boolean {
  const hasAll = (name: 'segments' | 'collections' | 'counters') =>
    [...wanted[name]].every((one) => had[name].has(one));
  return (
    hasAll('segments') && hasAll('collections') && hasAll('counters') && (had.loyaltyTiers || !wanted.loyaltyTiers)
  );
}

function tiersOf(customer: FoundCustomer | undefined, now: Date): string[] {
  if (!customer) return [];
  const { campaigns } = subjectOf(customer, now).loyalty;
  return Object.values(campaigns).flatMap(({ loyalty_tier }) => loyalty_tier ?? []);
}

/** The customer's cards are read only where a rule asks for segments or tiers. */
export async function readRequestFacts(
  context: Reading,
  needs: Needs,
  { customerId, counted, session }: About,
): Promise<RequestFacts> {
  const looksAtCustomer = customerId !== undefined && (needs.segments.size > 0 || needs.loyaltyTiers);
  const [customer] = looksAtCustomer ? await readCustomers(context, [customerId]) : [];
  const facts = await readFacts(context, needs, { customer, counted, session });
  return { ...facts, loyaltyTiers: needs.loyaltyTiers ? tiersOf(customer, context.now) : [] };
}
