import type { DynamoDBRecord } from 'aws-lambda';
import { type Key, tableShape } from './keys.ts';

/** A record of the table's stream, as Lambda delivers it. */
export type StreamRecord = DynamoDBRecord;

export type FilterRule = string | { readonly prefix: string } | { readonly exists: boolean };
type Names = { readonly [name: string]: Names | readonly FilterRule[] };

/** What a record must look like, in Lambda's event filter syntax, as far as it is used here. */
export type RecordPattern = Names;

/** Of the item that it tells of. */
export function keyOfRecord({ dynamodb }: StreamRecord): Key {
  const part = (name: string) => dynamodb?.Keys?.[name]?.S ?? '';
  return { pk: part(tableShape.partitionKey), sk: part(tableShape.sortKey) };
}

/** One filter of an event source: a record passes that looks like the pattern, or like one of `$or`. */
export type FilterPattern = RecordPattern | { readonly $or: readonly RecordPattern[] };

/** What is done behind the writes, wherever the stream is read. DynamoDB takes two readers a shard. */
export interface StreamReader {
  /** A record that none of them lets through is not delivered. */
  readonly filters: readonly FilterPattern[];
  /** Throws where records were not taken: they are delivered again, with others or by themselves. */
  readonly process: (records: readonly StreamRecord[], shardId: string) => Promise<void>;
}
