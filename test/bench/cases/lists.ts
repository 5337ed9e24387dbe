import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { type Operation, operationNamed } from '../../../infra/operations.ts';
import { dynamodbClient } from '../../../lib/http/composition.ts';
import { maxWalked } from '../../../lib/table/list-page.ts';
import type { Benchmark, Measurement } from '../benchmark.ts';
import {
  type Bundles,
  bundleBoth,
  compare,
  entryOf,
  ratioOf,
  rounds,
  startFunction,
  turnsPerRound,
  warmUpTurns,
} from '../compare.ts';
import { exportTable, importTables, putIntoExport } from '../export-items.ts';
import { rowOf } from '../row.ts';
import { seedListsOf, timeOf } from '../seed-lists.ts';
import { demoProject, eventOf, listAt, type Subject, type World } from '../subjects.ts';
import { loadedTable, onEngine } from '../tables.ts';

/** Of the shortest and the longest list, in elements; `BENCH_LIST_SIZES=100,10000` takes others. */
const sizes = (process.env.BENCH_LIST_SIZES ?? '100,10000,1000000').split(',').map(Number);
/** What a page of the longest list may cost, in read units and in time, of what it costs in the shortest. */
const maxGrowth = 1.2;
const maxRatio = 1.5;

/** A page that even the shortest list has: the first, and one that is ten pages deep. */
interface PageOf {
  operation: Operation;
  name: string;
  query: (size: number) => string;
  /** Compared from this length on: what is looked for is looked for among so many. */
  least?: number;
  /** Where it is not the example's. */
  params?: (size: number) => Record<string, string>;
}

const pages = (operation: string, ...numbers: number[]): PageOf[] =>
  numbers.map((page) => ({ operation: operationNamed(operation), name: `page ${page}`, query: () => `page=${page}` }));

const all: readonly PageOf[] = [
  ...pages('list-voucher-transactions', 1, 10),
  ...pages('list-member-transactions', 10),
  { operation: operationNamed('list-customer-activities'), name: 'newest', query: () => '' },
  {
    operation: operationNamed('list-customer-activities'),
    name: 'after the middle',
    query: (size) => `starting_after=${timeOf(Math.floor(size / 2))}`,
  },
  ...pages('list-promotion-tiers', 1, 10),
  ...pages('list-campaign-promotion-tiers', 10),
  ...pages('list-reward-assignments', 1, 10),
  ...pages('list-rewards', 10),
  ...pages('list-customers', 1, 10),
  { operation: operationNamed('list-customers'), name: 'e-mail', query: () => 'email=7@post.example' },
  {
    operation: operationNamed('list-customers'),
    name: 'behind the middle',
    query: (size) => `starting_after_id=cust_${Math.floor(size / 2)}`,
  },
  { operation: operationNamed('list-customers'), name: 'city', query: () => 'city=Bergen', least: maxWalked },
  ...pages('list-vouchers', 1, 10),
  { operation: operationNamed('list-vouchers'), name: 'of a campaign', query: () => 'campaign=Early+tide&page=10' },
  {
    operation: operationNamed('list-vouchers'),
    name: 'enabled',
    query: () => 'filters[active][$enabled]=',
    least: maxWalked,
  },
  {
    operation: operationNamed('list-customers'),
    name: 'page 10 of those with a key of metadata',
    query: () => `segment_id=${darkRoast.id}&page=10`,
    least: 1_000,
  },
  {
    operation: operationNamed('get-customer'),
    name: 'by source id',
    query: () => '',
    params: (size) => ({ customerId: `crm-${Math.floor(size / 2)}` }),
  },
];

/** `BENCH_LISTS=list-customers,get-customer` measures only these, and fills no other lists than theirs. */
const wanted = process.env.BENCH_LISTS?.split(',');
const measured = all.filter(({ operation }) => wanted?.includes(operation.name) ?? true);

/** One of ten is in it. */
const darkRoast = {
  id: 'seg_bench_dark',
  name: 'Dark roast in the bench',
  type: 'passive',
  filter: { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } },
};

