import { TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { newTimedId } from '../../../lib/core/ids.ts';
import { commitApart, insert, removeFenced } from '../../../lib/table/effects.ts';
import { Update } from '../../../lib/table/update.ts';
import { testTime } from '../../support/dependencies.ts';
import { tableOfFile } from '../../support/listed.ts';
import { anything, newKey } from './any-item.ts';
import { cancelled, type Fault, faulty } from './faulty.ts';

const table = tableOfFile();

type Send = Parameters<Fault>[0];

/** An attempt that gets no answer, and is carried out when the test says so. */
function unanswered() {
  let arrive: (() => Promise<unknown>) | undefined;
  const fault: Fault = async (send, command) => {
    arrive = () => send(command);
    // It is the one error after which our code repeats a transaction itself: the first attempt may still be under way.
    throw new TransactionInProgressException({ message: 'in progress', $metadata: {} });
  };
  const arrives = async () => {
    if (!arrive) throw new Error('the attempt was not sent');
    return arrive().then(
      () => 'carried out',
      () => 'refused',
    );
  };
  return { fault, arrives };
}

/** Sends the command under another token, as an attempt whose token DynamoDB has forgotten. */
const forgotten =
  (fault: Fault): Fault =>
  (send, command) => {
    const { input } = command as { input: object };
    const copy = Object.create(Object.getPrototypeOf(command), Object.getOwnPropertyDescriptors(command)) as {
      input: object;
    };
    copy.input = { ...input, ClientRequestToken: crypto.randomUUID() };
    const later: Send = () => send(copy as never);
    return fault(later, command);
  };

const drawnKey = () => ({ ...newKey(), sk: `NOTE#${newTimedId('activity', testTime)}` });
const raised = (key: ReturnType<typeof newKey>) => ({
  key,
  change: new Update().add('n', 1).whenStill('closed', undefined).build(),
});

describe('a transaction whose first attempt has no answer', () => {
  test('is done once when the attempt is carried out while its repetition is cancelled', async () => {
    const [key, own] = [newKey(), drawnKey()];
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async () => {
        await first.arrives();
        throw cancelled('TransactionConflict', 'None');
      },
    ]);
    expect(await late.transact([raised(key), { key: own, insert: { n: 1 } }])).toEqual({ done: true });
    expect((await table.getMany([key]))[0]?.n).toBe(1);
  });

  test('is done when the repetition is refused because the attempt was carried out, also if its record has changed', async () => {
    const [key, own] = [newKey(), drawnKey()];
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async () => {
        await first.arrives();
        await table.change(own, new Update().set(['n'], 2).build());
        throw cancelled('None', 'ConditionalCheckFailed');
      },
    ]);
    expect(await late.transact([raised(key), { key: own, insert: { n: 1 } }])).toEqual({ done: true });
    expect((await table.getMany([key, own])).map((item) => item?.n)).toEqual([1, 2]);
  });

  test('is refused for ever once its repetition was refused: the attempt that arrives later changes nothing', async () => {
    const [key, own] = [newKey(), drawnKey()];
    await table.insert(key, { n: 0, closed: true });
    const first = unanswered();
    const { table: late } = faulty([forgotten(first.fault)]);
    const outcome = await late.transact([raised(key), { key: own, insert: { n: 1 } }]);
    expect(outcome).toMatchObject({ done: false, refused: [{ failed: true }, { failed: false }] });
    // Only the tombstone is left to refuse it.
    await table.change(key, new Update().remove(['closed']).build());
    expect(await first.arrives()).toBe('refused');
    expect((await table.getMany([key, own])).map((item) => item?.n)).toEqual([0, undefined]);
    expect(await table.query({ partition: own.pk })).toEqual([]);
  });

  test('may be sent again under the same id, by the same request or by another one', async () => {
    const [key, own] = [newKey(), drawnKey()];
    await table.insert(key, { n: 0, closed: true });
    const first = unanswered();
    const { table: late } = faulty([forgotten(first.fault)]);
    expect((await late.transact([raised(key), { key: own, insert: { n: 1 } }])).done).toBe(false);
    await table.change(key, new Update().remove(['closed']).build());
    expect(await table.transact([raised(key), { key: own, insert: { n: 2 } }])).toEqual({ done: true });
    expect(await first.arrives()).toBe('refused');
    expect((await table.getMany([key, own])).map((item) => item?.n)).toEqual([1, 2]);
  });

  test('is compared with the table if it draws no id: its own entry of a ledger is done, and another one refuses it', async () => {
    const entry = newKey();
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async () => {
        await first.arrives();
        throw cancelled('ConditionalCheckFailed');
      },
    ]);
    expect(await late.transact([{ key: entry, insert: { points: 5 } }])).toEqual({ done: true });
    const { table: other } = faulty([unanswered().fault]);
    const outcome = await other.transact([{ key: entry, insert: { points: 7 } }]);
    expect(outcome).toMatchObject({ done: false, refused: [{ item: { points: 5 } }] });
    expect(outcome).not.toHaveProperty('isOpen');
  });

  test('has an unknown outcome if the table cannot be asked, and the caller is not told that nothing was changed', async () => {
    const own = drawnKey();
    const silent: Fault = () => Promise.reject(new Error('no answer'));
    const { table: late } = faulty([
      unanswered().fault,
      () => Promise.reject(cancelled('ConditionalCheckFailed')),
      silent,
    ]);
    await expect(late.transact([{ key: own, insert: { n: 1 } }])).rejects.toThrow('a write may have succeeded');
  });
});

describe('a removed item', () => {
  test('is not brought back by its late insert, and can be created again', async () => {
    const key = newKey();
    const item = { name: 'first' };
    const first = unanswered();
    const { table: late } = faulty([first.fault]);
    expect(await late.insert(key, item)).toBe(true);
    expect(await commitApart(table, [removeFenced(key, (update) => update.whenThere(), testTime)])).toBe(true);
    expect(await table.get(key, anything)).toBeUndefined();
    expect(await first.arrives()).toBe('refused');
    expect(await table.get(key, anything)).toBeUndefined();
    expect(await commitApart(table, [insert(key, { name: 'second' })])).toBe(true);
    expect(await table.get(key, anything)).toMatchObject({ name: 'second' });
    expect(await first.arrives()).toBe('refused');
  });
});
