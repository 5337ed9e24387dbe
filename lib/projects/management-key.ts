import * as v from 'valibot';
import { parseStored, type Table } from '../dynamodb.ts';
import { keys, managementKeysOf } from '../table.ts';
import { projectId } from './project.ts';
import { matchesHash } from './secret.ts';

/** As stored: the token only as its hash. */
const managementKeyItem = v.object({ management_id: v.string(), project_id: projectId, token_hash: v.string() });

export type ManagementKey = v.InferOutput<typeof managementKeyItem>;

export function findManagementKey(table: Table, managementId: string): Promise<ManagementKey | undefined> {
  return table.get(keys.managementKey(managementId), managementKeyItem);
}

/** Does the same work for an unknown id and a wrong token. `tokenHash`: of the token presented. */
export function opensManagement(key: ManagementKey | undefined, tokenHash: string): key is ManagementKey {
  return matchesHash(tokenHash, key?.token_hash);
}

const pointer = v.object({ management_id: v.string() });

export async function listManagementKeys(table: Table, projectId: string): Promise<ManagementKey[]> {
  const ids = (await table.query(managementKeysOf(projectId))).map((item) => parseStored(pointer, item).management_id);
  const items = await table.getMany(ids.map((id) => keys.managementKey(id)));
  // A load that lost a key to another project has left its pointer.
  return items
    .flatMap((item) => (item ? [parseStored(managementKeyItem, item)] : []))
    .filter(({ project_id }) => project_id === projectId);
}
