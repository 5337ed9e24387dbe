import * as v from 'valibot';
import { parseStored } from '#kernel/table/item.ts';
import { sharedKind, sharedList } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { keyMakers, tokenHashes } from './app-key.ts';
import { listKeys, pointerKind } from './list-keys.ts';
import { projectId } from './project.ts';

/** A stored key. It has only the hash of the token. */
export const managementKeyItem = v.object({
  management_id: v.string(),
  name: v.optional(v.string()),
  /** The project that the key opens. A key without a project opens all projects (docs/decisions/access-and-projects.md#d-149). */
  project_id: v.optional(projectId),
  ...tokenHashes,
  ...keyMakers,
  /** The login of the key's user, if the key acts for a user. The user's role limits the key. */
  login: v.optional(v.string()),
  active: v.optional(v.boolean(), true),
});

export type ManagementKey = v.InferOutput<typeof managementKeyItem>;

export const managementKeysById = sharedKind(kinds.managementKey);
export const managementKeyPointers = pointerKind('MANAGEMENT_KEY');

/** Lists the keys for all projects. */
export const listedManagementKeys = sharedList(kinds.managementKeysOfAll, kinds.managementKey);
const listedManagementKey = v.object({ management_id: v.string() });

export function findManagementKey(table: Table, managementId: string): Promise<ManagementKey | undefined> {
  return table.get(managementKeysById(managementId), managementKeyItem);
}

export function listManagementKeys(table: Table, projectId: string): Promise<ManagementKey[]> {
  return listKeys(table, projectId, {
    pointers: managementKeyPointers,
    keyOf: managementKeysById,
    item: managementKeyItem,
  });
}

/** Lists the keys for all projects, by id. */
export async function listManagementKeysOfAll(table: Table): Promise<ManagementKey[]> {
  const listed = (await table.query(listedManagementKeys.all)).map((item) => parseStored(listedManagementKey, item));
  const found = await table.getMany(listed.map(({ management_id }) => managementKeysById(management_id)));
  return found.flatMap((item) => (item ? [parseStored(managementKeyItem, item)] : []));
}
