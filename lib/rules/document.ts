import * as v from 'valibot';
import { shownAs } from '../documented.ts';
import { isRecord } from '../is-record.ts';
import { array, count, identifier, longText, nullable, object, positiveInteger, shortText } from '../schema.ts';
import { contextTypes } from './context-types.ts';

/** The parts of a rule document as bodies bring them. What rules say is checked by `documentFaults`, which names every place. */

/** Entries on each side. */
const maxEntries = 500;

/** What a discount is for, and how it is applied there. */
export const applicableEntry = object({
  object: v.picklist(['product', 'sku', 'products_collection']),
  id: nullable(identifier),
  source_id: nullable(identifier),
  product_id: nullable(identifier),
  product_source_id: nullable(identifier),
  strict: nullable(v.boolean()),
  price: nullable(count),
  price_formula: nullable(shortText),
  effect: nullable(
    v.picklist([
      'APPLY_TO_EVERY',
      'APPLY_TO_CHEAPEST',
      'APPLY_FROM_CHEAPEST',
      'APPLY_TO_MOST_EXPENSIVE',
      'APPLY_FROM_MOST_EXPENSIVE',
    ]),
  ),
  quantity_limit: nullable(count),
  aggregated_quantity_limit: nullable(count),
  amount_limit: nullable(count),
  aggregated_amount_limit: nullable(count),
  skip_initially: nullable(count),
  repeat: nullable(positiveInteger),
  target: nullable(v.picklist(['ITEM', 'UNIT'])),
});

export const applicableTo = object({
  included: v.optional(array(applicableEntry, maxEntries), []),
  excluded: v.optional(array(applicableEntry, maxEntries), []),
  included_all: v.optional(v.boolean(), false),
});

export const customError = object({ message: v.pipe(longText, v.minLength(1, 'must not be empty')) });

export const documentType = v.picklist(['expression', 'basic', 'advanced', 'complex']);
export const contextType = v.picklist(contextTypes);

function open(description: string, fields: Record<string, unknown> = {}) {
  return shownAs(v.custom<Record<string, unknown>>(isRecord, 'must be an object'), {
    type: 'object',
    description,
    additionalProperties: true,
    ...fields,
  });
}

export const rules = open(
  '`{"<key>": {"name", "property", "conditions": {"$operator": [values]}, "rules", "error": {"message"}}, "logic": "1 and 2"}`. See docs/interface.md#validation-rules.',
);

export const bundleRules = open(
  '`{"limit", "<key>": {"name": "order.items.any", "conditions": {"$is": [products]}, "rules": {"1": {"name": "order.items.aggregated_quantity", "conditions": {"$is": [units]}}}}, "logic"}`.',
);
