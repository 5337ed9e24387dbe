import { createDynamodbClient } from '#kernel/http/composition.ts';
import type { Engine } from '../../../infra/local/engine.ts';
import type { EngineKind } from '../../../infra/local/engine-program.ts';
import { type Operation, operations } from '../../../infra/operations.ts';
import { evenly } from '../../support/sampled.ts';
import { type Benchmark, isLong, isTrial, type Measurement } from '../benchmark.ts';
import { compare, inWords } from '../compare.ts';
import { type Bundles, bundleBoth } from '../function-bundles.ts';
import { takeOnce } from '../once.ts';
import { patienceInMs } from '../recorder.ts';
import { rowOf } from '../row.ts';
import { isList, subjectsOf } from '../subjects.ts';
import { copyTable, onEachEngine } from '../tables.ts';
import { newWorld } from '../world.ts';

/** `BENCH_ENDPOINTS=get-voucher,send-event` measures these alone. */
const wanted = process.env.BENCH_ENDPOINTS?.split(',');
const measured = operations.filter(({ name }) => wanted?.includes(name) ?? true);

const tableName = 'tessera-bench';

/** This many operations without a limit are shown, evenly spread. All are shown if figures are to be kept. */
const shownOnly = 24;

/** DynamoDB Local takes some milliseconds per call. By default it measures this many of the operations that have their own limit. */
const judgedOnDynamoDbLocal = 5;

function measuredOn(kind: EngineKind): readonly Operation[] {
  if (isTrial) return kind === 'dynoxide' ? measured : [];
  if (isLong || wanted) return measured;
  const isJudged = (operation: Operation) => subjectsOf(operation).some(({ maxRatio }) => maxRatio !== undefined);
  const judged = measured.filter(isJudged);
  if (kind !== 'dynoxide') {
    const ownLimits = judged.filter((operation) => !isList(operation));
    return evenly(ownLimits, judgedOnDynamoDbLocal);
  }
  const others = measured.filter((operation) => !isJudged(operation));
  return [...judged, ...evenly(others, shownOnly)];
}

/** Each side writes to its own table on its own engine. On DynamoDB Local the older of two tables is faster. */
async function measureEngine(
  kind: EngineKind,
  engines: readonly Engine[],
  bundles: Bundles,
  workDir: string,
  tell: (row: Measurement) => void,
): Promise<Measurement[]> {
  const [recorded, ours, bare] = engines.map(({ endpoint }) => ({ endpoint, tableName }));
  if (!recorded || !ours || !bare) throw new Error('each side needs an engine');
  const tables = { recorded, function: ours, floor: bare };
  const client = createDynamodbClient(recorded.endpoint, { replyTimeoutInMs: patienceInMs });
  const rows: Measurement[] = [];
  try {
    const world = await newWorld(client, tableName, workDir);
    await copyTable(recorded, ours);
    await copyTable(recorded, bare);
    for (const operation of measuredOn(kind)) {
      for (const subject of subjectsOf(operation)) {
        const contest = { tables, operation, subject, world, bundles };
        const figures = await (isTrial ? takeOnce(contest) : compare(contest));
        const row = rowOf(
          `${engines[0]?.name}, ${operation.name}${subject.way ? ` (${subject.way})` : ''}`,
          figures,
          subject,
        );
        rows.push(row);
        tell(row);
      }
    }
    return rows;
  } finally {
    client.destroy();
  }
}

export const benchmark: Benchmark = {
  title: `Endpoints: the bundled function beside its own DynamoDB commands sent bare (${inWords})`,
  measure: async (places, tell) => {
    const bundles = isTrial ? {} : await bundleBoth(places, measuredOn('dynoxide'));
    return onEachEngine((kind, ...engines) => measureEngine(kind, engines, bundles, places.workDir, tell), {
      beside: 2,
    });
  },
};
