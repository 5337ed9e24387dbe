import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { countChanges as count } from '#kernel/table/count-totals.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { type Listing, listing, listName, placeInList } from '#kernel/table/listing.ts';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';
import { readTotal, totalKey } from '#kernel/table/totals.ts';
import { changesOf } from '../../../support/changes.ts';
import { changeRecord } from '../../../support/counted.ts';
import { patienceOfCrowd, testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';
import { watched } from '../../../support/permissions.ts';

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime, patienceOfCrowd);

const byTime = listing('gsi2', 'COUNTED_PEBBLES', { counted: true });
const ofBeach = listing('gsi3', 'COUNTED_PEBBLES_OF_BEACH', { counted: true, shards: 3 });
const uncounted = listing('gsi1', 'PEBBLES');

const place = (project: string, id: string): Attributes => ({
  ...placeInList(uncounted, [project], [id]),
  ...placeInList(byTime, [project], [id]),
  ...placeInList(ofBeach, [project, 'beach'], [id]),
});

const countChanges = (table: Table, shard: string, records: readonly StreamRecord[]) =>
  count(table, shard, changesOf(records));

/** Makes records `from` (included) to `to` of a shard, each a new pebble. */
const arrivals = (project: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) =>
    changeRecord(from + index + 1, { after: place(project, `p${from + index}`) }),
  );

const total = (list: Listing, ...owner: [string, ...string[]]) => readTotal(table, list, owner, { length: undefined });
const totals = async (project: string) => [await total(byTime, project), await total(ofBeach, project, 'beach')];

