import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { BatchWriteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import * as v from 'valibot';
import { createTable } from '../../../infra/local/create-table.ts';
import { type Engine, startEngine } from '../../../infra/local/engine.ts';
import { EngineError, type EngineKind } from '../../../infra/local/engine-program.ts';
import { campaignItem } from '../../../lib/campaigns/campaign.ts';
import { createCampaignBody } from '../../../lib/campaigns/campaign-body.ts';
import { createCampaign } from '../../../lib/campaigns/create-campaign.ts';
import { chunkSize, generationChunk, generationJob } from '../../../lib/campaigns/generation/job.ts';
import { dynamodbClient } from '../../../lib/composition.ts';
import { type Attributes, documentClient, insertManyLimit, Table } from '../../../lib/dynamodb.ts';
import { CredentialCache } from '../../../lib/http/credential-cache.ts';
import { RateLimiter } from '../../../lib/http/rate-limit.ts';
import { processRecords, type StreamRecord } from '../../../lib/outbox/worker.ts';
import { newProjectSecret, toProject } from '../../../lib/projects/project.ts';
import { type Key, keys } from '../../../lib/table.ts';
import type { Benchmark, Measurement } from '../benchmark.ts';

/**
 * Of the codes that the worker makes in a second to what a bare loop of unconditional batch writes stores in one. DynamoDB
 * Local is measured and not judged: its PartiQL inserts alone, with none of our code, reach 0.25 to 0.45 of its batch
 * writes (on AWS an insert and a put of one item cost the same write unit).
 */
const minRatio: Record<EngineKind, number> = { dynoxide: 0.6, 'dynamodb-local': 0 };
/** Campaigns' sizes; `BENCH_CODES=10000,100000` measures others. */
const sizes = (process.env.BENCH_CODES ?? '10000,100000,300000').split(',').map(Number);
/** Both engines, unless the environment names one. */
const allEngines: readonly EngineKind[] = ['dynamodb-local', 'dynoxide'];
const engines = allEngines.filter((kind) => (process.env.DYNAMODB_ENGINE || kind) === kind);

/** As the stream's event source gives them to the worker. */
const recordsPerBatch = 10;
/** Batches with the worker at once; on AWS each has a process of its own. */
const batchesAtOnce = 2;
/** Worker and floor take turns after as many codes, so that whatever else the machine does falls on both. */
const chunksPerTurn = recordsPerBatch * batchesAtOnce;
/** Small campaigns are measured more than once, until as many codes are made. */
const minCodes = 30_000;
/** Not measured: engine, worker and floor are as warm for the smallest campaign as for the largest. */
const warmUpCodes = 20_000;

const projectId = 'proj_bench';

const workerTurn = v.object({ campaignId: v.string(), first: v.number(), end: v.number() });
const floorTurn = v.object({ items: v.number(), callsAtOnce: v.number() });
const turnReply = v.object({
  milliseconds: v.number(),
  /** The most calls of the turn that were under way at once. */
  callsAtOnce: v.number(),
  /** The most memory that the process had since it began. */
  peakKilobytes: v.number(),
});

type WorkerTurn = v.InferOutput<typeof workerTurn>;
type FloorTurn = v.InferOutput<typeof floorTurn>;
type TurnReply = v.InferOutput<typeof turnReply>;

/** A process of its own for each side: its memory is its own, and neither warms the other's code. */
function startSide(side: 'worker' | 'floor', endpoint: string, tableName: string) {
  const child: ChildProcess = fork(import.meta.filename, [side, endpoint, tableName]);
  const gone = once(child, 'exit').then(() => {
    throw new Error(`the ${side}'s process has ended`);
  });
  gone.catch(() => {});
  return {
    take: async (turn: WorkerTurn | FloorTurn): Promise<TurnReply> => {
      child.send(turn);
      const [reply] = await Promise.race([once(child, 'message'), gone]);
      return v.parse(turnReply, reply);
    },
    stop: async () => {
      child.disconnect();
      await gone.catch(() => {});
    },
  };
}

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

/** What runs in a side's process. */
function serveTurns(side: string | undefined, endpoint: string, tableName: string): void {
  const client = dynamodbClient(endpoint);
  const mostCalls = countCalls(client);
  const serve = side === 'worker' ? workerSide(client, tableName) : floorSide(client, tableName);
  process.on('message', async (turn) => {
    const startedAt = performance.now();
    await serve(turn);
    process.send?.({
      milliseconds: performance.now() - startedAt,
      callsAtOnce: mostCalls(),
      peakKilobytes: process.resourceUsage().maxRSS,
    });
  });
}

function workerSide(client: DynamoDBClient, tableName: string) {
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
    if (first === 0) await deliver([jobRecord(campaignId)]);
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

function jobRecord(campaignId: string): StreamRecord {
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

async function newProject(client: DynamoDBClient, tableName: string) {
  const now = new Date();
  const table = new Table(documentClient(client), tableName, now);
  const item = {
    id: projectId,
    name: 'Benchmark',
    features: {},
    secret: newProjectSecret(),
    created_at: now.toISOString(),
  };
  await table.insert(keys.project(projectId), item);
  return { table, project: toProject(item), now };
}

async function measureSize(kind: EngineKind, engine: Engine, codes: number): Promise<Measurement> {
  const client = dynamodbClient(engine.endpoint);
  const tableName = `tessera-bench-${codes}`;
  await createTable(client, tableName);
  const context = await newProject(client, tableName);
  const worker = startSide('worker', engine.endpoint, tableName);
  const floor = startSide('floor', engine.endpoint, tableName);
  const total = { codes: 0, worker: 0, floor: 0, calls: 0, peakKilobytes: 0 };

  async function generate(count: number): Promise<void> {
    const { id } = await createCampaign(context, v.parse(createCampaignBody, { vouchers_count: count }));
    const chunks = Math.ceil(count / chunkSize);
    for (let first = 0; first < chunks; first += chunksPerTurn) {
      const end = Math.min(chunks, first + chunksPerTurn);
      const items = Math.min(count, end * chunkSize) - first * chunkSize;
      const made = await worker.take({ campaignId: id, first, end });
      const put = await floor.take({ items, callsAtOnce: made.callsAtOnce });
      total.codes += items;
      total.worker += made.milliseconds;
      total.floor += put.milliseconds;
      total.calls = Math.max(total.calls, put.callsAtOnce);
      total.peakKilobytes = made.peakKilobytes;
    }
    const stored = await context.table.get(keys.campaign(projectId, id), campaignItem);
    if (stored?.creation_status !== 'DONE' || stored.vouchers_count !== count)
      throw new Error('not all codes are there');
  }

  try {
    await generate(warmUpCodes);
    Object.assign(total, { codes: 0, worker: 0, floor: 0, calls: 0 });
    while (total.codes < Math.max(codes, minCodes)) await generate(codes);
  } finally {
    await Promise.all([worker.stop(), floor.stop()]);
    client.destroy();
  }
  const ratio = total.floor / total.worker;
  return {
    name: `${engine.name}, ${codes} codes`,
    values: {
      'codes/s': ((total.codes / total.worker) * 1000).toFixed(0),
      'floor items/s': ((total.codes / total.floor) * 1000).toFixed(0),
      ratio: ratio.toFixed(2),
      'calls at once': String(total.calls),
      'worker peak MB': (total.peakKilobytes / 1024).toFixed(0),
    },
    broken: ratio < minRatio[kind] ? [`ratio below ${minRatio[kind]}`] : [],
  };
}

export const benchmark: Benchmark = {
  title: `Generation: codes a second beside a bare loop of unconditional batch writes (${insertManyLimit} items a call, in turns of ${chunksPerTurn * chunkSize})`,
  measure: async () => {
    const rows: Measurement[] = [];
    for (const kind of engines) {
      for (const codes of sizes) {
        // A new engine each time, so that sizes don't influence each other.
        try {
          const env = { ...process.env, DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: kind };
          const engine = await startEngine({ prefer: kind, env });
          try {
            rows.push(await measureSize(kind, engine, codes));
          } finally {
            await engine.stop();
          }
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          rows.push({ name: kind, values: { 'codes/s': error.message }, broken: [] });
        }
      }
    }
    return rows;
  },
};

if (import.meta.main) {
  const [side, endpoint = '', tableName = ''] = process.argv.slice(2);
  serveTurns(side, endpoint, tableName);
}
