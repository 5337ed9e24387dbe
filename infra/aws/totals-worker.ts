import type { DynamoDBStreamEvent } from 'aws-lambda';
import { countRecords } from '../../lib/background/counted.ts';
import { compose, type Dependencies } from '../../lib/http/composition.ts';
import { Table } from '../../lib/table/table.ts';

/** What Lambda sends where it groups records by time. After those of a window it sends one with none. */
type WindowedEvent = DynamoDBStreamEvent & { shardId?: string };

let composed: Dependencies | undefined;

/** What Lambda calls with records of the table's stream. A reply without a `state` counts as a failure. */
export async function handler({ Records, shardId }: WindowedEvent): Promise<{ state: object }> {
  if (shardId === undefined) throw new Error('the event names no shard: its source has no window');
  composed ??= compose(process.env);
  const { dynamodb, tableName, clock } = composed;
  await countRecords(new Table(dynamodb, tableName, clock()), shardId, Records);
  return { state: {} };
}
