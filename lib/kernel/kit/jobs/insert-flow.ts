/** Limits the simultaneous batches of inserts of one container. */
export const maxCallsAtOnce = 8;

/**
 * Adapts the number of simultaneous batches: one more if all succeeded, half if the table lacked capacity. Together,
 * many containers thus settle at the table's capacity.
 */
export class InsertFlow {
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
