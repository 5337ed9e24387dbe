import type { ListEntry } from '../../kit/entries/list.ts';

/** Checks that sums which the service shows are safe integers: while all amounts together are one, each sum is. */
export class Sums {
  #all = 0;
  readonly #sums = new Map<string, number>();

  see({ addends }: ListEntry): void {
    for (const { amount } of addends) this.#all += amount;
  }

  /** Once all entries are seen. */
  get mayBeWrong(): boolean {
    return this.#all > Number.MAX_SAFE_INTEGER;
  }

  /** Faults of the entry that makes a sum too large. */
  *faultsOf({ addends }: ListEntry): Generator<string> {
    for (const { sum, place, amount } of this.mayBeWrong ? addends : []) {
      if (amount === 0) continue;
      const after = (this.#sums.get(sum) ?? 0) + amount;
      this.#sums.set(sum, after);
      if (after > Number.MAX_SAFE_INTEGER) {
        yield `${place} adds up to more than ${Number.MAX_SAFE_INTEGER} with what came before it for the same card or holder`;
      }
    }
  }
}
