import { notFound } from '#kernel/core/errors.ts';
import type { Table } from '#kernel/table/table.ts';
import { type AppKey, appKeyItem, appKeyPointers, appKeysById, findAppKey } from './app-key.ts';
import { listKeys } from './list-keys.ts';
import { appKeys, createKey, rotateKey, switchOffKey, takenKey } from './manage-keys.ts';
import { findProject } from './project.ts';

/** Manages app keys for operators. */

export interface NewAppKey {
  projectId: string;
  appId: string;
  name: string;
}

/** Throws if the key cannot be made, without making it. */
export async function checkNewAppKey(table: Table, { projectId, appId }: NewAppKey): Promise<void> {
  if (!(await findProject(table, projectId))) throw notFound('project', projectId);
  if (await findAppKey(table, appId)) throw takenKey(appKeys, appId);
}

/** Makes a key. Its token is returned only this once, because only its hash is stored. */
export function createAppKey(table: Table, { projectId, appId, name }: NewAppKey): Promise<string> {
  return createKey(table, appKeys, { projectId, id: appId, fields: { name } });
}

/** Switches the key and its tokens off. Returns `false` if it was off. */
export function switchOffAppKey(table: Table, appId: string): Promise<boolean> {
  return switchOffKey(table, appKeys, appId);
}

/** Makes a second token, which is returned only this once. Both open the project until the older one ends, or is retired. */
export function rotateAppKey(table: Table, appId: string, now: Date, until?: Date): Promise<string> {
  return rotateKey(table, appKeys, { id: appId, now, until });
}

export function listAppKeys(table: Table, projectId: string): Promise<AppKey[]> {
  return listKeys(table, projectId, { pointers: appKeyPointers, keyOf: appKeysById, item: appKeyItem });
}
