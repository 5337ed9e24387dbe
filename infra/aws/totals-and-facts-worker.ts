import type { DynamoDBStreamEvent } from 'aws-lambda';
import { composeFactStream } from '#addons/reports/facts/compose-stream.ts';
import type { FactStream } from '#addons/reports/facts/fact-stream.ts';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { countRecords } from '#addons/upkeep/count-records.ts';
import { allOf } from '#kernel/core/all-of.ts';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { logFaults, readChanges } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';

type WindowedEvent = DynamoDBStreamEvent & { shardId?: string };

let composed: { own: Dependencies; facts: FactStream } | undefined;

function composeReader(env: NodeJS.ProcessEnv) {
  const own = compose(env);
  return { own, facts: composeFactStream(env, own) };
}

/**
 * Lambda calls this handler instead of the totals worker's in a deployment with reports, because a shard allows two
 * readers. Neither part waits for the other. Facts find another way if Firehose fails, so totals go on. Both parts may be
 * repeated, and a failure delivers the batch again as a whole.
 */
export async function handler({ Records, shardId }: WindowedEvent): Promise<{ state: object }> {
  if (shardId === undefined) throw new Error('the event names no shard: its source has no window');
  composed ??= composeReader(process.env);
  const { own, facts } = composed;
  const { dynamodb, tableName, clock } = own;
  const changes = readChanges(Records, logFaults('totals', own));
  await allOf([
    countRecords(new Table(dynamodb, tableName, clock()), shardId, changes),
    facts.send(findFacts(changes, logFaults('facts', own))),
  ]);
  return { state: {} };
}
