import type { InheritedTerms } from '../../campaigns/campaign-terms.ts';
import { findProducts } from '../../catalogue/products/resource.ts';
import { type FoundCustomer, readCustomers } from '../../customers/find-customer.ts';
import { type CustomerFacts, readFacts } from '../../customers/read-facts.ts';
import { buildSubject } from '../../customers/segments/match-segments.ts';
import type { Reading } from '../../http/context.ts';
import type { CountedCampaigns, CountedSubject } from '../../rules/counter.ts';
import type { Discount } from '../../rules/discounts/discount.ts';
import { mergeNeeds, type Needs } from '../../rules/needs.ts';
import type { Catalogue, KnownProduct } from '../orders/line.ts';
import type { TargetRule } from './target-rules.ts';
import { readCampaignId, type Target } from './targets.ts';

/** Reads the facts for a request's rules, together with as many needs as can be guessed. */

export interface RequestFacts extends CustomerFacts {
  /** The customer's loyalty tiers, if a rule needs them. */
  readonly loyaltyTiers: readonly string[];
}

interface About {
  /** The id of an existing customer. */
  readonly customerId: string | undefined;
  readonly counted: readonly CountedSubject[];
  /** The key of the request's session. */
  readonly session: string | undefined;
  /** The campaigns of counters, which are read at the same time. */
  readonly campaigns?: Promise<CountedCampaigns> | undefined;
}

export function mergeRuleNeeds(rules: Iterable<TargetRule>): Needs {
  return mergeNeeds([...rules].map(({ compiled }) => compiled.needs));
}

/** Adds limits that are counted although none of these rules names them. */
export function addCounters(needs: Needs, names: readonly string[]): Needs {
  return names.length === 0 ? needs : { ...needs, counters: new Set([...needs.counters, ...names]) };
}

/** Returns whether facts for some needs suffice for others. */
export function canServe(had: Needs, wanted: Needs): boolean {
  const names = ['segments', 'collections', 'locations', 'counters'] as const;
  const hasAll = (name: (typeof names)[number]) => [...wanted[name]].every((one) => had[name].has(one));
  return names.every(hasAll) && (had.loyaltyTiers || !wanted.loyaltyTiers);
}

function tiersOf(context: Reading, customer: FoundCustomer | undefined): string[] {
  if (!customer) return [];
  const { campaigns } = buildSubject(context, customer).loyalty;
  return Object.values(campaigns).flatMap(({ loyalty_tier }) => loyalty_tier ?? []);
}

/** Reads the customer's cards only if a rule needs segments or tiers. */
export async function readRequestFacts(
  context: Reading,
  needs: Needs,
  { customerId, counted, session, campaigns }: About,
): Promise<RequestFacts> {
  const looksAtCustomer = customerId !== undefined && (needs.segments.size > 0 || needs.loyaltyTiers);
  const finding = looksAtCustomer ? { id: customerId, customer: readCustomer(context, customerId) } : undefined;
  return readFactsAbout(context, needs, { counted, session, finding, campaigns });
}

/** A customer that is being read. */
export interface Finding {
  readonly id: string;
  readonly customer: Promise<FoundCustomer | undefined>;
}

/** Reads a customer with their cards. */
export async function readCustomer(context: Reading, id: string): Promise<FoundCustomer | undefined> {
  return (await readCustomers(context, [id]))[0];
}

/** Reads facts. `about.finding` is a customer that is being read already, in case a rule needs them. */
export async function readFactsAbout(
  context: Reading,
  needs: Needs,
  about: Omit<About, 'customerId'> & { finding: Finding | undefined },
): Promise<RequestFacts> {
  const [facts, customer] = await Promise.all([readFacts(context, needs, about), about.finding?.customer]);
  return { ...facts, loyaltyTiers: needs.loyaltyTiers ? tiersOf(context, customer) : [] };
}

/** Reads products and SKUs that discounts add to an order without them. */

export function listDiscounts(
  targets: readonly Target[],
  { campaigns }: Pick<InheritedTerms, 'campaigns'>,
): Discount[] {
  return targets.flatMap((target) => {
    const { voucher, tier } = target;
    const campaign = campaigns.get(readCampaignId(target) ?? '');
    return voucher?.discount ?? tier?.action?.discount ?? (voucher && campaign?.voucher?.discount) ?? [];
  });
}

/** Returns the names by which discounts add products and SKUs. */
export function listUnitNames(discounts: readonly Discount[]): string[] {
  return discounts.flatMap((discount) => {
    if (discount.type !== 'UNIT') return [];
    return [discount, ...(discount.units ?? [])].flatMap(({ unit_type, product, sku }) =>
      [unit_type, product?.id, sku?.id].filter((name) => name !== undefined),
    );
  });
}

/** Defines shipping for every project as a product without a price: one unit is free shipping. A stored product with these names wins. */
const shipping = { id: 'prod_5h1pp1ng', source_id: '5h1pp1ng', name: 'Shipping' };

function predefined(name: string): KnownProduct | undefined {
  return name === shipping.id || name === shipping.source_id ? shipping : undefined;
}

/** Returns the order's catalogue with the added products. Most requests read nothing. */
export async function addUnitProducts(
  context: Reading,
  catalogue: Catalogue = { product: () => undefined, sku: () => undefined },
  discounts: readonly Discount[],
): Promise<Catalogue> {
  const names = listUnitNames(discounts);
  if (names.length === 0) return catalogue;
  const { products, skus } = await findProducts(context, { products: names, skus: names });
  const owners = new Map([...skus.values()].map(({ product }) => [product.id, product]));
  return {
    ...catalogue,
    product: (name) => catalogue.product(name) ?? products.get(name) ?? owners.get(name) ?? predefined(name),
    sku: (name) => catalogue.sku(name) ?? skus.get(name)?.sku,
  };
}
