import * as v from 'valibot';
import { dateTime } from '../schema.ts';

/** Contract, "Validation rules assignment". Kept inside the campaign, voucher or promotion tier that it is about. */
export const validationRulesAssignment = v.object({
  id: v.string(),
  rule_id: v.string(),
  related_object_id: v.string(),
  related_object_type: v.picklist(['voucher', 'promotion_tier', 'campaign']),
  created_at: dateTime,
  object: v.literal('validation_rules_assignment'),
});
