import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProject } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { maxWalked } from '#kernel/table/list-page.ts';
import { Table } from '#kernel/table/table.ts';
import { functionNameOf } from '../../../infra/aws/shared-families.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { findOperation, type Operation } from '../../../infra/operations.ts';
import { passiveSegment } from '../../support/lists.ts';
import { evenly } from '../../support/sampled.ts';
import { type Benchmark, isLong, type Measurement, sizeOf } from '../benchmark.ts';
import { compare, inWords } from '../compare.ts';
import { exportTable, importTables, putIntoExport } from '../export-items.ts';
import { type Bundles, bundleBoth, entryOf } from '../function-bundles.ts';
import { growthOf, type Sized } from '../growth.ts';
import { demoProject } from '../project.ts';
import { rowOf } from '../row.ts';
import { seedListsOf, sourceIdOf, timeOf } from '../seed-lists.ts';
import { eventOf, listAt, type Subject, type World } from '../subjects.ts';
import { loadedTable, onEngine } from '../tables.ts';

/** The lengths of the shortest and the longest list. `BENCH_LIST_SIZES=100,1000000` measures others, which take long to fill. */
const sizes = (process.env.BENCH_LIST_SIZES ?? sizeOf({ trial: '100,200', usual: '100,10000' })).split(',').map(Number);
/** This many pages of the longest list have a floor, evenly spread. Endpoints have theirs in another case. */
const pagesWithFloor = 4;
/** `BENCH_LIST_DATA=folder` keeps the filled lists there, or uses the ones it finds. */
const keptDir = process.env.BENCH_LIST_DATA;
const maxRatio = 1.5;
/** A call may have to wait for other work. */
const patienceInMs = 60_000;

/** A page that even the shortest list has: the first, or the tenth. */
export interface PageOf {
  operation: Operation;
  name: string;
  query: (size: number) => string;
  /** Compares from this length on. Shorter lists have too few elements to search among. */
  least?: number;
  /** The number of elements, unless it is a page of ten. */
  shows?: number;
  /** The params, unless they are the example's. */
  params?: (size: number) => Record<string, string>;
}

const pages = (operation: string, ...numbers: number[]): PageOf[] =>
  numbers.map((page) => ({ operation: findOperation(operation), name: `page ${page}`, query: () => `page=${page}` }));

export const listPages: readonly PageOf[] = [
  ...pages('list-voucher-transactions', 1, 10),
  ...pages('list-member-transactions', 10),
  { operation: findOperation('list-customer-activities'), name: 'newest', query: () => '' },
  {
    operation: findOperation('list-customer-activities'),
    name: 'after the middle',
    query: (size) => `starting_after=${timeOf(Math.floor(size / 2))}`,
  },
  ...pages('list-promotion-tiers', 1, 10),
  ...pages('list-campaign-promotion-tiers', 10),
  ...pages('list-reward-assignments', 1, 10),
  ...pages('list-rewards', 10),
  ...pages('list-customers', 1, 10),
  { operation: findOperation('list-customers'), name: 'e-mail', query: () => 'email=7@post.example', shows: 1 },
  {
    operation: findOperation('list-customers'),
    name: 'behind the middle',
    query: (size) => `starting_after_id=cust_${Math.floor(size / 2)}`,
  },
  { operation: findOperation('list-customers'), name: 'city', query: () => 'city=Bergen', least: maxWalked },
  ...pages('list-vouchers', 1, 10),
  { operation: findOperation('list-vouchers'), name: 'of a campaign', query: () => 'campaign=Early+tide&page=10' },
  {
    operation: findOperation('list-vouchers'),
    name: 'enabled',
    query: () => 'filters[active][$enabled]=',
    least: maxWalked,
  },
  {
    operation: findOperation('list-customers'),
    name: 'page 10 of those with a key of metadata',
    query: () => `segment_id=${darkRoast.id}&page=10`,
    least: 1_000,
  },
  {
    operation: findOperation('get-customer'),
    name: 'by source id',
    query: () => '',
    params: (size) => ({ customerId: sourceIdOf(Math.floor(size / 2)) }),
  },
];

/** `BENCH_LISTS=list-customers,get-customer` measures only these, and fills only their lists. */
const wanted = process.env.BENCH_LISTS?.split(',');
const measured = listPages.filter(({ operation }) => wanted?.includes(operation.name) ?? true);

/** One customer of ten is in the segment. */
const darkRoast = passiveSegment('seg_bench_dark', 'Dark roast in the bench', {
  'metadata.roast': { conditions: { $is: ['dark'] } },
});

export function subjectOf({ operation, query, params }: PageOf, size: number): Subject {
  return params ? { request: () => ({ params: params(size) }) } : listAt(operation, query(size));
}

interface Filled extends Sized {
  world: World;
}

interface Bench {
  endpoint: string;
  bundles: Bundles;
  filled: readonly Filled[];
}

