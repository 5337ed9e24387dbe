import * as v from 'valibot';
import { listCategoryIds } from '#engine/campaigns/campaign-terms.ts';
import { type Categories, readCategories } from '#engine/rules/categories/resource.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import { wrapList } from '#kernel/core/schema.ts';
import { ReplyRoom } from '#kernel/http/reply-size.ts';
import { buildCart, type Cart, nothingApplied } from '../engine/cart.ts';
import { showOrder } from '../engine/checkout.ts';
import { buildRequest, type Calling } from '../request/build-redeemable.ts';
import { type Asked, type AskedByBrowser, readAsked } from '../request/checkout-body.ts';
import {
  addUnitProducts,
  findNew,
  listDiscounts,
  mergeRuleNeeds,
  type RequestFacts,
  readCustomer,
  readFactsAbout,
} from '../request/facts.ts';
import { type FoundOrder, findOrder } from '../request/order.ts';
import { showJudgedOrder } from '../request/show-redeemable.ts';
import { readInheriting } from '../request/targets.ts';
import { readTrackingId } from '../request/tracking-id.ts';
import { appliedRules } from '../validations/validation.ts';
import { type AskingCustomer, findAskingCustomer } from './asking-customer.ts';
import type { QualificationBody } from './body.ts';
import type { Candidate } from './candidate.ts';
import { filterLikely, findLikely } from './candidate-index.ts';
import type { PlacedCandidate } from './cursor.ts';
import { findCandidateRules, type Ground } from './evaluate.ts';
import type { PreparedCandidate } from './prepared-candidate.ts';
import type { ProjectOffer } from './project-offer.ts';
import { type Qualification, readStacks } from './qualification.ts';
import { filterCandidates, pickByDeal, pickNewest, readWanted } from './qualification-page.ts';
import { canHaveCardRules, hasCardRules, readOffer } from './read-offer.ts';
import { readReplyExtras } from './reply-extras.ts';
import { type Compared, collectLineNames, readAmount } from './rule-requirements.ts';
import { plans, type ScenarioPlan } from './scenario.ts';
import { showQualified } from './show.ts';
import { type Looking, makeCodeCandidates, startReadingCodes } from './wallet.ts';

export type Qualifying = Calling;

/** The codes that a page of the newest examines beyond those it shows. */
const besidePage = 20;
/**
 * The number of codes to examine next, and the largest number, if too few qualify. A deal examines the largest number
 * directly.
 */
const further = 250;
const mostCodes = 1_000;

function showAskedOrder(cart: Cart) {
  const { items, ...figures } = showOrder(cart, nothingApplied);
  return items.length === 0 ? figures : { ...figures, items };
}

/** Returns the facts that all candidates share. `facts` is present once they were read. */
function comparedBy(cart: Cart, { open }: ProjectOffer, facts?: RequestFacts): Compared {
  const collections = facts && new Set(cart.lines.flatMap((line) => line.collections ?? []));
  return {
    amount: readAmount(cart),
    names: collectLineNames(cart),
    collections,
    segments: facts && new Set(facts.segments),
    isCollection: (id) => open.collections.has(id),
  };
}

interface Facts {
  readonly facts: RequestFacts;
  readonly catalogue: Ground['options']['catalogue'];
  readonly categories: Categories;
}

interface About {
  readonly asked: Asked;
  readonly shelf: ProjectOffer;
  readonly person: AskingCustomer;
  readonly order: FoundOrder | undefined;
  readonly session: string | undefined;
  readonly withCategories: boolean;
}

/** Reads the facts for the rules and discounts of all candidates in one round. */
async function readFor(
  context: Calling,
  { own, open }: { own: readonly Candidate[]; open: readonly PreparedCandidate[] },
  { shelf, person, order, session, withCategories }: About,
): Promise<Facts> {
  const candidates = [...own, ...open.map(({ candidate }) => candidate)];
  const ownParts = own.flatMap((one) => one.stack?.tiers ?? [one]);
  const parts = [...ownParts, ...candidates.slice(own.length)];
  const rules = new Set(ownParts.flatMap((one) => findCandidateRules(one, shelf)));
  for (const one of open) for (const rule of one.rules) rules.add(rule);
  const needs = { ...mergeRuleNeeds(rules), counters: new Set<string>() };
  const { before } = person.customer ?? {};
  const late = before && hasCardRules(rules) && !person.finding;
  const finding = late
    ? { id: before.id, customer: readCustomer(context, before.id) }
    : (person.finding ?? findNew(person.customer));
  const targets = parts.map(({ target }) => target);
  const categoryIds = withCategories
    ? [...candidates, ...parts].flatMap(({ target, campaign }) => listCategoryIds(readInheriting(target), campaign))
    : [];
  const [facts, catalogue, categories] = await Promise.all([
    readFactsAbout(context, needs, { counted: [], session, finding }),
    addUnitProducts(context, order?.catalogue, listDiscounts(targets, shelf)),
    readCategories(context, categoryIds),
  ]);
  return { facts, catalogue, categories };
}

/** All candidates, with the facts by which they are judged. */
export interface Looked {
  readonly asked: Asked;
  readonly person: AskingCustomer;
  readonly order: FoundOrder | undefined;
  readonly ground: Ground;
  readonly candidates: readonly Candidate[];
  /** The last examined voucher. Older vouchers are incomplete. */
  readonly horizon: PlacedCandidate | undefined;
  /** True if the customer holds vouchers beyond those that requests examine. */
  readonly isWalletEndless: boolean;
}

