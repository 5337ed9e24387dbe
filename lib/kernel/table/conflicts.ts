import { randomInt } from 'node:crypto';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { ServiceError } from '#kernel/core/errors.ts';
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

/** Waits without `node:timers/promises`, which each start would load only for this. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The outcome of a write is unknown. A caller must not learn that it succeeded, or that nothing changed. */
export class AmbiguousWriteError extends Error {}

/** Returns the error of a write that may have been carried out, or may be later. */
export function unanswered(cause: unknown): AmbiguousWriteError {
  return new AmbiguousWriteError('a write may have succeeded: its reply was lost', { cause });
}

/** Limits the time that a request retries conflicts. The request itself has 20 s. */
export const requestPatienceInMs = 12_000;
/** The share of the patience in which a transaction is retried unchanged. After this time its use case reads again. */
export const conflictShare = 1 / 4;

/** DynamoDB repeatedly left part of a batch undone. */
export class NoCapacityError extends Error {}

function isCancelledFor(error: unknown, reasons: readonly (string | undefined)[]): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  return codes.some((code) => reasons.includes(code)) && !codes.includes('ConditionalCheckFailed');
}

/** Returns whether the table lacked capacity. */
function isTooBusy(error: unknown): boolean {
  return (
    error instanceof NoCapacityError ||
    (error instanceof Error && capacityErrors.includes(error.name)) ||
    isCancelledFor(error, capacityReasons)
  );
}

/** Returns whether a retry can succeed: another transaction held an item, or the table was too busy. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof TransactionConflictException ||
    error instanceof TransactionInProgressException ||
    isCancelledFor(error, conflictReasons) ||
    isTooBusy(error)
  );
}

/** Returns whether the error, or its cause, is transient. Background work then continues later, and has not failed. */
export function isOutOfCapacity(error: unknown): boolean {
  if (isTransient(error)) return true;
  return error instanceof Error && error.cause !== undefined && isOutOfCapacity(error.cause);
}

/** Returns whether another transaction held an item of this transaction. */
export function isTransactionConflict(error: unknown): boolean {
  return isCancelledFor(error, conflictReasons);
}

/** Limits the retries of a call. */
interface Patience {
  readonly patienceInMs: number;
  /** Limits the time lost to a table without capacity. Background work has no such limit, and waits as for a conflict. */
  readonly capacity?: CapacityBudget | undefined;
}

/** Retries transient errors after growing random pauses (full jitter), within its patience. Does not retry if `isInVain`. */
export async function retryConflicts<R>(
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

/** Reads after a write. A transient error of this read must not suggest to the caller that nothing changed. */
export async function readAfterWrite<R>(read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw isTransient(error) ? new Error('an item could not be read after its write', { cause: error }) : error;
  }
}

/** Spreads the retries of callers that were refused at the same moment. */
const longestRetryAfterInS = 3;

/** Returns a 429: nothing was changed, and the caller may retry. `obstacle` is the last error, if any. */
export function tooContended(obstacle?: unknown): ServiceError {
  const isBusy = isTooBusy(obstacle);
  const why = isBusy ? 'the table has no capacity at the moment' : 'other requests keep changing the same resource';
  return new ServiceError('too_many_requests', {
    details: `${why}; nothing was changed, try again`,
    reason: isBusy ? 'capacity' : 'conflict',
    headers: { 'Retry-After': String(randomInt(1, longestRetryAfterInS + 1)) },
  });
}

function isOutOfReach(error: unknown): boolean {
  if (isOutOfCapacity(error) || error instanceof AmbiguousWriteError) return true;
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

/**
 * Returns `undefined` if the table is too busy for a write that may be left out. A later request cleans up, and a
 * request that is refused in any case needs no note.
 */
export async function ignoreBusyTable<R>(written: Promise<R>): Promise<R | undefined> {
  try {
    return await written;
  } catch (error) {
    if (isOutOfReach(error) || (error instanceof ServiceError && error.key === 'too_many_requests')) return undefined;
    throw error;
  }
}

/** Means that nothing was changed, and that the caller must read and decide again. */
export const again = Symbol('again');

export type Again = typeof again;

/** Serialises requests that conflict on an item (`turns.ts`). */
interface Queueing {
  /** The next attempt must wait for its turn. */
  readonly isNeeded: boolean;
  /** Returns `again` if the turn did not come in time. */
  readonly run: <R>(deadline: number, attempt: () => Promise<R>) => Promise<R | Again>;
}

/**
 * Repeats an optimistic change from the current state until it returns an answer other than `again`. Answers 429 after
 * `patienceInMs`, or once the budget for capacity is spent, because retries of a single busy key would fill every
 * container. After a conflict on an item of few callers, the next attempts wait for their turn. Other pauses are
 * random, and grow with the duration of an attempt, which shows the contention: forty callers of the same item all
 * succeed. With pauses of a fixed length they would keep colliding.
 */
export async function retryOptimistically<R extends NonNullable<unknown> | null>(
  table: Patience & { readonly turns?: Queueing; readonly hasOpenAttempt?: boolean },
  attempt: () => Promise<R | Again>,
): Promise<R> {
  const { patienceInMs, turns, capacity } = table;
  // A 429 means that nothing was changed, which an attempt without an answer may contradict.
  const giveUp = (obstacle: unknown) => (table.hasOpenAttempt ? unanswered(obstacle) : tooContended(obstacle));
  const deadline = performance.now() + patienceInMs;
  for (let round = 0; ; round++) {
    const startedAt = performance.now();
    let obstacle: unknown;
    try {
      const answer = await (turns ? turns.run(deadline, attempt) : attempt());
      if (answer !== again) return answer;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (capacity?.isSpent && isTooBusy(error)) throw giveUp(error);
      obstacle = error;
    }
    const longestInMs = turns?.isNeeded ? 0 : (performance.now() - startedAt) * 2 ** Math.min(round, 3);
    const pauseInMs = randomInt(1, Math.ceil(Math.min(longestPauseBetweenAttemptsInMs, longestInMs)) + 2);
    if (performance.now() + pauseInMs > deadline) throw giveUp(obstacle);
    await pause(pauseInMs);
  }
}
