import { setTimeout } from 'node:timers/promises';

/** Provides the time and waits. In tests the waits end immediately. */
export interface Clock {
  now(): number;
  wait(ms: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), wait: (ms) => setTimeout(ms) };

const minute = 60_000;

/** Limits the calls per minute, counted over any 60 seconds. */
export class Pace {
  readonly #clock: Clock;
  readonly #perMinute: number;
  /** The times of the last calls, the oldest first. */
  readonly #times: number[] = [];

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** Waits until another call fits. */
  async take(): Promise<void> {
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= this.#perMinute) {
      const left = oldest + minute - this.#clock.now();
      if (left > 0) await this.#clock.wait(left);
      this.#times.shift();
    }
    this.#times.push(this.#clock.now());
  }
}