interface Whole extends Looking {
  readonly plan: ScenarioPlan;
  /** Present if a browser calls. */
  readonly browser?: AskedByBrowser | undefined;
  readonly withCategories: boolean;
}

/** Reads the customer, the order, and the redeemables that may apply. */
export async function lookThrough(
  context: Calling,
  body: QualificationBody,
  { plan, browser, withCategories, ...looking }: Whole,
): Promise<Looked> {
  const { now } = context;
  const session = body.session?.key ?? undefined;
  const asked = { ...readAsked({ ...body, redeemables: [] }, browser), session: undefined };
  const findingOrder = awaitLater(findOrder(context, asked, { isStored: false }));
  const areCodesShown = looking.areCodesShown && plan.open;
  const isWalletShown = looking.isWalletShown && plan.wallet;
  const codesOf = startReadingCodes(context, { ...looking, areCodesShown, isWalletShown });
  const [order, person, { shelf, stackingRules }, stacks] = await Promise.all([
    findingOrder,
    findAskingCustomer(context, asked, findingOrder, { codesOf, cards: canHaveCardRules(context) }),
    readOffer(context),
    plan.isOfStacks ? readStacks(context) : () => [],
  ]);
  const early = buildCart(order?.checkoutOrder({ collectionsOf: () => [] }));
  const open = plan.open ? findLikely(shelf.open, plan, comparedBy(early, shelf), now) : [];
  const { horizon, isWalletEndless } = person.codes;
  const own = [...makeCodeCandidates(person.codes, shelf.campaigns), ...stacks(shelf)];
  const about = { asked, shelf, person, order, session, withCategories };
  const { facts, catalogue, categories } = await readFor(context, { own, open }, about);
  const checkoutOrder = order?.checkoutOrder(facts);
  const cart = buildCart(checkoutOrder);
  const ground: Ground = {
    ...shelf,
    plan,
    session,
    categories,
    cart,
    order: checkoutOrder,
    options: { rules: stackingRules, catalogue },
    request: buildRequest(context, { asked, customer: person.customer, order, facts }),
  };
  const stillOpen = filterLikely(open, plan, comparedBy(cart, shelf, facts), now);
  const candidates = [...own, ...stillOpen.map(({ candidate }) => candidate)];
  return { asked, person, order, ground, candidates, horizon, isWalletEndless };
}

interface Shown {
  readonly askedBy?: AskedByBrowser;
  readonly isWalletShown?: boolean;
  readonly areCodesShown?: boolean;
  readonly areNotesShown?: boolean;
}

/**
 * Lists the redeemables that a customer could use on an order, each evaluated by itself. Nothing is stored or locked. `askedBy` is
 * present if a browser calls. `isWalletShown` includes the customer's codes, and `areCodesShown` includes standalone codes, in
 * scenarios that have them. `areNotesShown` includes the operators' notes of a campaign.
 */
export async function qualify(
  context: Calling,
  body: QualificationBody,
  { askedBy, isWalletShown = true, areCodesShown = true, areNotesShown = true }: Shown = {},
): Promise<Qualification> {
  const { now } = context;
  const wanted = readWanted(body);
  const { limit, sorting, options } = wanted;
  const from = options.starting_after ?? undefined;
  const isByAge = sorting === 'DEFAULT';
  const look = async (most: number, isWalletWhole: boolean) => {
    const looked = await lookThrough(context, body, {
      browser: askedBy,
      plan: plans[body.scenario ?? 'ALL'],
      from,
      most,
      areCodesShown,
      isWalletShown,
      isWalletWhole,
      filters: options.filters ?? undefined,
      withCategories: options.expand?.includes('category') ?? false,
    });
    const { ground, horizon } = looked;
    const sorted = filterCandidates(looked.candidates, wanted, ground);
    return { looked, page: isByAge ? pickNewest(sorted, ground, wanted, horizon) : pickByDeal(sorted, ground, wanted) };
  };
  let found = isByAge ? await look(limit + besidePage, false) : await look(mostCodes, true);
  // If too few of the newest vouchers fit the cart, more vouchers are examined, and all vouchers of the customer.
  for (const most of [further, mostCodes]) if (found.page.isCut) found = await look(most, true);
  const { looked, page } = found;
  const isPartOfAll = !isByAge && (looked.horizon !== undefined || looked.isWalletEndless);
  const { ground, order } = looked;
  const { categories } = ground;
  const expand = new Set<string>(options.expand ?? []);
  const beside = await readReplyExtras(context, page.shown, {
    areNotesShown: areNotesShown && expand.has('redeemable'),
  });
  const judged = { asked: looked.asked, customer: looked.person.customer, order };
  const isOrderEmpty = Boolean(body.order) && !order;
  const showing = { ...judged, expand, categories, session: ground.session, now, beside, isOrderEmpty };
  const tracking_id = readTrackingId(context, judged);
  const room = new ReplyRoom('ask for fewer by options.limit, for less by options.expand, or send a smaller order');
  return {
    redeemables: {
      ...wrapList(page.shown.map((one) => room.take(showQualified(one, showing)))),
      has_more: page.hasMore,
      ...(page.next === undefined ? {} : { more_starting_after: page.next }),
      ...(isPartOfAll ? { more_not_compared: true } : {}),
    },
    ...(tracking_id === undefined ? {} : { tracking_id }),
    ...(order ? { order: showJudgedOrder(showAskedOrder(ground.cart), judged) } : {}),
    stacking_rules: v.parse(appliedRules, ground.options.rules),
  };
}
