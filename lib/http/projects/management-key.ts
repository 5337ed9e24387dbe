import * as v from 'valibot';
import { notFound } from '../../core/errors.ts';
import { sharedKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import type { Table } from '../../table/table.ts';
import { Update } from '../../table/update.ts';
import { listKeys, pointerKind } from './list-keys.ts';
import { projectId } from './project.ts';

/** A stored key. It has only the hash of the token. */
const managementKeyItem = v.object({
  management_id: v.string(),
  project_id: projectId,
  token_hash: v.string(),
  /** The login of the key's user, if the key acts for a user. The user's role limits the key. */
  login: v.optional(v.string()),
  active: v.optional(v.boolean(), true),
});

export type ManagementKey = v.InferOutput<typeof managementKeyItem>;

export const managementKeysById = sharedKind(kinds.managementKey);
export const managementKeyPointers = pointerKind('MANAGEMENT_KEY');

export function findManagementKey(table: Table, managementId: string): Promise<ManagementKey | undefined> {
  return table.get(managementKeysById(managementId), managementKeyItem);
}

/** Switches the key off. Returns `false` if it was off. Containers with the key in their cache accept it for up to 60 s. */
export async function switchOffManagementKey(table: Table, managementId: string): Promise<boolean> {
  const change = new Update().whenThere().whenUnsetOr('active', true).set(['active'], false).build();
  const outcome = await table.change(managementKeysById(managementId), change);
  if (!outcome.done && !outcome.item) throw notFound('management_key', managementId);
  return outcome.done;
}

export function listManagementKeys(table: Table, projectId: string): Promise<ManagementKey[]> {
  return listKeys(table, projectId, {
    pointers: managementKeyPointers,
    keyOf: managementKeysById,
    item: managementKeyItem,
  });
}
