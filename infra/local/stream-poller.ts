import { ExpiredIteratorException, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import { describeFailure } from '#kernel/core/failure.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import type { StreamReader, StreamRecord } from '#kernel/table/stream.ts';
import { matchesFilter } from './event-filter.ts';
import { Sleepers } from './sleepers.ts';
import { type RecordStream, recordsPerCall, TableStream } from './table-stream.ts';

export interface StreamPoller {
  /** Resolves once everything that was written before is processed. */
  idle: () => Promise<void>;
  /** Waits for the current call, and starts no other. Unprocessed records stay in the stream. */
  stop: () => Promise<void>;
}

interface StreamPollerOptions {
  /** Names the engine and the table with the stream. */
  dependencies: Dependencies;
  /** Each reader has its own place in the stream, as on AWS. It gets the same records until it succeeds, and delays no other. */
  readers: readonly PolledReader[];
  stream?: RecordStream;
  /** Reads from now on with `LATEST`, or from the oldest record. */
  from?: 'TRIM_HORIZON' | 'LATEST';
  pollEveryMs?: number;
  /** Limits the attempts to process a batch, and then each of its records alone. */
  attempts?: { readonly together: number; readonly alone: number };
}

/** A reader that can wait longer gets more records together, in fewer calls. */
type PolledReader = StreamReader & { readonly pollEveryMs?: number };

const longestPauseAfterErrorInMs = 2_000;
/** A single record has as many attempts as in the stack, about a minute in total. */
const usualAttempts = { together: 5, alone: 30 };
/** Sets the interval of the search for late shards. A shard is usually found when the preceding shard ends. */
const lookForShardsEveryMs = 60_000;

/** Holds a caller that waits until each shard has shown that it has no more records. */
interface Waiting {
  readonly shards: Set<string>;
  readonly resolve: () => void;
}

/** Feeds one reader. */
class Poller implements StreamPoller {
  readonly #options: Settings;
  readonly #readersAsleep = new Sleepers();
  readonly #followerAsleep = new Sleepers();
  readonly #readers = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #waiting = new Set<Waiting>();
  #hasNewlyEnded = false;
  #errorsInARow = 0;
  #stopped = false;

  constructor(options: Settings) {
    this.#options = options;
  }

  async start(from: 'TRIM_HORIZON' | 'LATEST'): Promise<void> {
    await this.#readNewShards(from);
    this.#run(this.#followShards());
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add({ shards: new Set(this.#readers), resolve });
      this.#readersAsleep.wake();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#options.stream.close();
    this.#readersAsleep.wake();
    this.#followerAsleep.wake();
    await Promise.all(this.#running);
  }

  #run(task: Promise<void>): void {
    const running = task.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #followShards(): Promise<void> {
    while (!this.#stopped) {
      if (!this.#hasNewlyEnded) {
        await this.#followerAsleep.sleep(this.#readers.size > 0 ? lookForShardsEveryMs : this.#options.pollEveryMs);
      }
      if (!this.#stopped) await this.#readNewShards('TRIM_HORIZON').catch((error) => this.#afterError(error));
    }
  }

  async #readNewShards(from: 'TRIM_HORIZON' | 'LATEST'): Promise<void> {
    this.#hasNewlyEnded = false;
    const ended = [...this.#ended];
    const shards = await this.#options.stream.shards();
    const unread = new Map(shards.filter(({ id }) => !this.#ended.has(id)).map((shard) => [shard.id, shard]));
    for (const { id, parentId } of unread.values()) {
      if (this.#readers.has(id)) continue;
      // An item's records continue in the following shard, so that shard waits for the end of the preceding shard.
      if (parentId !== undefined && unread.has(parentId)) continue;
      const iterator = await this.#options.stream.iteratorAt(id, from);
      this.#readers.add(id);
      for (const { shards } of this.#waiting) shards.add(id);
      this.#run(this.#readShard(id, iterator));
    }
    // The waiting callers already wait for the shards that follow.
    for (const id of ended) this.#isQuiet(id, [...this.#waiting]);
  }

  /** Reads to the end of the shard. Most shards end only on AWS. */
  async #readShard(shardId: string, start: string | undefined): Promise<void> {
    const { stream, pollEveryMs } = this.#options;
    let iterator = start;
    let sequenceNumber: string | undefined;
    while (!this.#stopped) {
      try {
        const position = sequenceNumber === undefined ? 'TRIM_HORIZON' : { after: sequenceNumber };
        iterator ??= await stream.iteratorAt(shardId, position);
        if (iterator === undefined) break;
        const waitingBefore = [...this.#waiting];
        const { records, next } = await stream.read(iterator);
        await this.#process(records, shardId);
        this.#errorsInARow = 0;
        iterator = next;
        sequenceNumber = records.at(-1)?.dynamodb?.SequenceNumber ?? sequenceNumber;
        if (next === undefined) break;
        if (records.length === 0) this.#isQuiet(shardId, waitingBefore);
        else if (this.#waiting.size > 0) continue;
        // Many small reads during heavy writes would cost the engine more than the writes.
        if (records.length < recordsPerCall) await this.#readersAsleep.sleep(pollEveryMs);
      } catch (error) {
        if (error instanceof ExpiredIteratorException || error instanceof TrimmedDataAccessException) {
          iterator = undefined;
          if (error instanceof TrimmedDataAccessException) sequenceNumber = undefined;
          await this.#readersAsleep.sleep(pollEveryMs);
        } else {
          await this.#afterError(error);
        }
      }
    }
    this.#readers.delete(shardId);
    this.#ended.add(shardId);
    this.#hasNewlyEnded = true;
    this.#followerAsleep.wake();
  }

  #isQuiet(shardId: string, waiting: readonly Waiting[]): void {
    for (const one of waiting) {
      one.shards.delete(shardId);
      if (one.shards.size > 0) continue;
      this.#waiting.delete(one);
      one.resolve();
    }
  }

  /**
   * Delivers the records together. If that keeps failing, it delivers each alone, so that a faulty record does not
   * block the others permanently.
   */
  async #process(records: readonly StreamRecord[], shardId: string): Promise<void> {
    const { reader, attempts } = this.#options;
    const wanted = records.filter((record) => reader.filters.some((filter) => matchesFilter(filter, record)));
    if (wanted.length === 0 || (await this.#isProcessed(wanted, shardId, attempts.together))) return;
    for (const record of wanted) {
      if (!(await this.#isProcessed([record], shardId, attempts.alone)) && !this.#stopped) this.#giveUp(record);
    }
  }

  async #isProcessed(records: readonly StreamRecord[], shardId: string, attempts: number): Promise<boolean> {
    for (let attempt = 0; attempt < attempts && !this.#stopped; attempt += 1) {
      try {
        await this.#options.reader.process(records, shardId);
        this.#errorsInARow = 0;
        return true;
      } catch (error) {
        await this.#afterError(error);
      }
    }
    return false;
  }

  #giveUp({ dynamodb }: StreamRecord): void {
    const message = 'a record of the stream is given up, because its processing keeps failing';
    this.#log({ part: 'dead-letters', message, item: JSON.stringify(dynamodb?.Keys) });
  }

  /** Reports the first of several failures in a row, because a missing engine fails many calls. */
  async #afterError(error: unknown): Promise<void> {
    if (this.#stopped) return;
    const { pollEveryMs } = this.#options;
    if (this.#errorsInARow === 0) {
      const message = 'the stream cannot be read, or its records cannot be processed';
      this.#log({ part: 'stream-poller', message, ...describeFailure(error) });
    }
    this.#errorsInARow += 1;
    const pause = Math.min(pollEveryMs * 2 ** this.#errorsInARow, longestPauseAfterErrorInMs);
    await this.#readersAsleep.sleep(pause);
  }

  #log(fields: Readonly<Record<string, unknown>>): void {
    const { clock, log } = this.#options.dependencies;
    log(JSON.stringify({ level: 'error', time: clock().toISOString(), ...fields }));
  }
}

type Settings = Required<Omit<StreamPollerOptions, 'from' | 'readers'>> & { reader: StreamReader };

/**
 * Feeds the readers of the table's stream in place of Lambda: same filters, order and retries. It begins with the
 * oldest record of the stream, because nothing is done twice.
 */
export async function startStreamPoller({
  dependencies,
  readers,
  stream,
  from = 'TRIM_HORIZON',
  pollEveryMs = 50,
  attempts = usualAttempts,
}: StreamPollerOptions): Promise<StreamPoller> {
  const source = stream ?? (await TableStream.of(dependencies));
  const common = { dependencies, stream: source, attempts };
  const pollers = readers.map(
    (reader) => new Poller({ ...common, reader, pollEveryMs: reader.pollEveryMs ?? pollEveryMs }),
  );
  const forEach = async (act: (poller: Poller) => Promise<void>) => {
    await Promise.all(pollers.map(act));
  };
  const stop = () => forEach((poller) => poller.stop());
  try {
    await forEach((poller) => poller.start(from));
  } catch (error) {
    await stop();
    throw error;
  }
  return { idle: () => forEach((poller) => poller.idle()), stop };
}
