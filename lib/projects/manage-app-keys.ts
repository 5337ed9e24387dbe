import { notFound, ServiceError } from '../errors.ts';
import { marks } from '../table/kind.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import { type AppKey, appKeyItem, appKeyPointers, appKeysById, findAppKey } from './app-key.ts';
import { listKeys } from './list-keys.ts';
import { findProject, projectsById } from './project.ts';
import { hashSecret, newToken } from './secret.ts';

/** What an operator does with app keys. */

export interface NewAppKey {
  projectId: string;
  appId: string;
  name: string;
}

/** Why the key can't be made, found out without making it. */
export async function checkNewAppKey(table: Table, { projectId, appId }: NewAppKey): Promise<void> {
  if (!(await findProject(table, projectId))) throw notFound('project', projectId);
  if (await findAppKey(table, appId)) throw taken(appId);
}

function taken(appId: string): ServiceError {
  return new ServiceError('duplicate_found', {
    details: 'an app key has this id already, of this project or of another',
    resource: { id: appId, type: 'app_key' },
  });
}

/** The new key's token is returned this once; only its hash is kept. */
export async function createAppKey(table: Table, { projectId, appId, name }: NewAppKey): Promise<string> {
  const token = newToken();
  const item: AppKey = { app_id: appId, name, project_id: projectId, token_hash: hashSecret(token), active: true };
  const pointer = appKeyPointers(projectId, appId);
  const pointing = new Update().set(['id'], appId);
  for (const [name, value] of Object.entries(marks(pointer))) pointing.set([name], value);
  const outcome = await table.transact([
    {
      key: projectsById(projectId),
      check: { condition: 'attribute_exists(#secret)', names: { '#secret': 'secret' }, values: {} },
    },
    { key: appKeysById(appId), insert: item },
    { key: pointer, change: pointing.build() },
  ]);
  if (outcome.done) return token;
  throw outcome.refused[0]?.failed ? notFound('project', projectId) : taken(appId);
}

/** `false`: it was off before. Its tokens stop too; containers that have it cached accept it for up to 60 s. */
export async function switchOffAppKey(table: Table, appId: string): Promise<boolean> {
  const change = new Update().set(['active'], false).whenStill('active', true).build();
  const outcome = await table.change(appKeysById(appId), change);
  if (!outcome.done && !outcome.item) throw notFound('app_key', appId);
  return outcome.done;
}

export function listAppKeys(table: Table, projectId: string): Promise<AppKey[]> {
  return listKeys(table, projectId, { pointers: appKeyPointers, keyOf: appKeysById, item: appKeyItem });
}
