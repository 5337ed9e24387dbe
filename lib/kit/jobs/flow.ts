/** Most batches of inserts that one container has under way. */
export const maxCallsAtOnce = 8;

/**
 * How many batches of inserts a container may have under way: one more when all of them were taken, half when the table lacked
 * capacity for one, so that many containers together settle at what the table takes.
 */
export class Flow {
  #callsAtOnce = 2;

  get callsAtOnce(): number {
    return this.#callsAtOnce;
  }

  wereTaken(): void {
    this.#callsAtOnce = Math.min(this.#callsAtOnce + 1, maxCallsAtOnce);
  }

  lackedCapacity(): void {
    this.#callsAtOnce = Math.max(1, Math.floor(this.#callsAtOnce / 2));
  }
}
