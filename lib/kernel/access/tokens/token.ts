import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { count } from '#kernel/core/schema.ts';
import { sharedKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { projectId } from '../projects/project.ts';
import { scopeNames } from '../scopes.ts';

export const tokenLifeInSeconds = 900;

/** A stored token, under its hash. */
export const tokenItem = v.object({
  project_id: projectId,
  /** The app id of the key that requested the token. */
  app_id: v.string(),
  scopes: v.array(v.picklist(scopeNames)),
  /** The token's user, if the token acts for a user. The user's role limits the token. */
  user_id: v.optional(v.string()),
  /** Unix time in seconds. TTL removes the item some time later. */
  expiresAt: count,
});

export const tokensByHash = sharedKind(kinds.token);

export type TokenItem = v.InferOutput<typeof tokenItem>;

/** A token in replies. `expires_at` is Unix time, and `expires_in` the remaining seconds. */
export const token = named(
  'Token',
  v.object({
    access_token: v.string(),
    client_id: v.string(),
    expires_at: count,
    expires_in: count,
    scope: v.string(),
    token_type: v.literal('Bearer'),
    user_id: v.optional(v.string()),
  }),
);

export type Token = v.InferOutput<typeof token>;

/** A reply about an inactive token has no field besides `active` (RFC 7662 §2.2). */
export const introspection = named('Introspection', v.object({ active: v.boolean(), ...v.partial(token).entries }));

export function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

export function isTokenExpired(item: TokenItem, now: Date): boolean {
  return item.expiresAt <= toUnixSeconds(now);
}

export function findToken(table: Table, tokenHash: string): Promise<TokenItem | undefined> {
  return table.get(tokensByHash(tokenHash), tokenItem);
}

export function presentToken(accessToken: string, item: TokenItem, now: Date): Token {
  return {
    access_token: accessToken,
    client_id: item.app_id,
    expires_at: item.expiresAt,
    expires_in: Math.max(0, item.expiresAt - toUnixSeconds(now)),
    scope: item.scopes.join(' '),
    token_type: 'Bearer',
    ...(item.user_id === undefined ? {} : { user_id: item.user_id }),
  };
}
