import * as v from 'valibot';
import { TillLeases } from './till-leases.ts';

/** Allows a hundred calls a second from one key at one container, which serves one request at a time. A shop's tills send fewer. */
export const defaultRateLimitPerMinute = 6_000;

/** Limits a client key from the same address in five seconds, which is enough for a user of a web page. */
export const clientLimit = 5;

/** The limit, as the environment and the deployment set it. */
export const ratePerMinute = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number of calls a minute, 1 to 999999999'),
  v.transform(Number),
);

/** Limits the container's memory. The oldest key is dropped first, and starts again. */
const maxKeys = 10_000;

export interface RateStanding {
  /** The window's number, counted from 1970 on. */
  window: number;
  /** The limit of calls of one caller in one window. */
  limit: number;
  windowInSeconds: number;
  /** The calls that remain after this call. */
  remaining: number;
  /** The seconds until the next window, at least 1. */
  retryInSeconds: number;
  exceeded: boolean;
}

/** Counts the calls of each caller by windows of the clock. */
class Window {
  readonly #limit: number;
  readonly #windowInMs: number;
  readonly #calls = new Map<string, number>();
  #window = 0;

  constructor(limit: number, windowInMs: number) {
    this.#limit = limit;
    this.#windowInMs = windowInMs;
  }

  /** Counts a call `weight` times. A call of a greater weight than 1 that exceeds the limit is not counted. */
  count(name: string, now: Date, weight = 1): RateStanding {
    const time = now.getTime();
    const window = Math.floor(time / this.#windowInMs);
    if (window !== this.#window) this.#calls.clear();
    this.#window = window;
    const before = this.#calls.get(name) ?? 0;
    const calls = before + weight;
    const exceeded = calls > this.#limit;
    const counted = exceeded && weight > 1 ? before : calls;
    this.#calls.set(name, counted);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > maxKeys && oldest !== undefined) this.#calls.delete(oldest);
    return {
      window,
      limit: this.#limit,
      windowInSeconds: this.#windowInMs / 1000,
      remaining: Math.max(0, this.#limit - counted),
      retryInSeconds: Math.ceil(((window + 1) * this.#windowInMs - time) / 1000),
      exceeded,
    };
  }

  /** Notes that other containers have left no room for a call of this weight. */
  exhaust(name: string, window: number, weight: number): void {
    if (window !== this.#window) return;
    const before = (this.#calls.get(name) ?? 0) - weight;
    this.#calls.set(name, Math.max(before, this.#limit - weight + 1));
  }
}

/**
 * Counts the calls of each app key in this container's memory by minutes of the clock, and calls of browsers by five seconds. The windows
 * of all containers open together, so the time to wait is true for any container.
 */
export class RateLimiter {
  readonly #ofKeys: Window;
  readonly #ofBrowsers: Window;
  /** Browsers have a separate limit, which all containers share (lib/kernel/http/browser-calls.ts). */
  readonly hasBrowserLimit: boolean;
  /** Counts the till's calls of projects that limit them, for all containers together. */
  readonly tills = new TillLeases();

  /** Counts calls of browsers like others if `browserLimit` is infinite. */
  constructor(limitPerMinute = defaultRateLimitPerMinute, browserLimit = clientLimit) {
    this.hasBrowserLimit = Number.isFinite(browserLimit);
    this.#ofKeys = new Window(limitPerMinute, 60_000);
    this.#ofBrowsers = new Window(browserLimit, 5_000);
  }

  count(name: string, now: Date): RateStanding {
    return this.#ofKeys.count(name, now);
  }

  /** Counts the calls of client paths from one address. */
  countBrowser(name: string, address: string, now: Date, weight: number): RateStanding {
    return this.#ofBrowsers.count(`${name}\n${address}`, now, weight);
  }

  /** Notes that other containers have left no room for a call of this weight. */
  exhaustBrowser(name: string, address: string, window: number, weight: number): void {
    this.#ofBrowsers.exhaust(`${name}\n${address}`, window, weight);
  }
}
