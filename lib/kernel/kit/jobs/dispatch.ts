import { readKinds, tableShape } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  type FilterPattern,
  leaveOutFences,
  type RecordPattern,
  recordKey,
  type StreamRecord,
} from '#kernel/table/stream.ts';
import { changeFilters, findChanges } from './changes.ts';
import { isJobKind, queueOfKind } from './job.ts';
import type { Message, QueueName, Queues } from './queues.ts';

const { sortKey } = tableShape;

const Keys = (kind: string) => ({ [sortKey]: { S: [kind] } });

/**
 * A purpose for which the stream is read. DynamoDB allows two readers of a stream, and one counts lists. All other purposes share the
 * second reader. A new purpose is a tap in `lib/registry.ts` with its own queue, and needs no reader.
 */
export interface Tap {
  /** Select the records to deliver. A record that no tap selects is not delivered. */
  readonly filters: readonly RecordPattern[];
  /** Returns the messages for each queue. Records may come twice, and records of other taps come too. */
  readonly read: (records: readonly StreamRecord[]) => readonly (readonly [QueueName, Message])[];
}

/** Hands over new jobs and resumed jobs. */
export const jobsTap: Tap = {
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
      return queue === undefined ? [] : [[queue, { key: recordKey(record) }] as const];
    }),
};

/** Hands over changes that may make a customer enter a segment. */
export const segmentsTap: Tap = {
  filters: changeFilters,
  read: (records) => findChanges(records).map((message) => ['segments', message] as const),
};

/** Returns the filters of the reader. Lambda takes five per event source, so all taps share one. */
export const combineFilters = (all: readonly Pick<Tap, 'filters'>[]): readonly FilterPattern[] => [
  { $or: all.flatMap((tap) => tap.filters) },
];

function queueOf(record: StreamRecord): QueueName | undefined {
  const kind = record.dynamodb?.NewImage?.kind?.S;
  const isJob = readKinds(recordKey(record)).kind === kinds.job;
  return isJob && kind !== undefined && isJobKind(kind) ? queueOfKind[kind] : undefined;
}

/** Sends the records' work to its queues. Throws if a queue did not accept it. */
export async function dispatch(records: readonly StreamRecord[], queues: Queues, taps: readonly Tap[]): Promise<void> {
  const seen = leaveOutFences(records);
  const sent = Map.groupBy(
    taps.flatMap((tap) => tap.read(seen)),
    ([queue]) => queue,
  );
  for (const [queue, pairs] of sent) {
    await queues.send(
      queue,
      pairs.map(([, message]) => message),
    );
  }
}
