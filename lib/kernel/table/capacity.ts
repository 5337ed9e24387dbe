/** Reserves time for the reply and the line of the log. */
const replyReserveInMs = 1_000;
/** Reserves time for the record of the idempotency key, which later requests need. */
const recordReserveInMs = 2_000;

/** Limits the time for calls of the table, by the clock of this process. */
export class TimeLimit {
  #signal: AbortSignal;
  #endsAt: number;
  #reserveInMs: number;

  constructor(workInMs: number, reserveInMs = 0) {
    this.#endsAt = performance.now() + workInMs;
    this.#reserveInMs = reserveInMs;
    this.#signal = signalIn(workInMs);
  }

  /** Returns the remaining time, 0 at the end. */
  get leftInMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Aborts the current call with its pauses, and prevents further calls. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** Releases the reserved time. */
  openReserve(): void {
    if (this.#reserveInMs === 0) return;
    this.#endsAt += this.#reserveInMs;
    this.#reserveInMs = 0;
    this.#signal = signalIn(this.leftInMs);
  }
}

function signalIn(timeInMs: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.round(timeInMs)));
}

/**
 * Limits a request to the time that its function has left, so that the caller gets this service's reply instead of the
 * gateway's timeout.
 */
export function limitRequestTime(remainingInMs: number): TimeLimit {
  return new TimeLimit(remainingInMs - recordReserveInMs - replyReserveInMs, recordReserveInMs);
}

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

  /** Adds time for this request's records, which later requests need. */
  openReserve(): void {
    this.#leftInMs = Math.max(this.#leftInMs, reservePatienceInMs);
  }
}
