import { afterAll, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as adjustHandler } from '../../functions/vouchers/adjust-voucher-balance.ts';
import type { Request } from '../support/api-event.ts';
import { caller, lambdaContext, type Reply } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import type { Plan } from '../support/faults.ts';
import { itemsOf } from '../support/outbox.ts';
import { giftCard, shop } from '../support/redeeming.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { oneLane, stormy } from '../support/storm.ts';

/** Money that few callers share. They wait for their turn, so that all uses fit into the time of a request. */

const callers = isLong ? 40 : 24;
/** The number of uses, which is smaller than the number of callers. */
const uses = isLong ? 12 : 8;
/**
 * A caller attempts in vain once, once in its turn, and again in the storm. Without turns a caller sends 50 attempts until its time is up.
 */
const transactionsOfEach = 3;
/** Only calls are counted, because their time depends on the machine. */
const amplyInMs = 240_000;

const proxy = await startFaultProxy();
afterAll(() => proxy.close());

interface Crowd {
  readonly handler: Endpoint;
  /** Gives each caller a separate container, or one container to all. */
  readonly containers: number;
  readonly weather: Plan;
  readonly requestOf: (index: number) => Request;
}

async function atOnce({ handler, containers, weather, requestOf }: Crowd): Promise<Reply[]> {
  const newContainer = () => {
    const time = { patienceInMs: amplyInMs, capacityPatienceInMs: amplyInMs };
    const dependencies = { ...testDependencies(time), dynamodb: proxy.newClient() };
    return caller(handler, dependencies, lambdaContext(2 * amplyInMs));
  };
  const all = Array.from({ length: containers }, newContainer);
  const calls = proxy.run(weather);
  const replies = await Promise.all(
    Array.from({ length: callers }, async (_, index) => all[index % containers]?.(requestOf(index))),
  );
  const transactions = calls.filter(({ operation }) => operation === 'TransactWriteItems');
  expect(transactions.length).toBeLessThan(transactionsOfEach * callers);
  proxy.run();
  return replies.flatMap((reply) => reply ?? []);
}

const outcomes = (replies: readonly Reply[]) => {
  const names = replies.map(({ status, body }) => (status === 200 ? 'done' : body.key));
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
};

const inStorm = (seed: number) => oneLane(stormy(seeded(seed)), 1);

test.each([
  ['one container', 1],
  ['as many containers', callers],
])(
  `${callers} callers of %s make all ${uses} payments of a gift card in a storm, no more, and all are answered`,
  async (_, containers) => {
    const { headers, read } = await shop({ vouchers: [giftCard('GIFT', 100 * uses)] });
    const paying = (id: string): Request => ({
      headers,
      body: { redeemables: [{ object: 'voucher', id, gift: { credits: 100 } }], order: { amount: 5_000 } },
    });
    const crowd = { handler: redeemHandler, containers, weather: inStorm(20_260_615) };
    const replies = await atOnce({ ...crowd, requestOf: () => paying('GIFT') });
    expect(outcomes(replies)).toEqual({ done: uses, gift_amount_exceeded: callers - uses });
    expect(await read('GIFT')).toMatchObject({ gift: { balance: 0 }, redemption: { redeemed_amount: 100 * uses } });
  },
);

const loyaltyCard = (code: string, balance: number) => ({
  ...{ code, type: 'LOYALTY_CARD', campaign_id: 'camp_club', active: true },
  loyalty_card: { points: balance, balance },
});

async function transfer() {
  const { headers, read } = await shop({
    campaigns: [{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' }],
    vouchers: [loyaltyCard('FROM', 100 * callers), loyaltyCard('TO', 0)],
  });
  let count = 0;
  const transferring = (from: string, memberId: string): Request => ({
    headers,
    params: { campaignId: 'camp_club', memberId },
    body: [{ code: from, points: 100, source_id: `t-${count++}` }],
  });
  const crowd = { handler: transferHandler, containers: callers, weather: oneLane(undefined, 1) };
  const replies = await atOnce({ ...crowd, requestOf: () => transferring('FROM', 'TO') });
  expect(outcomes(replies)).toEqual({ done: callers });
  expect([(await read('FROM')).loyalty_card.balance, (await read('TO')).loyalty_card.balance]).toEqual([
    0,
    100 * callers,
  ]);
}

async function useFew() {
  const few = (code: string, quantity: number) => ({
    ...{ code, type: 'DISCOUNT_VOUCHER' },
    redemption: { quantity, redeemed_quantity: 0 },
  });
  const { headers, read } = await shop({ vouchers: [few('FEW', 8)] });
  const using = (id: string): Request => ({
    headers,
    body: { redeemables: [{ object: 'voucher', id }], order: { amount: 500 } },
  });
  const crowd = { handler: redeemHandler, containers: callers, weather: inStorm(8) };
  const replies = await atOnce({ ...crowd, requestOf: () => using('FEW') });
  expect(outcomes(replies)).toEqual({ done: 8, quantity_exceeded: callers - 8 });
  expect((await read('FEW')).redemption.redeemed_quantity).toBe(8);
}

async function adjust(weather: Plan) {
  const { id, headers, read } = await shop({ vouchers: [giftCard('GIFT', 0)] });
  let count = 0;
  const adjusting = (code: string): Request => ({
    headers,
    params: { code },
    body: { amount: 5, source_id: `a-${count++}` },
  });
  const crowd = { handler: adjustHandler, containers: callers, weather };
  const replies = await atOnce({ ...crowd, requestOf: () => adjusting('GIFT') });
  expect(outcomes(replies)).toEqual({ done: callers });
  expect((await read('GIFT')).gift).toMatchObject({ balance: 5 * callers });
  expect(await itemsOf(id, 'TURN', testDependencies())).toEqual([]);
}

test.each(
  sampled(
    [
      ['transfer points from one card to another on a slow engine: all succeed', transfer],
      ['redeem a code with eight uses in a storm: all uses are made, and all callers are answered', useFew],
      ['change one balance in a storm: all succeed', () => adjust(inStorm(64))],
    ] as const,
    1,
  ),
)(`${callers} callers %s`, (_, run) => run());

test('callers wait only once for a container that dies in its turn', async () => {
  let dying: string | undefined;
  // The first container that tries to leave its turn never succeeds.
  await adjust(({ operation, body }) => {
    if (operation !== 'DeleteItem' || !JSON.stringify(body.Key).includes('TURN')) return undefined;
    const holder = JSON.stringify(body.ExpressionAttributeValues);
    dying ??= holder;
    return dying === holder ? ({ cut }) => cut() : undefined;
  });
  expect(dying).toBeDefined();
});
