import type * as v from 'valibot';
import type { Route } from './route.ts';

/** Finds the operations that accept metadata, which the schemas of a project may refuse. */

type Schema = v.GenericSchema;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

function partsOf(schema: Schema): unknown[] {
  const { entries, wrapped, item, options, pipe } = Object.assign(
    { entries: {}, wrapped: undefined, item: undefined, options: [], pipe: [] },
    schema,
  );
  const inner = Object.entries(entries);
  return [...inner.map(([, one]) => one), wrapped, item, ...options, ...pipe];
}

/** Returns whether any object of the schema has metadata. */
function hasMetadata(schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if ('entries' in schema && Object.hasOwn(Object(schema.entries), 'metadata')) return true;
  return partsOf(schema).some((part) => isSchema(part) && hasMetadata(part, seen));
}

/** Returns whether a request of the route may have metadata of an object. */
export function takesMetadata({ body, query }: Pick<Route, 'body' | 'query'>): boolean {
  const sent = [typeof body === 'object' ? body.schema : undefined, query];
  return sent.some((schema) => schema !== undefined && hasMetadata(schema));
}
