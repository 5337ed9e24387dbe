import { randomInt } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CapacityBudget } from './capacity.ts';
import { pause, requestPatienceInMs, unlessConflict } from './conflicts.ts';
import { Gathered } from './gathered.ts';
import { type Attributes, unmarshallOptions } from './item.ts';
import { tableShape } from './keys.ts';
import type { TimeLimit } from './time-limit.ts';

/** What a request cost the table: calls made and capacity units consumed. */
export interface Meter {
  calls: number;
  readUnits: number;
  writeUnits: number;
}

/** Of the time that is left: an attempt that was begun in it is not cut off in the rest. */
const patientShare = 3 / 4;

/**
 * Leaves throttled calls to `unlessConflict`. The SDK's pauses for them add up to seconds, which a request does not have: it
 * would occupy a container of all, and answer nobody.
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
        if (error.errorType === 'THROTTLING') throw new Error('the SDK repeats no throttled call');
        return strategy.refreshRetryTokenForRetry(token, error);
      },
    };
  };
}

export function documentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  leaveThrottles(client);
  // The client adds what it needs itself to what it is given.
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { ...unmarshallOptions },
  });
}

export interface ConnectionOptions {
  patienceInMs?: number | undefined;
  /** Without it, a table without capacity is waited for as long as a conflict. */
  capacityPatienceInMs?: number;
  limit?: TimeLimit;
}

/** By which one request talks to the table: what it may take in time, and what it has cost so far. */
export class Connection {
  readonly meter: Meter = { calls: 0, readUnits: 0, writeUnits: 0 };
  readonly gathered = new Gathered();
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly #now: Date;
  readonly #patienceInMs: number;
  readonly #limit: TimeLimit | undefined;
  readonly capacity: CapacityBudget | undefined;

  /** Without a limit, a call takes as long as the SDK's attempts do. */
  constructor(
    client: DynamoDBDocumentClient,
    tableName: string,
    now: Date,
    { patienceInMs = requestPatienceInMs, capacityPatienceInMs, limit }: ConnectionOptions,
  ) {
    this.client = client;
    this.tableName = tableName;
    this.#now = now;
    this.#patienceInMs = patienceInMs;
    this.#limit = limit;
    this.capacity = capacityPatienceInMs === undefined ? undefined : new CapacityBudget(capacityPatienceInMs);
  }

  /** How long a use case may go on trying what others are in the way of. */
  get patienceInMs(): number {
    return this.#limit ? Math.min(this.#patienceInMs, this.#limit.leftInMs * patientShare) : this.#patienceInMs;
  }

  /** For each call. */
  get within(): { abortSignal?: AbortSignal } {
    return this.#limit ? { abortSignal: this.#limit.signal } : {};
  }

  /** From now on what was kept back of the request's time may be used, for what later requests must learn of it. */
  openReserve(): void {
    this.#limit?.openReserve();
    this.capacity?.openReserve();
  }

  /** Repeats a read while the table has no capacity for it. */
  read<R>(send: () => Promise<R>): Promise<R> {
    return unlessConflict(send, this);
  }

  pause(longestInMs: number): Promise<void> {
    return pause(Math.min(randomInt(longestInMs), this.#limit?.leftInMs ?? longestInMs));
  }

  /** For `expiresAt` of an item that nobody needs after so long. */
  expiringIn(seconds: number): number {
    return Math.ceil(this.#now.getTime() / 1_000) + seconds;
  }

  /** TTL removes items late. */
  unlessExpired(item: Attributes | undefined): Attributes | undefined {
    const expiresAt = item?.[tableShape.timeToLive];
    return typeof expiresAt === 'number' && expiresAt * 1000 <= this.#now.getTime() ? undefined : item;
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
