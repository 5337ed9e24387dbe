import * as v from 'valibot';
import { placesOf } from '../core/issues.ts';
import { countable } from '../core/sum.ts';

export type Attributes = Record<string, unknown>;

/** How stored numbers become values: a counter that went beyond what can be counted exactly reads as the most that can be. */
export const unmarshallOptions = Object.freeze({ wrapNumbers: (digits: string) => countable(Number(digits)) });

/** A stored item does not have the shape that the code expects. Names places, never values. */
export class StoredItemError extends Error {}

export function parseStored<S extends v.GenericSchema>(schema: S, item: Attributes): v.InferOutput<S> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  throw new StoredItemError(`stored item is malformed at ${placesOf(result.issues)}`);
}
