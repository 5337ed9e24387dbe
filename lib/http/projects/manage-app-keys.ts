import { notFound, ServiceError } from '../../core/errors.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { change, check, commit, insert } from '../../table/effects.ts';
import { itemMarks } from '../../table/kind.ts';
import type { Table } from '../../table/table.ts';
import { Update } from '../../table/update.ts';
import { type AppKey, appKeyItem, appKeyPointers, appKeysById, findAppKey } from './app-key.ts';
import { listKeys } from './list-keys.ts';
import { findProject, projectsById } from './project.ts';
import { hashSecret, newSecret } from './secret.ts';

/** Manages app keys for operators. */

export interface NewAppKey {
  projectId: string;
  appId: string;
  name: string;
}

/** Throws if the key cannot be made, without making it. */
export async function checkNewAppKey(table: Table, { projectId, appId }: NewAppKey): Promise<void> {
  if (!(await findProject(table, projectId))) throw notFound('project', projectId);
  if (await findAppKey(table, appId)) throw taken(appId);
}

function taken(appId: string): ServiceError {
  return new ServiceError('duplicate_found', {
    details: 'another app key, of this project or another, already has this id: send another id',
    resource: { id: appId, type: 'app_key' },
  });
}

/** Makes a key. Its token is returned only this once, because only its hash is stored. */
export async function createAppKey(table: Table, { projectId, appId, name }: NewAppKey): Promise<string> {
  const token = newSecret();
  const item: AppKey = { app_id: appId, name, project_id: projectId, token_hash: hashSecret(token), active: true };
  const pointer = appKeyPointers(projectId, appId);
  await retryOptimistically(
    table,
    async () =>
      (await commit(table, [
        check(
          projectsById(projectId),
          (update) => update.whenThere(),
          () => notFound('project', projectId),
        ),
        insert(appKeysById(appId), item, () => taken(appId)),
        // A key that was lost to another project has left its pointer.
        change(pointer, (update) =>
          Object.entries({ id: appId, ...itemMarks(pointer) }).reduce(
            (all, [name, value]) => all.set([name], value),
            update,
          ),
        ),
      ])) || again,
  );
  return token;
}

/** Switches the key and its tokens off. Returns `false` if it was off. Containers with the key in their cache accept it for up to 60 s. */
export async function switchOffAppKey(table: Table, appId: string): Promise<boolean> {
  const change = new Update().set(['active'], false).whenStill('active', true).build();
  const outcome = await table.change(appKeysById(appId), change);
  if (!outcome.done && !outcome.item) throw notFound('app_key', appId);
  return outcome.done;
}

function refusedRotation(appId: string, details: string): ServiceError {
  return new ServiceError('resource_in_use', { details, resource: { id: appId, type: 'app_key' } });
}

/** Makes a second token, which is returned only this once. Both open the project until the older one is retired. */
export async function rotateAppKey(table: Table, appId: string): Promise<string> {
  const token = newSecret();
  const second = new Update().set(['next_token_hash'], hashSecret(token));
  const { done, item } = await table.change(
    appKeysById(appId),
    second.whenStill('active', true).whenStill('next_token_hash', undefined).build(),
  );
  if (done) return token;
  if (!item) throw notFound('app_key', appId);
  const why = item.active === true ? 'has two tokens: retire the older one first' : 'is off';
  throw refusedRotation(appId, `the app key ${why}`);
}

/** Ends the older of two tokens. Containers with the key in their cache accept that token for up to 60 s. */
export async function retireOlderToken(table: Table, appId: string): Promise<void> {
  const key = await findAppKey(table, appId);
  if (!key) throw notFound('app_key', appId);
  const { next_token_hash: next } = key;
  if (next === undefined) throw refusedRotation(appId, 'the app key has one token: rotate it first');
  const promoted = new Update().whenStill('next_token_hash', next).remove(['next_token_hash']);
  const { done } = await table.change(appKeysById(appId), promoted.set(['token_hash'], next).build());
  if (!done) throw refusedRotation(appId, 'the app key was changed at the same time: look at it again');
}

export function listAppKeys(table: Table, projectId: string): Promise<AppKey[]> {
  return listKeys(table, projectId, { pointers: appKeyPointers, keyOf: appKeysById, item: appKeyItem });
}
