import { DynamoDBServiceException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { isTransient } from './conflicts.ts';

/** Places a command's middleware inside the SDK's retries, where it sees each attempt. */
export const eachAttempt = { step: 'finalizeRequest', priority: 'low', name: 'ambiguity', override: true } as const;

/** Whether DynamoDB said that it did nothing. Any other error may be a lost reply. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return false;
  return (error instanceof DynamoDBServiceException && error.$fault === 'client') || isTransient(error);
}

/** The outcome of a write is unknown: the caller may hear neither that it was done nor that nothing changed. */
export class AmbiguousWriteError extends Error {}

/**
 * Remembers whether a write may have been done although its reply was lost. DynamoDB's answer to the next attempt, which the
 * SDK makes by itself, may then be about the earlier one.
 */
export class AmbiguousWrite {
  #possible = false;

  get isPossible(): boolean {
    return this.#possible;
  }

  /** Middleware for `eachAttempt` of a command. */
  readonly watch =
    <A, R>(next: (args: A) => Promise<R>) =>
    (args: A): Promise<R> =>
      this.observe(() => next(args));

  async observe<R>(attempt: () => Promise<R>): Promise<R> {
    try {
      return await attempt();
    } catch (error) {
      if (!isRefusal(error)) this.#possible = true;
      throw error;
    }
  }

  /** Nothing was done. */
  ruleOut(): void {
    this.#possible = false;
  }

  /** Transient errors are retried as if nothing had been done, so an ambiguous one is replaced. */
  errorFor(error: unknown): unknown {
    return this.#possible && isTransient(error)
      ? new AmbiguousWriteError('a write may have been done: its reply was lost', { cause: error })
      : error;
  }
}
