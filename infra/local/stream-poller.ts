import { ExpiredIteratorException, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { Dependencies } from '../../lib/composition.ts';
import { type FilterPattern, recordFilters } from '../../lib/outbox/worker.ts';
import { Deliveries, type Process } from './deliveries.ts';
import { matchesFilter } from './event-filter.ts';
import { type RecordStream, recordsPerCall, TableStream } from './table-stream.ts';

export interface StreamPoller {
  /** Lets the batches under way end; nothing of it runs after that. What was not processed is still in the stream. */
  stop: () => Promise<void>;
  /** Returns when all that was written before the call, and all that came of it, has been read and processed. */
  idle: () => Promise<void>;
}

interface StreamPollerOptions {
  /** Name the table, whose stream is read, and its engine. */
  dependencies: Dependencies;
  process: Process;
  /** A record that none of them lets through is not processed. */
  filters?: readonly FilterPattern[];
  stream?: RecordStream;
  /** `LATEST`: what is written from now on. */
  from?: 'TRIM_HORIZON' | 'LATEST';
  /** Records handed to `process` in one call, at most. */
  batchSize?: number;
  /** Calls of `process` under way at once, at most. */
  parallel?: number;
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

interface ShardReader {
  /** Tick at which the last call began that found nothing. */
  foundNothingAt: number;
}

interface IdleCall {
  at: number;
  resolve: () => void;
  reject: (reason: Error) => void;
}

class Poller implements StreamPoller {
  readonly #dependencies: Dependencies;
  readonly #stream: RecordStream;
  readonly #filters: readonly FilterPattern[];
  readonly #deliveries: Deliveries;
  readonly #pollEveryMs: number;
  readonly #readersAsleep = new Sleepers();
  readonly #followerAsleep = new Sleepers();
  readonly #readers = new Map<string, ShardReader>();
  readonly #ended = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #idleCalls = new Set<IdleCall>();
  /** Counts events, to tell which of two came first. */
  #tick = 0;
  #batchSettledAt = 0;
  #shardEndedAt = 0;
  #shardsListedAt = 0;
  #errorsInARow = 0;
  #stopped = false;

  constructor({ dependencies, process, filters, stream, batchSize, parallel, pollEveryMs }: Settings) {
    this.#stream = stream;
    this.#filters = filters;
    this.#dependencies = dependencies;
    this.#pollEveryMs = pollEveryMs;
    this.#deliveries = new Deliveries({
      dependencies,
      process,
      batchSize,
      parallel,
      onSettled: () => {
        this.#batchSettledAt = ++this.#tick;
        if (this.#idleCalls.size > 0) this.#readersAsleep.wake();
      },
    });
  }

  async start(from: 'TRIM_HORIZON' | 'LATEST'): Promise<void> {
    await this.#readNewShards(from);
    this.#run(this.#followShards());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream.close();
    this.#readersAsleep.wake();
    this.#followerAsleep.wake();
    await Promise.all(this.#running);
    await this.#deliveries.stop();
    for (const { reject } of this.#idleCalls) reject(new Error('the stream poller was stopped'));
    this.#idleCalls.clear();
  }

  idle(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) return reject(new Error('the stream poller was stopped'));
      this.#idleCalls.add({ at: ++this.#tick, resolve, reject });
      this.#readersAsleep.wake();
    });
  }

  #run(task: Promise<void>): void {
    const running = task.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #followShards(): Promise<void> {
    while (!this.#stopped) {
      if (this.#shardsListedAt > this.#shardEndedAt) {
        await this.#followerAsleep.sleep(this.#readers.size > 0 ? lookForShardsEveryMs : this.#pollEveryMs);
      }
      if (!this.#stopped) await this.#readNewShards('TRIM_HORIZON').catch((error) => this.#afterError(error));
    }
  }

  async #readNewShards(from: 'TRIM_HORIZON' | 'LATEST'): Promise<void> {
    const startedAt = ++this.#tick;
    const shards = await this.#stream.shards();
    const unread = new Map(shards.filter(({ id }) => !this.#ended.has(id)).map((shard) => [shard.id, shard]));
    for (const { id, parentId } of unread.values()) {
      if (this.#readers.has(id)) continue;
      // An item's records go on in the shard that follows: it has to wait for the end of the one before.
      if (parentId !== undefined && unread.has(parentId)) continue;
      const reader = { foundNothingAt: 0 };
      const iterator = await this.#stream.iteratorAt(id, from);
      this.#readers.set(id, reader);
      this.#run(this.#readShard(id, iterator, reader));
    }
    this.#shardsListedAt = startedAt;
  }

  /** To the end of the shard, which most have only on AWS. */
  async #readShard(shardId: string, start: string | undefined, reader: ShardReader): Promise<void> {
    let iterator = start;
    let sequenceNumber: string | undefined;
    while (!this.#stopped) {
      if (this.#deliveries.areEnough) {
        await this.#readersAsleep.sleep(this.#pollEveryMs);
        continue;
      }
      const startedAt = ++this.#tick;
      try {
        const position = sequenceNumber === undefined ? 'TRIM_HORIZON' : { after: sequenceNumber };
        iterator ??= await this.#stream.iteratorAt(shardId, position);
        if (iterator === undefined) break;
        const { records, next } = await this.#stream.read(iterator);
        this.#errorsInARow = 0;
        iterator = next;
        sequenceNumber = records.at(-1)?.dynamodb?.SequenceNumber ?? sequenceNumber;
        this.#deliveries.add(records.filter((record) => this.#filters.some((filter) => matchesFilter(filter, record))));
        if (next === undefined) break;
        if (records.length === 0) {
          reader.foundNothingAt = startedAt;
          this.#answerIdleCalls();
        }
        if (records.length > 0 && this.#idleCalls.size > 0) continue;
        // Many small reads while much is written would cost the engine more than the writing.
        if (records.length < recordsPerCall) await this.#readersAsleep.sleep(this.#pollEveryMs);
      } catch (error) {
        if (error instanceof ExpiredIteratorException || error instanceof TrimmedDataAccessException) {
          iterator = undefined;
          if (error instanceof TrimmedDataAccessException) sequenceNumber = undefined;
          await this.#readersAsleep.sleep(this.#pollEveryMs);
        } else {
          await this.#afterError(error);
        }
      }
    }
    this.#readers.delete(shardId);
    this.#ended.add(shardId);
    this.#shardEndedAt = ++this.#tick;
    this.#followerAsleep.wake();
  }

  #answerIdleCalls(): void {
    if (!this.#deliveries.areDone || this.#shardsListedAt < this.#shardEndedAt) return;
    for (const call of [...this.#idleCalls]) {
      const since = Math.max(call.at, this.#batchSettledAt);
      if ([...this.#readers.values()].some(({ foundNothingAt }) => foundNothingAt < since)) continue;
      this.#idleCalls.delete(call);
      call.resolve();
    }
  }

  /** Tells of the first of several in a row: an engine that is away is away for many calls. */
  async #afterError(error: unknown): Promise<void> {
    if (this.#stopped) return;
    const { clock, log } = this.#dependencies;
    if (this.#errorsInARow === 0) {
      const cause = error instanceof Error ? { cause: error.name, cause_message: error.message } : {};
      const fields = { part: 'stream-poller', message: 'the stream cannot be read', ...cause };
      log(JSON.stringify({ level: 'error', time: clock().toISOString(), ...fields }));
    }
    this.#errorsInARow += 1;
    const pause = Math.min(this.#pollEveryMs * 2 ** this.#errorsInARow, longestPauseAfterErrorInMs);
    await this.#readersAsleep.sleep(pause);
  }
}

type Settings = Required<Omit<StreamPollerOptions, 'from'>>;

/**
 * Feeds the worker from the table's stream where no Lambda does: same filters, batches, order and retries. It begins
 * with the oldest record that the stream still has, since the worker does nothing twice.
 */
export async function startStreamPoller({
  dependencies,
  process,
  filters = recordFilters,
  stream,
  from = 'TRIM_HORIZON',
  batchSize = 10,
  parallel = 4,
  pollEveryMs = 50,
}: StreamPollerOptions): Promise<StreamPoller> {
  const source = stream ?? (await TableStream.of(dependencies));
  const poller = new Poller({ dependencies, process, filters, stream: source, batchSize, parallel, pollEveryMs });
  try {
    await poller.start(from);
  } catch (error) {
    await poller.stop();
    throw error;
  }
  return poller;
}
