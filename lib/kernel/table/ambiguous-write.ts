import { DynamoDBServiceException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { isTransient, unanswered } from './conflicts.ts';

/** Places a command's middleware inside the SDK's retries, where it sees each attempt. */
export const eachAttempt = { step: 'finalizeRequest', priority: 'low', name: 'ambiguity', override: true } as const;

/** Returns whether DynamoDB changed nothing. Any other error may be a lost reply. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return false;
  return (error instanceof DynamoDBServiceException && error.$fault === 'client') || isTransient(error);
}

/**
 * Remembers whether a write may have succeeded although its reply was lost. The SDK retries by itself, and DynamoDB's answer to the
 * retry may be about the first attempt.
 */
export class AmbiguousWrite {
  readonly #signal: AbortSignal | undefined;
  #possible = false;

  /** The signal ends the time for calls. No attempt begins after it. */
  constructor({ abortSignal }: { readonly abortSignal?: AbortSignal }) {
    this.#signal = abortSignal;
  }

  get isPossible(): boolean {
    return this.#possible;
  }

  /** Middleware for `eachAttempt` of a command. */
  readonly watch =
    <A, R>(next: (args: A) => Promise<R>) =>
    (args: A): Promise<R> =>
      this.observe(() => next(args));

  async observe<R>(attempt: () => Promise<R>): Promise<R> {
    const isSent = !this.#signal?.aborted;
    try {
      return await attempt();
    } catch (error) {
      if (isSent && !isRefusal(error)) this.#possible = true;
      throw error;
    }
  }

  /** Replaces an error after an unanswered attempt. Callers treat other errors as if nothing had been written. */
  errorFor(error: unknown): unknown {
    return this.#possible ? unanswered(error) : error;
  }
}

/**
 * `committed`: the write was carried out. `never`: it was not, and cannot be any more. `open`: it inserts nothing that shows the outcome, so
 * that only its conditions decide.
 */
export type LateOutcome = 'committed' | 'never' | 'open';
