import * as v from 'valibot';
import { array, identifier, integer, nullable, object, reference, sentMetadata, shortText } from '../../core/schema.ts';
import { categoryEntries, hasOneCategory, oneOfBoth } from '../../rules/categories/category-fields.ts';
import { sentDiscount } from '../../rules/discounts/discount.ts';
import {
  areInOrder,
  datesOutOfOrder,
  hasNoStart,
  timeframeNeedsStart,
  validityEntries,
} from '../../rules/validity/dates.ts';

/** Describes a new promotion tier. */
export const newTierBody = v.pipe(
  object({
    name: identifier,
    banner: nullable(shortText),
    action: nullable(object({ discount: sentDiscount })),
    metadata: nullable(sentMetadata),
    active: v.optional(v.boolean(), true),
    hierarchy: v.optional(integer),
    ...validityEntries,
    ...categoryEntries,
    validation_rules: v.optional(array(reference, 1, 'rule')),
    /** Takes the list as a reply shows it. Only the rule that it names counts. */
    validation_rule_assignments: nullable(object({ data: array(object({ rule_id: reference }), 1, 'assignment') })),
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
  v.forward(
    v.partialCheck([['start_date'], ['validity_timeframe']], (body) => !hasNoStart(body), timeframeNeedsStart),
    ['validity_timeframe'],
  ),
  v.forward(
    v.partialCheck(
      [['validation_rules'], ['validation_rule_assignments']],
      (body) => !(body.validation_rules && body.validation_rule_assignments),
      'must not be sent together with validation_rule_assignments',
    ),
    ['validation_rules'],
  ),
);

export type NewTierBody = v.InferOutput<typeof newTierBody>;
