import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { computeBalance } from '#engine/ledger/card.ts';
import type { Bundles } from '#engine/rules/bundle.ts';
import type { Categories } from '#engine/rules/categories/resource.ts';
import { isNamed } from '#engine/rules/lines.ts';
import { giftFigures } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { type Cart, type CheckoutOrder, nothingApplied } from '../engine/cart.ts';
import { type CheckoutOptions, checkout, type Outcome, type ShownOrder, sumTakenOff } from '../engine/checkout.ts';
import { chooseEffect } from '../engine/credit.ts';
import { type AskedRule, compileAskedRule, listRuleProducts } from '../request/asked-rules.ts';
import { buildRedeemable, type FoundRedeemable, type RuleRequest } from '../request/build-redeemable.ts';
import { listUnitNames } from '../request/facts.ts';
import { listRuleIds, selectRules, type TargetRule } from '../request/target-rules.ts';
import { findTargetCategoryId, hasCategoryByStack, lockedOf } from '../request/targets.ts';
import type { Candidate } from './candidate.ts';
import type { ScenarioPlan } from './scenario.ts';

/** The facts for every candidate. */
export interface Ground {
  readonly plan: ScenarioPlan;
  readonly request: RuleRequest;
  readonly order: CheckoutOrder | undefined;
  /** The cart before any redeemable. */
  readonly cart: Cart;
  readonly options: CheckoutOptions;
  readonly rules: ReadonlyMap<string, TargetRule>;
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  /** The categories, which are read only if replies show them. Otherwise they count as given. */
  readonly categories: Categories;
  /** The key of the request's session. */
  readonly session: string | undefined;
}

type ApplicableOutcome = Extract<Outcome, { status: 'APPLICABLE' }>;

/** A candidate that qualifies. */
export interface Qualified {
  readonly candidate: Candidate;
  /** Absent for a stack, which has its members. */
  readonly redeemable: FoundRedeemable | undefined;
  readonly members?: readonly Qualified[];
  readonly rules: readonly AskedRule[];
  /** The candidate's own effects on the order. They are left out if the request does not need them, or the order does not allow them. */
  readonly outcome: ApplicableOutcome | undefined;
  /** The order afterwards. */
  readonly order: ShownOrder | undefined;
  /** The bundle of which the cart lacks products. */
  readonly bundle: Bundles | undefined;
}

/** Returns the candidate's own rules, and its campaign's. */
export function findCandidateRules(
  { target }: Candidate,
  { rules, campaigns }: Pick<Ground, 'rules' | 'campaigns'>,
): TargetRule[] {
  return selectRules(rules, listRuleIds(target, campaigns));
}

function alone(): never {
  throw new Error('a candidate that is alone has none before it');
}

/** Returns the redeemable for the engine. */
export function buildCandidateRedeemable(
  candidate: Candidate,
  rules: readonly AskedRule[],
  { request, session, categories }: Ground,
  of: Parameters<typeof buildRedeemable>[2] = alone,
): FoundRedeemable {
  const { target, campaign, object, id } = candidate;
  const categoryId = findTargetCategoryId(target, campaign, categories);
  const parts = {
    target,
    campaign,
    // The hierarchy only matters among several redeemables.
    category:
      categoryId === undefined
        ? undefined
        : { id: categoryId, hierarchy: 1, isOfStack: hasCategoryByStack(target, categories) },
    rules,
    counted: {
      redeemable: { object: object === 'promotion_tier' ? object : 'voucher', id },
      campaign_id: campaign?.id,
    },
    counts: {},
    locked: lockedOf(target, { except: session, now: request.now, endedAround: campaign?.sessions_ended ?? 0 }),
    reward: undefined,
  } as const;
  return buildRedeemable(parts, request, of);
}

