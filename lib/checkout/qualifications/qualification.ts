import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { count, dateTime, listEnvelope, metadata } from '../../core/schema.ts';
import { validationRulesAssignment } from '../../rules/assignment.ts';
import { category } from '../../rules/categories/resource.ts';
import { exchangeRatio, pointsRatio } from '../../rules/discounts/discount.ts';
import { orderOfCandidate, redeemedOrder } from '../orders/redeemed-order.ts';
import { scopeList, shownBundle, shownDiscount } from '../request/shown-redeemable.ts';
import { appliedRules } from '../validations/validation.ts';

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

/** `discount`, `gift` or `loyalty_card`. `bundle` tells what the cart lacks. */
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
export type StackMember = v.InferInput<typeof member>;

export const qualification = named(
  'Qualification',
  v.object({
    redeemables: v.object({
      ...listEnvelope(qualifyingRedeemable).entries,
      has_more: v.boolean(),
      more_starting_after: described(text, 'The `starting_after` to send for the next page, a date and time.'),
      more_not_compared: described(
        v.optional(v.literal(true)),
        'True if there are more codes than one request of BEST_DEAL or LEAST_DEAL compares. The older ones were not compared.',
      ),
    }),
    tracking_id: text,
    order: v.optional(redeemedOrder),
    stacking_rules: appliedRules,
  }),
);

export type Qualification = v.InferInput<typeof qualification>;
