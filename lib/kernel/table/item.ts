import * as v from 'valibot';
import { listFaultPaths } from '#kernel/core/issues.ts';
import { clampToSafe } from '#kernel/core/sum.ts';

export type Attributes = Record<string, unknown>;

/** Turns stored numbers into values. A counter beyond the safe integers reads as the greatest of them. */
export const unmarshallOptions = Object.freeze({ wrapNumbers: (digits: string) => clampToSafe(Number(digits)) });

/** Reports that a stored item has an unexpected shape. The message names places, never values. */
export class StoredItemError extends Error {}

export function parseStored<S extends v.GenericSchema>(schema: S, item: Attributes): v.InferOutput<S> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  throw new StoredItemError(`stored item is malformed at ${listFaultPaths(result.issues)}`);
}
