import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { placeVoucher, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { deleteCampaign } from '#engine/publishing/campaign-deletion/delete-campaign.ts';
import { voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { actions } from '#kernel/kit/jobs/action.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { parseStored } from '#kernel/table/item.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { campaignEntry } from '../../support/lists.ts';
import { type Benchmark, isTrial, type Measurement, sizeOf } from '../benchmark.ts';
import { exportTable, importTables, putIntoExport } from '../export-items.ts';
import { runAndKill } from '../killed-job.ts';
import { timeOf } from '../seed-lists.ts';
import { loadedTable, onEngine } from '../tables.ts';

/** Numbers of codes of the deleted campaign. `BENCH_DELETED=100000` measures others. */
const sizes = (process.env.BENCH_DELETED ?? sizeOf({ trial: '300', usual: '10000' })).split(',').map(Number);
/** Another campaign has this many codes, which must not change. */
const others = sizeOf({ trial: 100, usual: 1_000 });

/** A call of a scan may have to wait for other work. */
const patienceInMs = 60_000;

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
const campaign = (id: string) =>
  campaignEntry(id, `Name of ${id}`, 'DISCOUNT_COUPONS', { join_once: false, voucher: coupon });
const file = {
  project: { id: 'proj_deleted', name: 'Deletions' },
  campaigns: [campaign('camp_gone'), campaign('camp_kept')],
  vouchers: ['gone', 'kept'].map((name) => ({ code: name, campaign_id: `camp_${name}`, active: true, ...coupon })),
};

/** Copies the one code that each campaign has. */
async function* copies(table: Table, project: Project, name: string, count: number) {
  const [template = {}] = await table.getMany([vouchers(project.id, voucherId(project, name))]);
  const like = parseStored(voucherItem, template);
  for (let index = 1; index < count; index++) {
    const code = `${name}-${index}`;
    const own = { id: voucherId(project, code), code, created_at: timeOf(index) };
    const places = placeVoucher(project.id, { ...like, ...own });
    yield { ...template, ...own, ...places, ...stripKey(vouchers(project.id, own.id)) };
  }
}

const tableOf = (size: number) => `tessera-bench-deleted-${size}`;

async function fill(endpoint: string, { workDir, dataDir }: { workDir: string; dataDir: string }): Promise<Project[]> {
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  const exportDir = join(workDir, 'export');
  const projects: Project[] = [];
  try {
    for (const size of sizes) {
      const exported = { client, tableName: tableOf(size), exportDir };
      const project = await loadedTable(client, exported.tableName, file, workDir, { withStream: false });
      const table = new Table(createDocumentClient(client), exported.tableName, new Date());
      const put = putIntoExport(exported);
      await put(copies(table, project, 'gone', size), { counted: true });
      await put(copies(table, project, 'kept', others), { counted: true });
      await exportTable(exported);
      projects.push(project);
    }
    await importTables(client, { exportDir, tableNames: sizes.map(tableOf), dataDir });
    await rm(exportDir, { recursive: true });
    return projects;
  } finally {
    client.destroy();
  }
}

/** Sorts keys for `JSON.stringify`: an engine may return attributes in another order each time. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the text of the items that mention each campaign. Jobs are left out, because they expire alone. */
async function saying(table: { client: ReturnType<typeof createDocumentClient>; tableName: string }) {
  const found = { gone: [] as string[], kept: [] as string[] };
  for await (const { Items = [] } of paginateScan({ client: table.client }, { TableName: table.tableName })) {
    for (const item of Items) {
      const text = JSON.stringify(item, inOrder);
      if (/#(?:JOB|TOTAL)#/.test(String(item.pk))) continue;
      if (text.includes('camp_gone')) found.gone.push(text);
      if (text.includes('camp_kept')) found.kept.push(text);
    }
  }
  return { ...found, kept: found.kept.sort() };
}

async function measure(endpoint: string, project: Project, size: number): Promise<Measurement> {
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  try {
    const tableName = tableOf(size);
    const dynamodb = createDocumentClient(client);
    const now = new Date();
    const table = new Table(dynamodb, tableName, now);
    const before = await saying({ client: dynamodb, tableName });
    const context = { table, project, now, requestId: 'bench' };
    const { async_action_id } = await deleteCampaign(context, 'camp_gone', { force: true });
    const key = stripKey(actions(project.id, async_action_id));
    // A small job is done before it can be killed.
    const killAt = isTrial ? [] : [size / 3, (size * 2) / 3];
    const ended = await runAndKill(table, { endpoint, tableName, key, killAt });
    const after = await saying({ client: dynamodb, tableName });
    const { last } = ended;
    const each = (figure: number) => (figure / last.done).toFixed(2);
    const isKept = JSON.stringify(after.kept) === JSON.stringify(before.kept);
    return {
      name: `${size.toLocaleString('en')} codes with their campaign, beside ${others.toLocaleString('en')} of another`,
      values: {
        'killed at': ended.killedAt.join(', '),
        state: ended.state,
        counted: String(ended.done),
        'left of it': String(after.gone.length),
        'others as before': String(isKept),
        s: (ended.milliseconds / 1_000).toFixed(0),
        'codes/s': ((last.done / last.milliseconds) * 1_000).toFixed(0),
        'worker cpu ms a code': each(last.cpuMilliseconds),
        'calls a code': each(last.calls),
      },
      broken: [
        ...(after.gone.length > 0 ? ['something is left'] : []),
        ...(isKept ? [] : ["another campaign's codes were touched"]),
        ...(ended.state === 'DONE' && ended.done === size ? [] : ['not all were counted once']),
      ],
    };
  } finally {
    client.destroy();
  }
}

export const benchmark: Benchmark = {
  title: `Deletions: a campaign with its codes, its worker killed at a third and at two thirds, on the native engine`,
  measure: async ({ workDir }, tell) => {
    const dataDir = join(workDir, 'data');
    const projects = await onEngine('dynoxide', ({ endpoint }) => fill(endpoint, { workDir, dataDir }));
    if (projects instanceof EngineError) return [{ name: projects.message, values: {}, broken: [] }];
    const outcome = await onEngine(
      'dynoxide',
      async ({ endpoint }) => {
        const rows: Measurement[] = [];
        for (const [index, project] of projects.entries()) {
          const row = await measure(endpoint, project, sizes[index] ?? 0);
          tell(row);
          rows.push(row);
        }
        return rows;
      },
      { dataDir },
    );
    return outcome instanceof EngineError ? [{ name: outcome.message, values: {}, broken: [] }] : outcome;
  },
};