/** Returns whether the candidate is a card without points or credits, which is useless. */
function isSpent({ target, campaign }: Candidate, { session, request: { now } }: Ground): boolean {
  const { voucher } = target;
  const locked = () => lockedOf(target, { except: session, now, endedAround: campaign?.sessions_ended ?? 0 });
  if (voucher?.type === 'LOYALTY_CARD') return computeBalance(formatDay(now), voucher) - locked() <= 0;
  return voucher?.type === 'GIFT_VOUCHER' && (giftFigures(voucher)?.balance ?? 0) - locked() <= 0;
}

/** Returns whether the candidate discounts a line, or gives units of its product. */
function discountsLines({ benefit, scope }: FoundRedeemable, { cart }: Ground): boolean {
  if (benefit.kind !== 'discount') return false;
  const { discount } = benefit;
  const isScoped = scope.included.length + scope.excluded.length > 0;
  const takes = () => cart.lines.some((line) => scope.includes(line) !== undefined);
  if (discount.type !== 'UNIT') return chooseEffect(discount, scope).startsWith('APPLY_TO_ITEMS') && takes();
  const given = new Set(listUnitNames([discount]));
  return cart.lines.some((line) => isNamed(line, given)) || (isScoped && takes());
}

function isAbout(found: FoundRedeemable, rules: readonly AskedRule[], ground: Ground): boolean {
  const { about } = ground.plan;
  if (about === undefined || discountsLines(found, ground)) return true;
  return (
    about === 'discount or rules' &&
    rules.some((rule) => {
      const wanted = listRuleProducts(rule);
      return ground.cart.lines.some((line) => isNamed(line, wanted));
    })
  );
}

function appliedTo(ground: Ground, one: FoundRedeemable): ApplicableOutcome | undefined {
  const [considered] = checkout(ground.order, [one], ground.options).considered;
  return considered?.outcome.status === 'APPLICABLE' ? considered.outcome : undefined;
}

/** Returns the qualified candidate, and shows its order only on use. */
function qualified(found: Omit<Qualified, 'order'>): Qualified {
  return {
    ...found,
    get order() {
      return found.outcome?.order;
    },
  };
}

/**
 * Judges a candidate by the requested rules alone. If it cannot be applied to this cart, the reply shows its definition and the missing
 * bundle.
 */
function leniently(candidate: Candidate, rules: readonly AskedRule[], ground: Ground): Qualified | undefined {
  const { cart, order } = ground;
  const redeemable = buildCandidateRedeemable(candidate, rules, ground);
  const nothing = { before: cart, after: cart, applied: nothingApplied, credits: 0, points: 0 };
  if (redeemable.check?.(cart) ?? redeemable.judge?.(nothing, [])) return undefined;
  if (!isAbout(redeemable, rules, ground)) return undefined;
  const bundle = rules.find(({ bundles }) => bundles)?.bundles?.(cart.lines);
  const isShort = bundle?.quantity === 0;
  const tried = { ...redeemable, check: undefined, judge: undefined, bundles: bundle && (() => bundle) };
  const outcome = order && !isShort ? appliedTo(ground, tried) : undefined;
  return qualified({ candidate, redeemable, rules, outcome, bundle: isShort ? bundle : undefined });
}

/** Evaluates a candidate alone on the order. Returns nothing if it does not qualify. */
export function evaluateCandidate(candidate: Candidate, ground: Ground): Qualified | undefined {
  if (isSpent(candidate, ground)) return undefined;
  const rules = findCandidateRules(candidate, ground).map((rule) => compileAskedRule(rule, ground.plan));
  if (ground.plan.isLenient) return leniently(candidate, rules, ground);
  const redeemable = buildCandidateRedeemable(candidate, rules, ground);
  const outcome = appliedTo(ground, redeemable);
  return outcome && qualified({ candidate, redeemable, rules, outcome, bundle: undefined });
}

/** Returns the value by which deals are compared. */
export function readTakenOff(one: Qualified): number {
  return (one.outcome ? sumTakenOff(one.outcome.applied) : one.order?.total_applied_discount_amount) ?? 0;
}
