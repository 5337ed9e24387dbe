import type { ListEntry } from '#kernel/kit/entries/list.ts';

/** Checks that shown sums are safe integers. If the sum of all amounts is a safe integer, each sum is. */
export class Sums {
  #all = 0;
  readonly #sums = new Map<string, number>();

  see({ addends }: ListEntry): void {
    for (const { amount } of addends) this.#all += amount;
  }

  /** Returns, after all entries were added, whether a sum may be too large. */
  get mayBeWrong(): boolean {
    return this.#all > Number.MAX_SAFE_INTEGER;
  }

  /** Yields the faults of the entry that makes a sum too large. */
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
