import * as v from 'valibot';
import type { Dependencies } from '../composition.ts';
import { ServiceError } from '../errors.ts';
import type { Step } from './scope.ts';

/** A hundred a second, from one key at one container, which serves one request at a time: no shop's tills come near. */
export const defaultRateLimitPerMinute = 6_000;

/** As the environment and the deployment set it. */
export const ratePerMinute = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number of calls a minute, 1 to 999999999'),
  v.transform(Number),
);

const windowInMs = 60_000;
/** Bounds the memory of a container that serves many keys; the one counted longest goes first, and begins anew. */
const maxKeys = 10_000;

export interface RateStanding {
  /** Calls of one app key in one minute. */
  limit: number;
  /** How many of them are left after this one. */
  remaining: number;
  /** Until the next minute begins: 1 to 60. */
  retryInSeconds: number;
  exceeded: boolean;
}

/**
 * Counts the calls of each app key in this container's memory, by minutes of the clock: windows open at the same moment in all
 * containers, so that the time to wait is true whichever of them answers next.
 */
export class RateLimiter {
  readonly #limit: number;
  readonly #calls = new Map<string, number>();
  #window = 0;

  constructor(limitPerMinute = defaultRateLimitPerMinute) {
    this.#limit = limitPerMinute;
  }

  count(appId: string, now: Date): RateStanding {
    const time = now.getTime();
    const window = Math.floor(time / windowInMs);
    if (window !== this.#window) this.#calls.clear();
    this.#window = window;
    const calls = (this.#calls.get(appId) ?? 0) + 1;
    this.#calls.set(appId, calls);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > maxKeys && oldest !== undefined) this.#calls.delete(oldest);
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - calls),
      retryInSeconds: Math.ceil(((window + 1) * windowInMs - time) / 1000),
      exceeded: calls > this.#limit,
    };
  }
}

/** Of callers with an app key; those without one are left to the gateway's own throttling. */
export function limitRate(dependencies: () => Dependencies): Step {
  return {
    before: ({ internal: { scope } }) => {
      if (!scope.caller) return;
      const { limit, remaining, retryInSeconds, exceeded } = dependencies().rateLimiter.count(
        scope.caller.appId,
        scope.now,
      );
      // Existing clients of this interface read all three as numbers, on every reply.
      Object.assign(scope.replyHeaders, {
        'X-Rate-Limit-Limit': String(limit),
        'X-Rate-Limit-Remaining': String(remaining),
        'X-Rate-Limit-Retry': String(retryInSeconds),
      });
      if (!exceeded) return;
      throw new ServiceError('too_many_requests', {
        details: `an app key may call ${limit} times a minute; the next one begins in ${retryInSeconds} s`,
        headers: { 'Retry-After': String(retryInSeconds) },
      });
    },
  };
}
