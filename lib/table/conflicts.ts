import { randomInt } from 'node:crypto';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../core/errors.ts';
import type { CapacityBudget } from './capacity.ts';

/** Transient reasons for which a transaction is cancelled: another transaction, or a busy table. */
const conflictReasons: readonly (string | undefined)[] = ['TransactionConflict'];
const capacityReasons: readonly (string | undefined)[] = ['ThrottlingError', 'ProvisionedThroughputExceeded'];
/** The SDK leaves these errors to us (`table/connection.ts`). */
const capacityErrors: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];
const longestPauseInMs = 400;

/** Avoids `node:timers/promises`, which would be loaded at each start for this alone. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** How long a request retries conflicts, of the 20 s that it may take. */
export const requestPatienceInMs = 12_000;
/** The share of it that one transaction retries by itself, before what it met is read again. */
export const conflictShare = 1 / 4;

/** Part of a call for many items was repeatedly left undone. */
export class NoCapacityError extends Error {}

function isCancelledFor(error: unknown, reasons: readonly (string | undefined)[]): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  return codes.some((code) => reasons.includes(code)) && !codes.includes('ConditionalCheckFailed');
}

/** Whether the table lacked capacity. */
function isTooBusy(error: unknown): boolean {
  return (
    error instanceof NoCapacityError ||
    (error instanceof Error && capacityErrors.includes(error.name)) ||
    isCancelledFor(error, capacityReasons)
  );
}

/** Whether another transaction held one of the items, or the table was too busy: a retry can succeed. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof TransactionConflictException ||
    error instanceof TransactionInProgressException ||
    isCancelledFor(error, conflictReasons) ||
    isTooBusy(error)
  );
}

/** Whether the table was too busy or in conflict: background work then continues later, and has not failed. */
export function lacksCapacity(error: unknown): boolean {
  if (isTransient(error)) return true;
  return error instanceof Error && error.cause !== undefined && lacksCapacity(error.cause);
}

/** Whether the transaction was cancelled because another one held one of its items. */
export function meetsAnother(error: unknown): boolean {
  return isCancelledFor(error, conflictReasons);
}

/** Limits how long a call is tried again. */
interface Patience {
  readonly patienceInMs: number;
  /** Limits the time lost to a table without capacity. Work behind requests has none, and waits as for a conflict. */
  readonly capacity?: CapacityBudget | undefined;
}

/** Retries conflicts and a busy table after growing random pauses (full jitter), within its patience; not an error that is in vain. */
export async function unlessConflict<R>(
  send: () => Promise<R>,
  { patienceInMs, capacity }: Patience,
  isInVain: (error: unknown) => boolean = () => false,
): Promise<R> {
  const deadline = performance.now() + patienceInMs * conflictShare;
  for (let round = 0; ; round++) {
    const startedAt = performance.now();
    try {
      return await send();
    } catch (error) {
      if (!isTransient(error) || isInVain(error)) throw error;
      const isBusy = isTooBusy(error);
      const pauseInMs = randomInt(1, Math.min(longestPauseInMs, 2 ** round * (isBusy ? 25 : 10)) + 1);
      const endsAt = performance.now() + pauseInMs;
      const mayWait = isBusy && capacity ? capacity.spend(endsAt - startedAt) : endsAt <= deadline;
      if (!mayWait) throw error;
      await pause(pauseInMs);
    }
  }
}

const longestPauseBetweenAttemptsInMs = 1_500;

/** Reads after a write: a transient error there must not be answered as if nothing had changed. */
export async function onceWritten<R>(read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw isTransient(error) ? new Error('what was written could not be read again', { cause: error }) : error;
  }
}

/** Callers that were refused at one moment must not come back at one moment. */
const longestRetryAfterInS = 3;

/** 429: nothing was changed, and the caller may retry. `obstacle`: the last error, if there was one. */
export function tooCrowded(obstacle?: unknown): ServiceError {
  const isBusy = isTooBusy(obstacle);
  const why = isBusy ? 'the table has no capacity at the moment' : 'others keep changing the same resource';
  return new ServiceError('too_many_requests', {
    details: `${why}; nothing was changed, try again`,
    reason: isBusy ? 'capacity' : 'conflict',
    headers: { 'Retry-After': String(randomInt(1, longestRetryAfterInS + 1)) },
  });
}

/** Where requests that meet on one item queue (`turns.ts`). */
interface Queueing {
  /** Whether the next attempt waits for its turn. */
  readonly isNeeded: boolean;
  readonly run: <R>(deadline: number, attempt: () => Promise<R>) => Promise<R | undefined>;
}

/**
 * Attempts an optimistic change, each time from the current state, until it returns an answer; after `patienceInMs` answers 429.
 * A request whose budget for capacity is spent is refused at once: on one busy key, retries would fill every container. After an attempt that met another on an item which few share, the next ones wait for their turn on it. Other pauses are random
 * and grow from the time of the attempt, which shows how contended it is: of forty callers of one item all get through, where
 * pauses of fixed length jam.
 */
export async function retryOptimistically<R>(
  { patienceInMs, turns, capacity }: Patience & { readonly turns?: Queueing },
  attempt: () => Promise<R | undefined>,
): Promise<R> {
  const deadline = performance.now() + patienceInMs;
  for (let round = 0; ; round++) {
    const startedAt = performance.now();
    let obstacle: unknown;
    try {
      const answer = await (turns ? turns.run(deadline, attempt) : attempt());
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (capacity?.isSpent && isTooBusy(error)) throw tooCrowded(error);
      obstacle = error;
    }
    const longestInMs = turns?.isNeeded ? 0 : (performance.now() - startedAt) * 2 ** Math.min(round, 3);
    const pauseInMs = randomInt(1, Math.ceil(Math.min(longestPauseBetweenAttemptsInMs, longestInMs)) + 2);
    if (performance.now() + pauseInMs > deadline) throw tooCrowded(obstacle);
    await pause(pauseInMs);
  }
}
