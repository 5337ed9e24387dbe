import type * as v from 'valibot';

/** Adds descriptions to schemas for the OpenAPI document, without a change of their types. */

/** A JSON Schema. */
type JsonSchema = Readonly<Record<string, unknown>>;

const names = new WeakMap<object, string>();
const replacements = new WeakMap<object, JsonSchema>();
const words = new WeakMap<object, string>();

/** Names the schema. The document shows it once, under this name. */
export function named<S extends v.GenericSchema>(name: string, schema: S): S {
  names.set(schema, name);
  return schema;
}

/** Replaces the schema in the document by a JSON Schema, because its rules are functions. */
export function shownAs<S extends v.GenericSchema>(schema: S, json: JsonSchema): S {
  replacements.set(schema, json);
  return schema;
}

/** Returns the description of a schema's replacement, also of one inside an optional or nullable schema. */
function wordsWithin(schema: object): unknown {
  if (replacements.has(schema)) return replacements.get(schema)?.description;
  return 'wrapped' in schema && schema.wrapped instanceof Object ? wordsWithin(schema.wrapped) : undefined;
}

/**
 * Copies the schema and describes it for this place alone. A replacement in the document gets this description in
 * addition to its own.
 */
export function described<S extends v.GenericSchema>(schema: S, text: string): S {
  const copy = { ...schema };
  const shown = replacements.get(schema);
  const all = [text, wordsWithin(schema)].filter(Boolean).join(' ');
  if (shown) replacements.set(copy, { ...shown, description: all });
  words.set(copy, shown ? text : all);
  return copy;
}

export const findSchemaName = (schema: object) => names.get(schema);
export const findReplacement = (schema: object) => replacements.get(schema);
export const findDescription = (schema: object) => words.get(schema);
