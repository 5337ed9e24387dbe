import * as v from 'valibot';
import { sharedKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { isTokenAccepted, keyMakers, tokenHashes } from './app-key.ts';
import { listKeys, pointerKind } from './list-keys.ts';
import { projectId } from './project.ts';

/** Limits the origins of one key. */
export const maxOrigins = 100;

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** The origin of a web page as browsers send it (RFC 6454). It is compared exactly. */
export const origin = v.pipe(
  v.string(),
  v.check(isOrigin, 'must be an origin as browsers send it, such as https://shop.example or http://localhost:8080'),
);

/**
 * A stored key. It has only the hash of the token. The token is visible in a web page, so it opens client paths alone.
 */
export const clientKeyItem = v.object({
  client_application_id: v.string(),
  name: v.string(),
  /** Pages that may use this key, besides the trusted domains of its project. */
  origins: v.array(v.string()),
  project_id: projectId,
  ...tokenHashes,
  ...keyMakers,
  active: v.boolean(),
});

export type ClientKey = v.InferOutput<typeof clientKeyItem>;

export const clientKeysById = sharedKind(kinds.clientKey);
export const clientKeyPointers = pointerKind('CLIENT_KEY');

export function findClientKey(table: Table, id: string): Promise<ClientKey | undefined> {
  return table.get(clientKeysById(id), clientKeyItem);
}

/** Returns whether a page is on a trusted domain. A domain is an origin, a host with any unusual port, `*.` and a host, or `*`. */
function isOriginTrusted(domains: readonly string[], sentOrigin: string): boolean {
  const host = URL.parse(sentOrigin)?.host ?? '';
  return domains.some((domain) => {
    if (domain.includes('://')) return URL.parse(domain)?.origin === sentOrigin;
    if (domain.startsWith('*.')) return host.endsWith(domain.slice(1));
    return domain === '*' || domain === host;
  });
}

/** Returns whether the key accepts the page. Does the same work for an unknown id, a wrong token, an inactive key and a foreign page. */
export function isClientAccepted(
  key: ClientKey | undefined,
  { tokenHash, origin, trusted }: { tokenHash: string; origin: string; trusted: readonly string[] },
  now: Date,
): key is ClientKey {
  return isTokenAccepted(key, tokenHash, now) && (key.origins.includes(origin) || isOriginTrusted(trusted, origin));
}

export function listClientKeys(table: Table, projectId: string): Promise<ClientKey[]> {
  return listKeys(table, projectId, { pointers: clientKeyPointers, keyOf: clientKeysById, item: clientKeyItem });
}
