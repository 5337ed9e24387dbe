import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { keyText } from '#kernel/table/keys.ts';
import { newClient } from '../support/dependencies.ts';
import { type Call, isWrite } from '../support/faults.ts';
import { keysWritten } from '../support/table-state.ts';
import { Capacities, needOfQuery, needsOfKeys, needsOfWrite } from './capacity.ts';

/**
 * Adds DynamoDB's limits under a crowd to the local engine. Calls take time, and a transaction keeps others from its
 * items. Each item and index partition has limited units a second (`capacity.ts`). The model has its own time, which
 * stops while the engine works, so that its figures do not depend on the machine's speed.
 */

/** Assumed times: one way to the table or back, and a transaction's hold of its items. */
const assumed = { wayInMs: 2, transactionInMs: 10 } as const;

const refused = { $metadata: { httpStatusCode: 400 }, message: 'refused by the model' };

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface Modelled {
  /** Returns the client of a new container. */
  readonly client: () => DynamoDBDocumentClient;
  /** Runs the work to its end, by the model's time. */
  readonly run: <R>(work: () => Promise<R>) => Promise<{ readonly result: R; readonly tookInMs: number }>;
  readonly conflicts: () => number;
  readonly throttled: () => number;
  /** Returns the kinds of items that lacked units most often. */
  readonly hottest: () => Record<string, number>;
}

interface Batch {
  RequestItems: Record<string, { Keys: unknown[] }>;
}

/** Splits a batch into keys to read and unprocessed keys. */
function withoutKeys(whole: Call['body'], leftOut: ReadonlySet<unknown>) {
  const body = whole as unknown as Batch;
  const only = (isWanted: (key: unknown) => boolean) =>
    Object.fromEntries(
      Object.entries(body.RequestItems).map(([name, part]) => [name, { ...part, Keys: part.Keys.filter(isWanted) }]),
    );
  return {
    body: { ...body, RequestItems: only((key) => !leftOut.has(key)) },
    unprocessed: only((key) => leftOut.has(key)),
  };
}

/** Writes that get no answer, and are carried out later, when their repetition may be over. */
interface Lateness {
  /** Returns whether this write gets no answer. */
  readonly isLate: (call: Call) => boolean;
  /** The delay in the model's time. */
  readonly delayInMs: () => number;
}

