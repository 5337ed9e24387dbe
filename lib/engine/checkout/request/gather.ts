import type { InheritedTerms } from '#engine/campaigns/campaign-terms.ts';
import { promotionStack } from '#engine/campaigns/promotions/promotion-tier.ts';
import type { Upsert } from '#engine/customers/upsert-customer.ts';
import type { Counts } from '#engine/rules/context.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { read } from '#kernel/table/read.ts';
import type { CheckoutOrder } from '../engine/cart.ts';
import { type Checkout, checkout } from '../engine/checkout.ts';
import type { Redeemable } from '../engine/redeemable.ts';
import { defaultStackingRules, type StackingRules } from '../engine/stacking-rules.ts';
import type { Catalogue } from '../orders/line.ts';
import { stackingRulesByVersion, stackingRules as stackingRulesKey } from '../stacking-rules/stored.ts';
import {
  buildRedeemable,
  buildRequest,
  type Calling,
  checkSentMetadata,
  type FoundRedeemable,
  type RedeemableParts,
  type RuleRequest,
} from './build-redeemable.ts';
import type { Asked, AskedRedeemable } from './checkout-body.ts';
import {
  type AskingPerson,
  addUnitProducts,
  findOwnReferrals,
  listDiscounts,
  personOf,
  type ReadAround,
  type RequestFacts,
  readAround,
  readHolders,
  rulesOfReward,
} from './facts.ts';
import { type FoundOrder, findOrder, findPayer, readPayer } from './order.ts';
import { listRuleIds, selectRules } from './target-rules.ts';
import {
  type CountedFor,
  countedOf,
  findCardHolder,
  findRewards,
  findTargetCategory,
  hasCategoryByStack,
  lockedOf,
  type Refusals,
  readCampaignId,
  readTargets,
  type Target,
} from './targets.ts';

/** Reads everything for a checkout, in two rounds if the container guesses right, otherwise in three. */

/** All facts of a checkout, as of the read. */
export interface Gathered {
  readonly asked: Asked;
  readonly redeemables: readonly FoundRedeemable[];
  /** Returns the redeemables, judged by newer counts. */
  readonly judgedBy: (counts: readonly Counts[]) => readonly FoundRedeemable[];
  readonly facts: RequestFacts;
  readonly customer: Upsert | undefined;
  readonly order: FoundOrder | undefined;
  readonly checkoutOrder: CheckoutOrder | undefined;
  readonly catalogue: Catalogue;
  readonly stackingRules: StackingRules;
  readonly terms: InheritedTerms;
  /** The counters that rules name, by the text of their keys. */
  readonly counters: RequestFacts['counters'];
  /** The facts for all rules. */
  readonly request: RuleRequest;
}

export interface Gathering {
  /** True if the stacking rules limit the number of redeemables. */
  readonly isLimited?: boolean;
  /** True if the order will be stored, with its lines' changes of products. */
  readonly isStored?: boolean;
  /** Receives the payer's id at the earliest moment, long before the customer is read. It is `undefined` for a new customer. */
  readonly onCustomer?: (id: string | undefined) => void;
  /** Refusals that an earlier attempt found, because a read cannot find them. */
  readonly refused?: Refusals;
}

interface Of extends ReadAround, Omit<AskingPerson, 'customer'>, CountedFor {
  readonly isForBrowser: boolean;
  readonly target: Target;
  readonly counts: Counts;
  readonly reward: RedeemableParts['reward'];
  readonly isOwnReferral: boolean;
}

function partsOf(
  context: Calling,
  { target, counts, reward, isOwnReferral, customerId, person, session, isForBrowser, terms, rules }: Of,
): RedeemableParts {
  const campaign = terms.campaigns.get(readCampaignId(target) ?? '');
  const category = findTargetCategory(target, campaign, terms.categories);
  return {
    target,
    campaign,
    category: category && { ...category, isOfStack: hasCategoryByStack(target, terms.categories) },
    rules: selectRules(rules, [...listRuleIds(target, terms.campaigns), ...rulesOfReward(reward)]),
    counted: countedOf(context, target, { customerId, person }),
    counts,
    locked: lockedOf(target, { except: session, now: context.now, endedAround: campaign?.sessions_ended ?? 0 }),
    session,
    isForBrowser,
    isOwnReferral,
    reward,
  };
}

