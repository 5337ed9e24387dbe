import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/redemptions/redeem-redeemables.ts';
import { CredentialCache } from '../../lib/http/credential-cache.ts';
import { pause, requestPatienceInMs, retryOptimistically } from '../../lib/table/conflicts.ts';
import { change, commit, insert } from '../../lib/table/effects.ts';
import { kind } from '../../lib/table/kind.ts';
import { read } from '../../lib/table/read.ts';
import { Table } from '../../lib/table/table.ts';
import { apiEvent } from '../support/api-event.ts';
import { lambdaContext } from '../support/call.ts';
import { fileTable, testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { type Modelled, modelledTable } from './modelled-table.ts';

/** One code for everybody: how many redeem it a second, beside a counter in the transaction itself. */

const callers = isLong ? 64 : 8;
/** The few callers of a quick run can ask for some 400 redemptions a second; beside a counter in the transaction a fifth gets done. */
const timesAsFast = isLong ? 10 : 3;
/** By the model's time: containers have to find out first what is going on, and are quicker with every tenth of a second until then. */
const warmUpInMs = 1_600;
const measuredInMs = 300;
/** They come one after the other, as a crowd does. */
const apartInMs = 8;
/** By the machine's. */
const timeout = 900_000;

interface Crowd {
  /** In the time that is measured. */
  readonly perSecond: number;
  /** Of those who got an answer, how many got what they wanted. */
  readonly done: number;
  readonly of: number;
}

/** Each caller has a container of its own, and asks again as soon as it has an answer. `true`: it has got what it wanted. */
async function crowd(open: (model: Modelled) => () => Promise<boolean>): Promise<Crowd> {
  const model = modelledTable();
  const { result } = await model.run(async () => {
    const from = performance.now();
    const asks = async (_: unknown, index: number) => {
      const ask = open(model);
      await pause(index * apartInMs);
      const answers: { isDone: boolean; atInMs: number }[] = [];
      while (performance.now() - from < warmUpInMs + measuredInMs) {
        const isDone = await ask();
        answers.push({ isDone, atInMs: performance.now() - from });
      }
      return answers;
    };
    return (await Promise.all(Array.from({ length: callers }, asks))).flat();
  });
  const done = result.filter(({ isDone }) => isDone);
  const measured = done.filter(({ atInMs }) => atInMs > warmUpInMs && atInMs <= warmUpInMs + measuredInMs);
  const told = { perSecond: (measured.length / measuredInMs) * 1_000, done: done.length, of: result.length };
  process.stdout.write(`${JSON.stringify({ ...told, conflicts: model.conflicts(), throttled: model.throttled() })}\n`);
  return told;
}

const offers = kind('OFFER', v.looseObject({ used: v.optional(v.number(), 0) }));
const sales = kind('SALE', v.object({ sold: v.literal(true) }));

/** The counter in the transaction, and nothing else: no reads, no order, no rules. */
async function bare(): Promise<Crowd> {
  const projectId = uniqueId('proj_');
  const key = offers(projectId, 'everybody');
  await commit(tableOfFile(), [insert(key, { used: 0 })]);
  const told = await crowd((model) => {
    const client = model.client();
    return async () => {
      const table = new Table(client, fileTable(), testTime, { patienceInMs: requestPatienceInMs });
      const buy = async () => {
        const sale = insert(sales(projectId, uniqueId('r_')), { sold: true });
        const use = change(key, (update) => update.add('used', 1).whenAtMost('used', 999_999));
        return (await commit(table, [use, sale])) || undefined;
      };
      return retryOptimistically(table, buy).catch(() => false);
    };
  });
  const { offer } = await read(tableOfFile(), { offer: key });
  expect(offer?.used).toBe(told.done);
  return told;
}

const off = { type: 'AMOUNT', amount_off: 100 };
const tea = { code: 'TEA', type: 'DISCOUNT_VOUCHER', active: true, discount: off };

const kinds: [string, Record<string, unknown>][] = [
  ['of a code without a limit', { vouchers: [tea] }],
  ['of a code with a limit of a million', { vouchers: [{ ...tea, redemption: { quantity: 1_000_000 } }] }],
  [
    'of a campaign with a limit on all of its redemptions',
    {
      campaigns: [{ id: 'camp_sale', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
      vouchers: [{ ...tea, campaign_id: 'camp_sale' }],
      validation_rules: [
        {
          id: 'val_1',
          name: 'Budget',
          rules: {
            '1': {
              name: 'campaign.redemptions.count',
              property: null,
              conditions: { $less_than_or_equal: [1_000_000] },
            },
            logic: '1',
          },
        },
      ],
      validation_rules_assignments: [
        { id: 'asgm_1', rule_id: 'val_1', related_object_id: 'camp_sale', related_object_type: 'campaign' },
      ],
    },
  ],
];

describe('a crowd', () => {
  test.each(sampled(kinds, 1))(
    `%s redeems ${timesAsFast} times as fast as with a counter in the transaction`,
    { timeout },
    async (_, lists) => {
      const { id, credentials: headers } = await loadProject(lists);
      const { perSecond, done, of } = await crowd((model) => {
        const start = performance.now();
        const own = testDependencies({
          dynamodb: model.client(),
          credentialCache: new CredentialCache(),
          clock: () => new Date(testTime.getTime() + performance.now() - start),
          patienceInMs: requestPatienceInMs,
        });
        const redeem = handler.with(own);
        const body = { redeemables: [{ object: 'voucher', id: 'TEA' }], order: { amount: 1_000 } };
        return async () => {
          const event = apiEvent(handler.route, { headers, body });
          const { statusCode } = await redeem(event, lambdaContext(6_000_000));
          return statusCode === 200;
        };
      });
      expect(done).toBe(of);
      expect(await itemsOf(id, 'REDEMPTION')).toHaveLength(done);
      const { perSecond: byTransaction } = await bare();
      expect(perSecond).toBeGreaterThan(byTransaction * timesAsFast);
    },
  );
});
