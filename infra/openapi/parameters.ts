import type { Example, Route } from '#kernel/http/route.ts';
import { describeParameter } from './described-properties.ts';
import { exampleObject } from './filter-schemas.ts';
import { isJson, type Json } from './schemas.ts';
import { describePathParameter } from './words.ts';

export function splitObjectSchema(object: Json | undefined): {
  properties: [string, Json][];
  required: ReadonlySet<unknown>;
} {
  const properties = isJson(object?.properties) ? Object.entries(object.properties) : [];
  return {
    properties: properties.map(([name, schema]) => [name, isJson(schema) ? schema : {}]),
    required: new Set(Array.isArray(object?.required) ? object.required : []),
  };
}

/** Parses the default of a query, which is a text, into its value. */
function withMeantDefault({ default: fallback, ...schema }: Json): Json {
  if (fallback === undefined) return schema;
  return { ...schema, default: schema.type === 'integer' ? Number(fallback) : fallback };
}

/** Returns the options of a union, without null and without unions inside. */
function optionsOf({ anyOf }: Json): Json[] {
  if (!Array.isArray(anyOf)) return [];
  return anyOf.filter(isJson).flatMap((option) => {
    if (option.type === 'null') return [];
    return Array.isArray(option.anyOf) ? optionsOf(option) : [option];
  });
}

/**
 * Returns the first form of a parameter that has several. A query is text, so that a number and its digits have the
 * same form. Generators of clients cannot send a parameter that is a text or an object, so the description lists the
 * fields of the object.
 */
function firstForm(name: string, schema: Json): Json {
  const [first, ...others] = optionsOf(schema);
  if (first === undefined) return schema;
  const fields = others.flatMap((option) => splitObjectSchema(option).properties.map(([field]) => field));
  const { anyOf: _, ...beside } = schema;
  const { description: __, ...form } = first;
  if (fields.length === 0) return { ...beside, ...form };
  const names = fields.map((field) => `\`${name}[${field}]\``).join(', ');
  const words = `It may also be written as an object: ${names}.`;
  return { ...beside, ...form, description: beside.description ? `${beside.description} ${words}` : words };
}

export function listPathParameters(route: Route, schema: Json | undefined, example: Example['params'] = {}): Json[] {
  return splitObjectSchema(schema).properties.map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description: describePathParameter(route, name),
    schema: { ...schema, minLength: 1 },
    ...(name in example ? { example: example[name] } : {}),
  }));
}

const wordsOf = (description: unknown) => (description === undefined ? {} : { description });

export function listQueryParameters(schema: Json | undefined, query: Example['query'] = ''): Json[] {
  const { properties, required } = splitObjectSchema(schema);
  const examples = new Map(new URLSearchParams(query));
  const forms = properties.map(([name, schema]): [string, Json] => [name, firstForm(name, schema)]);
  return forms.map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.has(name),
    // A query writes nested keys in brackets, such as created_at[before]. A list repeats its name, as OpenAPI does by
    // default.
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    ...wordsOf(description ?? describeParameter(name, schema)),
    schema: withMeantDefault(schema),
    ...(schema.type === 'string' && examples.has(name) ? { example: examples.get(name) } : exampleObject(name, schema)),
  }));
}
