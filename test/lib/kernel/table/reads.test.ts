import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { NoCapacityError } from '#kernel/table/conflicts.ts';
import { StoredItemError } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { clientWith } from '../../../support/client.ts';
import { testDependencies, testTime } from '../../../support/dependencies.ts';
import { tableOfFile } from '../../../support/listed.ts';
import { anything, newKey } from './any-item.ts';
import { cancelled, faulty } from './faulty.ts';

const { dynamodb, tableName } = testDependencies();
const table = tableOfFile();
const nowInSeconds = testTime.getTime() / 1000;

describe('an item past its expiresAt does not exist, though TTL has not removed it', () => {
  test.each([
    [nowInSeconds - 1, false],
    [nowInSeconds, false],
    [nowInSeconds + 1, true],
  ])('expiring at %i', async (expiresAt, isThere) => {
    const key = newKey();
    await table.insert(key, { name: 'x', expiresAt });
    expect((await table.get(key, anything)) !== undefined).toBe(isThere);
    expect((await table.getMany([key]))[0] !== undefined).toBe(isThere);
  });
});

describe('reading many', () => {
  test('returns the wanted attributes only, and still hides deleted and expired items', async () => {
    const [there, deleted, expired, missing] = [newKey(), newKey(), newKey(), newKey()];
    const item = { name: 'a', note: 'b', more: { c: 'd' } };
    await table.insert(there, item);
    await table.insert(deleted, { ...item, deleted_at: testTime.toISOString() });
    await table.insert(expired, { ...item, expiresAt: nowInSeconds - 1 });
    const wanted = [there, deleted, expired, missing, there];
    const items = await table.getMany(wanted, { only: ['name', 'more'] });
    const shown = { pk: there.pk, sk: there.sk, name: 'a', more: { c: 'd' } };
    expect(items).toEqual([shown, undefined, undefined, undefined, shown]);
  });

  test('keeps the order of the keys, with gaps, beyond the 100 of a call', async () => {
    const all = Array.from({ length: 230 }, newKey);
    await Promise.all(all.filter((_, index) => index % 2).map((key) => table.insert(key, { name: key.pk })));
    const items = await table.getMany([...all, ...all.slice(0, 2)]);
    expect(items).toHaveLength(232);
    expect(items.map((item) => item?.name)).toEqual(
      [...all, ...all.slice(0, 2)].map(({ pk }, index) => (index % 2 ? pk : undefined)),
    );
  });

  test('repeats the keys for which the table had no capacity', async () => {
    const [first, second] = [newKey(), newKey()];
    await Promise.all([first, second].map((key) => table.insert(key, { name: key.pk })));
    const { table: slow, left } = faulty([
      async () => ({ UnprocessedKeys: { [tableName]: { Keys: [first, second] } } }),
    ]);
    expect((await slow.getMany([first, second])).map((item) => item?.name)).toEqual([first.pk, second.pk]);
    expect(left()).toBe(0);
    expect(slow.meter.calls).toBe(2);
  });

  test('gives up within its patience if the table leaves all keys undone, as when it refuses the call', async () => {
    const keys = [newKey(), newKey()];
    const client = clientWith(dynamodb, async () => ({ UnprocessedKeys: { [tableName]: { Keys: keys } } }));
    const reading = new Table(client, tableName, testTime, { patienceInMs: 200 }).getMany(keys);
    await expect(reading).rejects.toThrow(NoCapacityError);
  });

  test('is one call for all simultaneous readers, and another for a later one', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()];
    await Promise.all([first, second, third].map((key) => table.insert(key, { name: key.pk })));
    const { table: reading } = faulty([]);
    const name = async (key: Key) => (await reading.getMany([key]))[0]?.name;
    const later = async () => {
      for (let tick = 0; tick < 10; tick++) await undefined;
      return name(third);
    };
    const single = reading.get(first, v.looseObject({}));
    expect(await Promise.all([name(first), name(second), later(), name(first)])).toEqual(
      [first, second, third, first].map(({ pk }) => pk),
    );
    expect([(await single)?.name, reading.meter.calls]).toEqual([first.pk, 1]);
    expect([await name(second), reading.meter.calls]).toEqual([second.pk, 2]);
  });

  test('reports a fault to all simultaneous readers, and to no later one', async () => {
    const keys = [newKey(), newKey()];
    await Promise.all(keys.map((key) => table.insert(key, { name: key.pk })));
    const { table: reading } = faulty([() => Promise.reject(new Error('the line is cut'))]);
    const outcomes = await Promise.allSettled(keys.map((key) => reading.getMany([key])));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reading.getMany(keys)).toHaveLength(2);
  });
});

test('reading at one moment keeps the order, with gaps and without expired items, and waits out a conflict', async () => {
  const [first, second, expired] = [newKey(), newKey(), newKey()];
  await table.insert(first, { name: 'x' });
  await table.insert(expired, { name: 'y', expiresAt: nowInSeconds });
  const { table: busy, left } = faulty([() => Promise.reject(cancelled('TransactionConflict'))]);
  const items = await busy.getAtOnce([second, first, expired]);
  expect(items.map((item) => item?.name)).toEqual([undefined, 'x', undefined]);
  expect(left()).toBe(0);
});

test('a stored item of another shape is refused with its places, without its values', async () => {
  const key = newKey();
  await table.insert(key, { code: 'SECRET-CODE', inner: { points: 'SECRET' } });
  const schema = v.object({ code: v.number(), inner: v.object({ points: v.number() }) });
  const failure = await table.get(key, schema).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoredItemError);
  expect(String(failure)).toContain('code, inner.points');
  expect(String(failure)).not.toContain('SECRET');
});
