import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { tableOfFile } from '../../../support/listed.ts';
import { anything, newKey } from './any-item.ts';
import { cancelled, type Fault, faulty, inProgress } from './faulty.ts';

const table = tableOfFile();

describe('inserting many', () => {
  test('reports for each item whether it is new, and leaves existing ones alone', async () => {
    const [taken, free] = [newKey(), newKey()];
    await table.insert(taken, { name: 'old' });
    const items = [taken, free].map((key) => ({ key, item: { name: "it's new", note: undefined } }));
    expect(await table.insertMany(items)).toEqual([false, true]);
    expect(await table.get(taken, anything)).toMatchObject({ name: 'old' });
    expect(await table.get(free, anything)).toMatchObject({ name: "it's new" });
  });

  test('repeats only the throttled items', async () => {
    const [first, second] = [newKey(), newKey()];
    const items = [first, second].map((key) => ({ key, item: { name: key.pk } }));
    const throttled: Fault = async (send, command) => {
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
      () => Promise.reject(new TransactionConflictException({ message: 'conflict', $metadata: {} })),
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

  test('and a transaction that is still in progress is queried again, not repeated', async () => {
    const [key, other] = [newKey(), newKey()];
    const raise = { set: 'ADD #n :n', condition: '', names: { '#n': 'n' }, values: { ':n': 1 } };
    const { table: slow, left } = faulty([() => Promise.reject(cancelled('TransactionConflict', 'None')), inProgress]);
    expect(
      await slow.transact([
        { key, change: raise },
        { key: other, change: raise },
      ]),
    ).toEqual({ done: true });
    expect(left()).toBe(0);
    expect((await table.getMany([key, other])).map((item) => item?.n)).toEqual([1, 1]);
  });

  test('but a failed condition is reported at once, part by part, and nothing is written', async () => {
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

test('a transaction still in progress is not repeated, and a cancelled one is', async () => {
  const [counter, entry] = [newKey(), newKey()];
  await table.insert(counter, { points: 0 });
  const credit = { set: 'ADD #points :one', condition: '', names: { '#points': 'points' }, values: { ':one': 1 } };
  const { table: busy, left } = faulty([() => Promise.reject(cancelled('TransactionConflict')), inProgress]);
  const outcome = await busy.transact([
    { key: counter, change: credit },
    { key: entry, insert: {} },
  ]);
  expect(outcome).toEqual({ done: true });
  expect(left()).toBe(0);
  expect(await table.get(counter, anything)).toMatchObject({ points: 1 });
});

test('a transaction removes only items that meet its condition', async () => {
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
