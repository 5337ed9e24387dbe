import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#kernel/core/errors.ts';
import {
  canFitOneTransaction,
  change,
  check,
  commit,
  type Effect,
  insert,
  maxWrites,
  mergeEffects,
  remove,
} from '#kernel/table/effects.ts';
import { childKind, kind } from '#kernel/table/kind.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { patienceOfCrowd, testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime, patienceOfCrowd);
const purse = kind('PURSE', v.object({ coins: v.number(), seen: v.optional(v.number()) }));
const note = childKind(purse, 'NOTE', v.object({ text: v.string() }));

const taken = () => new ServiceError('duplicate_found', { details: 'there is one' });

async function purseWith(coins: number) {
  const project = uniqueId('proj_');
  await commit(table, [insert(purse(project, 'a'), { coins })]);
  return project;
}

const stored = async (project: string) => (await read(table, { purse: purse(project, 'a') })).purse;

describe('one transaction', () => {
  const notes = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => insert(note('proj_1', 'a', String(index)), { text }));

  test('counts the size of items, not of their descriptions', () => {
    const described = kind(
      'WIDE',
      v.object(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at, v.string()]))),
    );
    const some = Array.from({ length: 90 }, (_, index) =>
      insert(described('proj_1', String(index)), { text: 'short' }),
    );
    expect(canFitOneTransaction(some)).toBe(true);
  });

  test('has no room for more than a hundred items, nor for 4 MB in UTF-8', () => {
    expect([maxWrites, maxWrites + 1].map((count) => canFitOneTransaction(notes(count, 'a')))).toEqual([true, false]);
    const third = 'x'.repeat(1_400_000 / 90);
    expect(canFitOneTransaction(notes(90, third))).toBe(true);
    expect(canFitOneTransaction(notes(90, third.replaceAll('x', '\u20ac')))).toBe(false);
  });
});

describe('effects', () => {
  test('on one item become one write: changes are joined, conditions too', async () => {
    const project = await purseWith(10);
    const key = purse(project, 'a');
    const effects = [
      change(key, (update) => update.add('coins', -3)),
      change(key, (update) => update.add('coins', -4).whenAtLeast('coins', 7)),
      check(key, (update) => update.whenThere()),
      change(key, (update) => update.set(['seen'], 1)),
    ];
    expect(mergeEffects(effects)).toHaveLength(1);
    expect(await commit(table, effects)).toBe(true);
    expect(await stored(project)).toEqual({ coins: 3, seen: 1 });
  });

  test('on an item that another effect inserts are part of the insert', async () => {
    const project = uniqueId('proj_');
    const key = purse(project, 'a');
    const many = [change(key, (update) => update.add('coins', 2)), insert(key, { coins: 1 })];
    expect(await commit(table, many)).toBe(true);
    expect(await stored(project)).toEqual({ coins: 3 });
  });

  test('mark every item with kind, project and shape', async () => {
    const project = await purseWith(1);
    const [item] = await table.getMany([purse(project, 'a')]);
    expect(item).toMatchObject({ kind: 'PURSE', project, shape: 1 });
  });

  test('happen all or not at all, and the refused one says why', async () => {
    const project = await purseWith(1);
    const effects = [
      insert(note(project, 'a', 'first'), { text: 'x' }),
      insert(purse(project, 'a'), { coins: 5 }, taken),
    ];
    await expect(commit(table, effects)).rejects.toMatchObject({ key: 'duplicate_found' });
    expect(await readChildren(table, note, project, 'a')).toEqual([]);
  });

  test('are worth another attempt if they are refused without an error', async () => {
    const project = await purseWith(1);
    const key = purse(project, 'a');
    expect(await commit(table, [change(key, (update) => update.whenStill('coins', 2).add('coins', 1))])).toBe(false);
    expect(await commit(table, [remove(key, (update) => update.whenStill('coins', 1))])).toBe(true);
    expect(await stored(project)).toBeUndefined();
  });

  test('by twenty callers at once that spend the same ten coins spend ten', async () => {
    const project = await purseWith(10);
    const spend = () =>
      commit(table, [
        change(purse(project, 'a'), (update) => update.add('coins', -1).whenAtLeast('coins', 1)),
        insert(note(project, 'a', uniqueId('')), { text: 'spent' }),
      ]);
    const outcomes = await Promise.all(Array.from({ length: 20 }, spend));
    expect(outcomes.filter(Boolean)).toHaveLength(10);
    expect(await readChildren(table, note, project, 'a')).toHaveLength(10);
    expect(await stored(project)).toEqual({ coins: 0 });
  });

  test("beyond a transaction's limits throw before anything is written", async () => {
    const project = uniqueId('proj_');
    const many: Effect[] = Array.from({ length: maxWrites + 1 }, (_, index) =>
      insert(purse(project, String(index)), { coins: 1 }),
    );
    await expect(commit(table, many)).rejects.toThrow('more than one transaction can write');
    expect((await read(table, { purse: purse(project, '0') })).purse).toBeUndefined();
  });

  test('never insert and remove one item, or insert it twice', () => {
    const key = purse('proj_x', 'a');
    expect(() => mergeEffects([insert(key, {}), remove(key, (update) => update)])).toThrow();
    expect(() => mergeEffects([insert(key, {}), insert(key, {})])).toThrow();
  });
});

describe('a read', () => {
  test('loads everything in one call and answers by name, with undefined for missing and unwanted items', async () => {
    const project = await purseWith(4);
    const meter = { ...table.meter };
    const found = await read(table, {
      one: purse(project, 'a'),
      none: purse(project, 'b'),
      unasked: undefined,
      some: [purse(project, 'a'), undefined, purse(project, 'c')],
    });
    expect(found).toEqual({
      one: { coins: 4 },
      none: undefined,
      unasked: undefined,
      some: [{ coins: 4 }, undefined, undefined],
    });
    expect(table.meter.calls).toBe(meter.calls + 1);
  });

  test('does not see deleted items, nor a child in the partition of another parent', async () => {
    const project = await purseWith(4);
    await commit(table, [
      insert(note(project, 'a', '1'), { text: 'kept' }),
      insert(note(project, 'a', '2'), { text: 'gone', deleted_at: '2026-01-01T00:00:00.000Z' }),
      insert(note(project, 'b', '1'), { text: 'of another' }),
    ]);
    expect(await readChildren(table, note, project, 'a')).toEqual([{ text: 'kept' }]);
  });
});
