import type { Example, Route } from '../../lib/http/route.ts';
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

/** Parses the texts of a query into the values that they mean. */
function queryValue({ default: fallback, ...schema }: Json): Json {
  if (fallback === undefined) return schema;
  return { ...schema, default: schema.type === 'integer' ? Number(fallback) : fallback };
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
  return properties.map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.has(name),
    // A query writes nested keys in brackets, such as created_at[before]. A list repeats its name, as OpenAPI does by
    // default.
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    ...wordsOf(description ?? describeParameter(name, schema)),
    schema: queryValue(schema),
    ...(schema.type === 'string' && examples.has(name) ? { example: examples.get(name) } : exampleObject(name, schema)),
  }));
}
