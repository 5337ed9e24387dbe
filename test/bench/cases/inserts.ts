import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { placeTier, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { rewards } from '#engine/loyalty/reward.ts';
import { toProject } from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { integer, text } from '#kernel/core/schema.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import type { Writing } from '#kernel/http/context.ts';
import { createResource } from '#kernel/kit/resource/operations.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Table } from '#kernel/table/table.ts';
import { createTable } from '../../../infra/local/create-table.ts';
import { EngineError } from '../../../infra/local/engine-program.ts';
import { type Benchmark, type Measurement, median, patience, sizeOf } from '../benchmark.ts';
import { clientAway, onEngine } from '../tables.ts';

/**
 * This many simultaneous callers must reach a multiple of one caller's inserts a second. They share no item, so none
 * may wait for another.
 */
const callers = 16;
const minGain = 2.5;
const distanceInMs = 20;
/** A listed resource writes its item and its entry in one index. */
const maxUnits = 4;

const secondsPerRound = sizeOf({ trial: 0.1, usual: 1 });
const rounds = sizeOf({ trial: 1, usual: 3 });

const shell = resource('shell', {
  prefix: 'she',
  number: 'many',
  fields: { name: required(text, 'The name of the resource.'), size: optional(integer, 'In millimetres.') },
  orders: ['created_at'],
  fileKey: 'shells',
});

const secret = newSecret();
const project = toProject({
  id: 'proj_bench',
  name: 'Benchmark',
  features: {},
  secret,
  created_at: new Date().toISOString(),
});

interface Kind {
  name: string;
  insert: (context: Writing, index: number) => Promise<unknown>;
  maxUnits?: number;
}

const kinds: readonly Kind[] = [
  {
    name: 'plain item',
    insert: ({ table, now }, index) =>
      table.insert(rewards(project.id, newPrefixedId('rew_', now)), { name: `Reward ${index}`, size: index }),
  },
  {
    name: 'listed resource',
    insert: (context, index) => createResource(context, shell, { name: `Shell ${index}`, size: index }),
    maxUnits,
  },
  {
    name: 'promotion tier, in three lists',
    insert: async ({ table, now }, hierarchy) => {
      const id = newPrefixedId('promo_', now);
      const created_at = now.toISOString();
      const tier = { id, campaign_id: 'camp_bench', name: `Tier ${hierarchy}`, hierarchy, created_at };
      await table.commit([
        { key: promotionTiers(project.id, id), insert: { ...tier, ...placeTier(project.id, tier) } },
      ]);
    },
  },
];

interface Rate {
  perSecond: number;
  unitsEach: number;
}

export const benchmark: Benchmark = {
  title: `Inserts a second by one caller and by ${callers} at once, on the native engine here and ${distanceInMs} ms away. Medians of ${rounds} rounds of ${secondsPerRound} s`,
  measure: async (_, tell) => {
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const [here, away] = [createDynamodbClient(endpoint, patience), clientAway(endpoint, distanceInMs)];
      const tableName = 'tessera-bench-inserts';
      // The engine searches a stream's records at each write.
      await createTable(here, tableName, { withStream: false });

      async function rateOf({ insert }: Kind, client: DynamoDBClient, atOnce: number): Promise<Rate> {
        const dynamodb = createDocumentClient(client);
        let [done, units] = [0, 0];
        const startedAt = performance.now();
        const elapsed = () => (performance.now() - startedAt) / 1_000;
        await Promise.all(
          Array.from({ length: atOnce }, async () => {
            while (elapsed() < secondsPerRound) {
              const now = new Date();
              const table = new Table(dynamodb, tableName, now);
              const caller = { project, appId: 'app_bench', appName: 'Benchmark' };
              await insert({ table, project, now, baseUrl: '', caller }, done);
              done += 1;
              units += table.meter.writeUnits;
            }
          }),
        );
        return { perSecond: done / elapsed(), unitsEach: units / done };
      }

      async function measure(kind: Kind): Promise<Measurement> {
        await rateOf(kind, here, callers);
        const rates: Record<'one' | 'many' | 'oneAway' | 'manyAway', Rate>[] = [];
        for (let round = 0; round < rounds; round++) {
          rates.push({
            one: await rateOf(kind, here, 1),
            many: await rateOf(kind, here, callers),
            oneAway: await rateOf(kind, away, 1),
            manyAway: await rateOf(kind, away, callers),
          });
        }
        const perSecond = (way: keyof (typeof rates)[number]) =>
          median(rates.map((rate) => rate[way].perSecond)).toFixed(0);
        const gain = median(rates.map(({ oneAway, manyAway }) => manyAway.perSecond / oneAway.perSecond));
        const units = median(rates.map(({ many }) => many.unitsEach));
        return {
          name: kind.name,
          values: {
            '1 caller /s': perSecond('one'),
            [`${callers} callers /s`]: perSecond('many'),
            '1 away /s': perSecond('oneAway'),
            [`${callers} away /s`]: perSecond('manyAway'),
            gain: gain.toFixed(2),
            'write units': units.toFixed(2),
          },
          broken: [
            ...(gain < minGain ? [`gain below ${minGain}`] : []),
            ...(units > (kind.maxUnits ?? Number.POSITIVE_INFINITY) ? [`more than ${kind.maxUnits} write units`] : []),
          ],
        };
      }

      try {
        const rows: Measurement[] = [];
        for (const kind of kinds) {
          const row = await measure(kind);
          tell(row);
          rows.push(row);
        }
        return rows;
      } finally {
        here.destroy();
        away.destroy();
      }
    });
    return outcome instanceof EngineError ? [{ name: outcome.message, values: {}, broken: [] }] : outcome;
  },
};
