/** Limits the time that one request waits for a table without capacity. A waiting container serves no other request. */
export const capacityPatienceInMs = 500;
/** An early 429 would be untrue after a commit. The request then waits as long as for a conflict. */
const committedPatienceInMs = 3_000;
/** Suffices to free the idempotency key of a refused request. */
const reservePatienceInMs = 200;

/** Limits the time that all calls of one request together lose to a table without capacity. */
export class CapacityBudget {
  #leftInMs: number;

  constructor(timeInMs: number) {
    this.#leftInMs = timeInMs;
  }

  /** Books lost time. Returns whether the budget covers it. */
  spend(lostInMs: number): boolean {
    const isCovered = this.#leftInMs > lostInMs;
    this.#leftInMs = isCovered ? this.#leftInMs - lostInMs : 0;
    return isCovered;
  }

  get isSpent(): boolean {
    return this.#leftInMs === 0;
  }

  /** Extends the wait, because a caller must no longer read that nothing was changed. */
  noteCommit(): void {
    this.#leftInMs = Math.max(this.#leftInMs, committedPatienceInMs);
  }

  /** Adds time for the records that later requests need of this one. */
  openReserve(): void {
    this.#leftInMs = Math.max(this.#leftInMs, reservePatienceInMs);
  }
}
