import * as v from 'valibot';
import { named } from '../documented.ts';
import { dateTime } from '../schema.ts';

/** Kept inside the campaign, voucher or promotion tier that it is about. */
export const validationRulesAssignment = named(
  'ValidationRulesAssignment',
  v.object({
    id: v.string(),
    rule_id: v.string(),
    related_object_id: v.string(),
    related_object_type: v.picklist(['voucher', 'promotion_tier', 'campaign']),
    created_at: dateTime,
    object: v.literal('validation_rules_assignment'),
  }),
);
