import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { integer } from '#kernel/core/schema.ts';
import { AmbiguousWriteError, NoCapacityError } from '#kernel/table/conflicts.ts';
import { tableShape } from '#kernel/table/keys.ts';
import { itemMarks, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import {
  callsIn,
  copies,
  earningTime,
  givenAfter,
  inMicroseconds,
  isFull,
  type Lease,
  leaseLifeInMs,
  nextSize,
  savingTime,
} from './till-bucket.ts';

const bucketItem = v.object({ given_up_to: integer });

/** One copy of a project's bucket. */
export const tillBuckets = kind<typeof bucketItem, [copy: string]>(kinds.tillBucket, bucketItem);

/** A pattern of IAM for the partition keys of all buckets. */
export const tillBucketKeys = '*#TILL_BUCKET#*';

/** A bucket without calls is full long before its items expire. */
const keptForInSeconds = 24 * 60 * 60;
const maxProjects = 1_000;
/** Limits the attempts at a copy, from which another container may have leased calls after the read. */
const maxAttempts = 3;
/** Limits the pause before another look at an empty bucket to 800 ms. */
const maxDoublings = 3;

/** A container's knowledge of one project's bucket. */
interface Standing {
  readonly rate: number;
  /** For each copy, the time up to which its calls are given away, as last read. The time only grows. */
  readonly known: (number | undefined)[];
  /** The copy that gave the last lease. Each container begins with one at random. */
  copy: number;
  lease: Lease | undefined;
  /** Counts the consecutive attempts that found all copies empty. */
  emptyWalks: number;
  /** Until this time the container refuses calls without a write. */
  emptyUntilInMs: number;
  taking: Promise<void> | undefined;
}

export interface TillCall {
  readonly projectId: string;
  /** Calls a second of the project. */
  readonly rate: number;
  readonly now: Date;
}

/** Leases calls from buckets of projects for a container, several calls together. */
export class TillLeases {
  readonly #standings = new Map<string, Standing>();

  /**
   * Returns the time when the project has a call again, in milliseconds since 1970, or `undefined` if the call is
   * accepted.
   */
  async take(table: Table, call: TillCall): Promise<number | undefined> {
    const standing = this.#standingOf(call);
    const nowInMs = call.now.getTime();
    for (;;) {
      const { lease } = standing;
      if (lease && lease.left > 0 && nowInMs < lease.untilInMs) {
        lease.left -= 1;
        return undefined;
      }
      if (nowInMs < standing.emptyUntilInMs) return standing.emptyUntilInMs;
      standing.taking ??= takeLease(table, standing, call).finally(() => {
        standing.taking = undefined;
      });
      await standing.taking;
    }
  }

  #standingOf({ projectId, rate }: TillCall): Standing {
    const known = this.#standings.get(projectId);
    if (known?.rate === rate) return known;
    const standing: Standing = {
      rate,
      known: Array.from({ length: copies }, () => undefined),
      copy: randomInt(copies),
      lease: undefined,
      emptyWalks: 0,
      emptyUntilInMs: 0,
      taking: undefined,
    };
    this.#standings.delete(projectId);
    this.#standings.set(projectId, standing);
    const [oldest] = this.#standings.keys();
    if (this.#standings.size > maxProjects && oldest !== undefined) this.#standings.delete(oldest);
    return standing;
  }
}

/**
 * Leases calls from the first copy that has any, or notes that all copies are empty. A copy that is known to be empty
 * costs no write.
 */
async function takeLease(table: Table, standing: Standing, call: TillCall): Promise<void> {
  const nowInMs = call.now.getTime();
  const wanted = nextSize(standing.lease, nowInMs, call.rate);
  for (let step = 0; step < copies; step++) {
    const copy = (standing.copy + step) % copies;
    const size = await takeFrom(table, standing.known, copy, wanted, call);
    if (size === 0) continue;
    standing.copy = copy;
    standing.emptyWalks = 0;
    standing.lease = { size, left: size, untilInMs: nowInMs + leaseLifeInMs };
    return;
  }
  const earliest = Math.min(...standing.known.map((givenUpTo = 0) => givenUpTo)) + earningTime(1, call.rate);
  // In a flood many containers conflict on each copy, which DynamoDB writes 1,000 times a second. Copies save the calls
  // of a second during the pause.
  const pauseInMs = leaseLifeInMs * 2 ** Math.min(standing.emptyWalks, maxDoublings);
  standing.emptyWalks += 1;
  standing.emptyUntilInMs = Math.max(nowInMs + pauseInMs, Math.ceil(earliest / 1_000));
}

/** Leases up to `wanted` calls from a copy, in a single conditional update. Returns the number of leased calls. */
async function takeFrom(
  table: Table,
  known: Standing['known'],
  copy: number,
  wanted: number,
  { projectId, rate, now }: TillCall,
): Promise<number> {
  const key = tillBuckets(projectId, String(copy));
  const time = inMicroseconds(now);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const seen = known[copy];
    const size = Math.min(wanted, callsIn(seen, time, rate));
    if (size === 0) return 0;
    const update = isFull(seen, time, rate) ? fromFull(size, time, rate) : fromSaved(size, time, rate);
    update.set([tableShape.timeToLive], Math.floor(now.getTime() / 1_000) + keptForInSeconds);
    update.setAll(itemMarks(key));
    const { done, item } = await table.change(key, update.build()).catch((error: unknown) => {
      throw error instanceof AmbiguousWriteError ? new NoCapacityError('a reply was lost', { cause: error }) : error;
    });
    known[copy] = item === undefined ? undefined : v.parse(bucketItem, item).given_up_to;
    if (done) return size;
  }
  return 0;
}

type BucketUpdate = Update<typeof bucketItem>;

/** Leases calls from a copy that has saved as many as it may. */
function fromFull(calls: number, time: number, rate: number): BucketUpdate {
  return new Update<typeof bucketItem>()
    .whenBelow('given_up_to', time - savingTime(rate))
    .set(['given_up_to'], givenAfter(undefined, calls, time, rate));
}

/** Leases calls from a copy that is not full. Other containers may lease calls from it simultaneously. */
function fromSaved(calls: number, time: number, rate: number): BucketUpdate {
  const needed = earningTime(calls, rate);
  return new Update<typeof bucketItem>()
    .whenAtLeast('given_up_to', time - savingTime(rate))
    .whenAtMost('given_up_to', time - needed)
    .add('given_up_to', needed);
}
