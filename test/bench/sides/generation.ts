import { randomBytes } from 'node:crypto';
import { BatchWriteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import * as v from 'valibot';
import { generationChunk, generationJob } from '../../../lib/campaigns/generation/job.ts';
import { dynamodbClient } from '../../../lib/composition.ts';
import { type Attributes, documentClient, insertManyLimit } from '../../../lib/dynamodb.ts';
import { CredentialCache } from '../../../lib/http/credential-cache.ts';
import { RateLimiter } from '../../../lib/http/rate-limit.ts';
import { processRecords, type StreamRecord } from '../../../lib/outbox/worker.ts';
import type { Key } from '../../../lib/table.ts';
import { serveTurns, timed } from './side.ts';

/** The worker that generates codes, or the floor beside it: `generation.ts worker|floor <endpoint> <table> <project>`. */

/** As the stream's event source gives them to the worker. */
export const recordsPerBatch = 10;
/** Batches with the worker at once; on AWS each has a process of its own. */
export const batchesAtOnce = 2;

/** A busy machine is measured too: its figures show it. */
const patienceInMs = 60_000;

const workerTurn = v.object({ campaignId: v.string(), first: v.number(), end: v.number() });
const floorTurn = v.object({ items: v.number(), callsAtOnce: v.number() });

export type GenerationTurn = v.InferOutput<typeof workerTurn> | v.InferOutput<typeof floorTurn>;

export const generationReply = v.object({
  milliseconds: v.number(),
  /** The most calls of the turn that were under way at once. */
  callsAtOnce: v.number(),
  /** The most memory that the process had since it began. */
  peakKilobytes: v.number(),
});

/** Tells the most calls that were under way at once since it was last asked. */
function countCalls(client: DynamoDBClient): () => number {
  let underWay = 0;
  let most = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        return await next(args);
      } finally {
        underWay -= 1;
      }
    },
    { step: 'initialize' },
  );
  return () => {
    const told = most;
    most = underWay;
    return told;
  };
}

function workerSide(client: DynamoDBClient, tableName: string, projectId: string) {
  const dependencies = {
    dynamodb: documentClient(client),
    tableName,
    clock: () => new Date(),
    log: () => {},
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(),
    managementGuard: 'iam' as const,
  };
  async function deliver(records: readonly StreamRecord[]): Promise<void> {
    const { batchItemFailures } = await processRecords(records, dependencies);
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} records failed`);
  }
  return async (turn: unknown) => {
    const { campaignId, first, end } = v.parse(workerTurn, turn);
    if (first === 0) await deliver([jobRecord(projectId, campaignId)]);
    const records = Array.from({ length: end - first }, (_, offset) => {
      const { key, item } = generationChunk(projectId, campaignId, first + offset);
      return recordOf(key, item);
    });
    await inParallel(batchesAtOnce, async () => {
      for (let batch = records.splice(0, recordsPerBatch); batch.length > 0; batch = records.splice(0, recordsPerBatch))
        await deliver(batch);
    });
  };
}

function jobRecord(projectId: string, campaignId: string): StreamRecord {
  const job = generationJob(projectId, campaignId);
  return recordOf(job.key, 'insert' in job ? job.insert : {});
}

/** The record that Lambda delivers of a new item of texts and numbers. */
function recordOf({ pk, sk }: Key, item: Attributes): StreamRecord {
  const Keys: Record<string, AttributeValue> = { pk: { S: pk }, sk: { S: sk } };
  const image = Object.entries(item).map(([name, value]): [string, AttributeValue] => [
    name,
    typeof value === 'number' ? { N: String(value) } : { S: String(value) },
  ]);
  return {
    eventName: 'INSERT',
    dynamodb: { Keys, NewImage: { ...Keys, ...Object.fromEntries(image) }, SequenceNumber: `${pk} ${sk}` },
  };
}

/** Puts copies of one of the worker's vouchers, each under an id as random as a voucher's. */
function floorSide(client: DynamoDBClient, tableName: string) {
  let voucher: Awaited<ReturnType<typeof anyVoucher>> | undefined;
  return async (turn: unknown) => {
    const { items, callsAtOnce } = v.parse(floorTurn, turn);
    voucher ??= await anyVoucher(client, tableName);
    const { item, pk } = voucher;
    let left = items;
    await inParallel(callsAtOnce, async () => {
      while (left > 0) {
        const some = Math.min(left, insertManyLimit);
        left -= some;
        const puts = Array.from({ length: some }, () => {
          const id = randomBytes(16).toString('base64url');
          return { PutRequest: { Item: { ...item, pk: { S: pk.slice(0, -id.length) + id } } } };
        });
        const { UnprocessedItems } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [tableName]: puts } }),
        );
        if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('the engine left items unprocessed');
      }
    });
  };
}

async function anyVoucher(client: DynamoDBClient, tableName: string) {
  const { Items } = await client.send(
    new ScanCommand({
      TableName: tableName,
      FilterExpression: 'sk = :voucher',
      ExpressionAttributeValues: { ':voucher': { S: 'VOUCHER' } },
      Limit: 1_000,
    }),
  );
  const [item] = Items ?? [];
  if (!item?.pk?.S) throw new Error('the worker has made no voucher yet');
  return { item, pk: item.pk.S };
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

if (import.meta.main) {
  const [side, endpoint = '', tableName = '', projectId = ''] = process.argv.slice(2);
  const client = dynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  const mostCalls = countCalls(client);
  const serve = side === 'worker' ? workerSide(client, tableName, projectId) : floorSide(client, tableName);
  serveTurns(async (turn) => ({
    milliseconds: await timed(() => serve(turn)),
    callsAtOnce: mostCalls(),
    peakKilobytes: process.resourceUsage().maxRSS,
  }));
}