/**
 * Returns for how many lengths the page has a floor: for each if figures are to be kept. `BENCH_LIST_FLOOR=none` compares lengths alone.
 */
function floorsOf(page: PageOf): number {
  if (process.env.BENCH_LIST_FLOOR === 'none') return 0;
  if (isLong) return sizes.length;
  return evenly(measured, pagesWithFloor).includes(page) ? 1 : 0;
}

async function measurePage({ filled, ...others }: Bench, page: PageOf): Promise<Measurement[]> {
  const { operation, least = 0 } = page;
  const bench = { ...others, filled: filled.filter(({ size }) => size >= least) };
  const { endpoint, bundles } = bench;
  const rows: Measurement[] = [];
  const floors = floorsOf(page);
  for (const { size, tableName, world } of floors === 0 ? [] : bench.filled.slice(-floors)) {
    const place = { endpoint, tableName };
    const tables = { recorded: place, function: place, floor: place };
    const subject = { ...subjectOf(page, size), maxRatio };
    const figures = await compare({ tables, operation, subject, world, bundles });
    rows.push(rowOf(`${operation.name}, ${page.name} of ${size.toLocaleString('en')}`, figures, { maxRatio }));
  }
  if (bench.filled.length < 2) return rows;
  const { values, broken } = await growthOf({
    endpoint,
    file: entryOf(bundles, functionNameOf(operation)),
    filled: bench.filled,
    request: ({ size, world }, turn) => eventOf(operation, subjectOf(page, size), turn, world),
  });
  const name = `${operation.name}, ${page.name} of ${bench.filled.map(({ size }) => size.toLocaleString('en')).join(' and ')}`;
  return [...rows, { name, values, broken }];
}

/** The project in which the lists are filled. */
export async function projectOfLists(): Promise<Record<string, unknown>> {
  const demo = await demoProject();
  return { ...demo, segments: [...demo.segments, darkRoast] };
}

const tableOf = (size: number) => `tessera-bench-${size}`;

async function keptLists(endpoint: string): Promise<Filled[]> {
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  const { id } = (await demoProject()).project;
  try {
    const found = sizes.map(async (size) => {
      const project = await findProject(new Table(createDocumentClient(client), tableOf(size), new Date()), id);
      if (!project) throw new Error(`there are no lists of ${size}`);
      return { size, tableName: tableOf(size), world: { project, tokens: [] } };
    });
    return await Promise.all(found);
  } finally {
    client.destroy();
  }
}

/** Makes a database in `dataDir` with one table per size. */
async function fillLists(endpoint: string, { workDir, dataDir }: { workDir: string; dataDir: string }) {
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  const exportDir = join(workDir, 'export');
  const startedAt = performance.now();
  const tell = (words: string) => {
    process.stderr.write(`${words} after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);
  };
  try {
    const filled: Filled[] = [];
    for (const size of sizes) {
      const exported = { client, tableName: tableOf(size), exportDir };
      const { tableName } = exported;
      const project = await loadedTable(client, tableName, await projectOfLists(), workDir, { withStream: false });
      const put = putIntoExport(exported);
      await seedListsOf(
        measured.map(({ operation }) => operation.name),
        { client, tableName, project, size, put },
      );
      await exportTable(exported);
      tell(`lists of ${size} are written`);
      filled.push({ size, tableName, world: { project, tokens: [] } });
    }
    await importTables(client, { exportDir, tableNames: filled.map(({ tableName }) => tableName), dataDir });
    await rm(exportDir, { recursive: true });
    tell('they are a database');
    return filled;
  } finally {
    client.destroy();
  }
}

export const benchmark: Benchmark = {
  title: `Lists: pages of ten, on the native engine (DynamoDB Local holds no such lists in its heap; ${inWords})`,
  measure: async (places, tell) => {
    const { workDir } = places;
    const bundles = await bundleBoth(
      places,
      measured.map(({ operation }) => operation),
    );
    const dataDir = keptDir ?? join(workDir, 'data');
    const isKept = keptDir !== undefined && existsSync(keptDir);
    const worlds = isKept
      ? await onEngine('dynoxide', ({ endpoint }) => keptLists(endpoint), { dataDir })
      : await onEngine('dynoxide', ({ endpoint }) => fillLists(endpoint, { workDir, dataDir }));
    if (worlds instanceof EngineError) return [{ name: worlds.message, values: {}, broken: [] }];
    const outcome = await onEngine(
      'dynoxide',
      async ({ endpoint }) => {
        const rows: Measurement[] = [];
        for (const page of measured) {
          const found = await measurePage({ endpoint, bundles, filled: worlds }, page);
          for (const row of found) tell(row);
          rows.push(...found);
        }
        return rows;
      },
      { dataDir },
    );
    return outcome instanceof EngineError ? [{ name: outcome.message, values: {}, broken: [] }] : outcome;
  },
};
