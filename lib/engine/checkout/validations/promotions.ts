import * as v from 'valibot';
import { findNewestTiers, tierFields } from '#engine/campaigns/promotions/find-newest-tiers.ts';
import { category } from '#engine/rules/categories/resource.ts';
import { findTierRefusal } from '#engine/rules/validity/refusals.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { count, dateTime, integer, metadata, object } from '#kernel/core/schema.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { ReplyRoom } from '#kernel/http/reply-size.ts';
import { filterQuery } from '#kernel/kit/filters/filter.ts';
import { buildCart, nothingApplied } from '../engine/cart.ts';
import { checkout, showOrder } from '../engine/checkout.ts';
import { showDiscount } from '../engine/credit.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import { createCounterOpener } from '../redemptions/open-counters.ts';
import { compileAskedRule } from '../request/asked-rules.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import { type AskedByBrowser, type CheckoutBody, checkoutFields, readAsked } from '../request/checkout-body.ts';
import { type Gathered, gather } from '../request/gather.ts';
import { gatherCounted } from '../request/judge-checkout.ts';
import { findRuleRefusal } from '../request/rule-refusal.ts';
import { copyScope, showError, showJudgedOrder } from '../request/show-redeemable.ts';
import { scopeList, shownDiscount, shownError } from '../request/shown-redeemable.ts';
import { findTargetCategory } from '../request/targets.ts';
import { readTrackingId } from '../request/tracking-id.ts';
import { noteValidated } from './tally.ts';
import type { Validating } from './validate.ts';

/** Validates promotion tiers, each by itself on the order: a named tier, or the newest available tiers. */

const { customer, order, session, tracking_id, metadata: ofRedemption } = checkoutFields;

/** The body is optional. */
export const promotionBody = v.optional(object({ customer, order, session, tracking_id, metadata: ofRedemption }), {});

export const promotionsQuery = object({
  audienceRulesOnly: described(
    v.optional(sentBoolean),
    'Evaluates only rules about the customer. Tiers that need more in the order are shown without figures.',
  ),
  filters: described(v.optional(filterQuery(tierFields)), 'A filter on the tiers.'),
});

export type PromotionBody = v.InferOutput<typeof promotionBody>;
type PromotionsQuery = v.InferOutput<typeof promotionsQuery>;

const text = v.optional(v.string());

export const tierValidation = named(
  'PromotionTierValidation',
  v.object({
    valid: v.boolean(),
    id: v.string(),
    name: v.string(),
    banner: text,
    object: v.literal('promotion_tier'),
    hierarchy: integer,
    campaign: v.optional(
      v.object({
        id: v.string(),
        start_date: v.optional(dateTime),
        expiration_date: v.optional(dateTime),
        active: v.boolean(),
        object: v.literal('campaign'),
      }),
    ),
    discount: v.optional(shownDiscount),
    /** Absent without a discount. */
    discount_amount: v.optional(count),
    applied_discount_amount: v.optional(count),
    applicable_to: v.optional(scopeList),
    inapplicable_to: v.optional(scopeList),
    order: v.optional(redeemedOrder),
    categories: v.array(category.reply),
    metadata,
    tracking_id: text,
    reason: described(text, 'The reason for which the tier is not valid.'),
    error: v.optional(v.union([shownError, v.object({ message: v.string() })])),
  }),
);

export type TierValidation = v.InferInput<typeof tierValidation>;

export const promotionValidation = named(
  'PromotionValidation',
  v.object({ valid: v.boolean(), tracking_id: text, promotions: v.array(tierValidation) }),
);

/** Limits the examined tiers to the newest available tiers. */
const maxTiers = 150;

function campaignOf({ campaign }: FoundRedeemable): TierValidation['campaign'] {
  if (!campaign) return undefined;
  const { id, start_date, expiration_date, active } = campaign;
  return {
    id,
    ...(start_date ? { start_date } : {}),
    ...(expiration_date ? { expiration_date } : {}),
    active,
    object: 'campaign',
  };
}

const ofTheCustomer = { asking: 'of the customer', isLenient: true } as const;

/** Judges by the rules about the customer alone. */
function forAudience({ request }: Gathered, one: FoundRedeemable): FoundRedeemable {
  const judged = { ...one.judged, rules: one.judged.rules.map((rule) => compileAskedRule(rule, ofTheCustomer)) };
  return { ...one, judged, bundles: undefined, judge: (effects) => findRuleRefusal(request, judged, effects, []) };
}

/**
 * Shows a tier that applies to this customer, but has no effect on the order. `undefined` means that it does not apply.
 */
function withoutEffect(gathered: Gathered, one: FoundRedeemable): Partial<TierValidation> | undefined {
  const cart = buildCart(gathered.checkoutOrder);
  const nothing = { before: cart, after: cart, applied: nothingApplied, credits: 0, points: 0 };
  const { benefit, scope } = one;
  if (benefit.kind !== 'discount' || one.check?.(cart) || one.judge?.(nothing, [])) return undefined;
  return {
    discount: { ...showDiscount(benefit.discount, scope) },
    ...(gathered.order ? { order: showJudgedOrder(showOrder(cart, nothingApplied), gathered) } : {}),
  };
}

interface Showing {
  /** True if the customer's tiers are shown even if they have no effect on the order. */
  readonly isForAudience: boolean;
}