function checkNumber({ redeemables }: Asked, { redeemables_limit: limit }: StackingRules): void {
  if (redeemables.length <= limit) return;
  throw new ServiceError('invalid_payload', {
    details: `redeemables must have at most ${limit} elements: the project's stacking rules have this redeemables_limit`,
  });
}

/** Returns the tiers in the order of the stack. A missing stack is returned itself, and the checks refuse it. */
async function tiersOfStack({ table, project }: Calling, id: string): Promise<AskedRedeemable[]> {
  const { stack } = await read(table, { stack: promotionStack.few(project.id, id) });
  if (!stack) return [{ object: 'promotion_stack', id }];
  return stack.tiers.ids.map((tier) => ({ object: 'promotion_tier', id: tier, stack }));
}

/** Names the customer into which the sent customer was merged. */
function nameCustomer({ customer, ...asked }: Asked, id: string): Asked {
  return { ...asked, customer: customer && { ...customer, data: { ...customer.data, id } } };
}

/**
 * Reads the request's items. 404 for an unknown id of an order or customer. The check of a redeemable refuses a missing
 * item.
 */
export async function gather(context: Calling, sent: Asked, gathering: Gathering = {}): Promise<Gathered> {
  const { isLimited = true, isStored = false, onCustomer, refused } = gathering;
  const asked = sent.stack === undefined ? sent : { ...sent, redeemables: await tiersOfStack(context, sent.stack) };
  checkSentMetadata(context, asked, isStored);
  const findingOrder = awaitLater(findOrder(context, asked, { isStored }));
  const [targets, named, [stackingRules = defaultStackingRules]] = await Promise.all([
    readTargets(context, asked.redeemables, { isSession: asked.session !== undefined }),
    findPayer(context, asked, findingOrder).then((person) => {
      if (person) onCustomer?.(person.id);
      return person;
    }),
    stackingRulesByVersion.read(context.table, [stackingRulesKey(context.project.id)]),
  ]);
  if (isLimited) checkNumber(asked, stackingRules);
  const person = named ?? (await readPayer(context, findCardHolder(targets)));
  if (!named) onCustomer?.(person?.id);
  const isForBrowser = asked.browser !== undefined;
  const reading = person && awaitLater(person.upsert());
  const asking = {
    customerId: person?.id,
    session: asked.session?.key ?? undefined,
    customer: async () => reading,
  };
  const [around, rewards, customer, order, holders] = await Promise.all([
    readAround(context, targets, asking),
    findRewards(context, targets, { ...asking, refused }),
    reading,
    findingOrder,
    person ? readHolders(context, targets, person.id) : new Map(),
  ]);
  const led = customer?.before?.id;
  if (asked.customer && led !== undefined && led !== person?.id)
    return gather(context, nameCustomer(asked, led), gathering);
  const ofRewards = rewards.flatMap(rulesOfReward);
  const read = ofRewards.length > 0 ? await readAround(context, targets, asking, ofRewards) : around;
  const { facts } = read;
  const ownReferrals = findOwnReferrals(targets, read.terms, holders, customer);
  const request = buildRequest(context, { asked, customer, order, facts });
  const catalogue = await addUnitProducts(context, order?.catalogue, listDiscounts(targets, read.terms));
  const found = new Map<Redeemable, FoundRedeemable>();
  const of = (one: Redeemable) => {
    const own = found.get(one);
    if (!own) throw new Error('a redeemable is asked about that is not of this request');
    return own;
  };
  const judgedBy = (counts: readonly Counts[]) => {
    const all = targets.map((target, index) =>
      buildRedeemable(
        partsOf(context, {
          ...read,
          ...asking,
          person: personOf(context, customer),
          isForBrowser,
          target,
          counts: counts[index] ?? {},
          reward: rewards[index],
          isOwnReferral: ownReferrals.has(target.voucher?.id ?? ''),
        }),
        request,
        of,
      ),
    );
    for (const one of all) found.set(one, one);
    return all;
  };
  return {
    asked,
    redeemables: judgedBy(facts.counts),
    judgedBy,
    facts,
    customer,
    order,
    checkoutOrder: order?.checkoutOrder(facts),
    catalogue,
    stackingRules,
    terms: read.terms,
    counters: facts.counters,
    request,
  };
}

/** Judges the checkout. */
export function decide({ checkoutOrder, redeemables, stackingRules, catalogue }: Gathered): Checkout<FoundRedeemable> {
  return checkout(checkoutOrder, redeemables, { rules: stackingRules, catalogue });
}
