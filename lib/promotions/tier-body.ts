import * as v from 'valibot';
import {
  areInOrder,
  categoryEntries,
  datesOutOfOrder,
  namesOneCategory,
  oneOfBoth,
  storedMetadata,
  validityEntries,
} from '../campaigns/campaign-body.ts';
import { discount } from '../campaigns/discount.ts';
import { array, count, nullable, object, reference } from '../schema.ts';

/** What one transaction and one call can check at ease. */
const maxRules = 50;

/** Contract, endpoint 11. What depends on the stored tier is checked against it. */
export const updateTierBody = v.pipe(
  object({
    name: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
    banner: nullable(v.string()),
    action: nullable(object({ discount })),
    metadata: nullable(storedMetadata),
    hierarchy: v.optional(count),
    ...validityEntries,
    /** The list as a reply has it: only the rules that it names count. */
    validation_rule_assignments: nullable(
      object({
        data: array(object({ rule_id: reference }), maxRules, 'assignments'),
      }),
    ),
    ...categoryEntries,
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type UpdateTierBody = v.InferOutput<typeof updateTierBody>;
