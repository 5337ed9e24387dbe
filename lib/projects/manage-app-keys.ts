import * as v from 'valibot';
import { parseStored, type Table } from '../dynamodb.ts';
import { notFound, ServiceError } from '../errors.ts';
import { appKeysOf, keys } from '../table.ts';
import { newToken } from '../tokens/token.ts';
import { UpdateExpression } from '../update-expression.ts';
import { type AppKey, appKeyItem, findAppKey } from './app-key.ts';
import { findProject } from './project.ts';
import { hashSecret } from './secret.ts';

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

/** The token of the new key: told this once, and kept as its hash only. */
export async function createAppKey(table: Table, { projectId, appId, name }: NewAppKey): Promise<string> {
  const token = newToken();
  const item: AppKey = { app_id: appId, name, project_id: projectId, token_hash: hashSecret(token), active: true };
  const outcome = await table.transact([
    {
      key: keys.project(projectId),
      check: { condition: 'attribute_exists(#secret)', names: { '#secret': 'secret' }, values: {} },
    },
    { key: keys.appKey(appId), insert: item },
    {
      key: keys.projectAppKey(projectId, appId),
      change: new UpdateExpression().set(['app_id'], appId).build(),
    },
  ]);
  if (outcome.done) return token;
  throw outcome.refused[0]?.failed ? notFound('project', projectId) : taken(appId);
}

/** `false`: it was off before. Its tokens go with it; what a container knows of it holds for another 60 s. */
export async function switchOffAppKey(table: Table, appId: string): Promise<boolean> {
  const change = new UpdateExpression().set(['active'], false).whenStill('active', true).build();
  const outcome = await table.change(keys.appKey(appId), change);
  if (!outcome.done && !outcome.item) throw notFound('app_key', appId);
  return outcome.done;
}

const pointer = v.object({ app_id: v.string() });

export async function listAppKeys(table: Table, projectId: string): Promise<AppKey[]> {
  if (!(await findProject(table, projectId))) throw notFound('project', projectId);
  const ids = (await table.query(appKeysOf(projectId))).map((item) => parseStored(pointer, item).app_id);
  const items = await table.getMany(ids.map((id) => keys.appKey(id)));
  // A load that lost a key to another project has left its pointer.
  return items
    .flatMap((item) => (item ? [parseStored(appKeyItem, item)] : []))
    .filter(({ project_id }) => project_id === projectId);
}
