import { TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { newTimedId } from '#kernel/core/ids.ts';
import { commitApart, insert, removeFenced } from '#kernel/table/effects.ts';
import { tombstoneOf } from '#kernel/table/tombstone.ts';
import { Update } from '#kernel/table/update.ts';
import { testTime } from '../../../support/dependencies.ts';
import { tableOfFile } from '../../../support/listed.ts';
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

/** Returns the id of a record that one attempt makes, and its key. */
const drawn = () => {
  const id = newTimedId('activity', testTime);
  return { id, own: { ...newKey(), sk: `NOTE#${id}` } };
};
const raised = (key: ReturnType<typeof newKey>) => ({
  key,
  change: new Update().add('n', 1).whenStill('closed', undefined).build(),
});

describe('a transaction whose first attempt has no answer', () => {
  test('is done once when the attempt is carried out while its repetition is cancelled', async () => {
    const key = newKey();
    const { id, own } = drawn();
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async () => {
        await first.arrives();
        throw cancelled('TransactionConflict', 'None');
      },
    ]);
    expect(await late.transact([raised(key), { key: own, insert: { id, n: 1 } }])).toEqual({ done: true });
    expect((await table.getMany([key]))[0]?.n).toBe(1);
  });

  test('is done when the repetition is refused because the attempt was carried out, also if its record has changed', async () => {
    const key = newKey();
    const { id, own } = drawn();
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async () => {
        await first.arrives();
        await table.change(own, new Update().set(['n'], 2).build());
        throw cancelled('None', 'ConditionalCheckFailed');
      },
    ]);
    expect(await late.transact([raised(key), { key: own, insert: { id, n: 1 } }])).toEqual({ done: true });
    expect((await table.getMany([key, own])).map((item) => item?.n)).toEqual([1, 2]);
  });

  test('is refused for ever once its repetition was refused: the attempt that arrives later changes nothing', async () => {
    const key = newKey();
    const { id, own } = drawn();
    await table.insert(key, { n: 0, closed: true });
    const first = unanswered();
    const { table: late } = faulty([forgotten(first.fault)]);
    const outcome = await late.transact([raised(key), { key: own, insert: { id, n: 1 } }]);
    expect(outcome).toMatchObject({ done: false, refused: [{ failed: true }, { failed: false }] });
    // Only the tombstone is left to refuse it.
    await table.change(key, new Update().remove(['closed']).build());
    expect(await first.arrives()).toBe('refused');
    expect((await table.getMany([key, own])).map((item) => item?.n)).toEqual([0, undefined]);
    expect(await table.query({ partition: own.pk })).toEqual([]);
  });

  test('may be sent again under the same id, by the same request or by another one', async () => {
    const key = newKey();
    const { id, own } = drawn();
    await table.insert(key, { n: 0, closed: true });
    const first = unanswered();
    const { table: late } = faulty([forgotten(first.fault)]);
    expect((await late.transact([raised(key), { key: own, insert: { id, n: 1 } }])).done).toBe(false);
    await table.change(key, new Update().remove(['closed']).build());
    expect(await table.transact([raised(key), { key: own, insert: { id, n: 2 } }])).toEqual({ done: true });
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

  test('is done if the ledger has its entry, also if others have changed the entry since', async () => {
    const entry = newKey();
    const id = newTimedId('voucher_transaction', testTime);
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async () => {
        await first.arrives();
        await table.change(entry, new Update().set(['examined'], true).build());
        throw cancelled('ConditionalCheckFailed');
      },
    ]);
    expect(await late.transact([{ key: entry, insert: { id, points: 5 } }])).toEqual({ done: true });
  });

  test('is not done if another call has stored an equal claim, and another entry', async () => {
    const [entry, claim] = [newKey(), newKey()];
    const [id, other] = [1, 2].map(() => newTimedId('voucher_transaction', testTime));
    const claimed = { key: claim, insert: { entry: 7 } };
    expect((await table.transact([{ key: entry, insert: { id: other, points: 5 } }, claimed])).done).toBe(true);
    const { table: late } = faulty([unanswered().fault]);
    const outcome = await late.transact([{ key: entry, insert: { id, points: 9 } }, claimed]);
    expect(outcome).toMatchObject({ done: false, refused: [{ item: { points: 5 } }, { item: { entry: 7 } }] });
  });

  test("is not done because another call has claimed the merchant's id, which may look like an id of ours", async () => {
    const [entry, claims] = [newKey(), newKey()];
    const claim = { ...claims, sk: `CLAIM#${newTimedId('redemption', testTime)}` };
    await table.insert(claim, { entry: 6 });
    const { table: late } = faulty([unanswered().fault]);
    const outcome = await late.transact([
      { key: claim, insert: { entry: 7 } },
      { key: entry, insert: { id: newTimedId('voucher_transaction', testTime), points: 9 } },
    ]);
    expect(outcome).toMatchObject({ done: false, refused: [{ failed: true, item: { entry: 6 } }, { failed: false }] });
    expect(await table.get(claim, anything)).toMatchObject({ entry: 6 });
  });

  test('may still be carried out in the place of a removed item', async () => {
    const [key, other] = [newKey(), newKey()];
    await table.insert(key, { name: 'first' });
    expect(await commitApart(table, [removeFenced(key, (update) => update.whenThere(), testTime)])).toBe(true);
    await table.insert(other, { n: 1 });
    const again = unanswered();
    const { table: late } = faulty([
      // The tombstone refuses the insert, which is then sent with the condition that replaces the tombstone.
      (send, command) => send(command),
      again.fault,
      async () => {
        throw cancelled('None', 'ConditionalCheckFailed');
      },
    ]);
    const outcome = await late.transact([{ key, insert: { name: 'second' } }, raised(other)]);
    expect(outcome).toMatchObject({ done: false, isOpen: true });
    expect(late.hasOpenAttempt).toBe(true);
  });

  test('has an unknown outcome if the table cannot be asked, and the caller is not told that nothing was changed', async () => {
    const { id, own } = drawn();
    const silent: Fault = () => Promise.reject(new Error('no answer'));
    const { table: late } = faulty([
      unanswered().fault,
      () => Promise.reject(cancelled('ConditionalCheckFailed')),
      silent,
    ]);
    await expect(late.transact([{ key: own, insert: { id, n: 1 } }])).rejects.toThrow('a write may have succeeded');
  });
});

describe('a single insert whose first attempt has no answer', () => {
  const silent: Fault = async () => {
    throw new TransactionInProgressException({ message: 'in progress', $metadata: {} });
  };

  test('is done if the table has its own record, also if others have changed it since', async () => {
    const { id, own } = drawn();
    const first = unanswered();
    const { table: late } = faulty([
      first.fault,
      async (send, command) => {
        await first.arrives();
        await table.change(own, new Update().set(['n'], 2).build());
        return send(command);
      },
    ]);
    expect(await late.insert(own, { id, n: 1 })).toBe(true);
  });

  test('is not done if it is a tombstone for a record that has been committed', async () => {
    const { id, own } = drawn();
    await table.insert(own, { id, n: 1 });
    const { table: late } = faulty([silent]);
    expect(await late.insert(own, tombstoneOf(testTime))).toBe(false);
    expect(await table.get(own, anything)).toMatchObject({ n: 1 });
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
