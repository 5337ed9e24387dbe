import * as v from 'valibot';
import { type PromotionStack, promotionStack } from '#engine/campaigns/promotions/promotion-tier.ts';
import { exchangeRatio, pointsRatio } from '#engine/loyalty/reward.ts';
import { validationRulesAssignment } from '#engine/rules/assignment.ts';
import { category } from '#engine/rules/categories/resource.ts';
import { described, named } from '#kernel/core/documented.ts';
import { count, dateTime, listEnvelope, metadata } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { checkout } from '../engine/checkout.ts';
import type { Redeemable } from '../engine/redeemable.ts';
import { askedOrder, orderOfCandidate } from '../orders/redeemed-order.ts';
import { compileAskedRule } from '../request/asked-rules.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import { scopeList, shownBundle, shownDiscount } from '../request/shown-redeemable.ts';
import { appliedRules } from '../validations/validation.ts';
import { type Candidate, makeStackCandidate, makeTierCandidate } from './candidate.ts';
import {
  buildCandidateRedeemable,
  evaluateCandidate,
  findCandidateRules,
  type Ground,
  type Qualified,
} from './evaluate.ts';
import type { ProjectOffer } from './project-offer.ts';

/** Reads the project's stacks. The returned function keeps the stacks that are complete in the offer. */
export async function readStacks(context: Reading): Promise<(shelf: ProjectOffer) => Candidate[]> {
  const stacks = await readFew(context, promotionStack);
  return ({ tiers, campaigns }) => {
    const tierOf = (id: string, stack: PromotionStack) => {
      const tier = tiers.get(id);
      return tier && makeTierCandidate(tier, campaigns.get(tier.campaign_id), stack);
    };
    return stacks.flatMap((stack) => makeStackCandidate(stack, (id) => tierOf(id, stack)) ?? []);
  };
}

/** Applies all tiers of a stack one after another. Returns nothing if one does not apply. */
function evaluateStack(candidate: Candidate, tiers: readonly Candidate[], ground: Ground): Qualified | undefined {
  const made = new Map<Redeemable, FoundRedeemable>();
  const of = (one: Redeemable) => {
    const own = made.get(one);
    if (!own) throw new Error('a tier is asked about that is not of this stack');
    return own;
  };
  const parts = tiers.map((tier) => {
    const rules = findCandidateRules(tier, ground).map((rule) => compileAskedRule(rule, ground.plan));
    const redeemable = buildCandidateRedeemable(tier, rules, ground, of);
    made.set(redeemable, redeemable);
    return { candidate: tier, rules, redeemable };
  });
  const { considered, order } = checkout(
    ground.order,
    parts.map(({ redeemable }) => redeemable),
    ground.options,
  );
  const members = considered.flatMap(({ redeemable, outcome }): Qualified[] => {
    const part = parts.find((one) => one.redeemable === redeemable);
    if (!part || outcome.status !== 'APPLICABLE') return [];
    return [{ ...part, outcome, order: outcome.order, bundle: undefined }];
  });
  if (members.length < parts.length) return undefined;
  return { candidate, redeemable: undefined, members, rules: [], outcome: undefined, order, bundle: undefined };
}

/** Evaluates a candidate by itself, or a stack as a whole. Returns nothing if it does not qualify. */
export function evaluateAny(candidate: Candidate, ground: Ground): Qualified | undefined {
  const { stack } = candidate;
  return stack ? evaluateStack(candidate, stack.tiers, ground) : evaluateCandidate(candidate, ground);
}

/** Describes qualifying redeemables in replies. */

const text = v.optional(v.string());

/** An assignment of a rule, with the names of rules that could not be judged or were not requested. */
const askedAssignment = named(
  'QualificationRulesAssignment',
  v.object({
    ...validationRulesAssignment.entries,
    validation_status: v.picklist(['VALID', 'PARTIALLY_VALID', 'INVALID']),
    /** The names of rules. */
    validation_omitted_rules: v.array(v.string()),
  }),
);

/** `discount`, `gift` or `loyalty_card`. `bundle` lists what the cart lacks. */
const result = v.object({
  discount: v.optional(shownDiscount),
  gift: v.optional(v.object({ balance: count, credits: count, locked_credits: v.optional(count) })),
  /** The ratios tell the worth of points, if the programme has a COIN reward. */
  loyalty_card: v.optional(
    v.object({
      points: count,
      balance: count,
      exchange_ratio: exchangeRatio(v.optional(v.number())),
      points_ratio: pointsRatio(v.optional(v.number())),
    }),
  ),
  bundle: v.optional(shownBundle),
});

const shared = {
  /** The code of a voucher. */
  id: v.string(),
  created_at: dateTime,
  result,
  /** The order after this redeemable alone. It has no figures if an empty order is sent. */
  order: v.optional(orderOfCandidate),
  applicable_to: v.optional(scopeList),
  inapplicable_to: v.optional(scopeList),
  metadata: v.optional(metadata),
  categories: v.optional(v.array(category.reply)),
  name: text,
  banner: text,
  campaign_id: text,
  campaign_name: text,
  validation_rule_id: text,
  validation_rules_assignments: v.optional(listEnvelope(askedAssignment)),
};

/** A tier of a stack. */
const member = named('QualifyingStackTier', v.object({ ...shared, object: v.literal('promotion_tier') }));

export const qualifyingRedeemable = named(
  'QualifyingRedeemable',
  v.object({
    ...shared,
    object: v.picklist(['campaign', 'promotion_tier', 'promotion_stack', 'voucher']),
    /** The tiers of a stack, in the order of application. */
    redeemables: v.optional(v.array(member)),
  }),
);

export type QualifyingRedeemable = v.InferInput<typeof qualifyingRedeemable>;

export const qualification = named(
  'Qualification',
  v.object({
    redeemables: v.object({
      ...listEnvelope(qualifyingRedeemable).entries,
      has_more: v.boolean(),
      more_starting_after: described(text, 'The `starting_after` to send for the next page, a date and time.'),
      more_not_compared: described(
        v.optional(v.literal(true)),
        'True if there are more codes than one request of BEST_DEAL or LEAST_DEAL compares. Older codes were not compared.',
      ),
    }),
    tracking_id: text,
    order: v.optional(askedOrder),
    stacking_rules: appliedRules,
  }),
);

export type Qualification = v.InferInput<typeof qualification>;