/** Makes the model. Its timers replace the real ones while `run` runs. */
export function modelledTable(lateness?: Lateness): Modelled {
  const locked = new Set<string>();
  const capacities = new Capacities();
  const count = { conflicts: 0, throttled: 0, open: 0, waiting: 0 };
  /** Attempts without an answer. */
  const underWay = new Set<Promise<void>>();
  /** It is called whenever the engine answers a call. */
  let heard = () => {};

  const waits = async (milliseconds: number) => {
    count.waiting += 1;
    heard();
    await later(milliseconds);
    count.waiting -= 1;
  };
  async function transacted<R>(call: Call, keys: readonly string[], next: () => Promise<R>): Promise<R> {
    const reasons = keys.map((key) => ({ Code: locked.has(key) ? 'TransactionConflict' : 'None' }));
    if (reasons.some(({ Code }) => Code !== 'None')) {
      count.conflicts += 1;
      throw new TransactionCanceledException({ ...refused, CancellationReasons: reasons });
    }
    if (!capacities.take(needsOfWrite(call))) {
      count.throttled += 1;
      const throttled = keys.map(() => ({ Code: 'ThrottlingError' }));
      throw new TransactionCanceledException({ ...refused, CancellationReasons: throttled });
    }
    for (const key of keys) locked.add(key);
    try {
      await waits(assumed.transactionInMs);
      return await next();
    } finally {
      for (const key of keys) locked.delete(key);
    }
  }

  async function written<R>(call: Call, keys: readonly string[], next: () => Promise<R>): Promise<R> {
    if (keys.some((key) => locked.has(key))) {
      count.conflicts += 1;
      throw new TransactionConflictException(refused);
    }
    if (!capacities.take(needsOfWrite(call))) {
      count.throttled += 1;
      throw new ProvisionedThroughputExceededException(refused);
    }
    const reply = await next();
    const [key] = keys;
    const { output } = reply as { output?: { Attributes?: unknown } };
    if (key !== undefined && output?.Attributes !== undefined) capacities.became(key, output.Attributes);
    return reply;
  }

  /** Each key of a batch is read or left unprocessed separately. A call that reads nothing fails. */
  async function readKeys<R>(call: Call, send: (leftOut: ReadonlySet<unknown>) => Promise<R>): Promise<R> {
    const needs = needsOfKeys(call);
    const left = needs.filter(({ need }) => !capacities.take([need]));
    count.throttled += left.length;
    if (needs.length > 0 && left.length === needs.length) throw new ProvisionedThroughputExceededException(refused);
    return send(new Set(left.map(({ key }) => key)));
  }

  async function queried<R>(call: Call, next: () => Promise<R>): Promise<R> {
    const need = needOfQuery(call);
    if (need && !capacities.take([need])) {
      count.throttled += 1;
      throw new ProvisionedThroughputExceededException(refused);
    }
    const reply = await next();
    const { output } = reply as { output?: { Items?: unknown } };
    if (need && output?.Items) capacities.became(need.of, output.Items);
    return reply;
  }

  /** Carries a write out that its caller has given up. A refusal reaches no caller. */
  async function arrivesLate(call: Call, keys: readonly string[], send: () => Promise<unknown>): Promise<void> {
    count.open += 1;
    try {
      await waits(lateness?.delayInMs() ?? 0);
      await (call.operation === 'TransactWriteItems' ? transacted(call, keys, send) : written(call, keys, send));
    } catch {
      // DynamoDB answers no request.
    } finally {
      count.open -= 1;
      heard();
    }
  }

  async function met<R>(call: Call, send: (leftOut?: ReadonlySet<unknown>) => Promise<R>): Promise<R> {
    count.open += 1;
    try {
      await waits(assumed.wayInMs);
      if (isWrite(call) && lateness?.isLate(call)) {
        const keys = keysWritten(call).map(keyText);
        underWay.add(arrivesLate(call, keys, send));
        throw Object.assign(new Error('the model does not answer'), { name: 'TimeoutError' });
      }
      const keys = isWrite(call) ? keysWritten(call).map(keyText) : [];
      if (call.operation === 'TransactWriteItems') return await transacted(call, keys, send);
      if (keys.length > 0) return await written(call, keys, send);
      return await (call.operation === 'Query' ? queried(call, send) : readKeys(call, send));
    } finally {
      await waits(assumed.wayInMs);
      count.open -= 1;
      heard();
    }
  }

  /** Returns when everything waits for the model, and neither code nor engine is busy. */
  async function quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) {
      while (count.open > count.waiting) {
        turns = 0;
        // A check at every turn would occupy a core that the engine needs.
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
    hottest: () => capacities.refused(),
    client: () => {
      const client = newClient();
      client.middlewareStack.add(
        (next, { commandName = '' }) =>
          async (args) => {
            const request = args.request as { body: string; headers: Record<string, string> };
            const sent = request.body;
            const operation = commandName.replace(/Command$/, '');
            const call: Call = { number: 0, operation, body: JSON.parse(sent) };
            return met(call, async (leftOut = new Set()) => {
              if (leftOut.size === 0) return next(args);
              const { body, unprocessed } = withoutKeys(call.body, leftOut);
              request.body = JSON.stringify(body);
              request.headers['content-length'] = String(Buffer.byteLength(request.body));
              const reply = await next(args);
              Object.assign(reply.output as object, { UnprocessedKeys: unprocessed });
              return reply;
            });
          },
        // This step runs inside the SDK's retries and outside everything else.
        { step: 'finalizeRequest', priority: 'low', name: 'modelled' },
      );
      return client;
    },
    run: async (work) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        const from = performance.now();
        const done = { is: false };
        const whole = async () => {
          const outcome = await work();
          await Promise.all(underWay);
          return outcome;
        };
        const result = whole().finally(() => {
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
