import { randomInt } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CapacityBudget, type TimeLimit } from './capacity.ts';
import { pause, requestPatienceInMs, retryConflicts } from './conflicts.ts';
import { type Attributes, unmarshallOptions } from './item.ts';
import { type Key, keyText, stripKey, tableShape } from './keys.ts';

type Found = ReadonlyMap<string, Attributes>;

/** Resolves when all running code waits for I/O. By then all simultaneous reads have been requested. */
function allAsked(): Promise<void> {
  return Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
}

/**
 * Joins simultaneous reads of a request into a single call, because a call costs more processor time than its items.
 * Use cases need not know which items other code reads.
 */
class JoinedReads {
  #open: { keys: Map<string, Key>; found: Promise<Found> } | undefined;

  /** Returns the items of these keys, among others, by `keyText`. Calls `readAll` with each key once. */
  read(wanted: readonly Key[], readAll: (keys: readonly Key[]) => Promise<Found>): Promise<Found> {
    this.#open ??= this.#begin(readAll);
    for (const key of wanted) this.#open.keys.set(keyText(key), stripKey(key));
    return this.#open.found;
  }

  #begin(readAll: (keys: readonly Key[]) => Promise<Found>) {
    const keys = new Map<string, Key>();
    const found = allAsked().then(() => {
      this.#open = undefined;
      return readAll([...keys.values()]);
    });
    return { keys, found };
  }
}

/** Counts the calls of a request to the table, and the capacity units that they consume. */
export interface Meter {
  calls: number;
  readUnits: number;
  writeUnits: number;
}

/** The share of the remaining time in which an attempt may begin. It then ends within the rest. */
const patientShare = 3 / 4;

/**
 * Leaves throttled calls to `retryConflicts`. The SDK's own pauses add up to seconds, in which a request would occupy its container
 * in vain.
 */
function leaveThrottles(client: DynamoDBClient): void {
  const ofSdk = client.config.retryStrategy;
  client.config.retryStrategy = async () => {
    const strategy = await ofSdk();
    if (!('acquireInitialRetryToken' in strategy)) return strategy;
    return {
      acquireInitialRetryToken: (scope) => strategy.acquireInitialRetryToken(scope),
      recordSuccess: (token) => strategy.recordSuccess(token),
      refreshRetryTokenForRetry: async (token, error) => {
        if (error.errorType === 'THROTTLING') throw new Error('the SDK does not repeat throttled calls');
        return strategy.refreshRetryTokenForRetry(token, error);
      },
    };
  };
}

export function createDocumentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  leaveThrottles(client);
  // The client adds its own settings to these objects.
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { ...unmarshallOptions },
  });
}

export interface ConnectionOptions {
  patienceInMs?: number | undefined;
  /** Without this limit a request waits for capacity as long as for a conflict. */
  capacityPatienceInMs?: number;
  limit?: TimeLimit;
}

/** Connects one request to the table, within its time, and counts its costs. */
export class Connection {
  readonly meter: Meter = { calls: 0, readUnits: 0, writeUnits: 0 };
  readonly gathered = new JoinedReads();
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly now: Date;
  readonly #patienceInMs: number;
  readonly #limit: TimeLimit | undefined;
  readonly capacity: CapacityBudget | undefined;

  /** Without a limit a call lasts as long as the SDK's attempts. */
  constructor(
    client: DynamoDBDocumentClient,
    tableName: string,
    now: Date,
    { patienceInMs = requestPatienceInMs, capacityPatienceInMs, limit }: ConnectionOptions,
  ) {
    this.client = client;
    this.tableName = tableName;
    this.now = now;
    this.#patienceInMs = patienceInMs;
    this.#limit = limit;
    this.capacity = capacityPatienceInMs === undefined ? undefined : new CapacityBudget(capacityPatienceInMs);
  }

  /** Limits the time that a use case retries conflicts. */
  get patienceInMs(): number {
    return this.#limit ? Math.min(this.#patienceInMs, this.#limit.leftInMs * patientShare) : this.#patienceInMs;
  }

  /** Options that limit the time of each call. */
  get within(): { abortSignal?: AbortSignal } {
    return this.#limit ? { abortSignal: this.#limit.signal } : {};
  }

  /** Releases the time that is reserved for this request's records, which later requests need. */
  openReserve(): void {
    this.#limit?.openReserve();
    this.capacity?.openReserve();
  }

  /** Repeats a read while the table has no capacity for it. */
  read<R>(send: () => Promise<R>): Promise<R> {
    return retryConflicts(send, this);
  }

  pause(longestInMs: number): Promise<void> {
    return pause(Math.min(randomInt(longestInMs), this.#limit?.leftInMs ?? longestInMs));
  }

  /** Returns the `expiresAt` of an item that is not needed after this time. */
  expiringIn(seconds: number): number {
    return Math.ceil(this.now.getTime() / 1_000) + seconds;
  }

  /** Hides an expired item. TTL removes items late. */
  unlessExpired(item: Attributes | undefined): Attributes | undefined {
    const expiresAt = item?.[tableShape.timeToLive];
    return typeof expiresAt === 'number' && expiresAt * 1000 <= this.now.getTime() ? undefined : item;
  }

  countRead(units = 0): void {
    this.meter.calls += 1;
    this.meter.readUnits += units;
  }

  countWrite(units = 0): void {
    this.meter.calls += 1;
    this.meter.writeUnits += units;
  }
}
