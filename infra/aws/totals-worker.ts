import type { DynamoDBStreamEvent } from 'aws-lambda';
import { countRecords } from '#addons/upkeep/count-records.ts';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { logFaults, readChanges } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';

/** Describes the event that Lambda sends if it groups records by time. A window ends with an event without records. */
type WindowedEvent = DynamoDBStreamEvent & { shardId?: string };

let composed: Dependencies | undefined;

/** Lambda calls this handler with records of the table's stream. A reply without a `state` counts as a failure. */
export async function handler({ Records, shardId }: WindowedEvent): Promise<{ state: object }> {
  if (shardId === undefined) throw new Error('the event names no shard: its source has no window');
  composed ??= compose(process.env);
  const { dynamodb, tableName, clock } = composed;
  const changes = readChanges(Records, logFaults('totals', composed));
  await countRecords(new Table(dynamodb, tableName, clock()), shardId, changes);
  return { state: {} };
}
