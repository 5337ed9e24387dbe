import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { maxWalked } from '#kernel/table/list-page.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { findOperation } from '../../../infra/operations.ts';
import { type Benchmark, type Measurement, sizeOf } from '../benchmark.ts';
import { judged } from '../compare.ts';
import { exportTable, importTables } from '../export-items.ts';
import { bundleBoth, entryOf } from '../function-bundles.ts';
import { growthOf, type Sized } from '../growth.ts';
import { demoProject } from '../project.ts';
import { cards, memberCode, memberSource, seedMembers } from '../seed-members.ts';
import { eventOf, type Subject } from '../subjects.ts';
import { loadedTable, onEngine } from '../tables.ts';

/** Numbers of members of the programme. `BENCH_MEMBERS=1000,1000000` measures others, which take long to fill. */
const sizes = (process.env.BENCH_MEMBERS ?? sizeOf({ trial: '100,200', usual: '1000,10000' })).split(',').map(Number);
/** A call may have to wait for other work. */
const patienceInMs = 60_000;

interface Filled extends Sized {
  project: Project;
}

interface Measured {
  operation: string;
  way?: string;
  request: (size: number, turn: number) => ReturnType<Subject['request']>;
  /** Compares from this length on. Shorter lists have too few elements to search among. */
  least?: number;
}

const campaignId = 'camp_crew';
const middle = (size: number) => Math.floor(size / 2);
const ofMember = (size: number) => ({ params: { memberId: memberCode(middle(size)) } });
const list = (way: string, query: (size: number) => string, least = 0): Measured => ({
  ...{ operation: 'list-members', way, least },
  request: (size) => ({ params: { campaignId }, query: query(size) }),
});

const measured: readonly Measured[] = [
  {
    operation: 'add-member',
    request: (_, turn) => ({ params: { campaignId }, body: { customer: { source_id: `bench-${turn}` } } }),
  },
  list('page 1', () => 'page=1'),
  list('page 10', () => 'page=10'),
  list('of a customer', (size) => `customer=${memberSource(middle(size))}`),
  list('page 10 by a filter', () => 'filters[code][conditions][$starts_with]=MEMBER-&page=10', maxWalked),
  { operation: 'get-member', request: ofMember },
  { operation: 'list-member-tiers', request: ofMember },
  {
    operation: 'list-points-expiration',
    request: (size) => ({ params: { campaignId, memberId: memberCode(middle(size)) } }),
  },
  {
    operation: 'adjust-member-balance',
    request: (size) => ({ ...ofMember(size), body: { points: 50, expiration_type: 'NON_EXPIRING', reason: 'bench' } }),
  },
];

const tableOf = (size: number) => `tessera-bench-members-${size}`;

async function fill(endpoint: string, { workDir, dataDir }: { workDir: string; dataDir: string }): Promise<Filled[]> {
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
      const project = await loadedTable(client, tableName, await demoProject(), workDir, { withStream: false });
      await seedMembers(exported, { project, size, kinds: cards });
      await exportTable(exported);
      tell(`${size} members are written`);
      filled.push({ size, tableName, project });
    }
    await importTables(client, { exportDir, tableNames: sizes.map(tableOf), dataDir });
    await rm(exportDir, { recursive: true });
    tell('they are a database');
    return filled;
  } finally {
    client.destroy();
  }
}

export const benchmark: Benchmark = {
  title: `Programmes: cost of a request in programmes with few members and with many, on the native engine (medians of ${judged.rounds} rounds of ${judged.perRound} turns)`,
  measure: async (places, tell) => {
    const { workDir } = places;
    const operations = [...new Set(measured.map(({ operation }) => operation))].map(findOperation);
    const bundles = await bundleBoth(places, operations);
    const dataDir = join(workDir, 'data');
    const all = await onEngine('dynoxide', ({ endpoint }) => fill(endpoint, { workDir, dataDir }));
    if (all instanceof EngineError) return [{ name: all.message, values: {}, broken: [] }];
    const outcome = await onEngine(
      'dynoxide',
      async ({ endpoint }) => {
        const rows: Measurement[] = [];
        for (const { operation, way, least = 0, request } of measured) {
          const filled = all.filter(({ size }) => size >= least);
          if (filled.length < 2) continue;
          const { values, broken } = await growthOf({
            endpoint,
            file: entryOf(bundles, operation),
            filled,
            request: ({ size, project }, turn) =>
              eventOf(findOperation(operation), { request: () => request(size, turn) }, turn, { project, tokens: [] }),
          });
          const among = filled.map(({ size }) => size.toLocaleString('en')).join(' and ');
          const row = { name: [operation, way, `of ${among}`].filter(Boolean).join(', '), values, broken };
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
