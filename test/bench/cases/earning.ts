import type { Project } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { findOperation } from '../../../infra/operations.ts';
import { validationRule } from '../../support/lists.ts';
import { type Benchmark, patience } from '../benchmark.ts';
import { judged } from '../compare.ts';
import { bundleBoth, entryOf } from '../function-bundles.ts';
import { growthOf, type Sized } from '../growth.ts';
import { demoProject, upTo } from '../project.ts';
import { eventOf } from '../subjects.ts';
import { loadedTable, onEngine } from '../tables.ts';

/** Numbers of earning rules for paid orders. Each has its own validation rule, and an order satisfies only the first. */
const sizes = [1, 95];
const operation = 'create-order';
const programme = 'camp_bench';
const member = 'cust_bench';
const guest = 'cust_guest';
const amount = 1_000;

interface Filled extends Sized {
  project: Project;
}

async function projectWith(rules: number): Promise<Record<string, unknown>> {
  const demo: Record<string, unknown> = await demoProject();
  const joined = (list: string, more: readonly object[]) => ({
    [list]: [...(Array.isArray(demo[list]) ? demo[list] : []), ...more],
  });
  return {
    ...demo,
    ...joined('customers', [{ id: member }, { id: guest }]),
    ...joined('campaigns', [
      {
        ...{ id: programme, name: 'Bench', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
        voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
      },
    ]),
    ...joined('vouchers', [
      {
        ...{ code: 'BENCH-CARD', type: 'LOYALTY_CARD', campaign_id: programme, active: true, holder_id: member },
        loyalty_card: { points: 0 },
      },
    ]),
    ...joined(
      'validation_rules',
      upTo(rules, (index) =>
        validationRule(`val_bench_${index}`, `Bench ${index}`, {
          name: 'order.amount',
          conditions: { $more_than: [index === 0 ? amount / 2 : amount * 1_000 + index] },
        }),
      ),
    ),
    ...joined(
      'earning_rules',
      upTo(rules, (index) => ({
        ...{ id: `ern_bench_${index}`, campaign_id: programme, event: 'order.paid', active: true },
        loyalty: { type: 'FIXED', points: 1 },
        validation_rule_id: `val_bench_${index}`,
      })),
    ),
  };
}

export const benchmark: Benchmark = {
  title: `Earning: cost of a paid order in a programme of ${sizes.join(' and of ')} rules of which one fits, on the native engine. Medians of ${judged.rounds} rounds of ${judged.perRound} turns`,
  measure: async (places, tell) => {
    const bundles = await bundleBoth(places, [findOperation(operation)]);
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const client = createDynamodbClient(endpoint, patience);
      const filled: Filled[] = [];
      try {
        for (const size of sizes) {
          const tableName = `tessera-bench-earning-${size}`;
          const file = await projectWith(size);
          const project = await loadedTable(client, tableName, file, places.workDir, { withStream: false });
          filled.push({ size, tableName, project });
        }
        const rows = [];
        for (const [who, id] of [
          ['a member', member],
          ['a customer without a card', guest],
        ]) {
          const { values, broken } = await growthOf({
            endpoint,
            file: entryOf(bundles, operation),
            filled,
            request: ({ project }, turn) =>
              eventOf(
                findOperation(operation),
                { request: () => ({ body: { status: 'PAID', amount, customer: { id } } }) },
                turn,
                { project, tokens: [] },
              ),
          });
          const row = { name: `${operation} by ${who}, with ${sizes.join(' and ')} earning rules`, values, broken };
          tell(row);
          rows.push(row);
        }
        return rows;
      } finally {
        client.destroy();
      }
    });
    return outcome instanceof EngineError ? [{ name: outcome.message, values: {}, broken: [] }] : outcome;
  },
};
