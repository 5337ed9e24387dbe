import * as v from 'valibot';
import { category } from '../categories/resource.ts';
import { checkout } from '../checkout/checkout.ts';
import { described, named } from '../documented.ts';
import { notFound } from '../errors.ts';
import { trueOrFalse } from '../http/page.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import { readTiers } from '../promotions/find-tiers.ts';
import { askedOf, type CheckoutBody, checkoutFields } from '../redeemables/checkout-body.ts';
import { type Gathered, gather } from '../redeemables/gather.ts';
import type { FoundRedeemable } from '../redeemables/redeemable-of.ts';
import { copiedScope, shownErrorOf, shownOrderOf } from '../redeemables/show-redeemable.ts';
import { scopeList, shownDiscount, shownError } from '../redeemables/shown.ts';
import { trackedAs } from '../redeemables/tracking-id.ts';
import { count, dateTime, integer, metadata, object } from '../schema.ts';
import { type Entry, entries } from '../table/listing.ts';
import { tierLists } from '../tiers/promotion-tier.ts';
import { tierRefusal } from '../validity/usable.ts';
import type { Validating } from './validate.ts';

/** Promotion tiers, each by itself on the order: one that is named, or the newest that are available. */

const { customer, order, session, tracking_id, metadata: ofRedemption } = checkoutFields;

export const promotionBody = object({ customer, order, session, tracking_id, metadata: ofRedemption });

/** Refused rather than passed over: who asks for less would be told more. */
export const promotionsQuery = object({
  audienceRulesOnly: described(
    v.optional(v.pipe(trueOrFalse, v.literal(false, 'is not served: all rules are judged'))),
    'Only false.',
  ),
});

export type PromotionBody = v.InferOutput<typeof promotionBody>;

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
    /** Left out where nothing is taken off. */
    discount_amount: v.optional(count),
    applied_discount_amount: v.optional(count),
    applicable_to: v.optional(scopeList),
    inapplicable_to: v.optional(scopeList),
    order: v.optional(redeemedOrder),
    categories: v.array(category.reply),
    metadata,
    tracking_id: text,
    reason: described(text, 'Why it is not valid.'),
    error: v.optional(v.union([shownError, v.object({ message: v.string() })])),
  }),
);

export type TierValidation = v.InferInput<typeof tierValidation>;

export const promotionValidation = named(
  'PromotionValidation',
  v.object({ valid: v.boolean(), tracking_id: text, promotions: v.array(tierValidation) }),
);

/** So many tiers are looked at: the newest of the project. */
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

/** The tier alone on the order. */
function shown(context: Validating, gathered: Gathered, one: FoundRedeemable): TierValidation {
  const { checkoutOrder, stackingRules, catalogue, terms } = gathered;
  const { tier } = one.target;
  if (!tier) throw notFound('promotion_tier', one.target.asked.id);
  const { considered } = checkout(checkoutOrder, [one], { rules: stackingRules, catalogue });
  const outcome = considered[0]?.outcome;
  const tracking = trackedAs(context, gathered);
  const own = terms.categories[tier.category_id ?? ''];
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
    const refusal =
      outcome?.status === 'INAPPLICABLE' ? outcome.refusal : { key: 'no_applicable_redeemables' as const };
    const { error: words, ...error } = shownErrorOf(refusal, one, context.requestId);
    return { valid: false, ...about, reason: words?.message ?? error.message, error: words ?? error };
  }
  const { total_applied_discount_amount: taken = 0 } = outcome.order;
  const { discount } = outcome.result;
  return {
    valid: true,
    ...about,
    ...(discount ? { discount: { ...discount } } : {}),
    ...(taken > 0 ? { discount_amount: taken, applied_discount_amount: taken } : {}),
    applicable_to: copiedScope(outcome.applicable_to),
    inapplicable_to: copiedScope(outcome.inapplicable_to),
    ...(gathered.order ? { order: shownOrderOf(outcome.order, gathered) } : {}),
  };
}

function bodyOf(body: PromotionBody, ids: readonly string[]): CheckoutBody {
  return { ...body, redeemables: ids.map((id) => ({ object: 'promotion_tier' as const, id })) };
}

export function askedOfTier(id: string, body: PromotionBody) {
  return askedOf(bodyOf(body, [id]));
}

/** 404 where the tier is not there. */
export async function validateTier(context: Validating, id: string, body: PromotionBody): Promise<TierValidation> {
  const gathered = await gather(context, { ...askedOfTier(id, body), session: undefined });
  const [one] = gathered.redeemables;
  if (!one?.target.tier || !one.campaign) throw notFound('promotion_tier', id);
  return shown(context, gathered, one);
}

async function newestTiers(context: Validating): Promise<string[]> {
  const { table, project } = context;
  const newest: Entry[] = [];
  for await (const entry of entries(table, tierLists.created_at, [project.id], { descending: true })) {
    newest.push(entry);
    if (newest.length === maxTiers) break;
  }
  return (await readTiers(context, newest)).map(({ id }) => id);
}

/** Those that are valid, of the newest campaign first. */
export async function validatePromotions(context: Validating, body: PromotionBody) {
  const ids = await newestTiers(context);
  const gathered = await gather(context, { ...askedOf(bodyOf(body, ids)), session: undefined }, { isLimited: false });
  const tracking = trackedAs(context, gathered);
  const available = gathered.redeemables.filter(
    ({ target: { tier }, campaign }) => tier && campaign && !tierRefusal(tier, campaign, context.now),
  );
  const place = ({ campaign, target: { tier } }: FoundRedeemable) =>
    [campaign?.created_at ?? '', tier?.hierarchy ?? 0] as const;
  const sorted = available.toSorted((one, other) => {
    const [[createdAt, rank], [otherCreatedAt, otherRank]] = [place(one), place(other)];
    return createdAt === otherCreatedAt ? rank - otherRank : createdAt < otherCreatedAt ? 1 : -1;
  });
  const promotions = sorted.map((one) => shown(context, gathered, one)).filter(({ valid }) => valid);
  return {
    valid: promotions.length > 0,
    ...(tracking === undefined ? {} : { tracking_id: tracking }),
    promotions,
  };
}
