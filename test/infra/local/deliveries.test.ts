import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deliveries, type DeliveriesOptions } from '../../../infra/local/deliveries.ts';
import type { StreamRecord } from '../../../lib/outbox/worker.ts';
import { testDependencies } from '../../support/dependencies.ts';

const record = (item: string, number: number): StreamRecord => ({
  eventName: 'MODIFY',
  dynamodb: { Keys: { pk: { S: item }, sk: { S: 'JOB' } }, SequenceNumber: `${item}${number}` },
});

const idsOf = (records: readonly StreamRecord[]) => records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');

const nothingFailed = { batchItemFailures: [] };
const failed = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

/** A worker whose calls are answered by hand, in any order. */
function worker(options: Partial<DeliveriesOptions> = {}) {
  const dependencies = testDependencies();
  const calls: { ids: string[]; answer: PromiseWithResolvers<ReturnType<typeof failed>> }[] = [];
  const deliveries = new Deliveries({
    dependencies,
    process: (records) => {
      const answer = Promise.withResolvers<ReturnType<typeof failed>>();
      calls.push({ ids: idsOf(records), answer });
      return answer.promise;
    },
    batchSize: 10,
    parallel: 4,
    onSettled: () => {},
    ...options,
  });
  const answer = async (call: number, reply: ReturnType<typeof failed> = nothingFailed) => {
    calls[call]?.answer.resolve(reply);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { deliveries, calls, answer, lines: dependencies.lines, ids: () => calls.map(({ ids }) => ids) };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('records are handed over', () => {
  test('in batches of the given size, as many at once as allowed', async () => {
    const { deliveries, answer, ids } = worker({ batchSize: 2, parallel: 2 });
    deliveries.add(['a', 'b', 'c', 'd', 'e'].map((item) => record(item, 1)));
    expect(ids()).toEqual([
      ['a1', 'b1'],
      ['c1', 'd1'],
    ]);
    await answer(1);
    expect(ids()[2]).toEqual(['e1']);
    expect(deliveries.areDone).toBe(false);
    await answer(0);
    await answer(2);
    expect(deliveries.areDone).toBe(true);
  });

  test('of one item never at once, while those of others go on', async () => {
    const { deliveries, answer, ids } = worker({ batchSize: 1, parallel: 4 });
    deliveries.add([record('a', 1), record('a', 2), record('b', 1)]);
    expect(ids()).toEqual([['a1'], ['b1']]);
    deliveries.add([record('a', 3)]);
    await answer(1);
    expect(ids()).toHaveLength(2);
    await answer(0);
    expect(ids()[2]).toEqual(['a2']);
    await answer(2);
    expect(ids()[3]).toEqual(['a3']);
  });

  test('until a thousand wait', () => {
    const { deliveries } = worker({ batchSize: 1, parallel: 1 });
    deliveries.add(Array.from({ length: 1_000 }, (_, number) => record('a', number)));
    expect(deliveries.areEnough).toBe(false);
    deliveries.add([record('a', 1_000)]);
    expect(deliveries.areEnough).toBe(true);
  });
});

describe('a record that failed', () => {
  test('is delivered again, later each time, with what followed on its item and nothing else', async () => {
    const { deliveries, answer, ids } = worker();
    deliveries.add([record('a', 1), record('b', 1), record('a', 2), record('a', 3)]);
    await answer(0, failed('a2'));
    expect(ids()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(49);
    expect(ids()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ids()[1]).toEqual(['a2', 'a3']);
    await answer(1, failed('a2'));
    await vi.advanceTimersByTimeAsync(99);
    expect(ids()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(ids()[2]).toEqual(['a2', 'a3']);
    await answer(2);
    expect(deliveries.areDone).toBe(true);
  });

  test('holds up its own item only', async () => {
    const { deliveries, answer, ids } = worker({ parallel: 1 });
    deliveries.add([record('a', 1)]);
    await answer(0, failed('a1'));
    deliveries.add([record('a', 2), record('b', 1)]);
    expect(ids()[1]).toEqual(['b1']);
    await vi.advanceTimersByTimeAsync(50);
    await answer(1);
    expect(ids()[2]).toEqual(['a1', 'a2']);
  });

  test('comes before what arrived on its item meanwhile', async () => {
    const { deliveries, answer, ids } = worker();
    deliveries.add([record('a', 1)]);
    deliveries.add([record('a', 2)]);
    await answer(0, failed('a1'));
    await vi.advanceTimersByTimeAsync(50);
    expect(ids()).toEqual([['a1'], ['a1', 'a2']]);
  });

  test('is given up after 30 retries, with one line of the log that has no key in it', async () => {
    const ids: string[] = [];
    const { deliveries, lines } = worker({
      process: async (records) => {
        ids.push(...idsOf(records));
        return failed(...idsOf(records).filter((id) => id === 'a1'));
      },
    });
    deliveries.add([record('a', 1), record('a', 2)]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ids.filter((id) => id === 'a1')).toHaveLength(31);
    expect(ids.at(-1)).toBe('a2');
    expect(deliveries.areDone).toBe(true);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'error',
        time: '2026-06-15T12:00:00.000Z',
        part: 'stream-poller',
        message: 'given up after 31 deliveries',
        event_name: 'MODIFY',
        kind: 'JOB',
        sequence_number: 'a1',
      },
    ]);
  });

  test.each([
    ['whose worker throws', () => Promise.reject(new TypeError('secret'))],
    ['whose answer names a record that was not in it', async () => failed('z9')],
  ])('is any of a batch %s', async (_, answer) => {
    const ids: string[][] = [];
    const { deliveries, lines } = worker({
      process: (records) => {
        ids.push(idsOf(records));
        return ids.length === 1 ? answer() : Promise.resolve(nothingFailed);
      },
    });
    deliveries.add([record('a', 1), record('b', 1)]);
    await vi.advanceTimersByTimeAsync(50);
    expect(ids).toEqual([
      ['a1', 'b1'],
      ['a1', 'b1'],
    ]);
    expect(lines.join()).not.toContain('secret');
  });
});

test('stop waits for the batches under way, and begins none, not even a retry', async () => {
  const { deliveries, answer, ids } = worker({ batchSize: 1, parallel: 2 });
  deliveries.add([record('a', 1), record('b', 1), record('c', 1)]);
  await answer(0, failed('a1'));
  let stopped = false;
  const stopping = deliveries.stop().then(() => {
    stopped = true;
  });
  await answer(1);
  expect(stopped).toBe(false);
  await answer(2);
  await stopping;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ids()).toEqual([['a1'], ['b1'], ['c1']]);
  expect(vi.getTimerCount()).toBe(0);
});
