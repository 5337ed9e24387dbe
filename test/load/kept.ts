import { anyOf } from './dice.ts';

/** Values for later calls: to repeat, to send as a credential, or to read. */
const keptCalls = 500;

/** Keeps the latest values from replies. */
export class Kept<T> {
  readonly #values: T[] = [];
  #next = 0;

  add(value: T): void {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % keptCalls;
  }

  any(): T | undefined {
    return anyOf(this.#values);
  }

  take(): T | undefined {
    const value = this.#values.pop();
    this.#next = Math.min(this.#next, this.#values.length);
    return value;
  }
}
