import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { areDistinct } from '#kernel/core/distinct.ts';
import { findDescription, findReplacement, findSchemaName } from '#kernel/core/documented.ts';

/** A JSON Schema, or any other part of the document. */
export type Json = Readonly<Record<string, unknown>>;

type Schema = v.GenericSchema;
type Mode = 'request' | 'reply';

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds the message of a refusal to the description, for rules that the converter cannot see. */
function withRule(jsonSchema: Json, action: object): Json {
  const message = 'message' in action ? action.message : undefined;
  if (typeof message !== 'string') return jsonSchema;
  const rules = [jsonSchema.description, message].filter((rule) => rule !== undefined);
  return { ...jsonSchema, description: rules.join('; ') };
}

/** The messages of these actions name rule and place. A `partial_check` leaves the place to its path. */
const describedRules = new Set(['check', 'max_bytes']);
/** These actions are not visible in the sent value. */
const undescribed = new Set(['raw_check', 'partial_check', 'transform', 'raw_transform', 'trim']);

const isOptional = ({ type }: { type: string }) => type === 'optional' || type === 'exact_optional';

/** Lists the required fields. A field with a default is optional in a request and present in every reply. */
function withRequired({ required: _, ...jsonSchema }: Json, schema: object, mode: Mode): Json {
  const required = hasEntries(schema)
    ? Object.entries(schema.entries)
        .filter(([, entry]) => !isOptional(entry) || (mode === 'reply' && hasDefault(entry)))
        .map(([name]) => name)
    : [];
  return required.length > 0 ? { ...jsonSchema, required } : jsonSchema;
}

function hasEntries(schema: object): schema is { entries: v.ObjectEntries } {
  return 'entries' in schema;
}

function hasDefault(entry: object): boolean {
  return 'default' in entry && entry.default !== undefined;
}

const unsaid = { $comment: 'this schema is a function: describe with shownAs what it accepts' };

function conversion(mode: Mode): ConversionConfig {
  return {
    target: 'draft-2020-12',
    typeMode: mode === 'request' ? 'input' : 'output',
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if ('requirement' in valibotAction && valibotAction.requirement === areDistinct)
        return { ...jsonSchema, uniqueItems: true };
      if (describedRules.has(valibotAction.type)) return withRule({ ...jsonSchema }, valibotAction);
      return undescribed.has(valibotAction.type) ? { ...jsonSchema } : undefined;
    },
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      switch (valibotSchema.type) {
        // A function decides here, so the schema must declare what it accepts.
        case 'custom':
          return { ...unsaid };
        case 'object':
          return withRequired({ ...jsonSchema }, valibotSchema, mode);
        case 'loose_object':
          return { ...withRequired({ ...jsonSchema }, valibotSchema, mode), additionalProperties: true };
        // Every key of JSON is a string.
        case 'record': {
          const { propertyNames, ...rest } = jsonSchema;
          return rest;
        }
        default:
          return undefined;
      }
    },
  };
}

/** Puts each reference in its place, and adds `null` to the type that it belongs to. */
function tidy(node: unknown, mode: Mode, resolve: (name: string) => Json): unknown {
  if (Array.isArray(node)) return node.map((item) => tidy(item, mode, resolve));
  if (!isJson(node)) return node;
  const { $ref, anyOf, default: fallback, ...rest } = node;
  const shared = {
    ...(typeof $ref === 'string' ? resolve($ref.replace('#/$defs/', '')) : {}),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, tidy(value, mode, resolve)])),
    // A reply always has its value, so its schema needs no default.
    ...(fallback === undefined || mode === 'reply' ? {} : { default: fallback }),
  };
  if (!Array.isArray(anyOf)) return shared;
  const options = anyOf.map((option) => tidy(option, mode, resolve));
  const [first, second] = options;
  const isNullable = options.length === 2 && isJson(second) && second.type === 'null';
  return isNullable && isJson(first) && typeof first.type === 'string' && !('enum' in first)
    ? { ...first, ...shared, type: [first.type, 'null'] }
    : { ...shared, anyOf: options };
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Returns the names of the components that a part of the document refers to. */
function namesIn(part: unknown): Set<string> {
  const names = new Set<string>();
  JSON.stringify(part, (key, value) => {
    if (key === '$ref') names.add(String(value).replace('#/components/schemas/', ''));
    return value;
  });
  return names;
}

export interface Converted {
  /** Maps the name of each root to its schema. */
  requests: Readonly<Record<string, Json>>;
  replies: Readonly<Record<string, Json>>;
  components: Readonly<Record<string, Json>>;
}

interface Sources {
  requests: Readonly<Record<string, Schema>>;
  replies: Readonly<Record<string, Schema>>;
}

