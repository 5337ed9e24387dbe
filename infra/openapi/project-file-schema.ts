import type * as v from 'valibot';
import { lists, project } from '#addons/admin/project-file/lists.ts';
import { convertSchemas, isJson, type Json } from './schemas.ts';

/** Puts each referenced schema in its place, so that unknown fields can be refused. */
function inPlace(node: unknown, components: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(node)) return node.map((item) => inPlace(item, components));
  if (!isJson(node)) return node;
  const { $ref, ...rest } = node;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inPlace(value, components)]));
  if (typeof $ref !== 'string') return own;
  const referred = inPlace(components[$ref.replace('#/components/schemas/', '')], components);
  return isJson(referred) ? { ...referred, ...own } : own;
}

const passedOver: Json = { description: 'Replies show it. A project file may have it, but it has no effect.' };

/** Adds the fields that only replies show. */
function withShown(entry: Json, reply: Json | undefined): Json {
  if (!isJson(entry.properties) || !isJson(reply?.properties)) return entry;
  const own = entry.properties;
  const both = Object.entries(reply.properties).map(([name, inner]) => {
    const taken = own[name];
    if (!isJson(taken)) return [name, passedOver];
    return [name, isJson(inner) ? withShown(taken, inner) : taken];
  });
  return { ...entry, properties: { ...own, ...Object.fromEntries(both) } };
}

/** Refuses unknown fields at any depth, except inside objects that accept any field. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isJson(node) || node.additionalProperties === true) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return isJson(node.properties) && node.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Builds the JSON Schema of a project file, for checks in an editor. Descriptions name the loader's further checks. */
export function buildProjectFileSchema(): Json {
  const replies: Record<string, v.GenericSchema> = {};
  const requests: Record<string, v.GenericSchema> = { project };
  for (const { key, schema, shown } of lists.values()) {
    requests[key] = schema;
    if (shown) replies[key] = shown;
  }
  const converted = convertSchemas({ requests, replies });
  const whole = (json: Json | undefined) => {
    const inlined = inPlace(json, converted.components);
    return isJson(inlined) ? inlined : undefined;
  };
  const entries = [...lists.keys()].map((name) => {
    const entry = whole(converted.requests[name]);
    if (!entry) throw new Error(`${name} has no JSON schema`);
    const properties = isJson(entry.properties) ? { object: passedOver, ...entry.properties } : undefined;
    const items = closed(
      withShown({ ...entry, ...(properties ? { properties } : {}) }, whole(converted.replies[name])),
    );
    return [name, { type: 'array', items }];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tessera project file',
    description: 'A whole project. `npm run load` reads it, and `npm run export` writes it.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      project: closed(whole(converted.requests.project)),
      ...Object.fromEntries(entries),
    },
    required: ['project'],
    additionalProperties: false,
  };
}
