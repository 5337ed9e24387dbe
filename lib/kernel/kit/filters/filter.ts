import * as v from 'valibot';
import { shownAs } from '#kernel/core/documented.ts';
import type { Areas } from '#kernel/core/geo-point.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import type { CompiledSchema } from '#kernel/core/metadata/check.ts';
import type { MetadataType } from '#kernel/core/metadata/definition.ts';
import { asDeclared } from '#kernel/core/metadata/values.ts';
import { identifier, isMetadataWithinLimit, metadataTooLarge } from '#kernel/core/schema.ts';
import { listNamedLocations, type Test } from './compare.ts';
import { adaptTest, type FilterFields, type FoundField, findField, operatorsByType } from './fields.ts';
import { findOperandFaults, isOperand, toList } from './operands.ts';
import { filterOperators, isOperatorName } from './operators.ts';

/**
 * A filter: `{ junction, "<field>": { conditions: { "$op": value or [values] } } }`. All conditions of a field must hold, and the junction
 * joins fields (docs/lists-and-filters.md#filters).
 */
export type Filter = Readonly<Record<string, unknown>>;

/** Returns whether a subject matches a filter. `areas` are the locations that the filter names. */
export type Matches<S> = (subject: S, now: Date, areas?: Areas) => boolean;

/** Begins the name of a field that is a key of metadata. */
const metadataPath = 'metadata.';

/** Exceeds any use. It limits the evaluation for each element of a list. */
export const maxFields = 100;

type JsonSchema = Readonly<Record<string, unknown>>;

const junction = {
  type: 'string',
  pattern: '^([aA][nN][dD]|[oO][rR])$',
  description: 'Says whether all fields must match (`and`, the default) or one of them (`or`).',
};

function shownField(field: FilterFields<never>[string]): JsonSchema {
  if (typeof field === 'object' && 'flags' in field) {
    return { type: 'object', description: `Any of ${Object.keys(field.flags).join(', ')}, each with any value.` };
  }
  const type = typeof field === 'string' ? field : field.type;
  return { $ref: `#/components/schemas/FilterOf${type.slice(0, 1).toUpperCase()}${type.slice(1)}` };
}

const patternOf = (path: string) => `^${path.replaceAll('.', '\\.').replace('*', '[\\s\\S]+')}$`;

/** Returns the fields of a filter as JSON Schema: by name, or by pattern if any name is possible. */
function shownFields<S>(fields: FilterFields<S>): JsonSchema {
  const shown = Object.entries(fields).map(([path, field]) => [path, shownField(field)] as const);
  const open = shown.filter(([path]) => path.includes('*')).map(([path, schema]) => [patternOf(path), schema]);
  const known = shown.filter(([path]) => !path.includes('*'));
  return {
    properties: { junction, ...Object.fromEntries(known) },
    ...(open.length > 0 ? { patternProperties: Object.fromEntries(open) } : {}),
  };
}

interface Fault {
  path: string[];
  message: string;
}

/** Returns the conditions of a field: under `conditions`, or directly under the field for flags. */
function conditionsOf<S>(found: FoundField<S>, sent: unknown): unknown {
  if (!isRecord(sent)) return undefined;
  return 'flags' in found && !Object.hasOwn(sent, 'conditions') ? sent : sent.conditions;
}

function* conditionFaults<S>(found: FoundField<S>, sent: unknown, path: string[]): Generator<Fault> {
  const conditions = conditionsOf(found, sent);
  const inside = conditions === sent ? path : [...path, 'conditions'];
  if (!isRecord(conditions)) return yield { path: inside, message: 'must be an object of operators and their values' };
  const known: readonly string[] = 'flags' in found ? Object.keys(found.flags) : operatorsByType[found.type];
  if (Object.keys(conditions).length === 0) yield { path: inside, message: 'must have at least one operator' };
  for (const [name, operands] of Object.entries(conditions)) {
    const place = [...inside, name];
    if (!known.includes(name)) yield { path: place, message: `is not an operator of this field: ${known.join(', ')}` };
    else if (isOperatorName(name) && !('flags' in found))
      for (const message of findOperandFaults(found.type, filterOperators[name], operands))
        yield { path: place, message };
  }
}

function junctionOf(filter: Filter): 'and' | 'or' | undefined {
  const { junction = 'and' } = filter;
  const sent = typeof junction === 'string' ? junction.toLowerCase() : undefined;
  return sent === 'and' || sent === 'or' ? sent : undefined;
}

const fieldsIn = (filter: Filter) => Object.entries(filter).filter(([name]) => name !== 'junction');

function* faultsOf<S>(fields: FilterFields<S>, filter: Filter, { whole }: { whole: boolean }): Generator<Fault> {
  const sent = fieldsIn(filter);
  if (junctionOf(filter) === undefined) yield { path: ['junction'], message: 'must be and or or' };
  if (whole && filter.junction === undefined) yield { path: ['junction'], message: 'is required' };
  if (whole && sent.length === 0) yield { path: [], message: 'must have at least one field' };
  if (sent.length > maxFields) return yield { path: [], message: `must have at most ${maxFields} fields` };
  for (const [path, conditions] of sent) {
    const found = findField(fields, path);
    if (found) yield* conditionFaults(found, conditions, [path]);
    else yield { path: [path], message: `is not a field to filter by: ${Object.keys(fields).join(', ')}` };
  }
}

