import { isJson, type Json } from './schemas.ts';
import { discriminatorOf, pascal, sharedUnions, suffixesOf } from './union-names.ts';

/** A schema in the form that generators of clients read, and the additional components that it refers to. */
export interface Plain {
  readonly schema: Json;
  readonly components: Readonly<Record<string, Json>>;
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const isNull = (schema: unknown) => isJson(schema) && schema.type === 'null';

/**
 * Describes a default in words. A generated client would send a `default` with each request, or refuse a default that
 * is an object.
 */
function withDefaultInWords({ default: fallback, ...schema }: Json): Json {
  if (fallback === undefined || isEmpty(fallback)) return schema;
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  const { description } = schema;
  const sentence = typeof description === 'string' ? `${description.replace(/([^.])$/, '$1.')} ` : '';
  return { ...schema, description: `${sentence}Default: \`${text}\`.` };
}

/** An empty object or list as the default only means that the field is optional. */
const isEmpty = (fallback: unknown) =>
  typeof fallback === 'object' && fallback !== null && Object.keys(fallback).length === 0;

/** Names the type of a constant. Generators read a constant without its type as any value, and fail at boolean constants. */
function withTypedConstant({ const: constant, ...schema }: Json): Json {
  const { enum: choices } = schema;
  if (schema.type === 'number' && Array.isArray(choices) && choices.every(Number.isInteger))
    return { ...schema, type: 'integer' };
  if (constant === undefined) return schema;
  if (typeof constant === 'boolean') return { ...schema, type: 'boolean' };
  if (typeof constant === 'string') return { type: 'string', const: constant, ...schema };
  return { const: constant, ...schema };
}

/**
 * Leaves out `min_length` if `minLength` follows, because both spellings are the same name in Java and in Go. The
 * description of the second names the first.
 */
function withOneSpelling(properties: Json): Json {
  const spellings = Map.groupBy(Object.entries(properties), ([name]) => pascal(name));
  return Object.fromEntries(
    [...spellings.values()].flatMap((alike) => {
      const [last] = alike.slice(-1);
      if (last === undefined || alike.length === 1) return alike;
      const [name, schema] = last;
      const others = alike.slice(0, -1).map(([other]) => `\`${other}\` means the same.`);
      const { description } = Object(schema);
      return [[name, { ...Object(schema), description: [description, ...others].join(' ') }] as const];
    }),
  );
}

/** Returns the options of a union and of the unions within. */
function optionsOf(node: Json): unknown[] {
  const options = [node.anyOf, node.oneOf].flatMap((some) => (Array.isArray(some) ? some : []));
  return options.flatMap((option) => {
    const isPlainUnion = isJson(option) && Array.isArray(option.anyOf) && Object.keys(option).length === 1;
    return isPlainUnion ? optionsOf(option) : [option];
  });
}

/**
 * Rewrites a schema in the form that generators of clients read: unions and their objects get names, and defaults
 * become words. `name` is the component's name, or the place of a schema without a name.
 */
export function toPlainSchema(name: string, root: Json, isNamed: boolean): Plain {
  const components: Record<string, Json> = {};

  const add = (component: string, schema: Json): Json => {
    const known = components[component];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${component}`);
    components[component] = schema;
    return reference(component);
  };

  const within = (node: Json, place: string): Json =>
    Object.fromEntries(
      Object.entries(node).map(([key, value]): [string, unknown] => {
        if ((key === 'properties' || key === 'patternProperties') && isJson(value)) {
          const fields = key === 'properties' ? withOneSpelling(value) : value;
          const inner = Object.entries(fields).map(([field, one]) => [field, plain(one, place + pascal(field))]);
          return [key, Object.fromEntries(inner)];
        }
        if (key === 'items') return [key, plain(value, `${place}Item`)];
        if (key === 'additionalProperties') return [key, plain(value, `${place}Value`)];
        return [key, value];
      }),
    );

  /** Gives each object of a union a name, and the union a discriminator if a property distinguishes its objects. */
  const union = (node: Json, options: readonly unknown[], place: string): Json => {
    const { anyOf: _, oneOf, ...beside } = node;
    const suffixes = suffixesOf(options);
    const named = options.map((option, index) => {
      const suffix = suffixes[index];
      if (suffix === undefined || !isJson(option) || option.$ref !== undefined) return plain(option, place);
      const own = plain(option, place + suffix);
      return isJson(own) && own.$ref === undefined ? add(place + suffix, own) : own;
    });
    const discriminator = discriminatorOf(options, named);
    const kind = oneOf === undefined ? 'anyOf' : 'oneOf';
    return { ...beside, [kind]: named, ...(discriminator ? { discriminator } : {}) };
  };

  const plain = (node: unknown, place: string, isRoot = false): unknown => {
    if (!isJson(node)) return node;
    const own = withTypedConstant(withDefaultInWords(node));
    const all = optionsOf(own);
    if (all.length === 0) return within(own, place);
    const options = all.filter((option) => !isNull(option));
    const isNullable = options.length < all.length;
    const { anyOf: _, oneOf: __, description, ...beside } = own;
    const words = description === undefined ? {} : { description };
    const [only] = options;
    if (options.length === 1 && isJson(only)) {
      const single = plain(only, place);
      return { ...words, ...beside, ...nullable(single) };
    }
    const shared = sharedUnions.get(JSON.stringify({ ...beside, anyOf: options.map(withoutWords) }));
    const schema = shared === undefined ? union({ ...own, description: undefined }, options, place) : undefined;
    if (isRoot && !isNullable) return { ...words, ...defined(union(own, options, place)) };
    const target = shared === undefined ? add(place, defined(schema ?? {})) : add(shared, { anyOf: options });
    return isNullable ? { ...words, anyOf: [target, { type: 'null' }] } : { ...target, ...words };
  };

  const schema = plain(root, name, isNamed);
  return { schema: isJson(schema) ? schema : {}, components };
}

const defined = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

function withoutWords(option: unknown): unknown {
  if (!isJson(option)) return option;
  const { description: _, ...rest } = option;
  return rest;
}

/** Allows null in addition to a schema: by its list of types, or by a second option if it has a name or a constant. */
function nullable(schema: unknown): Json {
  if (!isJson(schema)) return {};
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  if (schema.const !== undefined) {
    const { const: constant, ...rest } = schema;
    return { ...rest, type: [schema.type, 'null'], enum: [constant, null] };
  }
  if (Array.isArray(schema.enum)) return { ...schema, type: [schema.type, 'null'], enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type, 'null'] };
}
