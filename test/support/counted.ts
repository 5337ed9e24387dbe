import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { countRecords } from '../../lib/counted.ts';
import type { Attributes } from '../../lib/table/item.ts';
import type { StreamRecord } from '../../lib/table/stream.ts';
import type { Table } from '../../lib/table/table.ts';

/** The record that the stream has of a write, at its place in a shard. */
export function changeRecord(
  sequence: number,
  { before, after }: { before?: Attributes; after?: Attributes },
): StreamRecord {
  const imageOf = (item: Attributes | undefined) =>
    item && (marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue>);
  return {
    dynamodb: { SequenceNumber: String(sequence), OldImage: imageOf(before), NewImage: imageOf(after) },
  };
}

/** Counts new items in their lists, as the stream does behind the writes. */
export function countAsTheStreamDoes(table: Table, items: Iterable<Attributes>): Promise<void> {
  const records = Array.from(items, (after, index) => changeRecord(index + 1, { after }));
  return countRecords(table, 'shard', records);
}
