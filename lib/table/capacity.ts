/** How long one request waits for a table without capacity. A container that waits longer serves nobody else meanwhile. */
export const capacityPatienceInMs = 500;
/** Once something is committed, an early 429 would be untrue: the request then waits as long as a conflict would take. */
const committedPatienceInMs = 3_000;
/** Enough to free the idempotency key of a request that was refused. */
const reservePatienceInMs = 200;

/** Keeps the time that one request may lose to a table without capacity, in all of its calls together. */
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

  /** Waits longer from now on: a caller must not read that nothing was changed. */
  noteCommit(): void {
    this.#leftInMs = Math.max(this.#leftInMs, committedPatienceInMs);
  }

  /** Adds time for what later requests must learn of this one. */
  openReserve(): void {
    this.#leftInMs = Math.max(this.#leftInMs, reservePatienceInMs);
  }
}