function subjectOf({ operation, query, params }: PageOf, size: number): Subject {
  return params ? { request: () => ({ params: params(size) }) } : listAt(operation, query(size));
}

interface Filled {
  size: number;
  tableName: string;
  world: World;
}

interface Bench {
  endpoint: string;
  bundles: Bundles;
  filled: readonly Filled[];
}

/** The function on each table in turns: of its time on the last one to that on the first, round by round. */
async function growthOf({ endpoint, filled, bundles }: Bench, page: PageOf) {
  const file = entryOf(bundles, page.operation.name);
  const sides = filled.map(({ tableName }) => startFunction(endpoint, tableName, file));
  const times = sides.map((): number[][] => []);
  try {
    for (let turn = -warmUpTurns; turn < rounds * turnsPerRound; turn++) {
      for (const [index, { size, world }] of filled.entries()) {
        const event = eventOf(page.operation, subjectOf(page, size), 0, world);
        const reply = await sides[index]?.take(event);
        if (reply?.status !== 200) throw new Error(`${page.operation.name} answered ${reply?.status}`);
        if (turn < 0) continue;
        if (turn % turnsPerRound === 0) times[index]?.push([]);
        times[index]?.at(-1)?.push(reply.milliseconds);
      }
    }
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
  return ratioOf(times.at(-1) ?? [], times[0] ?? []);
}

async function measurePage({ filled, ...others }: Bench, page: PageOf): Promise<Measurement[]> {
  const { operation, least = 0 } = page;
  const bench = { ...others, filled: filled.filter(({ size }) => size >= least) };
  const { endpoint, bundles } = bench;
  const rows: Measurement[] = [];
  const units: number[] = [];
  for (const { size, tableName, world } of bench.filled) {
    const tables = { recorded: tableName, function: tableName, floor: tableName };
    const subject = subjectOf(page, size);
    const figures = await compare({ endpoint, tables, operation, subject, world, bundles });
    units.push(figures.readUnits);
    rows.push(rowOf(`${operation.name}, ${page.name} of ${size.toLocaleString('en')}`, figures, { maxRatio }));
  }
  const inTime = await growthOf(bench, page);
  const inUnits = (units.at(-1) ?? 0) / (units[0] ?? 0);
  const last = rows.pop();
  if (!last) return rows;
  const growth = {
    'units to the shortest': inUnits.toFixed(2),
    'time to the shortest': inTime.median.toFixed(2),
    'its rounds': `${inTime.least.toFixed(2)}-${inTime.most.toFixed(2)}`,
  };
  const broken = [
    ...(inUnits > maxGrowth ? [`units grow by more than ${maxGrowth}`] : []),
    ...(inTime.median > maxGrowth ? [`time grows by more than ${maxGrowth}`] : []),
  ];
  return [...rows, { ...last, values: { ...last.values, ...growth }, broken: [...last.broken, ...broken] }];
}

/** Makes a database in `dataDir` with a table for each size. */
async function fillLists(endpoint: string, { workDir, dataDir }: { workDir: string; dataDir: string }) {
  const client = dynamodbClient(endpoint);
  const exportDir = join(workDir, 'export');
  const startedAt = performance.now();
  const tell = (words: string) => {
    process.stderr.write(`${words} after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);
  };
  try {
    const filled: Filled[] = [];
    for (const size of sizes) {
      const exported = { client, tableName: `tessera-bench-${size}`, exportDir };
      const { tableName } = exported;
      const demo = await demoProject();
      const withSegment = { ...demo, segments: [...demo.segments, darkRoast] };
      const project = await loadedTable(client, tableName, withSegment, workDir, { withStream: false });
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
  title: `Lists: pages of ten, on the native engine (DynamoDB Local holds no such lists in its heap; medians of ${rounds} rounds of ${turnsPerRound} turns, after ${warmUpTurns} of warm-up)`,
  measure: async (workDir, tell) => {
    const bundles = await bundleBoth(
      workDir,
      measured.map(({ operation }) => operation),
    );
    const dataDir = join(workDir, 'data');
    const worlds = await onEngine('dynoxide', ({ endpoint }) => fillLists(endpoint, { workDir, dataDir }));
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
