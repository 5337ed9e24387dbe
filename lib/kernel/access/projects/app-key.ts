import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import { sharedKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { pointerKind } from './list-keys.ts';
import { projectId } from './project.ts';
import { isSameHash } from './secret.ts';

/** The hashes of a key's tokens. The tokens themselves are not stored. */
export const tokenHashes = {
  token_hash: v.string(),
  /** The hash of a second token, while callers move from the older token to the new token. */
  next_token_hash: v.optional(v.string()),
  /** The end of the older of two tokens. Without a time it works until an operator retires it. */
  older_valid_until: v.optional(dateTime),
};

/** The logins of users that know a token of the key. For operators no login is recorded. */
export const keyMakers = {
  /** The user whose management key made the key. */
  made_by: v.optional(v.string()),
  /** The user whose management key rotated the key last. */
  rotated_by: v.optional(v.string()),
};

export const appKeyItem = v.object({
  app_id: v.string(),
  name: v.string(),
  project_id: projectId,
  ...tokenHashes,
  ...keyMakers,
  active: v.boolean(),
});

export type AppKey = v.InferOutput<typeof appKeyItem>;

export const appKeysById = sharedKind(kinds.appKey);
export const appKeyPointers = pointerKind('APP_KEY');

export function findAppKey(table: Table, appId: string): Promise<AppKey | undefined> {
  return table.get(appKeysById(appId), appKeyItem);
}

export interface TokenHolder {
  readonly token_hash: string;
  readonly next_token_hash?: string | undefined;
  readonly older_valid_until?: string | undefined;
  readonly active: boolean;
}

/** Returns whether the older of two tokens has ended. */
export function isOlderTokenOver(
  { next_token_hash, older_valid_until }: Omit<TokenHolder, 'active'>,
  now: Date,
): boolean {
  return (
    next_token_hash !== undefined && older_valid_until !== undefined && Date.parse(older_valid_until) <= now.getTime()
  );
}

/**
 * Returns whether a key of any kind accepts the hash of the presented token. Does the same work for an unknown id, a
 * wrong token and an inactive key, with either one or two tokens.
 */
export function isTokenAccepted<K extends TokenHolder>(key: K | undefined, tokenHash: string, now: Date): key is K {
  const hashes = [key && isOlderTokenOver(key, now) ? undefined : key?.token_hash, key?.next_token_hash];
  const matches = hashes.map((one) => isSameHash(tokenHash, one));
  return matches.includes(true) && key?.active === true;
}
