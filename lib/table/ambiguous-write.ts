import { DynamoDBServiceException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { isTransient } from './conflicts.ts';

/** Places a command's middleware inside the SDK's retries, where it sees each attempt. */
export const eachAttempt = { step: 'finalizeRequest', priority: 'low', name: 'ambiguity', override: true } as const;

/** Returns whether DynamoDB changed nothing. Any other error may be a lost reply. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return false;
  return (error instanceof DynamoDBServiceException && error.$fault === 'client') || isTransient(error);
}

/** The outcome of a write is unknown. A caller must be told neither success nor that nothing changed. */
export class AmbiguousWriteError extends Error {}

/**
 * Remembers whether a write may have succeeded although its reply was lost. The SDK retries by itself, and DynamoDB's answer to the
 * retry may be about the first attempt.
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

  /** Notes that nothing was written. */
  ruleOut(): void {
    this.#possible = false;
  }

  /** Replaces a transient error that is ambiguous: callers retry transient errors as if nothing had been written. */
  errorFor(error: unknown): unknown {
    return this.#possible && isTransient(error)
      ? new AmbiguousWriteError('a write may have succeeded: its reply was lost', { cause: error })
      : error;
  }
}
