import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { rewards } from '../../../lib/loyalty/reward.ts';
import { NoCapacityError } from '../../../lib/table/conflicts.ts';
import { StoredItemError } from '../../../lib/table/item.ts';
import type { Key } from '../../../lib/table/keys.ts';
import { Table } from '../../../lib/table/table.ts';
import { clientWith } from '../../support/client.ts';
import { testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { faults } from '../../support/faults.ts';

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime);
const newKey = () => rewards(uniqueId('proj_'), 'r');
const nowInSeconds = testTime.getTime() / 1000;
const anything = v.record(v.string(), v.unknown());

type Send = (command: never) => Promise<unknown>;

/** The real table behind a client whose first calls are answered by `faults`, one each. */
function faulty(faults: ((send: Send, command: never) => Promise<unknown>)[]) {
  const waiting = [...faults];
  const real: Send = (command) => dynamodb.send(command);
  const client = clientWith(dynamodb, (command) => {
    const fault = waiting.shift();
    return fault ? fault(real, command as never) : real(command as never);
  });
  return { table: new Table(client, tableName, testTime), left: () => waiting.length };
}

const conflict = () => new TransactionConflictException({ message: 'conflict', $metadata: {} });
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

describe('an item past its expiresAt is not there, though TTL has not removed it', () => {
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
  test('keeps the order of the keys, with gaps, beyond the 100 of a call', async () => {
    const all = Array.from({ length: 230 }, newKey);
    await Promise.all(all.filter((_, index) => index % 2).map((key) => table.insert(key, { name: key.pk })));
    const items = await table.getMany([...all, ...all.slice(0, 2)]);
    expect(items).toHaveLength(232);
    expect(items.map((item) => item?.name)).toEqual(
      [...all, ...all.slice(0, 2)].map(({ pk }, index) => (index % 2 ? pk : undefined)),
    );
  });

  test('asks again for what the table had no capacity for', async () => {
    const [first, second] = [newKey(), newKey()];
    await Promise.all([first, second].map((key) => table.insert(key, { name: key.pk })));
    const { table: slow, left } = faulty([
      async () => ({ UnprocessedKeys: { [tableName]: { Keys: [first, second] } } }),
    ]);
    expect((await slow.getMany([first, second])).map((item) => item?.name)).toEqual([first.pk, second.pk]);
    expect(left()).toBe(0);
    expect(slow.meter.calls).toBe(2);
  });

  test('gives up within its patience where the table goes on leaving all of it undone, as when it refuses the call', async () => {
    const keys = [newKey(), newKey()];
    const client = clientWith(dynamodb, async () => ({ UnprocessedKeys: { [tableName]: { Keys: keys } } }));
    const reading = new Table(client, tableName, testTime, { patienceInMs: 200 }).getMany(keys);
    await expect(reading).rejects.toThrow(NoCapacityError);
  });

  test('is one call for all who ask at once, whatever they wait for first, and another for who asks later', async () => {
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

  test('tells all who asked at once of a fault, and none who asks after it', async () => {
    const keys = [newKey(), newKey()];
    await Promise.all(keys.map((key) => table.insert(key, { name: key.pk })));
    const { table: reading } = faulty([() => Promise.reject(new Error('the line is cut'))]);
    const outcomes = await Promise.allSettled(keys.map((key) => reading.getMany([key])));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reading.getMany(keys)).toHaveLength(2);
  });
});

test('reading at one moment keeps the order, with gaps and without what has expired, and waits out a conflict', async () => {
  const [first, second, expired] = [newKey(), newKey(), newKey()];
  await table.insert(first, { name: 'x' });
  await table.insert(expired, { name: 'y', expiresAt: nowInSeconds });
  const { table: busy, left } = faulty([() => Promise.reject(cancelled('TransactionConflict'))]);
  const items = await busy.getAtOnce([second, first, expired]);
  expect(items.map((item) => item?.name)).toEqual([undefined, 'x', undefined]);
  expect(left()).toBe(0);
});

describe('inserting many', () => {
  test('tells of each item whether it is new, and leaves those alone that are there', async () => {
    const [taken, free] = [newKey(), newKey()];
    await table.insert(taken, { name: 'old' });
    const items = [taken, free].map((key) => ({ key, item: { name: "it's new", note: undefined } }));
    expect(await table.insertMany(items)).toEqual([false, true]);
    expect(await table.get(taken, anything)).toMatchObject({ name: 'old' });
    expect(await table.get(free, anything)).toMatchObject({ name: "it's new" });
  });

  test('tries again what was throttled, and only that', async () => {
    const [first, second] = [newKey(), newKey()];
    const items = [first, second].map((key) => ({ key, item: { name: key.pk } }));
    const throttled = async (send: Send, command: never) => {
      const { input } = command as { input: { Statements: unknown[] } };
      input.Statements = input.Statements.slice(0, 1);
      await send(command);
      return { Responses: [{}, { Error: { Code: 'ThrottlingError' } }] };
    };
    const { table: slow } = faulty([throttled]);
    expect(await slow.insertMany(items)).toEqual([true, true]);
    expect(slow.meter.calls).toBe(2);
  });
});

describe('a conflict with another transaction is waited out', () => {
  const change = { set: 'SET #n = :n', condition: 'attribute_exists(pk)', names: { '#n': 'n' }, values: { ':n': 1 } };

  test('by a change of one item, and by a transaction', async () => {
    const [key, other] = [newKey(), newKey()];
    await table.insert(key, { n: 0 });
    const { table: busy, left } = faulty([
      () => Promise.reject(conflict()),
      (send, command) => send(command),
      () => Promise.reject(cancelled('None', 'TransactionConflict')),
      () => Promise.reject(cancelled('ThrottlingError', 'None')),
    ]);
    expect(await busy.change(key, change)).toMatchObject({ done: true, item: { n: 1 } });
    expect(
      await busy.transact([
        { key, change: { ...change, values: { ':n': 2 } } },
        { key: other, insert: { n: 3 } },
      ]),
    ).toEqual({ done: true });
    expect(left()).toBe(0);
    expect((await table.getMany([key, other])).map((item) => item?.n)).toEqual([2, 3]);
  });

  test('and one that is still in progress is asked for again, not done again', async () => {
    const [key, other] = [newKey(), newKey()];
    const raise = { set: 'ADD #n :n', condition: '', names: { '#n': 'n' }, values: { ':n': 1 } };
    const { table: slow, left } = faulty([
      () => Promise.reject(cancelled('TransactionConflict', 'None')),
      async (send, command) => {
        await send(command);
        throw new TransactionInProgressException({ message: 'in progress', $metadata: {} });
      },
    ]);
    expect(
      await slow.transact([
        { key, change: raise },
        { key: other, change: raise },
      ]),
    ).toEqual({ done: true });
    expect(left()).toBe(0);
    expect((await table.getMany([key, other])).map((item) => item?.n)).toEqual([1, 1]);
  });

  test('but a condition that does not hold is told at once, part by part, and nothing is written', async () => {
    const [there, absent] = [newKey(), newKey()];
    await table.insert(there, { n: 7 });
    const outcome = await table.transact([
      { key: absent, insert: { n: 1 } },
      { key: there, insert: { n: 1 } },
    ]);
    expect(outcome).toEqual({
      done: false,
      refused: [
        { failed: false, item: undefined },
        { failed: true, item: expect.objectContaining({ n: 7 }) },
      ],
    });
    expect(await table.get(absent, anything)).toBeUndefined();
  });
});

test('a stored item of another shape is refused by its places, without its values', async () => {
  const key = newKey();
  await table.insert(key, { code: 'SECRET-CODE', inner: { points: 'SECRET' } });
  const schema = v.object({ code: v.number(), inner: v.object({ points: v.number() }) });
  const failure = await table.get(key, schema).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoredItemError);
  expect(String(failure)).toContain('code, inner.points');
  expect(String(failure)).not.toContain('SECRET');
});

