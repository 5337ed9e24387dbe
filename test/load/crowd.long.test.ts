import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { again, pause, requestPatienceInMs, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { handler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { apiEvent } from '../support/api-event.ts';
import { caller, lambdaContext } from '../support/call.ts';
import { fileTable, testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { validationRule } from '../support/lists.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { type Modelled, modelledTable } from './modelled-table.ts';

/** Counts the redemptions of one shared code a second, on the model of DynamoDB's limits. */

/** `CROWD=450` starts this many containers, and lasts a quarter of an hour. */
const asked = Number(process.env.CROWD) || undefined;
const isBig = asked !== undefined || isLong;
const containers = asked ?? (isLong ? 64 : 8);
/** Warm-up in the model's time. A quick run has few containers, which soon know the crowd. */
const warmUpInMs = isBig ? 3_000 : 600;
const measuredInMs = 300;
/** Callers arrive one after the other, like a crowd. */
const apartInMs = 8;
/** A big crowd must complete this many a second. A small one is compared with a counter in the transaction. */
const least = 3_000;
const timesAsFast = 3;
/** In real time. */
const timeout = 1_800_000;

interface Crowd {
  /** Completed redemptions a second, in the measured time. */
  readonly perSecond: number;
  readonly done: number;
  /** Statuses of the other answers. */
  readonly refused: readonly number[];
}

type Ask = () => Promise<number>;

/** Each caller has its own container, and calls again after each answer until `isOver`. */
async function crowd(
  callers: number,
  open: (model: Modelled) => Ask,
  isOver = (_: number, inMs: number) => inMs >= warmUpInMs + measuredInMs,
  model = modelledTable(),
): Promise<Crowd> {
  const { result } = await model.run(async () => {
    const from = performance.now();
    const asks = async (_: unknown, index: number) => {
      const ask = open(model);
      await pause(index * apartInMs);
      const answers: { status: number; atInMs: number }[] = [];
      let last = 0;
      while (!isOver(last, performance.now() - from)) {
        last = await ask();
        answers.push({ status: last, atInMs: performance.now() - from });
      }
      return answers;
    };
    return (await Promise.all(Array.from({ length: callers }, asks))).flat();
  });
  const done = result.filter(({ status }) => status === 200);
  const measured = done.filter(({ atInMs }) => atInMs > warmUpInMs && atInMs <= warmUpInMs + measuredInMs);
  const perSecond = Math.round((measured.length / measuredInMs) * 1_000);
  const refused = result.flatMap(({ status }) => (status === 200 ? [] : [status]));
  const { conflicts, throttled, hottest } = model;
  const counted = { conflicts: conflicts(), throttled: throttled(), hottest: hottest() };
  const told = { containers: callers, perSecond, done: done.length, refused: refused.length, ...counted };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  return { perSecond, done: done.length, refused };
}

const offers = kind('OFFER', v.looseObject({ used: v.optional(v.number(), 0) }));
const sales = kind('SALE', v.object({ sold: v.literal(true) }));

/** Runs only the counter in the transaction: no reads, no order, no rules. */
async function bare(callers: number): Promise<Crowd> {
  const projectId = uniqueId('proj_');
  const key = offers(projectId, 'everybody');
  await commit(tableOfFile(), [insert(key, { used: 0 })]);
  const told = await crowd(callers, (model) => {
    const client = model.client();
    return async () => {
      const table = new Table(client, fileTable(), testTime, { patienceInMs: requestPatienceInMs });
      const buy = async () => {
        const sale = insert(sales(projectId, uniqueId('r_')), { sold: true });
        const use = change(key, (update) => update.add('used', 1).whenAtMost('used', 999_999));
        return (await commit(table, [use, sale])) || again;
      };
      return retryOptimistically(table, buy).then(
        () => 200,
        () => 429,
      );
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
        validationRule('val_1', 'Budget', {
          name: 'campaign.redemptions.count',
          property: null,
          conditions: { $less_than_or_equal: [1_000_000] },
        }),
      ],
      validation_rules_assignments: [
        { id: 'asgm_1', rule_id: 'val_1', related_object_id: 'camp_sale', related_object_type: 'campaign' },
      ],
    },
  ],
];

/** Makes a till with its own container and the model's clock. */
function tillOf(model: Modelled, headers: Record<string, string>): Ask {
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
    return (await redeem(event, lambdaContext(6_000_000))).statusCode ?? 500;
  };
}

/** Returns the redemptions that the code shows after all holds and blocks have lapsed. */
async function shownLater(headers: Record<string, string>): Promise<number> {
  const clock = () => new Date(testTime.getTime() + 600_000);
  const get = caller(getHandler, testDependencies({ clock }));
  const { body } = await get({ headers, params: { code: 'TEA' } });
  return body.redemption.redeemed_quantity;
}

const sizes = kinds.flatMap(([name, lists], index) => {
  // The other kinds are three times slower.
  return index === 0 || asked ? [[containers, name, index === 0 ? least : least / 2, lists] as const] : [];
});

describe('a crowd', () => {
  test.each(sizes)('of %i containers keeps its pace on one code %s', { timeout }, async (callers, _, pace, lists) => {
    const { id, credentials: headers } = await loadProject(lists);
    const { perSecond, done, refused } = await crowd(callers, (model) => tillOf(model, headers));
    expect(await itemsOf(id, 'REDEMPTION')).toHaveLength(done);
    expect(await shownLater(headers)).toBe(done);
    // A table without capacity may refuse some callers with 429.
    expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? [429] : []));
    if (isBig) expect(perSecond).toBeGreaterThan(pace);
    else expect(perSecond).toBeGreaterThan((await bare(callers)).perSecond * timesAsFast);
  });

  // Many callers share few uses: blocks are small and are taken back, and the last uses are claimed singly.
  test.each([
    [containers, 10],
    [containers, isBig ? containers + 120 : 128],
  ])('of %i containers gets all %i uses of a code, and no more', { timeout }, async (callers, quantity) => {
    const { id, credentials: headers } = await loadProject({ vouchers: [{ ...tea, redemption: { quantity } }] });
    const isOver = (status: number) => status === 400;
    const { done, refused } = await crowd(callers, (model) => tillOf(model, headers), isOver);
    expect(done).toBe(quantity);
    expect(refused.filter((status) => status === 400)).toHaveLength(callers);
    expect(await itemsOf(id, 'REDEMPTION')).toHaveLength(done + refused.filter((status) => status === 400).length);
    expect(await shownLater(headers)).toBe(done);
  });

  test('counts each use once although one in thirty writes is carried out after it was given up', {
    timeout,
  }, async () => {
    const quantity = isBig ? 400 : 60;
    const { id, credentials: headers } = await loadProject({ vouchers: [{ ...tea, redemption: { quantity } }] });
    const below = seeded(46);
    const late = modelledTable({ isLate: () => below(30) === 0, delayInMs: () => below(1_500) });
    const isOver = (status: number) => status === 400;
    const { done, refused } = await crowd(containers, (model) => tillOf(model, headers), isOver, late);
    const sold = (await itemsOf(id, 'REDEMPTION')).filter(({ result }) => result === 'SUCCESS');
    // A caller without an answer may have bought, and no answer says that nothing was bought when something was.
    expect(sold.length).toBeGreaterThanOrEqual(done);
    expect(sold.length).toBeLessThanOrEqual(
      Math.min(quantity, done + refused.filter((status) => status === 500).length),
    );
    expect(await shownLater(headers)).toBe(sold.length);
  });
});
