import type { AttributeValue } from 'aws-lambda';
import { segmentsConsumer } from '#kernel/kit/jobs/changes.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { consume, type ItemChange, readChanges, type StreamRecord } from '#kernel/table/stream.ts';
import { testTime } from './dependencies.ts';
import released from './released-items.json' with { type: 'json' };

export type Image = Record<string, AttributeValue>;

/** The fullest item of each kind that the release stored. */
export const releasedImages = Object.values(released.items) as unknown as Image[];

/** Reads records as the workers of the stream do. A malformed item fails the test. */
export function changesOf(records: readonly StreamRecord[]): ItemChange[] {
  return readChanges(records, ({ kind, error }) => {
    throw new Error(`${kind}: ${JSON.stringify(error)}`);
  });
}

/** Makes the records of an item's life: it is made, changed twice and removed. */
export function lifeOf(item: Image): StreamRecord[] {
  const { pk = { S: '' }, sk = { S: '' } } = item;
  const common = { Keys: { pk, sk }, SequenceNumber: '7', ApproximateCreationDateTime: testTime.getTime() / 1_000 };
  return [
    { eventName: 'INSERT', dynamodb: { ...common, NewImage: item } },
    { eventName: 'MODIFY', dynamodb: { ...common, OldImage: { pk, sk }, NewImage: item } },
    { eventName: 'MODIFY', dynamodb: { ...common, OldImage: item, NewImage: { pk, sk } } },
    { eventName: 'REMOVE', dynamodb: { ...common, OldImage: item } },
  ];
}

/** Returns the messages that records send to the queue of segments, each once. */
export function segmentMessages(records: readonly StreamRecord[]): { key: Key }[] {
  const keys = consume(segmentsConsumer, changesOf(records));
  return [...new Map(keys.map((key) => [keyText(key), { key }])).values()];
}
