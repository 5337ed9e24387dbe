import type { Project } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { findOperation } from '../../../infra/operations.ts';
import { type Benchmark, type Measurement, median, patience, percentile, sizeOf } from '../benchmark.ts';
import { lambdaContext, recordingDependencies, startFunction, warm } from '../compare.ts';
import { type Bundles, bundleBoth, entryOf } from '../function-bundles.ts';
import { upTo } from '../project.ts';
import { headers, heldVouchers, linesOfCart, seedTiers, shop, sizes, standaloneCodes } from '../seed-tiers.ts';
import { eventOf } from '../subjects.ts';
import { clientAway, loadedTable, onEngine } from '../tables.ts';

const maxTrips = 3;
const maxGrowth = 2;

const turns = sizeOf({ trial: 1, usual: 60 });
const mostTries = 8;
/** The distance to the table for counting round trips. A request computes far less, also on a busy machine. */
const distanceInMs = 600;
const triesOfTrips = sizeOf({ trial: 1, usual: 4 });

const operation = findOperation('qualify');

interface Way {
  readonly name: string;
  /** The limit among the fewest tiers, on a machine whose fixed piece of work takes 22 ms. */
  readonly maxCpuMs: number;
  readonly options: Record<string, unknown>;
}

const ways: readonly Way[] = [
  { name: 'newest first', maxCpuMs: 20, options: {} },
  // It calculates every candidate on the cart before it sorts them.
  { name: 'best deal', maxCpuMs: 50, options: { sorting_rule: 'BEST_DEAL' } },
];

function requestOf({ options }: Way, project: Project) {
  const items = upTo(linesOfCart, (index) => ({ product_id: `prod_${index}`, quantity: 1 + (index % 3) }));
  const body = { customer: { source_id: 'ada' }, order: { items }, options };
  return eventOf(operation, { request: () => ({ body, headers }) }, 0, { project, tokens: [] });
}

/** Counts the calls that wait for each other, by the time they take with a far table. The container knows the project before. */
async function tripsOf(endpoint: string, tableName: string, event: ReturnType<typeof requestOf>): Promise<number> {
  const client = clientAway(endpoint, distanceInMs);
  const call = operation.handler.with(recordingDependencies(tableName, createDocumentClient(client)));
  for (let turn = 0; turn < triesOfTrips; turn++) await call(event, lambdaContext);
  const times: number[] = [];
  for (let turn = 0; turn < triesOfTrips; turn++) {
    const startedAt = performance.now();
    await call(event, lambdaContext);
    times.push((performance.now() - startedAt) / distanceInMs);
  }
  client.destroy();
  return Math.floor(Math.min(...times));
}

interface Measured {
  readonly cpu: number;
  readonly row: Measurement;
}

async function measureWay(
  endpoint: string,
  { tableName, size, project, bundles }: { tableName: string; size: number; project: Project; bundles: Bundles },
  way: Way,
  ofSmallest: number | undefined,
): Promise<Measured> {
  const event = requestOf(way, project);
  const container = startFunction(endpoint, tableName, entryOf(bundles, operation.name));
  const startedAt = performance.now();
  const cpus: number[] = [];
  const times: number[] = [];
  let cold = 0;
  for (let turn = 0; turn < warm + turns; turn++) {
    let answer = await container.take(event);
    // On a busy machine the first call may run out of time over 20,000 items. The next one continues where it ended.
    for (let tries = 0; turn === 0 && answer.status !== 200 && tries < mostTries; tries++)
      answer = await container.take(event);
    const { cpuMilliseconds, milliseconds, status } = answer;
    if (status !== 200) throw new Error(`a qualification was answered with ${status}`);
    if (turn === 0) cold = performance.now() - startedAt;
    if (turn >= warm) {
      cpus.push(cpuMilliseconds);
      times.push(milliseconds);
    }
  }
  await container.stop();
  const trips = await tripsOf(endpoint, tableName, event);
  const cpu = median(cpus);
  const broken = [
    ...(size === sizes[0] && cpu > way.maxCpuMs ? [`it may take ${way.maxCpuMs} ms of CPU`] : []),
    ...(ofSmallest !== undefined && cpu > maxGrowth * ofSmallest ? [`it may take ${maxGrowth} times as much CPU`] : []),
    ...(trips > maxTrips ? [`it may take ${maxTrips} trips`] : []),
  ];
  const values = {
    'CPU ms': cpu.toFixed(1),
    p50: median(times).toFixed(1),
    p99: percentile(times, 0.99).toFixed(1),
    trips: String(trips),
    'first request ms': cold.toFixed(0),
  };
  return { cpu, row: { name: `${size.toLocaleString('en')} tiers, ${way.name}`, values, broken } };
}

export const benchmark: Benchmark = {
  title: `Qualifications: tiers with a rule each, ${heldVouchers} vouchers held, ${standaloneCodes} open codes, ${linesOfCart} lines (medians of ${turns} turns, after ${warm})`,
  measure: async (places, tell) => {
    const bundles = await bundleBoth(places, [operation]);
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const client = createDynamodbClient(endpoint, patience);
      const rows: Measurement[] = [];
      const smallest = new Map<string, number>();
      for (const size of sizes) {
        const tableName = `tessera-bench-${size}`;
        const project = await loadedTable(client, tableName, shop(), places.workDir, { withStream: false });
        await seedTiers(client, tableName, project, size);
        for (const way of ways) {
          const { cpu, row } = await measureWay(
            endpoint,
            { tableName, size, project, bundles },
            way,
            smallest.get(way.name),
          );
          if (size === sizes[0]) smallest.set(way.name, cpu);
          rows.push(row);
          tell(row);
        }
      }
      client.destroy();
      return rows;
    });
    if (outcome instanceof EngineError) return [{ name: 'dynoxide', values: { note: outcome.message }, broken: [] }];
    return outcome;
  },
};