interface JudgedTier {
  readonly tier: TierValidation;
  /** The key of the refusal. */
  readonly reason?: string;
}

/** Applies the tier alone to the order. */
function judge(
  context: Validating,
  gathered: Gathered,
  one: FoundRedeemable,
  { isForAudience }: Showing = { isForAudience: false },
): JudgedTier {
  const { checkoutOrder, stackingRules, catalogue, terms } = gathered;
  const { tier } = one.target;
  if (!tier) throw notFound('promotion_tier', one.target.asked.id);
  const { considered } = checkout(checkoutOrder, [one], { rules: stackingRules, catalogue });
  const outcome = considered[0]?.outcome;
  const tracking = readTrackingId(context, gathered);
  const own = findTargetCategory(one.target, one.campaign, terms.categories);
  const campaign = campaignOf(one);
  const about = {
    id: tier.id,
    name: tier.name,
    ...(tier.banner === undefined ? {} : { banner: tier.banner }),
    object: 'promotion_tier' as const,
    hierarchy: tier.hierarchy,
    ...(campaign ? { campaign } : {}),
    categories: own ? [own] : [],
    metadata: tier.metadata,
    ...(tracking === undefined ? {} : { tracking_id: tracking }),
  };
  if (outcome?.status !== 'APPLICABLE') {
    const isTheirs = isForAudience ? withoutEffect(gathered, one) : undefined;
    if (isTheirs) return { tier: { valid: true, ...about, ...isTheirs } };
    const refusal =
      outcome?.status === 'INAPPLICABLE' ? outcome.refusal : { key: 'no_applicable_redeemables' as const };
    const { error: words, ...error } = showError(refusal, one, context.requestId);
    const refused = { valid: false, ...about, reason: words?.message ?? error.message, error: words ?? error };
    return { tier: refused, reason: refusal.key };
  }
  const { total_applied_discount_amount: taken = 0 } = outcome.order;
  const { discount } = outcome.result;
  const shown = {
    valid: true,
    ...about,
    ...(discount ? { discount: { ...discount } } : {}),
    ...(taken > 0 ? { discount_amount: taken, applied_discount_amount: taken } : {}),
    applicable_to: copyScope(outcome.applicable_to),
    inapplicable_to: copyScope(outcome.inapplicable_to),
    ...(gathered.order ? { order: showJudgedOrder(outcome.order, gathered) } : {}),
  };
  return { tier: shown };
}

function bodyOf(body: PromotionBody, ids: readonly string[]): CheckoutBody {
  return { ...body, redeemables: ids.map((id) => ({ object: 'promotion_tier' as const, id })) };
}

export function readAskedTier(id: string, body: PromotionBody, browser?: AskedByBrowser) {
  return readAsked(bodyOf(body, [id]), browser);
}

/** Validates a named tier. 404 if it is missing. */
export async function validateTier(context: Validating, id: string, body: PromotionBody): Promise<TierValidation> {
  const asked = { ...readAskedTier(id, body), session: undefined };
  const gathered = await gatherCounted(context, asked, createCounterOpener());
  const [one] = gathered.redeemables;
  if (!one?.target.tier || !one.campaign) throw notFound('promotion_tier', id);
  const { tier, reason } = judge(context, gathered, one);
  noteValidated(context, [{ redeemable: one, applies: tier.valid, reason }]);
  return tier;
}

/** Lists the valid tiers, of the newest campaign first. `browser` is present if a browser calls. */
export async function validatePromotions(
  context: Validating,
  body: PromotionBody,
  { filters, audienceRulesOnly: isForAudience = false }: PromotionsQuery,
  browser?: AskedByBrowser,
) {
  const ids = (await findNewestTiers(context, { most: maxTiers, filters })).map(({ id }) => id);
  const asked = { ...readAsked(bodyOf(body, ids), browser), session: undefined };
  // Rules about the customer alone have no limits.
  const gathered = await (isForAudience
    ? gather(context, asked, { isLimited: false })
    : gatherCounted(context, asked, createCounterOpener(), { isLimited: false }));
  const tracking = readTrackingId(context, gathered);
  const available = gathered.redeemables.filter(
    ({ target: { tier }, campaign }) => tier && campaign && !findTierRefusal(tier, campaign, context.now),
  );
  const place = ({ campaign, target: { tier } }: FoundRedeemable) =>
    [campaign?.created_at ?? '', tier?.hierarchy ?? 0] as const;
  const sorted = available.toSorted((one, other) => {
    const [[createdAt, rank], [otherCreatedAt, otherRank]] = [place(one), place(other)];
    return createdAt === otherCreatedAt ? rank - otherRank : createdAt < otherCreatedAt ? 1 : -1;
  });
  const room = new ReplyRoom('send a smaller order, or filters that fewer tiers fit');
  const judged = sorted.map((redeemable) => {
    const asked = isForAudience ? forAudience(gathered, redeemable) : redeemable;
    const { tier } = judge(context, gathered, asked, { isForAudience });
    return { redeemable, applies: tier.valid, shown: tier.valid ? [room.take(tier)] : [] };
  });
  // The request did not name these tiers, so a report of refusals would not refer to them.
  noteValidated(context, judged);
  const promotions = judged.flatMap(({ shown: tiers }) => tiers);
  return {
    valid: promotions.length > 0,
    ...(tracking === undefined ? {} : { tracking_id: tracking }),
    promotions,
  };
}
