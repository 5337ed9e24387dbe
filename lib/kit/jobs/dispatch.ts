import { kinds, kindsOf, tableShape } from '../../table/keys.ts';
import { type FilterPattern, keyOfRecord, type RecordPattern, type StreamRecord } from '../../table/stream.ts';
import { changeFilters, changesIn } from './changes.ts';
import { type JobKind, queueOfKind } from './job.ts';
import type { Message, QueueName, Queues } from './queues.ts';

const { sortKey } = tableShape;

const Keys = (kind: string) => ({ [sortKey]: { S: [kind] } });

/**
 * One purpose for which the stream is read. DynamoDB lets two functions read a stream without harm, and one counts lists. All others share
 * the one that hands over: a new purpose is an entry of `taps` with a queue of its own, and needs no reader.
 */
export interface Tap {
  /** Records that none of the taps lets through are not delivered. */
  readonly filters: readonly RecordPattern[];
  /** Returns what each queue gets of these records. A record may come twice, and records of other taps come too. */
  readonly read: (records: readonly StreamRecord[]) => readonly (readonly [QueueName, Message])[];
}

/** Hands over new jobs and jobs that are resumed. */
const jobs: Tap = {
  filters: [
    { eventName: ['INSERT'], dynamodb: { Keys: Keys(kinds.job) } },
    {
      eventName: ['MODIFY'],
      dynamodb: { Keys: Keys(kinds.job), OldImage: { state: { S: ['FAILED'] } }, NewImage: { state: { S: ['OPEN'] } } },
    },
  ],
  read: (records) =>
    records.flatMap((record) => {
      const queue = queueOf(record);
      return queue === undefined ? [] : [[queue, { key: keyOfRecord(record) }] as const];
    }),
};

/** Hands over changes that may make a customer enter a segment. */
const segments: Tap = {
  filters: changeFilters,
  read: (records) => changesIn(records).map((message) => ['segments', message] as const),
};

const taps: readonly Tap[] = [jobs, segments];

/** Returns the filters of the one reader: Lambda takes five an event source, so all taps share one. */
export const filtersOf = (all: readonly Tap[]): readonly FilterPattern[] => [
  { $or: all.flatMap((tap) => tap.filters) },
];

export const recordFilters: readonly FilterPattern[] = filtersOf(taps);

function isJobKind(kind: string | undefined): kind is JobKind {
  return kind !== undefined && Object.hasOwn(queueOfKind, kind);
}

function queueOf(record: StreamRecord): QueueName | undefined {
  const kind = record.dynamodb?.NewImage?.kind?.S;
  const isJob = kindsOf(keyOfRecord(record)).kind === kinds.job;
  return isJob && isJobKind(kind) ? queueOfKind[kind] : undefined;
}

/** Sends the records' work to its queues, and does none of it. Throws where a queue did not take it. */
export async function dispatch(
  records: readonly StreamRecord[],
  queues: Queues,
  all: readonly Tap[] = taps,
): Promise<void> {
  const sent = Map.groupBy(
    all.flatMap((tap) => tap.read(records)),
    ([queue]) => queue,
  );
  for (const [queue, pairs] of sent) {
    await queues.send(
      queue,
      pairs.map(([, message]) => message),
    );
  }
}
