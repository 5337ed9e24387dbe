import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { areDistinct } from '../../lib/core/distinct.ts';
import { nameOf, replacementOf, wordsOf } from '../../lib/core/documented.ts';

/** A JSON Schema, or any other part of the document. */
export type Json = Readonly<Record<string, unknown>>;

type Schema = v.GenericSchema;
type Mode = 'request' | 'reply';

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the converter cannot see is said in words, where the schema has them: the message of a refusal. */
function withRule(jsonSchema: Json, action: object): Json {
  const message = 'message' in action ? action.message : undefined;
  if (typeof message !== 'string') return jsonSchema;
  const rules = [jsonSchema.description, message].filter((rule) => rule !== undefined);
  return { ...jsonSchema, description: rules.join('; ') };
}

/** Their messages name rule and place; that of a `partial_check` leaves the place to its path. */
const describedRules = new Set(['check', 'max_bytes']);
/** They do not show in the value as it is sent. */
const undescribed = new Set(['raw_check', 'partial_check', 'transform', 'raw_transform', 'trim']);

const isOptional = ({ type }: { type: string }) => type === 'optional' || type === 'exact_optional';

/** A field with a default may be left out of a request and is in every reply. */
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

const unsaid = { $comment: 'this schema is a function: say with shownAs what it takes' };

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
        // A function decides: somebody has to say what it takes.
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

/** With what it refers to in its place, and `null` beside the type that it stands for. */
function tidy(node: unknown, mode: Mode, resolve: (name: string) => Json): unknown {
  if (Array.isArray(node)) return node.map((item) => tidy(item, mode, resolve));
  if (!isJson(node)) return node;
  const { $ref, anyOf, default: fallback, ...rest } = node;
  const shared = {
    ...(typeof $ref === 'string' ? resolve($ref.replace('#/$defs/', '')) : {}),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, tidy(value, mode, resolve)])),
    // A reply has its value.
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

/** The names of the components that a part of the document refers to. */
function namesIn(part: unknown): Set<string> {
  const names = new Set<string>();
  JSON.stringify(part, (key, value) => {
    if (key === '$ref') names.add(String(value).replace('#/components/schemas/', ''));
    return value;
  });
  return names;
}

export interface Converted {
  /** By the name that was given to each root. */
  requests: Readonly<Record<string, Json>>;
  replies: Readonly<Record<string, Json>>;
  components: Readonly<Record<string, Json>>;
}

interface Sources {
  requests: Readonly<Record<string, Schema>>;
  replies: Readonly<Record<string, Schema>>;
}

/** What schemas are made of: those of an object's fields, of an array's items, of what is wrapped, piped or chosen from; each once. */
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
  const replaced = schemas.filter((schema) => replacementOf(schema) !== undefined);
  const inlined = replaced.map((schema, index) => [`inline ${index}`, schema] as const);
  const worded = schemas
    .filter((schema) => wordsOf(schema) !== undefined && replacementOf(schema) === undefined)
    .map((schema, index) => [`worded ${index}`, schema] as const);
  const named = [...components];
  // A root that is a component itself is a reference to it.
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
  const wordsByName = new Map<string, string | undefined>(worded.map(([name, schema]) => [name, wordsOf(schema)]));
  const inlineByName = new Map<string, Json>(inlined.map(([name, schema]) => [name, replacementOf(schema) ?? {}]));
  const isRoot = new Set(others.map(([root]) => `root ${root}`));
  const resolve = (name: string): Json => {
    // The body of one operation inside that of another: it has no name by which a reference would find it.
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

/** Every schema with a name that the roots lead to. */
function namedSchemas({ requests, replies }: Sources): Map<string, Schema> {
  const found = new Map<string, Schema>();
  for (const part of partsOf([...Object.values(requests), ...Object.values(replies)])) {
    const name = nameOf(part);
    if (name === undefined || !isSchema(part)) continue;
    if (found.has(name) && found.get(name) !== part) throw new Error(`two schemas are named ${name}`);
    found.set(name, part);
  }
  return found;
}

/** The parts that these refer to, and those that they refer to. */
export function reachableFrom(part: unknown, all: Readonly<Record<string, Json>>): Set<string> {
  const reached = namesIn(part);
  for (const name of reached) for (const inner of namesIn(all[name])) reached.add(inner);
  return reached;
}

/** Valibot's schemas as JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export function convertSchemas(sources: Sources): Converted {
  const components = namedSchemas(sources);
  const requests = convert('request', sources.requests, components);
  const replies = convert('reply', sources.replies, components);
  for (const name of reachableFrom(requests.roots, requests.components)) {
    const [taken, shown] = [requests.components[name], replies.components[name]];
    // Of a default or a transformation: under one name it would be wrong in one of the two places.
    if (JSON.stringify(taken) !== JSON.stringify(shown)) throw new Error(`${name} differs in requests and replies`);
  }
  return { requests: requests.roots, replies: replies.roots, components: replies.components };
}
