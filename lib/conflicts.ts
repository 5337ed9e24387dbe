import { randomInt } from 'node:crypto';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { ServiceError } from './errors.ts';

/** Reasons of a transaction to be cancelled that pass by themselves. */
const passingReasons: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];
/** What the table says when it has no capacity, after the SDK's own attempts. */
const passingErrors: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];
const longestPauseInMs = 400;

/** Without `node:timers/promises`, which would be loaded at each start for this alone. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** How long a request goes on trying what others are in the way of: of the 20 s that it may take, the rest is for its reply. */
export const requestPatienceInMs = 12_000;
/** A transaction by itself tries for this part of it: what it met is then looked at anew. */
const conflictShare = 1 / 4;

/** Another transaction is at one of the items, or the table is too busy: a moment later it is not. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
    return codes.some((code) => passingReasons.includes(code)) && !codes.includes('ConditionalCheckFailed');
  }
  return (
    error instanceof TransactionConflictException ||
    error instanceof TransactionInProgressException ||
    (error instanceof Error && passingErrors.includes(error.name))
  );
}

/** Tries again what met another transaction or a busy table, after a random pause that grows (full jitter), within its patience. */
export async function unlessConflict<R>(send: () => Promise<R>, patienceInMs: number): Promise<R> {
  const deadline = performance.now() + patienceInMs * conflictShare;
  for (let round = 0; ; round++) {
    try {
      return await send();
    } catch (error) {
      const pauseInMs = randomInt(1, Math.min(longestPauseInMs, 2 ** round * 10) + 1);
      if (!isPassing(error) || performance.now() + pauseInMs > deadline) throw error;
      await pause(pauseInMs);
    }
  }
}

const longestPauseBetweenAttemptsInMs = 1_500;

async function unlessPassing<R>(attempt: () => Promise<R>): Promise<R | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (!isPassing(error)) throw error;
    return undefined;
  }
}

/** For what is read once something is written: what passes is then no reason to say that nothing was changed. */
export async function onceWritten<R>(read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw isPassing(error) ? new Error('what was written could not be read again', { cause: error }) : error;
  }
}

/** 429: nothing was changed, and the caller may come again. */
export function tooCrowded(): ServiceError {
  return new ServiceError('too_many_requests', {
    details: 'others keep changing the same resource; nothing was changed, try again',
    headers: { 'Retry-After': '1' },
  });
}

/**
 * Attempts something that others may get in the way of, each time from what is there now: until it gives an answer, else 429
 * for the caller to come again. The pauses are random and grow from the time that the attempt took, which tells how crowded
 * it is: of forty that change one item at once each then comes through, where pauses of fixed length end in a jam.
 */
export async function untilAnswered<R>(
  { patienceInMs }: { readonly patienceInMs: number },
  attempt: () => Promise<R | undefined>,
): Promise<R> {
  const deadline = performance.now() + patienceInMs;
  for (let round = 0; ; round++) {
    const startedAt = performance.now();
    const answer = await unlessPassing(attempt);
    if (answer !== undefined) return answer;
    const longestInMs = (performance.now() - startedAt) * 2 ** Math.min(round, 3);
    const pauseInMs = randomInt(1, Math.ceil(Math.min(longestPauseBetweenAttemptsInMs, longestInMs)) + 2);
    if (performance.now() + pauseInMs > deadline) {
      throw tooCrowded();
    }
    await pause(pauseInMs);
  }
}
