import { chosenTypes } from '#addons/webhooks/resource.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { findOperation } from '../../../infra/operations.ts';
import { type Benchmark, patience } from '../benchmark.ts';
import { judged } from '../compare.ts';
import { bundleBoth, entryOf } from '../function-bundles.ts';
import { growthOf, type Sized } from '../growth.ts';
import { demoProject, upTo } from '../project.ts';
import { eventOf } from '../subjects.ts';
import { loadedTable, onEngine } from '../tables.ts';

/** Numbers of webhooks. Each wants every type of event. */
const sizes = [0, 10];
const operation = 'redeem-voucher';
const code = 'BENCH-COUPON';
/** The most write units that ten webhooks may add to a redemption. */
const maxWritesMore = 1;

interface Filled extends Sized {
  project: Project;
}

async function projectWith(webhooks: number): Promise<Record<string, unknown>> {
  const demo: Record<string, unknown> = await demoProject();
  const vouchers = Array.isArray(demo.vouchers) ? demo.vouchers : [];
  const coupon = { code, type: 'DISCOUNT_VOUCHER', active: true, discount: { type: 'AMOUNT', amount_off: 100 } };
  return {
    ...demo,
    vouchers: [...vouchers, { ...coupon, redemption: { quantity: null } }],
    webhooks: upTo(webhooks, (index) => ({
      ...{ id: `wh_bench_${index}`, target_url: `https://crm.example/${index}`, events: chosenTypes },
      active: true,
    })),
  };
}

export const benchmark: Benchmark = {
  title: `Webhooks: cost of a redemption with ${sizes.join(' and with ')} webhooks for all types, on the native engine. Medians of ${judged.rounds} rounds of ${judged.perRound} turns`,
  measure: async (places, tell) => {
    const bundles = await bundleBoth(places, [findOperation(operation)]);
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const client = createDynamodbClient(endpoint, patience);
      const filled: Filled[] = [];
      try {
        for (const size of sizes) {
          const tableName = `tessera-bench-webhooks-${size}`;
          const project = await loadedTable(client, tableName, await projectWith(size), places.workDir);
          filled.push({ size, tableName, project });
        }
        const { values, broken, calls, writes } = await growthOf({
          endpoint,
          file: entryOf(bundles, operation),
          filled,
          request: ({ project }, turn) =>
            eventOf(
              findOperation(operation),
              { request: () => ({ params: { code }, body: { order: { amount: 5_000 } } }) },
              turn,
              { project, tokens: [] },
            ),
        });
        const [few = 0, many = 0] = calls;
        const [fewWrites = 0, manyWrites = 0] = writes;
        const row = {
          name: `${operation} with ${sizes.join(' and ')} webhooks`,
          values,
          broken: [
            ...broken,
            ...(many > few ? ['webhooks add calls'] : []),
            ...(manyWrites > fewWrites + maxWritesMore ? [`webhooks add more than ${maxWritesMore} write unit`] : []),
          ],
        };
        tell(row);
        return [row];
      } finally {
        client.destroy();
      }
    });
    return outcome instanceof EngineError ? [{ name: outcome.message, values: {}, broken: [] }] : outcome;
  },
};
