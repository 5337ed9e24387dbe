import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { Table } from '#kernel/table/table.ts';
import { newDeletionWorld } from '../support/deleted-projects.ts';
import { testTime } from '../support/dependencies.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { mortal } from '../support/mortal.ts';
import { deliver } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';

/** A transaction deletes 99 objects. */
const inATransaction = 99;

/** Makes a deleted project of so many objects, and counts what its job must delete. */
async function newDeleted(objects: number) {
  const world = await newDeletionWorld();
  const { own, dependencies, tableName, all } = world;
  const { id } = await loadProject({}, dependencies);
  const keys = Array.from({ length: objects }, (_, index) => ({ pk: `${id}#SHELF#${index}`, sk: 'SHELF' }));
  const insertions = keys.map((key) => ({ key, item: { note: 'x'.repeat(1_000) } }));
  const table = new Table(dependencies.dynamodb, tableName, testTime);
  for (let from = 0; from < objects; from += 25) await table.insertMany(insertions.slice(from, from + 25));
  // Its own item stays as the tombstone.
  const owned = (await all()).length - 1;
  await own.remove(id);
  return { ...world, id, keys, owned };
}

describe('the worker that deletes a project', () => {
  const count = isLong ? 20_000 : 2_500;
  test(`goes on after its death, and counts each of ${count} objects once, at any moment`, {
    timeout: 900_000,
  }, async () => {
    const { id, owned, left, job, finish, tableName } = await newDeleted(count);
    let open = owned;
    for (const isLastDone of [true, false, true, false]) {
      await deliver([await job(id)], mortal(6, isLastDone, { tableName }));
      const { deleted_count } = await job(id);
      const before = open;
      open = (await left(id)).length;
      expect(open).toBeLessThan(before);
      expect(deleted_count).toBe(owned - open);
    }
    expect(open).toBeGreaterThan(0);
    await finish(id);
    expect(await left(id)).toEqual([]);
    expect(await job(id)).toMatchObject({ state: 'DONE', deleted_count: owned });
  });

  test('makes two calls or less for 100 objects', async () => {
    const { id, owned, job, dependencies } = await newDeleted(1_000);
    let calls = 0;
    const send = (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
      calls += 1;
      return dependencies.dynamodb.send(command);
    };
    const dynamodb = Object.assign(Object.create(dependencies.dynamodb), { send });
    await deliver([await job(id)], { ...dependencies, dynamodb });
    expect(await job(id)).toMatchObject({ pass: 1, deleted_count: owned });
    expect(calls / owned).toBeLessThanOrEqual(0.02);
  });

  test('counts an object once that another worker deletes at the same moment', async () => {
    const { id, owned, left, job, finish, tableName } = await newDeleted(3 * inATransaction);
    await meanwhile(
      beforeTransaction(2),
      // The other worker dies after its first transaction, which deletes what this worker is about to delete.
      async () => deliver([await job(id)], mortal(3, true, { tableName })),
      async (container) => deliver([await job(id)], container),
      { tableName },
    );
    expect([await left(id), await job(id)]).toMatchObject([[], { pass: 1, deleted_count: owned }]);
    await finish(id);
    expect(await job(id)).toMatchObject({ state: 'DONE', deleted_count: owned });
  });

  test('does not count an object that has vanished by itself', async () => {
    const { id, keys, owned, left, job, dependencies, tableName } = await newDeleted(2 * inATransaction);
    const [Key] = keys;
    await meanwhile(
      beforeTransaction(1),
      () => dependencies.dynamodb.send(new DeleteCommand({ TableName: tableName, Key })),
      async (container) => deliver([await job(id)], container),
      { tableName },
    );
    expect([await left(id), await job(id)]).toMatchObject([[], { pass: 1, deleted_count: owned - 1 }]);
  });

  test('leaves an object to the next pass if another worker has ended its own', async () => {
    const { id, keys, owned, left, job, finish, dependencies, tableName } = await newDeleted(10);
    const [late] = keys;
    await meanwhile(
      beforeTransaction(1),
      async () => {
        await deliver([await job(id)], dependencies);
        await dependencies.dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...late } }));
      },
      async (container) => deliver([await job(id)], container),
      { tableName },
    );
    expect(await left(id)).toMatchObject([late]);
    expect(await job(id)).toMatchObject({ pass: 1, found_count: 0, deleted_count: owned });
    await finish(id);
    expect(await left(id)).toEqual([]);
    expect(await job(id)).toMatchObject({ state: 'DONE', deleted_count: owned + 1 });
  });
});
