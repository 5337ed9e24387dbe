import { kinds, kindsOf, tableShape } from '../table/keys.ts';
import { type FilterPattern, keyOfRecord, type StreamRecord } from '../table/stream.ts';
import { changeFilters, changesIn } from './changes.ts';
import { type JobKind, queueOfKind } from './job.ts';
import { type Message, type QueueName, type Queues, queueNames } from './queues.ts';

const { sortKey } = tableShape;

const Keys = (kind: string) => ({ [sortKey]: { S: [kind] } });

/** Which records are handed over: new jobs, those that are resumed, and what may make a customer enter a segment. */
export const recordFilters: readonly FilterPattern[] = [
  { eventName: ['INSERT'], dynamodb: { Keys: Keys(kinds.job) } },
  {
    eventName: ['MODIFY'],
    dynamodb: { Keys: Keys(kinds.job), OldImage: { state: { S: ['FAILED'] } }, NewImage: { state: { S: ['OPEN'] } } },
  },
  ...changeFilters,
];

function isJobKind(kind: string | undefined): kind is JobKind {
  return kind !== undefined && Object.hasOwn(queueOfKind, kind);
}

function queueOf(record: StreamRecord): QueueName | undefined {
  const kind = record.dynamodb?.NewImage?.kind?.S;
  const isJob = kindsOf(keyOfRecord(record)).kind === kinds.job;
  return isJob && isJobKind(kind) ? queueOfKind[kind] : undefined;
}

/** Sends the records' work to its queues, and does none of it. Throws where a queue did not take it. */
export async function dispatch(records: readonly StreamRecord[], queues: Queues): Promise<void> {
  const messages = new Map<QueueName, Message[]>(queueNames.map((name) => [name, []]));
  for (const record of records) {
    const queue = queueOf(record);
    if (queue === undefined) continue;
    messages.get(queue)?.push({ key: keyOfRecord(record) });
  }
  messages.get('segments')?.push(...changesIn(records));
  for (const [queue, some] of messages) if (some.length > 0) await queues.send(queue, some);
}
