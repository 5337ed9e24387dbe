import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { countRecords } from '../../lib/background/count-records.ts';
import { createFactDelivery } from '../../lib/background/facts/deliver-facts.ts';
import { composeFactStream } from '../../lib/background/facts/fact-stream.ts';
import { findFacts } from '../../lib/background/facts/find-facts.ts';
import { createFactBucket } from '../../lib/background/facts/pack/fact-bucket.ts';
import { readEnvironment } from '../../lib/core/environment.ts';
import { createS3Client } from '../../lib/core/files/bucket.ts';
import { compose } from '../../lib/http/composition.ts';
import { Table } from '../../lib/table/table.ts';

type WindowedEvent = DynamoDBStreamEvent & { shardId?: string };

const environment = v.object({
  FACTS_BUCKET: v.string(),
  /** The address of a local S3. */
  FILES_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

let composed: ReturnType<typeof composeWorker> | undefined;

function composeWorker(env: NodeJS.ProcessEnv) {
  const own = compose(env);
  const { FACTS_BUCKET, FILES_ENDPOINT } = readEnvironment(environment, env);
  const note = (fault: object) =>
    own.log(JSON.stringify({ level: 'error', time: own.clock().toISOString(), part: 'facts', ...fault }));
  const deliver = createFactDelivery({
    stream: composeFactStream(env),
    bucket: createFactBucket(createS3Client(FILES_ENDPOINT), FACTS_BUCKET),
    clock: own.clock,
    note: (error) => note({ from: 'firehose', error }),
  });
  return { own, note, deliver };
}

/**
 * Lambda calls this handler instead of the totals worker's in a deployment with reports, because a shard allows two
 * readers. A part that fails stops none of the other. Both may be repeated, so the batch is then delivered again as a whole.
 */
export async function handler({ Records, shardId }: WindowedEvent): Promise<{ state: object }> {
  if (shardId === undefined) throw new Error('the event names no shard: its source has no window');
  composed ??= composeWorker(process.env);
  const { own, note, deliver } = composed;
  const ends = [Records.at(0), Records.at(-1)].map((record) => record?.dynamodb?.SequenceNumber ?? '0');
  const parts = await Promise.allSettled([
    countRecords(new Table(own.dynamodb, own.tableName, own.clock()), shardId, Records),
    deliver([shardId, ...ends].join('-'), findFacts(Records, note)),
  ]);
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
  return { state: {} };
}
