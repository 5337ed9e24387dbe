import {
  type Definition,
  isStandard,
  type MetadataSchema,
  type MetadataSchemas,
  schemaOf,
} from '#kernel/core/metadata/definition.ts';
import { isMoment, sizeOf, valuesOf } from '#kernel/core/metadata/values.ts';

/** Finds the faults of schemas. Each fault begins with its place. */

/** Limits the definitions of a schema, as in the public interface. Retired definitions count. */
const maxDefinitions = 100;

/** Limits all schemas of a project, as JSON. They share one item, which has at most 400 KB. */
const maxSchemasBytes = 200 * 1024;

const bounds = ['lt', 'lte', 'gt', 'gte'] as const;
const lengths = ['min_length', 'max_length', 'exact_length'] as const;

function* boundFaults(definition: Definition): Generator<string> {
  const { type } = definition;
  const [fits, words] = valuesOf[type];
  for (const name of bounds) {
    const bound = definition[name];
    if (bound === undefined) continue;
    if (type !== 'number' && !isMoment(type)) yield `${name} is only a limit of number, date and datetime`;
    else if (!fits(bound)) yield `${name} must be ${words}`;
  }
  const { gt, gte = gt, lt, lte = lt } = definition;
  if (gte !== undefined && lte !== undefined && sizeOf(type, gte) > sizeOf(type, lte))
    yield `${definition.gte === undefined ? 'gt' : 'gte'} must not be more than ${definition.lte === undefined ? 'lt' : 'lte'}`;
}

function* lengthFaults(definition: Definition): Generator<string> {
  const { type, min_length = 0, max_length = Number.POSITIVE_INFINITY } = definition;
  for (const name of lengths) {
    if (definition[name] !== undefined && type !== 'string' && type !== 'image_url')
      yield `${name} is only a limit of string and image_url`;
  }
  if (min_length > max_length) yield 'min_length must not be more than max_length';
}

/** Yields the faults of one definition by itself. */
function* findDefinitionFaults(definition: Definition): Generator<string> {
  const { type, object_type } = definition;
  const [fits, words] = valuesOf[type];
  for (const name of ['eq', 'ne'] as const) {
    const values = definition[name] ?? [];
    if (type === 'object' && values.length > 0) yield `${name} is not a limit of object`;
    for (const [index, value] of values.entries()) {
      if (type !== 'object' && !fits(value)) yield `${name}[${index}] must be ${words}`;
    }
  }
  yield* boundFaults(definition);
  yield* lengthFaults(definition);
  if (object_type !== undefined && type !== 'object') yield 'object_type is only for object';
  if (object_type !== undefined && isStandard(object_type))
    yield `object_type must name a custom schema, and ${object_type} is a resource`;
}

/** Yields the faults of changed definitions against the stored definitions. */
export function* findTypeChanges(
  before: MetadataSchema['properties'],
  after: MetadataSchema['properties'],
): Generator<string> {
  for (const [key, { type, array = false, object_type }] of Object.entries(after)) {
    const stored = Object.hasOwn(before, key) ? before[key] : undefined;
    if (!stored) continue;
    const { type: storedType, array: wasArray = false, object_type: storedObject } = stored;
    if (type !== storedType) yield `properties.${key}.type is ${storedType} and cannot change`;
    if (array !== wasArray) yield `properties.${key}.array is ${wasArray} and cannot change`;
    if (object_type !== storedObject)
      yield `properties.${key}.object_type is ${storedObject ?? 'empty'} and cannot change`;
  }
}

function nestedIn({ properties }: MetadataSchema): { key: string; name: string }[] {
  return Object.entries(properties).flatMap(([key, { object_type: name, deleted }]) =>
    name === undefined || deleted ? [] : [{ key, name }],
  );
}

/** Returns the way from a schema back to itself, if such a way exists. */
function findCycle(schemas: MetadataSchemas, start: string): string[] | undefined {
  const seen = new Set<string>();
  function from(name: string, way: readonly string[]): string[] | undefined {
    const schema = schemaOf(schemas, name);
    if (!schema || seen.has(name)) return undefined;
    seen.add(name);
    for (const { name: inner } of nestedIn(schema)) {
      const found = inner === start ? [...way, name, inner] : from(inner, [...way, name]);
      if (found) return found;
    }
    return undefined;
  }
  return from(start, []);
}

/** Yields the faults of a schema among all schemas of its project. */
export function* findSchemaFaults(schemas: MetadataSchemas, name: string): Generator<string> {
  const schema = schemaOf(schemas, name);
  if (!schema) return;
  if (Object.keys(schema.properties).length > maxDefinitions)
    yield `properties must have at most ${maxDefinitions} definitions, retired ones included`;
  for (const [key, definition] of Object.entries(schema.properties)) {
    if (key === '') yield 'properties must not have an empty key';
    for (const fault of findDefinitionFaults(definition)) yield `properties.${key}.${fault}`;
  }
  for (const { key, name: inner } of nestedIn(schema)) {
    if (!schemaOf(schemas, inner))
      yield `properties.${key}.object_type must name a custom schema of the project, and ${inner} is none`;
  }
  const cycle = findCycle(schemas, name);
  if (cycle) yield `properties must not nest a schema in itself: ${cycle.join(' > ')}`;
}

/** Returns the fault of schemas that are too large together. */
export function findTotalFault(schemas: MetadataSchemas): string | undefined {
  return Buffer.byteLength(JSON.stringify(schemas)) > maxSchemasBytes
    ? `properties must leave all schemas of the project within ${maxSchemasBytes} bytes as JSON`
    : undefined;
}

/** Returns the schemas that nest this schema. */
export function listNesting(schemas: MetadataSchemas, name: string): string[] {
  return Object.entries(schemas).flatMap(([outer, schema]) =>
    nestedIn(schema).some((one) => one.name === name) ? [outer] : [],
  );
}
