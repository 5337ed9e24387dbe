import type { Tap } from '#kernel/kit/jobs/dispatch.ts';
import type { Message } from '#kernel/kit/jobs/queues.ts';
import { readKinds, stripKey, tableShape } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { type RecordPattern, recordKey, type StreamRecord } from '#kernel/table/stream.ts';

/** Hands over deliveries that an operator asks for: replays and tests. All others are sent by the worker that makes them. */

const keysOf = { Keys: { [tableShape.sortKey]: { S: [kinds.webhookDelivery] } } };
const ended = ['SUCCEEDED', 'FAILED', 'CANCELED'];

const askedFilters: readonly RecordPattern[] = [
  {
    eventName: ['MODIFY'],
    dynamodb: { ...keysOf, OldImage: { status: { S: ended } }, NewImage: { status: { S: ['PENDING'] } } },
  },
  { eventName: ['INSERT'], dynamodb: { ...keysOf, NewImage: { is_replayed: { BOOL: [{ exists: true }] } } } },
];

function isAsked({ eventName, dynamodb: { OldImage, NewImage } = {} }: StreamRecord): boolean {
  if (eventName === 'INSERT') return NewImage?.is_replayed?.BOOL === true;
  return eventName === 'MODIFY' && NewImage?.status?.S === 'PENDING' && ended.includes(OldImage?.status?.S ?? '');
}

function findAsked(records: readonly StreamRecord[]): Message[] {
  return records
    .filter((record) => readKinds(recordKey(record)).kind === kinds.webhookDelivery && isAsked(record))
    .map((record) => {
      const group = record.dynamodb?.NewImage?.webhook_id?.S;
      return { key: stripKey(recordKey(record)), more: { tries: 0 }, ...(group === undefined ? {} : { group }) };
    });
}

/** Hands over deliveries that operators ask for. */
export const deliveriesTap: Tap = {
  filters: askedFilters,
  read: (records) => findAsked(records).map((message) => ['webhooks', message] as const),
};
