import type { DynamoDBStreamEvent } from 'aws-lambda';
import { countRecords } from '../../lib/background/count-records.ts';
import { composeFactStream, type FactStream } from '../../lib/background/facts/fact-stream.ts';
import { findFacts, type NoteFault } from '../../lib/background/facts/find-facts.ts';
import { compose, type Dependencies } from '../../lib/http/composition.ts';
import { Table } from '../../lib/table/table.ts';

type WindowedEvent = DynamoDBStreamEvent & { shardId?: string };

let composed: { own: Dependencies; facts: FactStream } | undefined;

/**
 * Lambda calls this handler instead of the totals worker's in a deployment with reports, because a shard allows two
 * readers. Both parts may be repeated. So a failure delivers the batch again as a whole.
 */
export async function handler({ Records, shardId }: WindowedEvent): Promise<{ state: object }> {
  if (shardId === undefined) throw new Error('the event names no shard: its source has no window');
  composed ??= { own: compose(process.env), facts: composeFactStream(process.env) };
  const { own, facts } = composed;
  const { dynamodb, tableName, clock, log } = own;
  const note: NoteFault = (fault) =>
    log(JSON.stringify({ level: 'error', time: clock().toISOString(), part: 'facts', ...fault }));
  await countRecords(new Table(dynamodb, tableName, clock()), shardId, Records);
  await facts.send(findFacts(Records, note));
  return { state: {} };
}
