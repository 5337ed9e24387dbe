interface Limits {
  /** Limits the work at once, in all lanes together. */
  readonly atOnce: number;
  /** Limits the work at once for one receiver. */
  readonly perReceiver: number;
  /** Limits what waits in one lane. */
  readonly waiting: number;
}

interface Lane<T> {
  readonly waiting: T[];
  running: number;
}

/** Gives each receiver of work a lane of its own, so that a slow receiver keeps no work from another one. */
export class Lanes<T> {
  readonly #limits: Limits;
  readonly #work: (item: T) => Promise<void>;
  /** The lane whose work has ended last is the last. */
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #started = new Set<Promise<void>>();

  /** `work` never throws. */
  constructor(limits: Limits, work: (item: T) => Promise<void>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Takes work. Returns `false` if the receiver's lane is full. */
  add(receiver: string, item: T): boolean {
    const lane = this.#lanes.get(receiver) ?? { waiting: [], running: 0 };
    if (lane.waiting.length >= this.#limits.waiting) return false;
    lane.waiting.push(item);
    this.#lanes.set(receiver, lane);
    this.#startMore();
    return true;
  }

  /** Returns whether new work of a receiver without work would start at once. */
  get isFree(): boolean {
    return this.#started.size < this.#limits.atOnce;
  }

  /** Resolves when some work ends. */
  async oneEnds(): Promise<void> {
    await Promise.race(this.#started);
  }

  /** Starts nothing more, and resolves when all started work has ended. */
  async stop(): Promise<void> {
    for (const { waiting } of this.#lanes.values()) waiting.length = 0;
    await Promise.all(this.#started);
  }

  #startMore(): void {
    for (const [receiver, lane] of [...this.#lanes]) {
      while (this.isFree && lane.running < this.#limits.perReceiver && lane.waiting.length > 0) {
        this.#start(receiver, lane);
      }
      if (!this.isFree) return;
    }
  }

  #start(receiver: string, lane: Lane<T>): void {
    const [item] = lane.waiting.splice(0, 1);
    if (item === undefined) return;
    lane.running += 1;
    const started = this.#work(item).finally(() => {
      this.#started.delete(started);
      lane.running -= 1;
      this.#lanes.delete(receiver);
      if (lane.running > 0 || lane.waiting.length > 0) this.#lanes.set(receiver, lane);
      this.#startMore();
    });
    this.#started.add(started);
  }
}
