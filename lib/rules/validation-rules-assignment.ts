import * as v from 'valibot';
import { named } from '../core/documented.ts';
import { dateTime } from '../core/schema.ts';

/** Types of objects that a rule can be assigned to. */
export const relatedObjectType = v.picklist([
  'voucher',
  'promotion_tier',
  'campaign',
  'earning_rule',
  'distribution',
  'reward_assignment',
]);

export type RelatedObjectType = v.InferOutput<typeof relatedObjectType>;

/** An assignment. Vouchers, campaigns and promotion tiers store theirs, so that no further read is needed. */
export const validationRulesAssignment = named(
  'ValidationRulesAssignment',
  v.object({
    id: v.string(),
    rule_id: v.string(),
    related_object_id: v.string(),
    related_object_type: relatedObjectType,
    created_at: dateTime,
    object: v.literal('validation_rules_assignment'),
  }),
);

export type ValidationRulesAssignment = v.InferOutput<typeof validationRulesAssignment>;
