import type { DynamoDBRecord } from 'aws-lambda';
import { type Key, tableShape } from './keys.ts';

/** A record of the table's stream, as Lambda delivers it. */
export type StreamRecord = DynamoDBRecord;

/** Names the attribute that says when an item was copied from a restored table (docs/operations.md#restore). */
export const copiedAt = 'copied_back_at';

/** Returns whether the record reports a copy of an item, not a change by the service. */
export function isOfCopy({ dynamodb: { OldImage, NewImage } = {} }: StreamRecord): boolean {
  const at = NewImage?.[copiedAt]?.S;
  return at !== undefined && at !== OldImage?.[copiedAt]?.S;
}

type StreamImage = NonNullable<StreamRecord['dynamodb']>['NewImage'];

const isFenceImage = (image: StreamImage) => image?.fence !== undefined || image?.has_lapsed !== undefined;

/**
 * Returns the record without tombstones that keep a key from late inserts. A removal that leaves one is a removal, and an insert in its place
 * is an insert. `undefined` means that nothing else changed.
 */
function withoutFences(record: StreamRecord): StreamRecord | undefined {
  const { OldImage, NewImage, ...rest } = record.dynamodb ?? {};
  if (!isFenceImage(OldImage) && !isFenceImage(NewImage)) return record;
  const before = isFenceImage(OldImage) ? undefined : OldImage;
  const after = isFenceImage(NewImage) ? undefined : NewImage;
  if (!before && !after) return undefined;
  const images = { ...(before ? { OldImage: before } : {}), ...(after ? { NewImage: after } : {}) };
  return { ...record, eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT', dynamodb: { ...rest, ...images } };
}

/** Leaves such tombstones out of all records. */
export function leaveOutFences(records: readonly StreamRecord[]): StreamRecord[] {
  return records.flatMap((record) => withoutFences(record) ?? []);
}

export type FilterRule = string | { readonly prefix: string } | { readonly exists: boolean };
type Names = { readonly [name: string]: Names | readonly FilterRule[] };

/** The used part of Lambda's event filter syntax, which describes a record. */
export type RecordPattern = Names;

/** Returns the key of the item that the record is about. */
export function recordKey({ dynamodb }: StreamRecord): Key {
  const part = (name: string) => dynamodb?.Keys?.[name]?.S ?? '';
  return { pk: part(tableShape.partitionKey), sk: part(tableShape.sortKey) };
}

/** Passes records of items that replaced a tombstone. Filters see them as changes, and readers as inserts (`leaveOutFences`). */
export const replacedFences: RecordPattern = {
  eventName: ['MODIFY'],
  dynamodb: { OldImage: { fence: { S: [{ exists: true }] } } },
};

/** A filter of an event source. It passes records that match the pattern, or one in `$or`. */
export type FilterPattern = RecordPattern | { readonly $or: readonly RecordPattern[] };

/** Reads the table's stream and does the work that follows writes. DynamoDB allows two readers of a shard. */
export interface StreamReader {
  /** A record that no filter passes is not delivered. */
  readonly filters: readonly FilterPattern[];
  /** Throws if records were not handled. They are delivered again, possibly with others. */
  readonly process: (records: readonly StreamRecord[], shardId: string) => Promise<void>;
}
