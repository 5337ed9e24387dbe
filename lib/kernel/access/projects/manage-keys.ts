import * as v from 'valibot';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, check, commit, type Effect, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { appKeyItem, appKeyPointers, appKeysById, isOlderTokenOver, tokenHashes } from './app-key.ts';
import { clientKeyItem, clientKeyPointers, clientKeysById } from './client-key.ts';
import type { pointerKind } from './list-keys.ts';
import {
  listedManagementKeys,
  managementKeyItem,
  managementKeyPointers,
  managementKeysById,
} from './management-key.ts';
import { projectsById } from './project.ts';
import { hashSecret, newSecret } from './secret.ts';

/** Makes, rotates and switches off the keys of a project, whatever they open. */

/** A sort of keys. Ids are unique among all projects. */
export interface KeySort {
  /** The name in errors. */
  readonly type: string;
  /** The field of the id. */
  readonly id: string;
  readonly keyOf: (id: string) => Key;
  /** Points from the project to the key. */
  readonly pointers: ReturnType<typeof pointerKind>;
}

export const appKeys = {
  type: 'app_key',
  id: 'app_id',
  keyOf: appKeysById,
  pointers: appKeyPointers,
  item: appKeyItem,
} as const satisfies KeySort & { item: v.GenericSchema };

export const clientKeys = {
  type: 'client_key',
  id: 'client_application_id',
  keyOf: clientKeysById,
  pointers: clientKeyPointers,
  item: clientKeyItem,
} as const satisfies KeySort & { item: v.GenericSchema };

export const managementKeys = {
  type: 'management_key',
  id: 'management_id',
  keyOf: managementKeysById,
  pointers: managementKeyPointers,
  item: managementKeyItem,
} as const satisfies KeySort & { item: v.GenericSchema };

/** The attributes of keys of every sort. */
type AnyKey = v.InferInput<typeof appKeyItem>;

export function takenKey({ type }: KeySort, id: string): ServiceError {
  return new ServiceError('duplicate_found', {
    details: `another ${type.replace('_', ' ')}, of this project or another, already has this id: send another id`,
    resource: { id, type },
  });
}

interface NewKey {
  readonly projectId: string;
  readonly id: string;
  /** The fields that only this sort has. */
  readonly fields: Attributes;
}

/** Plans a key. Its token is returned only this once, because only its hash is stored. */
export function planKey(sort: KeySort, { projectId, id, fields }: NewKey): { token: string; effects: Effect[] } {
  const token = newSecret();
  const item = { [sort.id]: id, ...fields, project_id: projectId, token_hash: hashSecret(token), active: true };
  const pointer = sort.pointers(projectId, id);
  const effects = [
    insert(sort.keyOf(id), item, () => takenKey(sort, id)),
    // A key that was lost to another project has left its pointer.
    change(pointer, (update) => update.setAll({ id, ...itemMarks(pointer) })),
  ];
  return { token, effects };
}

/** Makes a key of an existing project, and returns its token. */
export async function createKey(table: Table, sort: KeySort, key: NewKey): Promise<string> {
  const { token, effects } = planKey(sort, key);
  const isThere = check(
    projectsById(key.projectId),
    (update) => update.whenThere(),
    () => notFound('project', key.projectId),
  );
  await retryOptimistically(table, async () => (await commit(table, [isThere, ...effects])) || again);
  return token;
}

/** Makes a management key for all projects, and returns its token. Only operators of the table make such a key. */
export async function createManagementKeyOfAll(
  table: Table,
  { id, name }: { id: string; name: string },
): Promise<string> {
  const token = newSecret();
  const item = { management_id: id, name, token_hash: hashSecret(token), active: true };
  const effects = [
    insert(managementKeysById(id), item, () => takenKey(managementKeys, id)),
    insert(listedManagementKeys.at(id), { management_id: id }),
  ];
  await retryOptimistically(table, async () => (await commit(table, effects)) || again);
  return token;
}

/** Switches the key and its tokens off. Returns `false` if it was off. Containers with the key in their cache accept it for up to 60 s. */
export async function switchOffKey(table: Table, { keyOf, type }: KeySort, id: string): Promise<boolean> {
  const off = new Update<AnyKey>().whenThere().whenUnsetOr('active', true).set(['active'], false).build();
  const outcome = await table.change(keyOf(id), off);
  if (!outcome.done && !outcome.item) throw notFound(type, id);
  return outcome.done;
}

function refuseRotation({ type }: KeySort, id: string, details: string): ServiceError {
  return new ServiceError('resource_in_use', { details, resource: { id, type } });
}

const stored = v.object({ ...tokenHashes, active: v.optional(v.boolean(), true) });

/**
 * Makes a second token for the user `by` or for an operator, and returns it only this once. Both open the project until
 * the older token ends, or is retired. An older token that has ended is replaced.
 */
export async function rotateKey(
  table: Table,
  sort: KeySort,
  { id, now, until, by }: { id: string; now: Date; until?: Date | undefined; by?: string | undefined },
): Promise<string> {
  const { keyOf, type } = sort;
  const token = newSecret();
  const next = hashSecret(token);
  await retryOptimistically(table, async () => {
    const key = await table.get(keyOf(id), stored);
    if (!key) throw notFound(type, id);
    // The reply of an earlier attempt was lost.
    if (key.next_token_hash === next) return true;
    const isOver = isOlderTokenOver(key, now);
    const why = !key.active ? 'is off' : key.next_token_hash !== undefined && !isOver && 'has two tokens';
    if (why) {
      const advice = key.active ? ': end the older one first, or wait for its end' : ': create another one';
      throw refuseRotation(sort, id, `the key ${why}${advice}`);
    }
    const rotated = new Update<AnyKey>()
      .whenStill('token_hash', key.token_hash)
      .whenStill('next_token_hash', key.next_token_hash)
      .whenUnsetOr('active', true)
      .set(['token_hash'], isOver ? key.next_token_hash : key.token_hash)
      .set(['next_token_hash'], next)
      .take({ older_valid_until: until?.toISOString() ?? null }, ['older_valid_until'])
      .take({ rotated_by: by ?? null }, ['rotated_by']);
    return (await table.change(keyOf(id), rotated.build())).done || again;
  });
  return token;
}

/** Ends the older of two tokens. Containers with the key in their cache accept that token for up to 60 s. */
export async function retireOlderToken(table: Table, sort: KeySort, id: string): Promise<void> {
  const words = sort.type.replace('_', ' ');
  const key = await table.get(sort.keyOf(id), stored);
  if (!key) throw notFound(sort.type, id);
  const { next_token_hash: next } = key;
  if (next === undefined) throw refuseRotation(sort, id, `the ${words} has one token: rotate it first`);
  const promoted = new Update<AnyKey>()
    .whenStill('next_token_hash', next)
    .remove(['next_token_hash'])
    .remove(['older_valid_until']);
  const { done } = await table.change(sort.keyOf(id), promoted.set(['token_hash'], next).build());
  if (!done) throw refuseRotation(sort, id, `the ${words} was changed at the same time: look at it again`);
}