/** Returns the schemas inside these schemas, each once: fields, array items, and wrapped, piped or optional parts. */
function partsOf(schemas: readonly object[]): Set<object> {
  const parts = new Set<object>();
  const add = (part: unknown) => {
    if (typeof part !== 'object' || part === null || parts.has(part)) return;
    parts.add(part);
    const { entries, wrapped, item, value, options, pipe } = part as Partial<Record<string, unknown>>;
    const fields = typeof entries === 'object' && entries !== null ? Object.values(entries) : [];
    const listed = [options, pipe].flatMap((some) => (Array.isArray(some) ? some : []));
    for (const inner of [...fields, wrapped, item, value, ...listed]) add(inner);
  };
  for (const schema of schemas) add(schema);
  return parts;
}

function isSchema(value: object): value is Schema {
  return '~run' in value && 'type' in value;
}

function convert(mode: Mode, roots: Readonly<Record<string, Schema>>, components: ReadonlyMap<string, Schema>) {
  const schemas = [...partsOf([...Object.values(roots), ...components.values()])].filter(isSchema);
  const replaced = schemas.filter((schema) => findReplacement(schema) !== undefined);
  const inlined = replaced.map((schema, index) => [`inline ${index}`, schema] as const);
  const worded = schemas
    .filter((schema) => findDescription(schema) !== undefined && findReplacement(schema) === undefined)
    .map((schema, index) => [`worded ${index}`, schema] as const);
  const named = [...components];
  // A root that is also a component becomes a reference.
  const names = new Map<object, string>([...worded, ...inlined, ...named].map(([name, schema]) => [schema, name]));
  const others = Object.entries(roots).filter(([, schema]) => !names.has(schema));
  const definitions = toJsonSchemaDefs(
    Object.fromEntries([
      ...inlined,
      ...named,
      ...worded,
      ...others.map(([root, schema]) => [`root ${root}`, schema] as const),
    ]),
    conversion(mode),
  );
  const wordsByName = new Map<string, string | undefined>(
    worded.map(([name, schema]) => [name, findDescription(schema)]),
  );
  const inlineByName = new Map<string, Json>(inlined.map(([name, schema]) => [name, findReplacement(schema) ?? {}]));
  const isRoot = new Set(others.map(([root]) => `root ${root}`));
  const resolve = (name: string): Json => {
    // One operation's body inside another operation's body has no name for a reference.
    if (isRoot.has(name)) return tidied(name);
    const description = wordsByName.get(name);
    return description === undefined ? (inlineByName.get(name) ?? reference(name)) : { ...tidied(name), description };
  };
  const tidied = (name: string): Json => {
    const json = tidy(definitions[name], mode, resolve);
    if (!isJson(json)) throw new Error(`${name} has no JSON schema`);
    if (JSON.stringify(json).includes(unsaid.$comment)) throw new Error(`${name}: ${unsaid.$comment}`);
    return json;
  };
  return {
    components: Object.fromEntries(named.map(([name]) => [name, tidied(name)])),
    roots: Object.fromEntries(
      Object.entries(roots).map(([root, schema]) => {
        const name = names.get(schema);
        return [root, name === undefined ? tidied(`root ${root}`) : resolve(name)];
      }),
    ),
  };
}

/** Returns every named schema that the roots lead to. */
function namedSchemas({ requests, replies }: Sources): Map<string, Schema> {
  const found = new Map<string, Schema>();
  for (const part of partsOf([...Object.values(requests), ...Object.values(replies)])) {
    const name = findSchemaName(part);
    if (name === undefined || !isSchema(part)) continue;
    if (found.has(name) && found.get(name) !== part) throw new Error(`two schemas are named ${name}`);
    found.set(name, part);
  }
  return found;
}

/** Returns the names that these parts refer to, directly or through other parts. */
export function findReachable(part: unknown, all: Readonly<Record<string, Json>>): Set<string> {
  const reached = namesIn(part);
  for (const name of reached) for (const inner of namesIn(all[name])) reached.add(inner);
  return reached;
}

/** Converts Valibot's schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export function convertSchemas(sources: Sources): Converted {
  const components = namedSchemas(sources);
  const requests = convert('request', sources.requests, components);
  const replies = convert('reply', sources.replies, components);
  for (const name of findReachable(requests.roots, requests.components)) {
    const [taken, shown] = [requests.components[name], replies.components[name]];
    // A default or a transformation makes the two differ. The same name would then be wrong in one of two places.
    if (JSON.stringify(taken) !== JSON.stringify(shown)) throw new Error(`${name} differs in requests and replies`);
  }
  return { requests: requests.roots, replies: replies.roots, components: replies.components };
}
