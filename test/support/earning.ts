import { expect } from 'vitest';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from './call.ts';
import { segmentMessages } from './changes.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { card, newClub, programme } from './loyalty.ts';
import { itemsOf, messagesFor, recordOf, runOutbox } from './outbox.ts';

type Handler = Parameters<typeof caller>[0];

export const fixed = (points: number) => ({ type: 'FIXED', points });

/**
 * Loads Ada, a member of one programme, and another programme that every customer can join. Returns calls that earn
 * points, and the work of stream and queues.
 */
export async function openEarning(lists: Record<string, unknown> = {}) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const club = await newClub(
    {
      campaigns: [programme('camp_club'), programme('camp_open', { auto_join: true })],
      customers: [{ id: 'cust_ada', name: 'Ada', metadata: { vip: true } }],
      vouchers: [card('ADA', 0, { holder_id: 'cust_ada' })],
      event_schema: [{ name: 'visit', metadata: { length: 'number' } }],
      ...lists,
    },
    dependencies,
  );
  const { id, credentials: headers } = club.project;
  const ask = async (handler: Handler, request: object) => {
    const reply = await caller(handler, dependencies)({ headers, ...request });
    expect(reply.status).toBeLessThan(300);
    return reply.body;
  };
  const items = (kind: string) => itemsOf(id, kind, dependencies);
  const keysOf = (some: Record<string, unknown>[]) =>
    segmentMessages(some.map((item) => recordOf(item))).map(({ key }) => key);
  const handOver = async (keys: readonly Key[], times: number) => {
    const messages = Array.from({ length: times }, () => messagesFor(keys)).flat();
    expect(await runMessages(messages, dependencies, createWorks())).toEqual({ batchItemFailures: [] });
  };
  return {
    ...club,
    clock,
    items,
    ask,
    run: () => runOutbox(id, dependencies),
    /** Hands what the stream names to the worker, once. */
    hand: (keys: readonly Key[]) => handOver(keys, 1),
    rules: (campaignId: string, ...body: object[]) => ask(createRules, { params: { campaignId }, body }),
    visit: (metadata: object = {}) =>
      ask(sendEvent, { body: { event: 'visit', customer: { id: 'cust_ada' }, metadata } }),
    pay: (order: object) => ask(createOrder, { body: { status: 'PAID', customer: { id: 'cust_ada' }, ...order } }),
    points: async (code: string) => (await ask(getVoucher, { params: { code } })).loyalty_card,
    /** Lets the stream's worker process all customers, as often as `times` says, simultaneously. */
    follow: async (times = 1) => handOver(keysOf(await items('CUSTOMER')), times),
    /** Delivers each tier change as often as `times` says, simultaneously, until nothing is new. */
    handMoves: async (times = 1) => {
      const seen = new Set<string>();
      for (;;) {
        const keys = keysOf([...(await items('LEDGER')), ...(await items('ACTIVITY'))]);
        const fresh = keys.filter((key) => !seen.has(keyText(key)));
        if (fresh.length === 0) return;
        for (const key of fresh) seen.add(keyText(key));
        await handOver(fresh, times);
      }
    },
  };
}

export type Earning = Awaited<ReturnType<typeof openEarning>>;

export const tierOf = (id: string, from: number, to?: number, campaign_id = 'camp_club') => ({
  id: `ltr_${id}`,
  name: id,
  campaign_id,
  points: { from, ...(to === undefined ? {} : { to }) },
});

/** Makes an earning rule for tier changes. */
export const onMove = (kind: string, tier: string, points: number) => ({
  event: `customer.loyalty.tier.${kind}`,
  loyalty_tier: { id: tier },
  loyalty: fixed(points),
});

/** Makes a segment of customers with this `roast` in their metadata. */
export const darkRoast = (name: string) => ({
  name,
  type: 'auto-update',
  filter: { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } },
});
