import { anyOf } from './dice.ts';

/** To be sent again, to be borne, or to be asked for. */
const keptCalls = 500;

/** The latest of what replies have brought. */
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
