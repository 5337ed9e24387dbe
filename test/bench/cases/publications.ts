import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readAskedPublication } from '#engine/publishing/publication-body.ts';
import { publish } from '#engine/publishing/publish.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Table } from '#kernel/table/table.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { type Benchmark, type Measurement, median, patience, sizeOf } from '../benchmark.ts';
import { clientAway, loadedTable, onEngine } from '../tables.ts';

/** Callers of one pool share no item, so none may wait for another. */
const callers = 50;
const minGain = 2.5;
/**
 * A publication alone makes 9 to 14 calls (docs/costs.md). A caller that loses a voucher to another caller tries the
 * next voucher, and these calls would show it on any machine.
 */
const maxCalls = 17;
const distanceInMs = 20;
const codes = sizeOf({ trial: 500, usual: 10_000 });
/** The pool that is emptied, at tens a second. */
const emptiedCodes = sizeOf({ trial: 50, usual: 1_000, long: codes });
const secondsPerRound = sizeOf({ trial: 0.1, usual: 2 });
const rounds = sizeOf({ trial: 1, usual: 3 });

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
const campaign = { id: 'camp_pool', name: 'Pool', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', join_once: false };
const emptiedCampaign = { ...campaign, id: 'camp_emptied', name: 'Emptied' };
const pools = [
  { ...campaign, size: codes },
  { ...emptiedCampaign, size: emptiedCodes },
];
const file = {
  project: { id: 'proj_pool', name: 'Pool' },
  campaigns: [campaign, emptiedCampaign].map((one) => ({ ...one, voucher: coupon })),
  vouchers: pools.flatMap(({ id, name, size }) =>
    Array.from({ length: size }, (_, n) => ({ code: `${name}-${n}`, campaign_id: id, active: true, ...coupon })),
  ),
};

interface Rate {
  perSecond: number;
  callsEach: number;
  readUnitsEach: number;
  writeUnitsEach: number;
}

let customers = 0;

async function publishOne(
  client: ReturnType<typeof createDocumentClient>,
  tableName: string,
  project: Project,
  { id } = campaign,
) {
  const now = new Date();
  const table = new Table(client, tableName, now);
  const caller = { project, appId: 'app_bench', appName: 'Benchmark' };
  const asked = readAskedPublication({ campaign: id, customer: `bench-${customers++}` });
  const published = await publish({ table, project, now, baseUrl: '', caller }, asked);
  return { meter: table.meter, code: published.voucher?.code };
}

/** Empties the other pool. Shows which codes were given at what rate, and the answer to late callers. */
async function emptied(client: DynamoDBClient, tableName: string, project: Project) {
  const dynamodb = createDocumentClient(client);
  const given: string[] = [];
  const refusals = new Set<string>();
  let calls = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (;;) {
        const one = await publishOne(dynamodb, tableName, project, emptiedCampaign).catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
          refusals.add(error.key);
        });
        if (!one) return;
        calls += one.meter.calls;
        given.push(one.code ?? '');
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { given, refusals: [...refusals], perSecond: given.length / seconds, callsEach: calls / given.length };
}

async function emptiedRow(client: DynamoDBClient, tableName: string, project: Project): Promise<Measurement> {
  const { given, refusals, perSecond, callsEach } = await emptied(client, tableName, project);
  const different = new Set(given).size;
  return {
    name: `a pool of ${emptiedCodes} emptied by ${callers} callers`,
    values: {
      [`${callers} callers /s`]: perSecond.toFixed(0),
      calls: callsEach.toFixed(1),
      given: String(given.length),
      different: String(different),
      'then refused': refusals.join(', '),
    },
    broken: [
      ...(given.length === emptiedCodes && different === emptiedCodes ? [] : ['not each code was given once']),
      ...(refusals.join() === 'no_voucher_suitable_for_publication' ? [] : ['refused with another key']),
    ],
  };
}

async function rateOf(client: DynamoDBClient, tableName: string, project: Project, atOnce: number): Promise<Rate> {
  const dynamodb = createDocumentClient(client);
  const sum = { done: 0, calls: 0, readUnits: 0, writeUnits: 0 };
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (elapsed() < secondsPerRound) {
        const { calls, readUnits, writeUnits } = (await publishOne(dynamodb, tableName, project)).meter;
        sum.done += 1;
        sum.calls += calls;
        sum.readUnits += readUnits;
        sum.writeUnits += writeUnits;
      }
    }),
  );
  const each = (total: number) => total / sum.done;
  return {
    perSecond: sum.done / elapsed(),
    callsEach: each(sum.calls),
    readUnitsEach: each(sum.readUnits),
    writeUnitsEach: each(sum.writeUnits),
  };
}

export const benchmark: Benchmark = {
  title: `Publications a second from one pool of ${codes} by one caller and by ${callers} at once, on the native engine here and ${distanceInMs} ms away. Medians of ${rounds} rounds of ${secondsPerRound} s`,
  measure: async ({ workDir }, tell) => {
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const [here, away] = [createDynamodbClient(endpoint, patience), clientAway(endpoint, distanceInMs)];
      try {
        const tableName = 'tessera-bench-publications';
        const project = await loadedTable(here, tableName, file, workDir, { withStream: false });
        await rateOf(here, tableName, project, 5);
        const found: Record<'one' | 'many' | 'oneAway' | 'manyAway', Rate>[] = [];
        for (let round = 0; round < rounds; round++) {
          found.push({
            one: await rateOf(here, tableName, project, 1),
            many: await rateOf(here, tableName, project, callers),
            oneAway: await rateOf(away, tableName, project, 1),
            manyAway: await rateOf(away, tableName, project, callers),
          });
        }
        const middle = (of: (rates: (typeof found)[number]) => number) => median(found.map(of));
        const gain = middle(({ oneAway, manyAway }) => manyAway.perSecond / oneAway.perSecond);
        const calls = middle(({ many }) => many.callsEach);
        const row: Measurement = {
          name: 'create-publication',
          values: {
            '1 caller /s': middle(({ one }) => one.perSecond).toFixed(0),
            [`${callers} callers /s`]: middle(({ many }) => many.perSecond).toFixed(0),
            '1 away /s': middle(({ oneAway }) => oneAway.perSecond).toFixed(1),
            [`${callers} away /s`]: middle(({ manyAway }) => manyAway.perSecond).toFixed(0),
            gain: gain.toFixed(2),
            calls: calls.toFixed(1),
            'read units': middle(({ many }) => many.readUnitsEach).toFixed(1),
            'write units': middle(({ many }) => many.writeUnitsEach).toFixed(1),
          },
          broken: [
            ...(gain < minGain ? [`gain below ${minGain}`] : []),
            ...(calls > maxCalls ? [`more than ${maxCalls} calls`] : []),
          ],
        };
        tell(row);
        const emptiedPool = await emptiedRow(here, tableName, project);
        tell(emptiedPool);
        return [row, emptiedPool];
      } finally {
        here.destroy();
        away.destroy();
      }
    });
    return outcome instanceof EngineError ? [{ name: outcome.message, values: {}, broken: [] }] : outcome;
  },
};
