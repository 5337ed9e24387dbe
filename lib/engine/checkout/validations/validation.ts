import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { count } from '#kernel/core/schema.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import { sentSession, ttlUnit } from '../request/checkout-body.ts';
import { shownRedeemable } from '../request/shown-redeemable.ts';
import { payments_application, stackingRulesFields } from '../stacking-rules/stored.ts';

const { type } = sentSession.entries;

/** A lock. Until its end, only its key can use the locked amounts. */
export const shownSession = v.object({ key: v.string(), type, ttl: count, ttl_unit: ttlUnit });

/** The applied stacking rules, without their id and dates. */
export const appliedRules = v.object({
  ...stackingRulesFields,
  payments_application: v.optional(payments_application),
});

export const validation = named(
  'Validation',
  v.object({
    id: v.string(),
    valid: v.boolean(),
    tracking_id: v.optional(v.string()),
    session: v.optional(shownSession),
    order: v.optional(redeemedOrder),
    redeemables: v.array(shownRedeemable),
    /** The redeemables that the stacking rules left out. */
    skipped_redeemables: v.optional(v.array(shownRedeemable)),
    inapplicable_redeemables: v.optional(v.array(shownRedeemable)),
    stacking_rules: appliedRules,
  }),
);

export type Validation = v.InferInput<typeof validation>;
