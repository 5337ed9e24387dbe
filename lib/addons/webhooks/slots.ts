/** Limits the simultaneous requests of a process to the same target, so that a slow target leaves room for others. */

export const slotsOfTarget = 8;
/** A request waits this long for a slot before its message returns to the queue. */
const patienceInMs = 250;

export class TargetSlots {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Runs `work` in a slot of the target. Returns `undefined` without running it if no slot became free in time. */
  async run<T>(target: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#take(target))) return undefined;
    try {
      return await work();
    } finally {
      this.#release(target);
    }
  }

  async #take(target: string): Promise<boolean> {
    const taken = this.#taken.get(target) ?? 0;
    if (taken < slotsOfTarget) {
      this.#taken.set(target, taken + 1);
      return true;
    }
    const waiting = this.#waiting.get(target) ?? new Set();
    this.#waiting.set(target, waiting);
    return new Promise((resolve) => {
      const got = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.delete(got);
        resolve(false);
      }, patienceInMs);
      waiting.add(got);
    });
  }

  #release(target: string): void {
    const waiting = this.#waiting.get(target);
    const [next] = waiting ?? [];
    if (waiting && next) {
      waiting.delete(next);
      next();
      return;
    }
    const left = (this.#taken.get(target) ?? 1) - 1;
    if (left > 0) this.#taken.set(target, left);
    else this.#taken.delete(target);
    if (waiting?.size === 0) this.#waiting.delete(target);
  }
}