describe('a query', () => {
  const partition = uniqueId('proj_');
  const keyAt = (index: number) => ({ pk: partition, sk: `N#${String(index).padStart(3, '0')}` });
  const customer = uniqueId('cust_');

  beforeAll(async () => {
    const all = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all(
      all.map((index) =>
        table.insert(keyAt(index), {
          index,
          sequence: 100 - index,
          gsi1pk: customer,
          gsi1sk: `2026-01-${String(index + 1).padStart(2, '0')}`,
          ...(index === 3 ? { expiresAt: nowInSeconds } : {}),
        }),
      ),
    );
  });

  const indexes = (items: Record<string, unknown>[]) => items.map(({ index }) => index);

  test('reads a partition in order, both ways, within bounds that are included, without what has expired', async () => {
    expect(indexes(await table.query({ partition, from: 'N#002', to: 'N#005' }))).toEqual([2, 4, 5]);
    expect(indexes(await table.query({ partition, from: 'N#027' }))).toEqual([27, 28, 29]);
    expect(indexes(await table.query({ partition, to: 'N#001', descending: true }))).toEqual([1, 0]);
  });

  test('stops at its limit, and reads no more than that takes', async () => {
    const own = new Table(dynamodb, tableName, testTime);
    expect(indexes(await own.query({ partition, limit: 3 }))).toEqual([0, 1, 2]);
    expect(own.meter.calls).toBe(1);
    expect(indexes(await own.query({ partition, limit: 4 }))).toEqual([0, 1, 2, 4]);
  });

  test('goes by the indexes', async () => {
    const page = { partition: customer, to: '2026-01-20', descending: true, limit: 2 };
    const found = await table.query({ ...page, index: 'gsi1' });
    expect(found.map(({ gsi1sk }) => gsi1sk)).toEqual(['2026-01-20', '2026-01-19']);
  });

  test('sends only the attributes that it asks for', async () => {
    const query = { partition, from: 'N#004', to: 'N#005', only: ['sequence'] };
    expect(await table.query(query)).toEqual([{ sequence: 96 }, { sequence: 95 }]);
  });

  test('walks through more than DynamoDB reads in a call', async () => {
    const large = uniqueId('proj_');
    const text = 'x'.repeat(300_000);
    for (let index = 0; index < 8; index++) await table.insert({ pk: large, sk: String(index) }, { index, text });
    const own = new Table(dynamodb, tableName, testTime);
    expect(indexes(await own.query({ partition: large }))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(own.meter.calls).toBeGreaterThan(1);
    expect(indexes(await own.query({ partition: large, limit: 5 }))).toEqual([0, 1, 2, 3, 4]);
  });
});

test('a transaction that the table is still at is not done twice, and one that was cancelled is done', async () => {
  const [counter, entry] = [newKey(), newKey()];
  await table.insert(counter, { points: 0 });
  const credit = { set: 'ADD #points :one', condition: '', names: { '#points': 'points' }, values: { ':one': 1 } };
  const inProgress = async (send: Send, command: never) => {
    await send(command);
    throw new TransactionInProgressException({ message: 'in progress', $metadata: {} });
  };
  const { table: busy, left } = faulty([() => Promise.reject(cancelled('TransactionConflict')), inProgress]);
  const outcome = await busy.transact([
    { key: counter, change: credit },
    { key: entry, insert: {} },
  ]);
  expect(outcome).toEqual({ done: true });
  expect(left()).toBe(0);
  expect(await table.get(counter, anything)).toMatchObject({ points: 1 });
});

test('a transaction removes only what meets its condition', async () => {
  const [kept, other] = [newKey(), newKey()];
  await table.insert(kept, { name: 'x' });
  const removeIf = (name: string) => ({
    key: kept,
    remove: { condition: '#name = :name', names: { '#name': 'name' }, values: { ':name': name } },
  });
  expect(await table.transact([removeIf('y'), { key: other, insert: {} }])).toMatchObject({ done: false });
  expect(await table.get(kept, anything)).toBeDefined();
  expect(await table.transact([removeIf('x'), { key: other, insert: {} }])).toEqual({ done: true });
  expect(await table.get(kept, anything)).toBeUndefined();
});

describe('what a request commits', () => {
  test('costs one write unit where it is one insert, and is done once though its reply was lost and others came between', async () => {
    const proxy = await startFaultProxy();
    try {
      const lossy = new Table(proxy.client, tableName, testTime);
      for (const fault of [
        'is carried out, and its reply is lost',
        'is carried out, and its reply is cut off',
      ] as const) {
        const key = newKey();
        const item = { name: 'x', list: [{ n: 1, gone: undefined }], metadata: { constructor: 'a' } };
        proxy.run(({ number }) => (number === 1 ? faults[fault] : undefined));
        expect(await lossy.commit([{ key, insert: item }])).toEqual({ done: true });
        expect(await lossy.commit([{ key, insert: item }])).toMatchObject({ done: false, refused: [{ failed: true }] });
      }
      const taken = newKey();
      await table.insert(taken, { name: 'theirs' });
      proxy.run(({ number }) => (number === 1 ? faults['does not arrive'] : undefined));
      expect(await lossy.commit([{ key: taken, insert: { name: 'ours' } }])).toMatchObject({
        done: false,
        refused: [{ failed: true, item: { name: 'theirs' } }],
      });
    } finally {
      await proxy.close();
    }
    const own = new Table(dynamodb, tableName, testTime);
    await own.commit([{ key: newKey(), insert: { n: 1 } }]);
    expect(own.meter).toEqual({ calls: 1, readUnits: 0, writeUnits: 1 });
  });

  test('is written together with its companion, or neither is; the companion refused is an error of its own', async () => {
    const [key, companion] = [newKey(), newKey()];
    const own = new Table(dynamodb, tableName, testTime);
    const refusal = (item: unknown) => new Error(`taken: ${JSON.stringify(item)}`);
    own.commitWith({ write: { key: companion, insert: { n: 1 } }, refusal });
    expect(await own.commit([{ key, insert: { n: 2 } }])).toEqual({ done: true });
    expect((await table.getMany([key, companion])).map((item) => item?.n)).toEqual([2, 1]);

    const next = newKey();
    await expect(own.commit([{ key: next, insert: { n: 3 } }])).rejects.toThrow(/^taken: .*"n":1/);
    await expect(own.commit([{ key, insert: { n: 3 } }])).rejects.toThrow('taken');
    expect(await table.get(next, anything)).toBeUndefined();
    // What goes on beside it is its own affair.
    expect(await own.transact([{ key: next, insert: { n: 3 } }])).toEqual({ done: true });
  });

  test('tells of its own parts only when they are refused, and leaves the companion', async () => {
    const [key, companion] = [newKey(), newKey()];
    await table.insert(key, { n: 7 });
    const own = new Table(dynamodb, tableName, testTime);
    own.commitWith({ write: { key: companion, insert: { n: 1 } }, refusal: () => new Error('taken') });
    expect(await own.commit([{ key, insert: { n: 2 } }])).toEqual({
      done: false,
      refused: [{ failed: true, item: expect.objectContaining({ n: 7 }) }],
    });
    expect(await table.get(companion, anything)).toBeUndefined();
  });
});
