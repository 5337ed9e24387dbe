import type { InheritedTerms } from '#engine/campaigns/campaign-terms.ts';
import { findProducts } from '#engine/catalogue/products/resource.ts';
import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { asFound, type FoundCustomer, readCustomers } from '#engine/customers/find-customer.ts';
import { type CustomerFacts, readFacts } from '#engine/customers/read-facts.ts';
import { buildSubject } from '#engine/customers/segments/match-segments.ts';
import type { Upsert } from '#engine/customers/upsert-customer.ts';
import type { Refusal } from '#engine/rules/benefit.ts';
import type { CountedCampaigns, CountedSubject } from '#engine/rules/counter.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { mergeNeeds, type Needs } from '#engine/rules/needs.ts';
import { isReferralCode } from '#engine/vouchers/voucher.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import { identifyPerson, isOnePerson } from '#kernel/core/person.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import type { Catalogue, KnownProduct } from '../orders/line.ts';
import { guessRules, listRuleIds, namesKeptBy, readRules, type TargetRule, type TargetRules } from './target-rules.ts';
import {
  type By,
  countedOf,
  guessCampaigns,
  isPaid,
  type PaidReward,
  readCampaignId,
  readTargetTerms,
  type Target,
} from './targets.ts';

/** Reads the facts for a request's rules, together with as many needs as can be guessed. */

export interface RequestFacts extends CustomerFacts {
  /** The customer's loyalty tiers, if a rule needs them. */
  readonly loyaltyTiers: readonly string[];
}

interface About {
  /** The id of an existing customer. */
  readonly customerId: string | undefined;
  readonly customer: AskingPerson['customer'];
  readonly counted: readonly CountedSubject[];
  /** Reads the keyed hash of the customer's person, for limits by person. */
  readonly person?: (() => Promise<string | undefined>) | undefined;
  /** The key of the request's session. */
  readonly session: string | undefined;
  /** The campaigns of counters, which are read at the same time. */
  readonly campaigns?: Promise<CountedCampaigns> | undefined;
}

export function mergeRuleNeeds(rules: Iterable<TargetRule>): Needs {
  return mergeNeeds([...rules].map(({ compiled }) => compiled.needs));
}

/** Adds limits that are counted although none of these rules names them. */
function addCounters(needs: Needs, names: readonly string[]): Needs {
  return names.length === 0 ? needs : { ...needs, counters: new Set([...needs.counters, ...names]) };
}

