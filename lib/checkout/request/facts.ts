import { type FoundCustomer, readCustomers } from '../../customers/find-customer.ts';
import { type Facts, readFacts } from '../../customers/read-facts.ts';
import { subjectOf } from '../../customers/segments/membership.ts';
import type { Reading } from '../../http/context.ts';
import type { Counted, CountedCampaigns } from '../../rules/counter.ts';
import { type Needs, needsOfAll } from '../../rules/needs.ts';
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
  /** The campaigns of what is counted, which are read at the same time. */
  readonly campaigns?: Promise<CountedCampaigns> | undefined;
}

export function needsOfRules(rules: Iterable<TargetRule>): Needs {
  return needsOfAll([...rules].map(({ compiled }) => compiled.needs));
}

/** With limits that are counted though none of these rules names them. */
export function withCounters(needs: Needs, names: readonly string[]): Needs {
  return names.length === 0 ? needs : { ...needs, counters: new Set([...needs.counters, ...names]) };
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
  { customerId, counted, session, campaigns }: About,
): Promise<RequestFacts> {
  const looksAtCustomer = customerId !== undefined && (needs.segments.size > 0 || needs.loyaltyTiers);
  const finding = looksAtCustomer ? { id: customerId, customer: readCustomer(context, customerId) } : undefined;
  return readFactsAbout(context, needs, { counted, session, finding, campaigns });
}

/** A customer who is being read. */
export interface Finding {
  readonly id: string;
  readonly customer: Promise<FoundCustomer | undefined>;
}

/** Somebody with their cards. */
export async function readCustomer(context: Reading, id: string): Promise<FoundCustomer | undefined> {
  return (await readCustomers(context, [id]))[0];
}

/** By a customer who is being read already, where a rule asks for what they are. */
export async function readFactsAbout(
  context: Reading,
  needs: Needs,
  about: Omit<About, 'customerId'> & { finding: Finding | undefined },
): Promise<RequestFacts> {
  const [facts, customer] = await Promise.all([readFacts(context, needs, about), about.finding?.customer]);
  return { ...facts, loyaltyTiers: needs.loyaltyTiers ? tiersOf(customer, context.now) : [] };
}
