import * as v from 'valibot';
import { placesOf } from '../issues.ts';

export type Attributes = Record<string, unknown>;

/** A stored item does not have the shape that the code expects. Names places, never values. */
export class StoredItemError extends Error {}

export function parseStored<S extends v.GenericSchema>(schema: S, item: Attributes): v.InferOutput<S> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  throw new StoredItemError(`stored item is malformed at ${placesOf(result.issues)}`);
}
