import * as v from 'valibot';
import { described, shownAs } from '#kernel/core/documented.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import {
  array,
  count,
  identifier,
  longText,
  nullable,
  object,
  positiveInteger,
  shortText,
} from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import type { Values } from '#kernel/kit/resource/shape.ts';
import { Kept, readFamily } from '#kernel/table/kept.ts';
import { read } from '#kernel/table/read.ts';
import { ruleType } from './assignment.ts';
import { findDocumentFaults, writeLogicOfAll } from './check.ts';
import { contextTypes, listRuleKeys, logicKey, maxRulesOfDocument } from './shape.ts';

/** The parts of a rule document in bodies. `findDocumentFaults` checks the rules, and names every place. */

/** Limits the entries on each side. */
const maxEntries = 500;

/** Uses a default for an absent value and for null. */
function filledIn<S extends v.GenericSchema>(schema: S, value: v.InferInput<S>) {
  return v.optional(
    v.nullable(schema, () => value),
    () => value,
  );
}

/** The products of a discount, and how it applies to them. */
export const applicableEntry = object({
  object: v.picklist(['product', 'sku', 'products_collection']),
  id: nullable(identifier),
  source_id: nullable(identifier),
  product_id: nullable(identifier),
  product_source_id: nullable(identifier),
  strict: filledIn(v.boolean(), false),
  price: nullable(count),
  price_formula: nullable(shortText),
  effect: filledIn(
    v.picklist([
      'APPLY_TO_EVERY',
      'APPLY_TO_CHEAPEST',
      'APPLY_FROM_CHEAPEST',
      'APPLY_TO_MOST_EXPENSIVE',
      'APPLY_FROM_MOST_EXPENSIVE',
    ]),
    'APPLY_TO_EVERY',
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

const customError = object({ message: v.pipe(longText, v.minLength(1, 'must not be empty')) });

export const documentType = v.picklist(['expression', 'basic', 'advanced', 'complex']);
export const contextType = v.picklist(contextTypes);

const openObject = v.custom<Record<string, unknown>>(isRecord, 'must be an object');

function shownOpen<S extends v.GenericSchema>(schema: S, description: string) {
  return shownAs(schema, { type: 'object', description, additionalProperties: true });
}

/** Adds the default logic of rules: all must hold. */
function withLogic(sent: Record<string, unknown>): Record<string, unknown> {
  const keys = listRuleKeys(sent);
  if ((sent[logicKey] ?? undefined) !== undefined || keys.length === 0 || keys.length > maxRulesOfDocument) return sent;
  const logic = writeLogicOfAll(keys);
  return logic === undefined ? sent : { ...sent, [logicKey]: logic };
}

export const rules = shownOpen(
  v.pipe(openObject, v.transform(withLogic)),
  '`{"<key>": {"name", "property", "conditions": {"$operator": [values]}, "rules", "error": {"message"}}, "logic": "1 and 2"}`. Without `logic`, all rules must hold, and replies say so. See docs/validation-rules.md#validation-rules.',
);

const bundleRules = shownOpen(
  openObject,
  '`{"limit", "<key>": {"name": "order.items.any", "conditions": {"$is": [products]}, "rules": {"1": {"name": "order.items.aggregated_quantity", "conditions": {"$is": [units]}}}}, "logic"}`.',
);

/** Describes validation rules. A deleted rule leaves its assignments (`lib/engine/vouchers/assignments`). */
export const validationRule = resource(ruleType, {
  prefix: 'val',
  number: 'few',
  fields: {
    name: required(shortText, 'The name that operators see.'),
    rules: optional(
      rules,
      'The conditions of use: customers, carts and limits. Without rules, every customer can use the object.',
    ),
    bundle_rules: optional(bundleRules, 'Products that must be in the cart together.'),
    error: optional(customError, 'The message for a refusal, unless the failed rule has its own message.'),
    applicable_to: optional(applicableTo, 'The items that a discount is for. Without entries, it is for all lines.'),
    type: required(documentType, 'The editor that made the rule.', { leftOut: 'expression' }),
    context_type: required(contextType, 'The kind of object that the rule is for. Some rules fit only some kinds.', {
      leftOut: 'global',
    }),
  },
  orders: ['created_at', 'updated_at', 'name'],
  dated: true,
  empty: {
    rules: {},
    bundle_rules: {},
    applicable_to: null,
    updated_at: null,
  },
  fileKey: 'validation_rules',
  noted: 'validation_rule',
  family: 'terms',
  shows: { assignments_count: described(v.optional(count), 'Absent in the reply of the creation.') },
  rules: (entry: Values) => findDocumentFaults(entry),
});

type Stored = v.InferOutput<typeof validationRule.stored>;

/** Keeps a missing rule as an empty list. */
const keptDocuments = new Kept<readonly Stored[]>({ maxKept: 16_000_000 });

/** Reads existing validation rules in one call. Containers keep them. */
export async function readDocuments(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  ids: readonly string[],
): Promise<Stored[]> {
  if (ids.length === 0) return [];
  const { table, project } = context;
  const kept = readFamily(context, 'terms');
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: validationRule.few(project.id, id) });
    return found ? [found] : [];
  };
  return (await Promise.all(ids.map((id) => keptDocuments.get(kept, id, () => readOne(id))))).flat();
}
