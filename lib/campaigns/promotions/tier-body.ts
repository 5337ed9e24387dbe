import * as v from 'valibot';
import { array, identifier, integer, nullable, object, reference, sentMetadata, shortText } from '../../core/schema.ts';
import { categoryEntries, hasOneCategory, oneOfBoth } from '../../rules/categories/category-fields.ts';
import { sentDiscount } from '../../rules/discounts/discount.ts';
import { areInOrder, datesOutOfOrder, validityEntries } from '../../rules/validity/dates.ts';

/** One transaction and one read can check this many rules. */
const maxRules = 20;

/** Checks that depend on the stored tier run in the use case. */
export const updateTierBody = v.pipe(
  object({
    name: v.optional(identifier),
    banner: nullable(shortText),
    action: nullable(object({ discount: sentDiscount })),
    metadata: nullable(sentMetadata),
    hierarchy: v.optional(integer),
    ...validityEntries,
    /** Takes the list as a reply shows it. Only the rules that it names count. */
    validation_rule_assignments: nullable(
      object({
        data: array(object({ rule_id: reference }), maxRules, 'assignments'),
      }),
    ),
    ...categoryEntries,
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type UpdateTierBody = v.InferOutput<typeof updateTierBody>;
