import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { campaignItem, campaigns } from '#engine/campaigns/campaign.ts';
import { createCampaignBody } from '#engine/campaigns/create-body.ts';
import { createCampaign } from '#engine/campaigns/create-campaign.ts';
import { chunkSize } from '#engine/campaigns/generation/job.ts';
import { newTiers } from '#engine/campaigns/promotions/new-tiers.ts';
import { makeOnlyVoucher } from '#engine/vouchers/only-voucher.ts';
import { projectsById, toProject } from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { listActions } from '#kernel/kit/async-actions/read-actions.ts';
import { insertManyLimit } from '#kernel/table/command.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Table } from '#kernel/table/table.ts';
import { createTable } from '../../../infra/local/create-table.ts';
import type { Engine } from '../../../infra/local/engine.ts';
import type { EngineKind } from '../../../infra/local/engine-program.ts';
import { type Benchmark, type Measurement, patience, sizeOf } from '../benchmark.ts';
import { chunksAtOnce, type GenerationTurn, generationReply } from '../sides/generation.ts';
import { startSide } from '../sides/side.ts';
import { onEachEngine } from '../tables.ts';

/**
 * The worker's codes a second must reach this share of a bare loop of unconditional batch writes. DynamoDB Local is only measured: its
 * PartiQL inserts alone, without our code, reach 0.25 to 0.45 of its batch writes. On AWS an insert and a put of one item cost the same
 * write unit.
 */
const minRatio: Record<EngineKind, number> = { dynoxide: 0.6, 'dynamodb-local': 0 };
/** The campaigns' sizes. `BENCH_CODES=10000,100000` measures others. */
const sizes = (process.env.BENCH_CODES ?? sizeOf({ trial: '1000', usual: '10000', long: '10000,100000,300000' }))
  .split(',')
  .map(Number);
/** Worker and floor alternate after this many codes, so that other work of the machine slows both alike. */
const chunksPerTurn = 10 * chunksAtOnce;
/** Small campaigns are measured repeatedly until this many codes are made. */
const minCodes = sizeOf({ trial: 1_000, usual: 10_000, long: 30_000 });
/** These codes are not measured. They warm up engine, worker and floor equally for all sizes. */
const warmUpCodes = sizeOf({ trial: 1_000, usual: 2_000, long: 20_000 });

const projectId = 'proj_bench';
const sidesFile = join(import.meta.dirname, '..', 'sides', 'generation.ts');

async function newProject(client: DynamoDBClient, tableName: string) {
  const now = new Date();
  const table = new Table(createDocumentClient(client), tableName, now);
  const item = {
    id: projectId,
    name: 'Benchmark',
    features: {},
    secret: newSecret(),
    created_at: now.toISOString(),
  };
  await table.insert(projectsById(projectId), item);
  return { table, project: toProject(item), now };
}

async function measureSize(kind: EngineKind, engine: Engine, codes: number): Promise<Measurement> {
  const client = createDynamodbClient(engine.endpoint, patience);
  const tableName = `tessera-bench-${codes}`;
  await createTable(client, tableName);
  const context = await newProject(client, tableName);
  const start = (side: 'worker' | 'floor') =>
    startSide<GenerationTurn, typeof generationReply>(
      sidesFile,
      [side, engine.endpoint, tableName, projectId],
      generationReply,
    );
  const [worker, floor] = [start('worker'), start('floor')];
  const total = { codes: 0, worker: 0, floor: 0, calls: 0, peakKilobytes: 0 };

  async function generate(count: number): Promise<void> {
    const { id } = await createCampaign(
      { ...context, requestId: 'bench' },
      v.parse(createCampaignBody, { vouchers_count: count }),
      { tiers: newTiers, voucher: makeOnlyVoucher },
    );
    const [action] = (await listActions({ ...context, now: new Date() }, { limit: 1 })).async_actions;
    const actionId = action?.id ?? '';
    const chunks = Math.ceil(count / chunkSize);
    for (let first = 0; first < chunks; first += chunksPerTurn) {
      const end = Math.min(chunks, first + chunksPerTurn);
      const items = Math.min(count, end * chunkSize) - first * chunkSize;
      const made = await worker.take({ campaignId: id, actionId, first, end });
      const put = await floor.take({ items, callsAtOnce: made.callsAtOnce });
      total.codes += items;
      total.worker += made.milliseconds;
      total.floor += put.milliseconds;
      total.calls = Math.max(total.calls, put.callsAtOnce);
      total.peakKilobytes = made.peakKilobytes;
    }
    const stored = await context.table.get(campaigns(projectId, id), campaignItem);
    if (stored?.creation_status !== 'DONE' || stored.vouchers_count !== count)
      throw new Error('some codes are missing');
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
  measure: async (_, tell) => {
    const rows: Measurement[] = [];
    for (const codes of sizes) {
      // Each size has a new engine, so that sizes do not influence each other.
      const found = await onEachEngine(async (kind, engine) => [await measureSize(kind, engine, codes)]);
      for (const row of found) tell(row);
      rows.push(...found);
    }
    return rows;
  },
};
