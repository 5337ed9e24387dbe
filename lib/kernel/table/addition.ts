import * as v from 'valibot';
import { integer, record } from '#kernel/core/schema.ts';
import { type Key, readKinds, readProjectId } from './keys.ts';
import type { ItemKey } from './kind.ts';

/** Amounts added to top-level numbers of an item, by attribute. The writer keeps them, so that they can be subtracted again. */
export const addition = v.object({ pk: v.string(), sk: v.string(), by: record(integer) });

export type Addition = v.InferOutput<typeof addition>;

export function newAddition({ pk, sk }: Key, by: Readonly<Record<string, number>>): Addition {
  return { pk, sk, by: { ...by } };
}

/** Returns the key of an item of any kind. */
export function additionKey({ pk, sk }: Addition): ItemKey {
  return { pk, sk, kind: readKinds({ pk, sk }).kind, project: readProjectId({ pk, sk }), schema: v.unknown() };
}
