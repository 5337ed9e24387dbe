import * as v from 'valibot';
import { sharedKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import type { Table } from '../../table/table.ts';
import { pointerKind } from './list-keys.ts';
import { projectId } from './project.ts';
import { isSameHash } from './secret.ts';

/** A stored key. It has only the hash of the token. */
export const appKeyItem = v.object({
  app_id: v.string(),
  name: v.string(),
  project_id: projectId,
  token_hash: v.string(),
  /** The hash of a second token, while callers move from the older token to the new one. */
  next_token_hash: v.optional(v.string()),
  active: v.boolean(),
});

export type AppKey = v.InferOutput<typeof appKeyItem>;

export const appKeysById = sharedKind(kinds.appKey);
export const appKeyPointers = pointerKind('APP_KEY');

export function findAppKey(table: Table, appId: string): Promise<AppKey | undefined> {
  return table.get(appKeysById(appId), appKeyItem);
}

interface TokenHolder {
  readonly token_hash: string;
  readonly next_token_hash?: string | undefined;
  readonly active: boolean;
}

/**
 * Returns whether a key of any kind accepts the hash of the presented token. Does the same work for an unknown id, a wrong token and an
 * inactive key, with one token or two.
 */
export function isTokenAccepted<K extends TokenHolder>(key: K | undefined, tokenHash: string): key is K {
  const hashes = [key?.token_hash, key?.next_token_hash];
  const matches = hashes.map((one) => isSameHash(tokenHash, one));
  return matches.includes(true) && key?.active === true;
}
