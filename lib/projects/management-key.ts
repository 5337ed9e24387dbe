import * as v from 'valibot';
import { notFound } from '../errors.ts';
import { keys, managementKeysOf } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import { listKeys } from './list-keys.ts';
import { projectId } from './project.ts';

/** As stored: the token only as its hash. */
const managementKeyItem = v.object({
  management_id: v.string(),
  project_id: projectId,
  token_hash: v.string(),
  active: v.optional(v.boolean(), true),
});

export type ManagementKey = v.InferOutput<typeof managementKeyItem>;

export function findManagementKey(table: Table, managementId: string): Promise<ManagementKey | undefined> {
  return table.get(keys.managementKey(managementId), managementKeyItem);
}

/** `false`: it was off before. Containers that have it cached accept it for up to 60 s. */
export async function switchOffManagementKey(table: Table, managementId: string): Promise<boolean> {
  const change = new Update().whenThere().whenUnsetOr('active', true).set(['active'], false).build();
  const outcome = await table.change(keys.managementKey(managementId), change);
  if (!outcome.done && !outcome.item) throw notFound('management_key', managementId);
  return outcome.done;
}

export function listManagementKeys(table: Table, projectId: string): Promise<ManagementKey[]> {
  return listKeys(table, projectId, {
    ...managementKeysOf(projectId),
    keyOf: keys.managementKey,
    item: managementKeyItem,
  });
}
