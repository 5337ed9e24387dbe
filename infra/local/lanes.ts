interface Limits {
  /** Limits the simultaneous work, in all lanes together. Work that stepped aside does not count. */
  readonly atOnce: number;
  /** Limits the simultaneous work for a receiver. */
  readonly perReceiver: number;
  /** Limits the work that waits in a lane. */
  readonly waiting: number;
  /** Only a receiver without running work may use these last places. */
  readonly kept?: number;
  /**
   * Work that lasts longer steps aside: it waits for its receiver and computes nothing. If absent, work keeps its
   * place.
   */
  readonly asideAfterMs?: number;
}

interface Lane<T> {
  readonly waiting: T[];
  running: number;
}

/** Gives each receiver of work a separate lane, so that slow receivers do not delay the work of others. */
export class Lanes<T> {
  readonly #limits: Limits;
  readonly #work: (item: T) => Promise<void>;
  /** The lane whose work has ended last is the last. */
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #started = new Set<Promise<void>>();
  #taken = 0;
  #oneFreed = Promise.withResolvers<void>();

  /** `work` never throws. */
  constructor(limits: Limits, work: (item: T) => Promise<void>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Accepts work. Returns `false` if the receiver's lane is full. */
  add(receiver: string, item: T): boolean {
    const lane = this.#lanes.get(receiver) ?? { waiting: [], running: 0 };
    if (lane.waiting.length >= this.#limits.waiting) return false;
    lane.waiting.push(item);
    this.#lanes.set(receiver, lane);
    this.#startMore();
    return true;
  }

  /** Returns whether new work of a receiver without work would start immediately. */
  get isFree(): boolean {
    return this.#taken < this.#limits.atOnce;
  }

  /** Resolves when some work ends or steps aside. */
  async oneFreed(): Promise<void> {
    await this.#oneFreed.promise;
  }

  /** Starts nothing more, and resolves when all started work has ended. */
  async stop(): Promise<void> {
    for (const { waiting } of this.#lanes.values()) waiting.length = 0;
    await Promise.all(this.#started);
  }

  #mayStart({ waiting, running }: Lane<T>): boolean {
    const { atOnce, perReceiver, kept = 0 } = this.#limits;
    if (waiting.length === 0 || running >= perReceiver) return false;
    return running === 0 ? this.isFree : this.#taken < atOnce - kept;
  }

  #startMore(): void {
    for (const [receiver, lane] of [...this.#lanes]) {
      while (this.#mayStart(lane)) this.#start(receiver, lane);
      if (!this.isFree) return;
    }
  }

  #start(receiver: string, lane: Lane<T>): void {
    const [item] = lane.waiting.splice(0, 1);
    if (item === undefined) return;
    lane.running += 1;
    const free = this.#takePlace();
    const started = this.#work(item).finally(() => {
      this.#started.delete(started);
      lane.running -= 1;
      this.#lanes.delete(receiver);
      if (lane.running > 0 || lane.waiting.length > 0) this.#lanes.set(receiver, lane);
      free();
    });
    this.#started.add(started);
  }

  /** Uses a place until the returned function is called, or until the work has lasted too long. */
  #takePlace(): () => void {
    const { asideAfterMs } = this.#limits;
    let isHeld = true;
    this.#taken += 1;
    const release = () => {
      if (isHeld) this.#taken -= 1;
      isHeld = false;
      this.#oneFreed.resolve();
      this.#oneFreed = Promise.withResolvers();
      this.#startMore();
    };
    if (asideAfterMs === undefined) return release;
    const timer = setTimeout(release, asideAfterMs);
    return () => {
      clearTimeout(timer);
      release();
    };
  }
}
