import { DynamoDBServiceException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { isPassing } from './conflicts.ts';

/** Where the middleware of a command sees each attempt: within the SDK's own retries. */
export const eachAttempt = { step: 'finalizeRequest', priority: 'low', name: 'doubt', override: true } as const;

/** DynamoDB has answered that it did not do it. Anything else may be an answer that was lost. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return false;
  return (error instanceof DynamoDBServiceException && error.$fault === 'client') || isPassing(error);
}

/** A write of which nobody can tell whether it was done: neither that it was nor that nothing was changed may be said. */
export class InDoubtError extends Error {}

/**
 * Whether a write may have been done though we were not told: of its attempts, one ended without an answer. What DynamoDB
 * says to the next attempt (which the SDK makes by itself) may then be about our own earlier one.
 */
export class Doubt {
  #left = false;

  get isLeft(): boolean {
    return this.#left;
  }

  /** Middleware for `eachAttempt` of a command. */
  readonly watch =
    <A, R>(next: (args: A) => Promise<R>) =>
    (args: A): Promise<R> =>
      this.over(() => next(args));

  async over<R>(attempt: () => Promise<R>): Promise<R> {
    try {
      return await attempt();
    } catch (error) {
      if (!isRefusal(error)) this.#left = true;
      throw error;
    }
  }

  /** It is known that nothing was done. */
  settle(): void {
    this.#left = false;
  }

  /** What passes is tried again as if nothing had been done, so that it must not be thrown while that is not known. */
  told(error: unknown): unknown {
    return this.#left && isPassing(error)
      ? new InDoubtError('a write may have been done: its reply was lost', { cause: error })
      : error;
  }
}
