import type { Dependencies } from '../../lib/composition.ts';
import type { BatchResult, StreamRecord } from '../../lib/outbox/worker.ts';

export type Process = (records: readonly StreamRecord[], dependencies: Dependencies) => Promise<BatchResult>;

export interface DeliveriesOptions {
  dependencies: Dependencies;
  process: Process;
  /** Records handed over in one call, at most. */
  batchSize: number;
  /** Calls under way at once, at most. */
  parallel: number;
  /** After each batch, whatever came of it. */
  onSettled: () => void;
}

/** The event source mapping of the stack has the same. */
const maxRetries = 30;
/** Doubles with each failure, to the longest at most: a record that always fails is given up after about a minute. */
const firstRetryInMs = 50;
const longestRetryInMs = 2_000;
/** Beyond it, more is not read from the stream. */
const enoughWaiting = 1_000;

interface Delivery {
  readonly record: StreamRecord;
  /** Of the item: its records keep their order. */
  readonly item: string;
  failures: number;
  /** Of `performance.now()`. */
  notBefore: number;
}

function deliveryOf(record: StreamRecord): Delivery {
  const keys = Object.entries(record.dynamodb?.Keys ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return { record, item: JSON.stringify(keys), failures: 0, notBefore: 0 };
}

function sequenceNumberOf({ record }: Delivery): string {
  return record.dynamodb?.SequenceNumber ?? '';
}

/**
 * Hands records over as Lambda's event source mapping does: in batches, some of them at once, the records of one item in
 * their order, those that failed again and with them what followed on the same item. Unlike there, a record that fails
 * holds up its own item only.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  #waiting: Delivery[] = [];
  readonly #itemsUnderWay = new Set<string>();
  readonly #batches = new Set<Promise<void>>();
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  get areDone(): boolean {
    return this.#waiting.length === 0 && this.#batches.size === 0;
  }

  get areEnough(): boolean {
    return this.#waiting.length >= enoughWaiting;
  }

  add(records: readonly StreamRecord[]): void {
    for (const record of records) this.#waiting.push(deliveryOf(record));
    this.#start();
  }

  /** Lets the batches under way end, and begins no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await Promise.all(this.#batches);
  }

  #start(): void {
    if (this.#stopped) return;
    while (this.#batches.size < this.#options.parallel) {
      const batch = this.#take();
      if (batch.length === 0) break;
      const settled: Promise<void> = this.#deliver(batch).then(() => {
        this.#batches.delete(settled);
        this.#start();
        this.#options.onSettled();
      });
      this.#batches.add(settled);
    }
    this.#startAtNextRetry();
  }

  /** The next records, leaving those whose item is under way or waits for a retry. */
  #take(): Delivery[] {
    const now = performance.now();
    const held = new Set(this.#itemsUnderWay);
    const batch: Delivery[] = [];
    const left: Delivery[] = [];
    for (const delivery of this.#waiting) {
      if (batch.length < this.#options.batchSize && !held.has(delivery.item) && delivery.notBefore <= now) {
        batch.push(delivery);
      } else {
        held.add(delivery.item);
        left.push(delivery);
      }
    }
    this.#waiting = left;
    for (const { item } of batch) this.#itemsUnderWay.add(item);
    return batch;
  }

  #startAtNextRetry(): void {
    clearTimeout(this.#retry);
    const now = performance.now();
    const times = this.#waiting.map(({ notBefore }) => notBefore).filter((time) => time > now);
    if (times.length > 0) this.#retry = setTimeout(() => this.#start(), Math.min(...times) - now);
  }

  async #deliver(batch: readonly Delivery[]): Promise<void> {
    const failed = await this.#failuresOf(batch);
    for (const { item } of batch) this.#itemsUnderWay.delete(item);
    const heldUp = new Map<string, number>();
    const again = batch.filter((delivery) => {
      if (failed.has(delivery)) {
        delivery.failures += 1;
        const pause = Math.min(firstRetryInMs * 2 ** (delivery.failures - 1), longestRetryInMs);
        heldUp.set(delivery.item, performance.now() + pause);
      }
      delivery.notBefore = heldUp.get(delivery.item) ?? 0;
      return heldUp.has(delivery.item) && !this.#isGivenUp(delivery);
    });
    this.#waiting = [...again, ...this.#waiting];
  }

  #isGivenUp(delivery: Delivery): boolean {
    if (delivery.failures <= maxRetries) return false;
    const { record, failures } = delivery;
    this.#logError({
      message: `given up after ${failures} deliveries`,
      event_name: record.eventName,
      kind: record.dynamodb?.Keys?.sk?.S,
      sequence_number: sequenceNumberOf(delivery),
    });
    return true;
  }

  /** A batch without an answer has failed as a whole, and so has one whose answer names what was not in it. */
  async #failuresOf(batch: readonly Delivery[]): Promise<ReadonlySet<Delivery>> {
    const { process, dependencies } = this.#options;
    try {
      const { batchItemFailures } = await process(
        batch.map(({ record }) => record),
        dependencies,
      );
      const named = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const failed = batch.filter((delivery) => named.has(sequenceNumberOf(delivery)));
      return new Set(failed.length === named.size ? failed : batch);
    } catch (error) {
      this.#logError({ cause: error instanceof Error ? error.name : typeof error });
      return new Set(batch);
    }
  }

  #logError(fields: Record<string, unknown>): void {
    const { clock, log } = this.#options.dependencies;
    log(JSON.stringify({ level: 'error', time: clock().toISOString(), part: 'stream-poller', ...fields }));
  }
}