/** Returns whether facts for some needs suffice for others. */
function canServe(had: Needs, wanted: Needs): boolean {
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
async function readRequestFacts(
  context: Reading,
  needs: Needs,
  { customerId, customer, counted, person, session, campaigns }: About,
): Promise<RequestFacts> {
  const looksAtCustomer = needs.segments.size > 0 || needs.loyaltyTiers;
  const known = () => customerId && { id: customerId, customer: readCustomer(context, customerId) };
  const finding = looksAtCustomer ? known() || findNew(await customer()) : undefined;
  return readFactsAbout(context, needs, { counted, person, session, finding, campaigns });
}

/** A customer that is being read. */
export interface Finding {
  readonly id: string;
  readonly customer: Promise<FoundCustomer | undefined>;
}

/** Returns the customer that the request makes. */
export function findNew(customer: Upsert | undefined): Finding | undefined {
  if (!customer || customer.before) return undefined;
  return { id: customer.after.id, customer: Promise.resolve(asFound(customer.after)) };
}

/** Reads a customer with their cards. */
export async function readCustomer(context: Reading, id: string): Promise<FoundCustomer | undefined> {
  return (await readCustomers(context, [id]))[0];
}

/** Reads facts. `about.finding` is a customer that is being read already, in case a rule needs them. */
export async function readFactsAbout(
  context: Reading,
  needs: Needs,
  about: Omit<About, 'customerId' | 'customer'> & { finding: Finding | undefined },
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

/** Reads terms, rules and facts of a request's redeemables, together with as much as the container can guess. */

export interface ReadAround {
  readonly terms: InheritedTerms;
  readonly rules: TargetRules;
  readonly facts: RequestFacts;
}

/** Returns the ids of the rules for paying with points. */
export function rulesOfReward(reward: PaidReward | Refusal | undefined): readonly string[] {
  return reward && isPaid(reward) ? reward.ruleIds : [];
}

export interface AskingPerson {
  readonly customerId: string | undefined;
  readonly session: string | undefined;
  /** Reads the customer, which most requests do at the same time as everything else. */
  readonly customer: () => Promise<Upsert | undefined>;
}

/** Reads terms, rules and facts together, by the container's guess. Reads facts again if the rules have changed. */
export async function readAround(
  context: Reading & By,
  targets: readonly Target[],
  { customerId, session, customer }: AskingPerson,
  ofRewards: readonly string[] = [],
): Promise<ReadAround> {
  const guessed = guessCampaigns(context, targets);
  const idsBy = (campaigns: InheritedTerms['campaigns']) => [
    ...targets.flatMap((one) => listRuleIds(one, campaigns)),
    ...ofRewards,
  ];
  const reading = awaitLater(readTargetTerms(context, targets));
  const about = {
    ...{ customerId, customer, session },
    counted: targets.map((one) => countedOf(context, one, { customerId })),
    person: async () => personOf(context, await customer()),
    campaigns: awaitLater(reading.then(({ campaigns }) => campaigns)),
  };
  const guess = addCounters(mergeRuleNeeds(guessRules(context, idsBy(guessed))), namesKeptBy(targets, guessed));
  const [terms, early, facts] = await Promise.all([
    reading,
    readRules(context, idsBy(guessed)),
    readRequestFacts(context, guess, about),
  ]);
  const late = idsBy(terms.campaigns).filter((id) => !early.has(id) && !idsBy(guessed).includes(id));
  const rules = new Map([...early, ...(late.length > 0 ? await readRules(context, late) : [])]);
  const needs = addCounters(mergeRuleNeeds(rules.values()), namesKeptBy(targets, terms.campaigns));
  return { terms, rules, facts: canServe(guess, needs) ? facts : await readRequestFacts(context, needs, about) };
}

export function personOf({ project }: Reading, customer: Upsert | undefined): string | undefined {
  return customer && identifyPerson(project, customer.after);
}

/** Holds the holders of codes that another customer redeems, by the ids of the codes. */
type Holders = ReadonlyMap<string, CustomerItem>;

/** Reads the holders of coupons that may be referral codes, together with everything else. Most requests have none. */
export async function readHolders(
  { table, project }: Reading,
  targets: readonly Target[],
  customerId: string | undefined,
): Promise<Holders> {
  const codes = targets.flatMap(({ voucher }) => {
    const { id = '', type, holder_id: holder, is_referral_code } = voucher ?? {};
    const mayRefer = type === 'DISCOUNT_VOUCHER' && is_referral_code !== false;
    return mayRefer && holder && holder !== customerId ? [{ id, key: customers(project.id, holder) }] : [];
  });
  const { holders } = await read(table, { holders: codes.map(({ key }) => key) });
  return new Map(
    codes.flatMap(({ id }, index) => {
      const holder = holders[index];
      return holder ? [[id, holder] as const] : [];
    }),
  );
}

/** Returns the ids of the referral codes whose holder is the same person as the customer, under another account. */
export function findOwnReferrals(
  targets: readonly Target[],
  { campaigns }: Pick<InheritedTerms, 'campaigns'>,
  holders: Holders,
  customer: Upsert | undefined,
): ReadonlySet<string> {
  const own = targets.flatMap((target) => {
    const { voucher } = target;
    const holder = holders.get(voucher?.id ?? '');
    if (!voucher || !holder || !customer || !isOnePerson(holder, customer.after)) return [];
    return isReferralCode(voucher, campaigns.get(readCampaignId(target) ?? '')) ? [voucher.id] : [];
  });
  return new Set(own);
}
