import * as v from 'valibot';
import { sharedKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import type { Table } from '../../table/table.ts';
import { isTokenAccepted } from './app-key.ts';
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

/** A stored key. It has only the hash of the token. Anybody can read the token in a web page, so it opens client paths alone. */
export const clientKeyItem = v.object({
  client_application_id: v.string(),
  name: v.string(),
  origins: v.array(v.string()),
  project_id: projectId,
  token_hash: v.string(),
  active: v.boolean(),
});

export type ClientKey = v.InferOutput<typeof clientKeyItem>;

export const clientKeysById = sharedKind(kinds.clientKey);
export const clientKeyPointers = pointerKind('CLIENT_KEY');

export function findClientKey(table: Table, id: string): Promise<ClientKey | undefined> {
  return table.get(clientKeysById(id), clientKeyItem);
}

/** Returns whether the key accepts the page. Does the same work for an unknown id, a wrong token, an inactive key and a foreign page. */
export function isClientAccepted(key: ClientKey | undefined, tokenHash: string, sentOrigin: string): key is ClientKey {
  return isTokenAccepted(key, tokenHash) && key.origins.includes(sentOrigin);
}

export function listClientKeys(table: Table, projectId: string): Promise<ClientKey[]> {
  return listKeys(table, projectId, { pointers: clientKeyPointers, keyOf: clientKeysById, item: clientKeyItem });
}
