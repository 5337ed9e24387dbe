import * as v from 'valibot';

/** A hundred a second from one key at one container, which serves one request at a time: more than a shop's tills send. */
export const defaultRateLimitPerMinute = 6_000;

/** As the environment and the deployment set it. */
export const ratePerMinute = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number of calls a minute, 1 to 999999999'),
  v.transform(Number),
);

const windowInMs = 60_000;
/** Bounds the container's memory; the key counted longest is dropped first, and starts anew. */
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
 * Counts the calls of each app key in this container's memory, by minutes of the clock: all containers' windows open together,
 * so the time to wait holds for whichever answers next.
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