describe('the total of a list', () => {
  test('counts each record once, however often and in whatever batches it is delivered', async () => {
    const project = uniqueId('proj_');
    for (const [from, to] of [
      [0, 9],
      [0, 9],
      [5, 12],
      [0, 12],
      [11, 13],
    ] as const) {
      await countChanges(table, 'shard-1', arrivals(project, from, to));
    }
    expect(await totals(project)).toEqual([13, 13]);
  });

  test('shrinks by what leaves the list, whether its places are removed or the item is', async () => {
    const project = uniqueId('proj_');
    await countChanges(table, 'shard-1', [
      ...arrivals(project, 0, 9),
      changeRecord(10, { before: place(project, 'p1') }),
      changeRecord(11, { before: place(project, 'p2'), after: { size: 3 } }),
      changeRecord(12, { before: place(project, 'p3'), after: placeInList(byTime, [project], ['p3']) }),
    ]);
    expect(await totals(project)).toEqual([7, 6]);
  });

  test('is not written for changes of an item, or of its place in the list', async () => {
    const project = uniqueId('proj_');
    const own = new Table(dynamodb, tableName, testTime, patienceOfCrowd);
    const moved = { before: place(project, 'p2'), after: { ...place(project, 'p2b'), size: 3 } };
    await countChanges(own, 'shard-1', [changeRecord(1, moved)]);
    expect(own.meter.calls).toBe(0);
  });

  test('is right when the counting stopped between two lists, and the batch comes again with more', async () => {
    const project = uniqueId('proj_');
    let changes = 0;
    const breaking = watched(dynamodb, (permission) => {
      // Each list needs two writes: its total and its position.
      if (permission === 'dynamodb:UpdateItem' && ++changes === 3) throw new Error('cut off');
    });
    const cutOff = countChanges(new Table(breaking, tableName, testTime), 'shard-1', arrivals(project, 0, 9));
    await expect(cutOff).rejects.toThrow('not counted');
    expect(await totals(project)).toEqual([9, 0]);
    await countChanges(table, 'shard-1', arrivals(project, 0, 12));
    expect(await totals(project)).toEqual([12, 12]);
  });

  test('is right when ten shards are counted at once', async () => {
    const project = uniqueId('proj_');
    const shards = Array.from({ length: 10 }, (_, shard) =>
      countChanges(table, `shard-${shard}`, arrivals(project, 0, 10)),
    );
    await Promise.all(shards);
    expect(await totals(project)).toEqual([100, 100]);
  });

  test('supports any number of shards that write to one list, and does not grow with them', async () => {
    const project = uniqueId('proj_');
    const shards = Array.from({ length: 60 }, (_, shard) => `shard-${shard}`);
    for (const shard of [...shards, ...shards]) await countChanges(table, shard, arrivals(project, 0, 1));
    expect(await totals(project)).toEqual([60, 60]);
    const key = totalKey(listName(byTime, [project]));
    expect(JSON.stringify(await table.get(key, v.looseObject({}))).length).toBeLessThan(200);
  });

  test('is continued by a shard whose position has expired and is still stored', async () => {
    const project = uniqueId('proj_');
    await countChanges(table, 'shard-1', arrivals(project, 0, 3));
    const later = new Table(dynamodb, tableName, new Date(testTime.getTime() + 72 * 3_600_000));
    await countChanges(later, 'shard-1', arrivals(project, 3, 5));
    expect(await totals(project)).toEqual([5, 5]);
  });

  test('delays no other if it cannot be counted, and its records are requested again', async () => {
    const project = uniqueId('proj_');
    const touched: string[] = [];
    await countChanges(
      new Table(
        watched(
          dynamodb,
          () => {},
          (key) => touched.push(key),
        ),
        tableName,
        testTime,
      ),
      'shard-1',
      arrivals(project, 0, 1),
    );
    const malformed = { pk: touched[0], sk: 'TOTAL', total: 'many' };
    await dynamodb.send(new PutCommand({ TableName: tableName, Item: malformed }));
    await expect(countChanges(table, 'shard-1', arrivals(project, 0, 5))).rejects.toThrow('1 lists were not counted');
    expect(await total(ofBeach, project, 'beach')).toBe(5);
  });

  describe('of many parents', () => {
    const parents = Array.from({ length: 100 }, (_, index) => `beach${index}`);
    const landing = (project: string, from: number) =>
      parents.map((parent, index) =>
        changeRecord(from + index + 1, { after: placeInList(ofBeach, [project, parent], [`p${from}`]) }),
      );
    const lengths = async (project: string) =>
      new Set(await Promise.all(parents.map((parent) => total(ofBeach, project, parent))));

    test('costs two calls for 45 of them', async () => {
      const project = uniqueId('proj_');
      const own = new Table(dynamodb, tableName, testTime, patienceOfCrowd);
      await countChanges(own, 'shard-1', landing(project, 0));
      expect(own.meter.calls).toBe(6);
      expect(await lengths(project)).toEqual(new Set([1]));
    });

    test('counts each record once, when batches come again, and at the same time in three shards', async () => {
      const project = uniqueId('proj_');
      const rounds = ['a', 'a', 'b', 'c', 'c'].map((shard) => countChanges(table, shard, landing(project, 0)));
      await Promise.all(rounds);
      await countChanges(table, 'a', [...landing(project, 0), ...landing(project, 100)]);
      expect(await lengths(project)).toEqual(new Set([4]));
    });

    test('keeps one that cannot be counted from none of the others', async () => {
      const project = uniqueId('proj_');
      const key = totalKey(listName(ofBeach, [project, 'beach7']));
      const malformed = { ...stripKey(key), total: 'many' };
      await dynamodb.send(new PutCommand({ TableName: tableName, Item: malformed }));
      await expect(countChanges(table, 'shard-1', landing(project, 0))).rejects.toThrow('1 lists were not counted');
      await dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...malformed, total: 1 } }));
      expect(await lengths(project)).toEqual(new Set([1]));
    });
  });

  test('is never below 0, even if uncounted elements leave', async () => {
    const project = uniqueId('proj_');
    await countChanges(table, 'shard-1', [changeRecord(1, { before: place(project, 'p1') })]);
    expect(await totals(project)).toEqual([0, 0]);
    await countChanges(table, 'shard-1', arrivals(project, 1, 3));
    expect(await totals(project)).toEqual([1, 1]);
  });
});
