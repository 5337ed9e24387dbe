import type { Engine } from '../../../infra/local/engine.ts';
import type { EngineKind } from '../../../infra/local/engine-program.ts';
import { findOperation } from '../../../infra/operations.ts';
import { createDynamodbClient } from '../../../lib/http/composition.ts';
import { chosenTypes } from '../../../lib/publishing/webhooks/resource.ts';
import type { Benchmark, Measurement } from '../benchmark.ts';
import { type Bundles, bundleBoth, type Comparison, compare, inWords } from '../compare.ts';
import { patienceInMs } from '../recorder.ts';
import { rowOf } from '../row.ts';
import { subjectsOf } from '../subjects.ts';
import { copyTable, onEachEngine } from '../tables.ts';
import { newWorld } from '../world.ts';

/** Measures a redemption of a project without a webhook, and of one with ten webhooks for all types. */

const redeem = findOperation('redeem-redeemables');
const oneCoupon = subjectsOf(redeem).find(({ way }) => way === '1 coupon');

const webhooksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `wh_bench_${index}`,
    target_url: `https://shop.example/hooks/${index}`,
    events: chosenTypes,
  }));

async function measureWith(
  count: number,
  engines: readonly Engine[],
  bundles: Bundles,
  workDir: string,
): Promise<Comparison> {
  if (!oneCoupon) throw new Error('the bench redeems a coupon');
  const [recorded, ours, bare] = engines.map(({ endpoint }) => ({ endpoint, tableName: `tessera-bench-${count}` }));
  if (!recorded || !ours || !bare) throw new Error('each side needs an engine');
  const client = createDynamodbClient(recorded.endpoint, { replyTimeoutInMs: patienceInMs });
  try {
    const world = await newWorld(client, recorded.tableName, workDir, { webhooks: webhooksOf(count) });
    await copyTable(recorded, ours);
    await copyTable(recorded, bare);
    const tables = { recorded, function: ours, floor: bare };
    return await compare({ tables, operation: redeem, subject: oneCoupon, world, bundles });
  } finally {
    client.destroy();
  }
}

/** Returns the limits that the second figures break: the same calls, and at most one write unit more. */
function compared(without: Comparison, beside: Comparison): string[] {
  const more = (name: 'calls' | 'trips' | 'readUnits' | 'writeUnits') => beside[name] - without[name];
  return [
    ...(more('calls') > 0 || more('trips') > 0 || more('readUnits') > 0 ? ['more calls than without webhooks'] : []),
    ...(more('writeUnits') > 1 ? ['more than one write unit above those without webhooks'] : []),
  ];
}

async function measureEngine(
  engines: readonly Engine[],
  bundles: Bundles,
  workDir: string,
  tell: (row: Measurement) => void,
): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  let without: Comparison | undefined;
  for (const count of [0, 10]) {
    const figures = await measureWith(count, engines, bundles, workDir);
    const row = rowOf(`${engines[0]?.name}, a redemption with ${count} webhooks`, figures, oneCoupon ?? {});
    rows.push({ ...row, broken: [...row.broken, ...(without ? compared(without, figures) : [])] });
    for (const last of rows.slice(-1)) tell(last);
    without ??= figures;
  }
  return rows;
}

export const benchmark: Benchmark = {
  title: `Webhooks: a redemption in a project with none and with ten (${inWords})`,
  measure: async (places, tell) => {
    const bundles = await bundleBoth(places, [redeem]);
    return onEachEngine((_: EngineKind, ...engines) => measureEngine(engines, bundles, places.workDir, tell), {
      beside: 2,
    });
  },
};
