import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { keyText } from '../../lib/table/keys.ts';
import { newClient } from '../support/dependencies.ts';
import { type Call, isWrite } from '../support/faults.ts';
import { keysWritten } from '../support/table-state.ts';

/**
 * What a crowd meets at DynamoDB and at no local engine, in a time of its own: calls take their way, a transaction keeps others from
 * its items, and an item takes so many write units a second. The engine does the calls, at the moment at which DynamoDB would, and time
 * stands still meanwhile; so figures are those of the model, however slow the machine is.
 */

/** Assumed: one way to the table and back, what a transaction holds its items for, and the units that one item takes. */
export const assumed = { wayInMs: 2, transactionInMs: 10, unitsPerSecond: 1_000, burstInS: 0.2 } as const;

const unitInBytes = 1_024;
const refused = { $metadata: { httpStatusCode: 400 }, message: 'refused by the model' };

/** Of one item: its units fill up as time goes by, and each write of it takes as many as it has KB. */
class Capacity {
  #units: number = assumed.unitsPerSecond * assumed.burstInS;
  #at = performance.now();
  #sizeInUnits = 1;

  take(): boolean {
    const now = performance.now();
    const most = assumed.unitsPerSecond * assumed.burstInS;
    this.#units = Math.min(most, this.#units + ((now - this.#at) / 1_000) * assumed.unitsPerSecond);
    this.#at = now;
    if (this.#units < this.#sizeInUnits) return false;
    this.#units -= this.#sizeInUnits;
    return true;
  }

  /** As it is now: the next write costs so much. */
  became(item: unknown): void {
    this.#sizeInUnits = Math.max(1, Math.ceil(JSON.stringify(item).length / unitInBytes));
  }
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface Modelled {
  /** Of a container of its own. */
  readonly client: () => DynamoDBDocumentClient;
  /** Until it is done, by the model's time. */
  readonly run: <R>(work: () => Promise<R>) => Promise<{ readonly result: R; readonly tookInMs: number }>;
  readonly conflicts: () => number;
  readonly throttled: () => number;
}

/** Timers are those of the model while `run` runs. */
export function modelledTable(): Modelled {
  const locked = new Set<string>();
  const capacities = new Map<string, Capacity>();
  const count = { conflicts: 0, throttled: 0, open: 0, waiting: 0 };
  /** Called whenever a call comes back from the engine. */
  let heard = () => {};

  const waits = async (milliseconds: number) => {
    count.waiting += 1;
    heard();
    await later(milliseconds);
    count.waiting -= 1;
  };
  const capacityOf = (key: string) => {
    const capacity = capacities.get(key) ?? new Capacity();
    capacities.set(key, capacity);
    return capacity;
  };

  async function transacted<R>(keys: readonly string[], next: () => Promise<R>): Promise<R> {
    const reasons = keys.map((key) => ({ Code: locked.has(key) ? 'TransactionConflict' : 'None' }));
    if (reasons.some(({ Code }) => Code !== 'None')) {
      count.conflicts += 1;
      throw new TransactionCanceledException({ ...refused, CancellationReasons: reasons });
    }
    for (const key of keys) locked.add(key);
    try {
      await waits(assumed.transactionInMs);
      return await next();
    } finally {
      for (const key of keys) locked.delete(key);
    }
  }

  async function written<R>(keys: readonly string[], next: () => Promise<R>): Promise<R> {
    if (keys.some((key) => locked.has(key))) {
      count.conflicts += 1;
      throw new TransactionConflictException(refused);
    }
    if (keys.some((key) => !capacityOf(key).take())) {
      count.throttled += 1;
      throw new ProvisionedThroughputExceededException(refused);
    }
    const reply = await next();
    const [key] = keys;
    const { output } = reply as { output?: { Attributes?: unknown } };
    if (key !== undefined && output?.Attributes !== undefined) capacityOf(key).became(output.Attributes);
    return reply;
  }

  async function met<R>(call: Call, next: () => Promise<R>): Promise<R> {
    count.open += 1;
    try {
      await waits(assumed.wayInMs);
      const keys = isWrite(call) ? keysWritten(call).map(keyText) : [];
      if (call.operation === 'TransactWriteItems') return await transacted(keys, next);
      return await (keys.length > 0 ? written(keys, next) : next());
    } finally {
      await waits(assumed.wayInMs);
      count.open -= 1;
      heard();
    }
  }

  /** Whatever computes or is with the engine goes on until all wait for the model. */
  async function quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) {
      while (count.open > count.waiting) {
        turns = 0;
        // Asking at every turn would keep a core busy, which the engine needs.
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    conflicts: () => count.conflicts,
    throttled: () => count.throttled,
    client: () => {
      const client = newClient();
      client.middlewareStack.add(
        (next, { commandName = '' }) =>
          async (args) => {
            const { body } = args.request as { body: string };
            const operation = commandName.replace(/Command$/, '');
            return met({ number: 0, operation, body: JSON.parse(body) }, () => next(args));
          },
        // Inside of the SDK's retries, and outside of nothing else.
        { step: 'finalizeRequest', priority: 'low', name: 'modelled' },
      );
      return client;
    },
    run: async (work) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        const from = performance.now();
        const done = { is: false };
        const result = work().finally(() => {
          done.is = true;
        });
        result.catch(() => {});
        while (!done.is) {
          await quiet();
          if (!done.is) vi.advanceTimersToNextTimer();
        }
        return { result: await result, tookInMs: performance.now() - from };
      } finally {
        vi.useRealTimers();
      }
    },
  };
}
