import { randomBytes } from 'node:crypto';
import { BatchWriteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { newChunkJob } from '#engine/campaigns/generation/job.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { actions } from '#kernel/kit/jobs/action.ts';
import { InsertFlow } from '#kernel/kit/jobs/insert-flow.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { insertManyLimit } from '#kernel/table/command.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import type { Key } from '#kernel/table/keys.ts';
import { keyAsJson } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { serveTurns, timed } from './side.ts';

/**
 * Runs the worker that generates codes, or the floor that it is compared with: `generation.ts worker|floor <endpoint>
 * <table> <project>`.
 */

/** The number of chunks that the worker runs simultaneously. On AWS each has its own process. */
export const chunksAtOnce = 2;

/** Measurements on a busy machine also count, and their figures show it. */
const patienceInMs = 60_000;

const workerTurn = v.object({ campaignId: v.string(), actionId: v.string(), first: v.number(), end: v.number() });
const floorTurn = v.object({ items: v.number(), callsAtOnce: v.number() });

export type GenerationTurn = v.InferOutput<typeof workerTurn> | v.InferOutput<typeof floorTurn>;

export const generationReply = v.object({
  milliseconds: v.number(),
  /** The most simultaneous calls of the turn. */
  callsAtOnce: v.number(),
  /** The highest memory of the process since its start. */
  peakKilobytes: v.number(),
});

/** Returns the most simultaneous calls since it was last read. */
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
    dynamodb: createDocumentClient(client),
    tableName,
    clock: () => new Date(),
    log: () => {},
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(),
    managementGuard: 'iam' as const,
    queues: { send: async () => {} },
    flow: new InsertFlow(),
  };
  async function deliver(keys: readonly Key[]): Promise<void> {
    const messages = keys.map((key, index) => ({ messageId: String(index), body: keyAsJson(key) }));
    const { batchItemFailures } = await runMessages(messages, dependencies, createWorks());
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed`);
  }
  return async (turn: unknown) => {
    const { campaignId, actionId, first, end } = v.parse(workerTurn, turn);
    const now = dependencies.clock();
    if (first === 0) await deliver([actions(projectId, actionId)]);
    const keys = Array.from(
      { length: end - first },
      (_, offset) => newChunkJob(projectId, { id: actionId, about: campaignId }, first + offset, now).key,
    );
    await inParallel(chunksAtOnce, async () => {
      for (let key = keys.shift(); key; key = keys.shift()) await deliver([key]);
    });
  };
}

/** Puts copies of one of the worker's vouchers. Each id is as random as a voucher's. */
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
  if (!item?.pk?.S) throw new Error('the worker has not made a voucher yet');
  return { item, pk: item.pk.S };
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

if (import.meta.main) {
  const [side, endpoint = '', tableName = '', projectId = ''] = process.argv.slice(2);
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  const mostCalls = countCalls(client);
  const serve = side === 'worker' ? workerSide(client, tableName, projectId) : floorSide(client, tableName);
  serveTurns(async (turn) => ({
    milliseconds: await timed(() => serve(turn)),
    callsAtOnce: mostCalls(),
    peakKilobytes: process.resourceUsage().maxRSS,
  }));
}
