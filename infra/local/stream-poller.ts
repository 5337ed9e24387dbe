import { ExpiredIteratorException, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import { causeOf } from '../../lib/core/failure.ts';
import type { Dependencies } from '../../lib/http/composition.ts';
import type { StreamReader, StreamRecord } from '../../lib/table/stream.ts';
import { matchesFilter } from './event-filter.ts';
import { type RecordStream, recordsPerCall, TableStream } from './table-stream.ts';

export interface StreamPoller {
  /** Once everything is processed that was written before. */
  idle: () => Promise<void>;
  /** Lets the call under way end; nothing of it runs after that. What was not processed is still in the stream. */
  stop: () => Promise<void>;
}

interface StreamPollerOptions {
  /** Name the table, whose stream is read, and its engine. */
  dependencies: Dependencies;
  /** Called again with the same records until all of them have taken theirs. */
  readers: readonly StreamReader[];
  stream?: RecordStream;
  /** `LATEST`: what is written from now on. */
  from?: 'TRIM_HORIZON' | 'LATEST';
  pollEveryMs?: number;
}

const longestPauseAfterErrorInMs = 2_000;
/** A shard is looked for when the one before it has ended. This is for one that came later than that. */
const lookForShardsEveryMs = 60_000;

/** Sleeps that can be cut short. */
class Sleepers {
  readonly #wakers = new Set<() => void>();

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#wakers.add(wake);
    });
  }

  wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}

/** Who waits until each shard has shown that there is nothing more in it. */
interface Waiting {
  readonly shards: Set<string>;
  readonly resolve: () => void;
}

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
      // An item's records go on in the shard that follows: it has to wait for the end of the one before.
      if (parentId !== undefined && unread.has(parentId)) continue;
      const iterator = await this.#options.stream.iteratorAt(id, from);
      this.#readers.add(id);
      for (const { shards } of this.#waiting) shards.add(id);
      this.#run(this.#readShard(id, iterator));
    }
    // Those that follow on them are waited for by now.
    for (const id of ended) this.#isQuiet(id, [...this.#waiting]);
  }

  /** To the end of the shard, which most have only on AWS. */
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
        // Many small reads while much is written would cost the engine more than the writing.
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

  async #process(records: readonly StreamRecord[], shardId: string): Promise<void> {
    for (const { filters, process } of this.#options.readers) {
      const wanted = records.filter((record) => filters.some((filter) => matchesFilter(filter, record)));
      if (wanted.length > 0) await process(wanted, shardId);
    }
  }

  /** Says the first of several in a row: an engine that is away is away for many calls. */
  async #afterError(error: unknown): Promise<void> {
    if (this.#stopped) return;
    const { dependencies, pollEveryMs } = this.#options;
    if (this.#errorsInARow === 0) {
      const fields = { part: 'stream-poller', message: 'the stream cannot be read, or handed over', ...causeOf(error) };
      dependencies.log(JSON.stringify({ level: 'error', time: dependencies.clock().toISOString(), ...fields }));
    }
    this.#errorsInARow += 1;
    const pause = Math.min(pollEveryMs * 2 ** this.#errorsInARow, longestPauseAfterErrorInMs);
    await this.#readersAsleep.sleep(pause);
  }
}

type Settings = Required<Omit<StreamPollerOptions, 'from'>>;

/**
 * Feeds those who read the table's stream where no Lambda does: same filters, order and retries. It begins with the oldest
 * record that the stream still has, since nothing is done twice.
 */
export async function startStreamPoller({
  dependencies,
  readers,
  stream,
  from = 'TRIM_HORIZON',
  pollEveryMs = 50,
}: StreamPollerOptions): Promise<StreamPoller> {
  const source = stream ?? (await TableStream.of(dependencies));
  const poller = new Poller({ dependencies, readers, stream: source, pollEveryMs });
  try {
    await poller.start(from);
  } catch (error) {
    await poller.stop();
    throw error;
  }
  return poller;
}
