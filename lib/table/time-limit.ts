/** Kept back of a request's time for its reply and its line of the log. */
const replyReserveInMs = 1_000;
/** Kept back besides, for what later requests must be able to learn of this one: the record of its idempotency key. */
const recordReserveInMs = 2_000;

/** How long something may still talk to the table, by the time of this process. */
export class TimeLimit {
  #signal: AbortSignal;
  #endsAt: number;
  #reserveInMs: number;

  constructor(workInMs: number, reserveInMs = 0) {
    this.#endsAt = performance.now() + workInMs;
    this.#reserveInMs = reserveInMs;
    this.#signal = signalIn(workInMs);
  }

  /** 0 when it is over. */
  get leftInMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Ends a call that is under way, with the pauses between its attempts, and lets no other begin. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** From now on what was kept back may be used as well. */
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
 * Of a request, by what its function has left when it begins. However the attempts of its calls add up, the caller gets a
 * reply of ours, where the gateway would tell him of a function that did not answer.
 */
export function requestTimeLimit(remainingInMs: number): TimeLimit {
  return new TimeLimit(remainingInMs - recordReserveInMs - replyReserveInMs, recordReserveInMs);
}