/** Yields the faults of a filter, each at its place, in the form of Valibot. */
function check<S>(fields: FilterFields<S>, options: { whole: boolean }) {
  return v.rawCheck<Filter>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const { path, message } of faultsOf(fields, input, options)) {
      const steps = path.map((key) => ({ type: 'object', origin: 'value', input, key, value: undefined }) as const);
      const [first, ...others] = steps;
      addIssue(first ? { message, path: [first, ...others] } : { message });
    }
  });
}

const anyFilter = v.custom<Filter>(isRecord, 'must be an object of fields and their conditions');

function schemaOf<S>(fields: FilterFields<S>, options: { whole: boolean; isKept: boolean }): v.GenericSchema<Filter> {
  const fits = v.check((filter: Filter) => !options.isKept || isMetadataWithinLimit(filter), metadataTooLarge);
  return shownAs(v.pipe(anyFilter, check(fields, options), fits), {
    type: 'object',
    description: `\`{"junction": "and" or "or", "<field>": {"conditions": {"$operator": value or [values]}}}\`, by ${Object.keys(fields).join(', ')}.`,
    ...shownFields(fields),
    additionalProperties: false,
  });
}

/** Declares the filter of a list's query, `filters[<field>][conditions][<operator>]=…`. The default junction is `and`. */
export function filterQuery<S>(fields: FilterFields<S>): v.GenericSchema<Filter> {
  return schemaOf(fields, { whole: false, isKept: false });
}

/** Declares the stored filter of a body. The default junction is `and`. It must fit into an item. */
export function storedFilter<S>(fields: FilterFields<S>): v.GenericSchema<Filter> {
  return schemaOf(fields, { whole: false, isKept: true });
}

/** Declares the stored filter of a body with a junction and at least one field. It must fit into an item. */
export function filterDocument<S>(fields: FilterFields<S>): v.GenericSchema<Filter> {
  return schemaOf(fields, { whole: true, isKept: true });
}

/** Returns all operands of a checked filter that may be an id. */
export function listFilterIds(filter: Filter, field: string): string[] {
  const sent = Object.hasOwn(filter, field) ? filter[field] : undefined;
  const conditions = isRecord(sent) && isRecord(sent.conditions) ? sent.conditions : {};
  return Object.values(conditions).flatMap((operands) => toList(operands).filter((one) => v.is(identifier, one)));
}

/** Returns the ids of the locations that a filter names. */
export function listFilterLocations(filter: Filter): string[] {
  return fieldsIn(filter).flatMap(([, sent]) => (isRecord(sent) ? listNamedLocations(sent.conditions) : []));
}

/** Returns the declared type of a key of metadata that a filter names. */
function declaredType(schema: CompiledSchema | undefined, path: string): MetadataType | undefined {
  return path.startsWith(metadataPath) ? schema?.definitions.get(path.slice(metadataPath.length))?.type : undefined;
}

function compileField<S>(found: FoundField<S>, sent: unknown, declared: MetadataType | undefined): Matches<S> {
  const conditions = Object.entries(Object(conditionsOf(found, sent)));
  if ('flags' in found) {
    const flags = conditions.map(([name]) => (Object.hasOwn(found.flags, name) ? found.flags[name] : undefined));
    return (subject, now) => flags.every((flag) => flag?.(subject, now) ?? false);
  }
  const { form } = found;
  const formed = <T>(value: T) => (form && typeof value === 'string' ? form(value) : value);
  const tests = conditions.map(([name, operands]) =>
    isOperatorName(name)
      ? adaptTest(found.type, name, filterOperators[name].test(toList(operands).filter(isOperand).map(formed)))
      : () => false,
  );
  const meetsAll: Test = (value, now, areas) => tests.every((test) => test(value, now, areas));
  return (subject, now, areas) => {
    const stored = formed(found.read(subject));
    const value = declared ? asDeclared(declared, stored) : stored;
    if (!found.isEach || !Array.isArray(value)) return meetsAll(value, now, areas);
    return value.length === 0 ? meetsAll(undefined, now, areas) : value.some((one) => meetsAll(one, now, areas));
  };
}

/**
 * Compiles a checked filter once. A filter without fields matches everything, and an unknown field matches nothing. Keys of metadata
 * compare as `schema` declares them.
 */
export function compileFilter<S>(fields: FilterFields<S>, filter: Filter, schema?: CompiledSchema): Matches<S> {
  const tests = fieldsIn(filter).map(([path, conditions]): Matches<S> => {
    const found = findField(fields, path);
    return found ? compileField(found, conditions, declaredType(schema, path)) : () => false;
  });
  if (junctionOf(filter) === 'or' && tests.length > 0) {
    return (subject, now, areas) => tests.some((test) => test(subject, now, areas));
  }
  return (subject, now, areas) => tests.every((test) => test(subject, now, areas));
}
