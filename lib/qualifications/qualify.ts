import * as v from 'valibot';
import { type Categories, readCategories } from '../categories/category.ts';
import { cartOf, nothingApplied } from '../checkout/cart.ts';
import { showOrder } from '../checkout/show-order.ts';
import { defaultStackingRules } from '../checkout/stacking-rules.ts';
import { askedOf } from '../redeemables/checkout-body.ts';
import { needsOfRules, readRequestFacts } from '../redeemables/facts.ts';
import { type Calling, findPerson } from '../redeemables/gather.ts';
import { findOrder } from '../redeemables/order.ts';
import { shownOrderOf } from '../redeemables/show-redeemable.ts';
import { trackedAs } from '../redeemables/tracking-id.ts';
import { discountsOf, withUnits } from '../redeemables/unit-products.ts';
import { all } from '../resource/plain.ts';
import { list } from '../schema.ts';
import { stackingRulesByVersion, stackingRules as stackingRulesKey } from '../stacking-rules/stored.ts';
import { promotionStack } from '../stacks/stack.ts';
import { appliedRules } from '../validations/validation.ts';
import type { QualificationBody } from './body.ts';
import {
  type Candidate,
  campaignCandidate,
  categoryIdOf,
  givesCodes,
  stackCandidate,
  tierCandidate,
} from './candidate.ts';
import { type Ground, type Qualified, rulesOf } from './evaluate.ts';
import { byDeal, chosen, newest, wantedOf } from './page.ts';
import type { Qualification } from './qualification.ts';
import { plans } from './scenario.ts';
import { readShelf, type Shelf } from './shelf.ts';
import { showQualified } from './show.ts';
import { walletOf } from './wallet.ts';

export type Qualifying = Calling;

/** What anybody may use. */
function openTo({ tiers, campaigns }: Shelf): Candidate[] {
  return [
    ...tiers.flatMap((tier) => {
      const campaign = campaigns.get(tier.campaign_id);
      return campaign ? [tierCandidate(tier, campaign)] : [];
    }),
    ...[...campaigns.values()].filter(givesCodes).map(campaignCandidate),
  ];
}

/** Stacks that are whole. */
async function stacksOf(context: Calling, shelf: Shelf): Promise<Candidate[]> {
  const tiers = new Map(shelf.tiers.map((tier) => [tier.id, tier]));
  const tierOf = (id: string) => {
    const tier = tiers.get(id);
    return tier && tierCandidate(tier, shelf.campaigns.get(tier.campaign_id));
  };
  return (await all(context, promotionStack)).flatMap((stack) => stackCandidate(stack, tierOf) ?? []);
}

function categoriesOf(context: Calling, found: readonly Qualified[], isAsked: boolean): Promise<Categories> {
  const shown = found.flatMap((one) => [one, ...(one.members ?? [])]);
  const ids = isAsked ? shown.map(({ candidate }) => categoryIdOf(candidate)) : [];
  return readCategories(context, ids);
}

/**
 * What a customer could use on an order, each computed by itself; nothing is stored or locked. `isWalletShown`: whether codes that the
 * customer holds are looked at, in scenarios that do so.
 */
export async function qualify(
  context: Calling,
  body: QualificationBody,
  { isWalletShown = true }: { isWalletShown?: boolean } = {},
): Promise<Qualification> {
  const { table, project, now } = context;
  const plan = plans[body.scenario ?? 'ALL'];
  const wanted = wantedOf(body);
  const asked = { ...askedOf({ ...body, redeemables: [] }), session: undefined };
  const session = body.session?.key ?? undefined;
  const findingOrder = findOrder(context, asked);
  const [order, person, [stackingRules = defaultStackingRules], shelf] = await Promise.all([
    findingOrder,
    findPerson(context, asked, findingOrder),
    stackingRulesByVersion.read(table, [stackingRulesKey(project.id)]).then(({ found }) => found),
    readShelf(context),
  ]);
  const [customer, wallet, stacks] = await Promise.all([
    person?.upsert(),
    isWalletShown && plan.wallet && person?.id ? walletOf(context, person.id, shelf.campaigns) : [],
    plan.isOfStacks ? stacksOf(context, shelf) : [],
  ]);
  const candidates = chosen([...wallet, ...stacks, ...(plan.open ? openTo(shelf) : [])], wanted, now);
  const parts = candidates.flatMap((one) => one.stack?.tiers ?? [one]);
  const needs = { ...needsOfRules(parts.flatMap((one) => rulesOf(one, shelf))), counters: new Set<string>() };
  const about = { customerId: customer?.before?.id, counted: [], session };
  const [facts, catalogue] = await Promise.all([
    readRequestFacts(context, needs, about),
    withUnits(
      context,
      order?.catalogue,
      discountsOf(
        parts.map(({ target }) => target),
        { campaigns: shelf.campaigns },
      ),
    ),
  ]);
  const checkoutOrder = order?.checkoutOrder(facts);
  const cart = cartOf(checkoutOrder);
  const { after } = customer ?? {};
  const ground: Ground = {
    ...shelf,
    plan,
    session,
    cart,
    order: checkoutOrder,
    options: { rules: stackingRules, catalogue },
    request: {
      projectId: project.id,
      now,
      before: customer?.before,
      after,
      customer: after && {
        id: customer?.before?.id,
        metadata: after.metadata,
        segments: facts.segments,
        loyalty_tiers: facts.loyaltyTiers,
      },
      orderMetadata: order?.metadata,
      redemptionMetadata: asked.metadata,
      apiKey: context.caller?.appId,
    },
  };
  const { shown, hasMore, next } = (wanted.sorting === 'DEFAULT' ? newest : byDeal)(candidates, ground, wanted);
  const expand = new Set<string>(wanted.options.expand ?? []);
  const categories = await categoriesOf(context, shown, expand.has('category'));
  const showing = { expand, order, categories, session, now };
  const tracking_id = trackedAs(context, { asked, customer });
  return {
    redeemables: {
      ...list(shown.map((one) => showQualified(one, showing))),
      has_more: hasMore,
      ...(next === undefined ? {} : { more_starting_after: next }),
    },
    ...(tracking_id === undefined ? {} : { tracking_id }),
    ...(order ? { order: shownOrderOf(showOrder(cart, nothingApplied), { order }) } : {}),
    stacking_rules: v.parse(appliedRules, stackingRules),
  };
}
