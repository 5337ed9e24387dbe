import * as v from 'valibot';
import { integer, record } from '../core/schema.ts';
import { type Key, kindsOf, projectIdOf } from './keys.ts';
import type { ItemKey } from './kind.ts';

/** Amounts added to top-level numbers of an item, by attribute. The writer keeps them, so that they can be subtracted again. */
export const added = v.object({ pk: v.string(), sk: v.string(), by: record(integer) });

export type Added = v.InferOutput<typeof added>;

export function addedTo({ pk, sk }: Key, by: Readonly<Record<string, number>>): Added {
  return { pk, sk, by: { ...by } };
}

/** Returns the key of an item of any kind. */
export function keyOfAdded({ pk, sk }: Added): ItemKey {
  return { pk, sk, kind: kindsOf({ pk, sk }).kind, project: projectIdOf({ pk, sk }), schema: v.unknown() };
}
