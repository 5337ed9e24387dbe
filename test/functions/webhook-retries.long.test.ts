import { describe, expect, test } from 'vitest';
import { deliveries, webhookHealth } from '#addons/webhooks/delivery.ts';
import { failuresToOpen } from '#addons/webhooks/schedule.ts';
import { sweepDeliveries } from '#addons/webhooks/sweep-deliveries.ts';
import { handler as deleteWebhook } from '../../functions/management/delete-webhook.ts';
import { openSubscribed as open, openReceiver } from '../support/hearing.ts';
import { itemsOf } from '../support/outbox.ts';

const minute = 60;

/** Runs the waits of a delivery until nothing waits any more, and returns the waits in seconds. */
async function waitsOf({
  settle,
  resume,
  clock,
  dependencies,
  delivery,
}: Awaited<ReturnType<typeof open>>): Promise<number[]> {
  const waits: number[] = [];
  for (;;) {
    const later = await settle();
    const [first] = later;
    if (first) {
      waits.push(first.delayInS ?? 0);
      clock.advance(first.delayInS ?? 0);
      resume(later);
      continue;
    }
    const due = (await delivery())?.next_attempt_at;
    if (due === undefined) return waits;
    const before = clock().getTime();
    clock.set(new Date(Date.parse(due) - 1));
    expect(await sweepDeliveries(dependencies)).toBe(0);
    clock.set(due);
    expect(await sweepDeliveries(dependencies)).toBe(1);
    waits.push((clock().getTime() - before) / 1_000);
  }
}

describe('a receiver that fails', () => {
  test('gets twelve retries after doubling minutes and a day, with one id, and then the webhook is off', async () => {
    const own = await open();
    own.receiver.answer((response) => response.writeHead(500).end('broken'));
    await own.newCustomer('ingrid');
    const waits = await waitsOf(own);
    const doubling = Array.from({ length: 11 }, (_, index) => 2 ** index * minute);
    const expected = [...doubling, 24 * 60 * minute];
    expect(waits).toHaveLength(expected.length);
    for (const [index, wait] of waits.entries()) {
      expect(wait - (expected[index] ?? 0)).toBeGreaterThanOrEqual(0);
      expect(wait - (expected[index] ?? 0)).toBeLessThanOrEqual(minute);
    }
    expect(new Set(own.receiver.heard.map(({ body }) => body.id)).size).toBe(1);
    expect(own.receiver.heard).toHaveLength(13);
    expect(await own.delivery()).toMatchObject({ status: 'FAILED', tries: 13 });
    expect((await own.delivery())?.attempts.map(({ status }) => status)).toEqual(Array(13).fill(500));
    expect(await own.isActive()).toBe(false);
    expect(own.dependencies.lines.filter((line) => line.includes('webhook_switched_off'))).toHaveLength(1);
  });

  test('with an answer of 200 that comes too late has failed, and gets the event again after a minute', async () => {
    const own = await open(['customer.created'], { targets: { allowsLocal: true, timeoutInMs: 20 } });
    const isLate = Promise.withResolvers<void>();
    own.receiver.answer((response) => void isLate.promise.then(() => response.end('thanks')));
    await own.newCustomer('ingrid');
    expect((await own.settle()).map(({ delayInS }) => delayInS)).toEqual([minute]);
    isLate.resolve();
    await own.settle();
    expect(await itemsOf(own.id, deliveries.kind, own.dependencies)).toEqual([
      expect.objectContaining({
        status: 'PENDING',
        tries: 1,
        attempts: [expect.objectContaining({ status: null, answer: 'no answer in time' })],
      }),
    ]);
  });

  test('is off at once after 410', async () => {
    const own = await open();
    own.receiver.answer((response) => response.writeHead(410).end());
    await own.newCustomer('ingrid');
    expect(await own.settle()).toEqual([]);
    expect(await own.isActive()).toBe(false);
    expect(await own.delivery()).toMatchObject({ status: 'FAILED', attempts: [{ status: 410 }] });
  });

  test('is heard if it wants to wait: Retry-After in seconds', async () => {
    const own = await open();
    own.receiver.answer((response) => response.writeHead(429, { 'Retry-After': '300' }).end());
    await own.newCustomer('ingrid');
    expect((await own.settle()).map(({ delayInS }) => delayInS)).toEqual([300]);
  });

  test('gets no redirect followed', async () => {
    const own = await open();
    const other = await openReceiver();
    own.receiver.answer((response) => response.writeHead(301, { Location: other.url }).end());
    await own.newCustomer('ingrid');
    await own.settle();
    expect(other.heard).toEqual([]);
    expect(await own.delivery()).toMatchObject({ status: 'PENDING', attempts: [{ status: 301 }] });
  });

  test('thirty times in a row gets one request a minute, and all others once it answers', async () => {
    const own = await open();
    own.receiver.answer((response) => response.writeHead(503).end());
    for (let index = 0; index < failuresToOpen; index++) await own.newCustomer(`ill-${index}`);
    await own.settle();
    expect(own.receiver.heard).toHaveLength(failuresToOpen);
    for (let index = 0; index < 5; index++) await own.newCustomer(`waiting-${index}`);
    await own.settle();
    expect(own.receiver.heard).toHaveLength(failuresToOpen);
    own.receiver.answer((response) => void response.end());
    for (let turn = 0; turn < 6; turn++) {
      own.clock.advance(minute);
      await sweepDeliveries(own.dependencies);
      own.resume(await own.settle());
      await own.settle();
    }
    const names = own.receiver.heard.slice(failuresToOpen).map(({ body }) => body.data.customer.source_id);
    expect(new Set(names)).toEqual(
      new Set(
        [...Array(failuresToOpen).keys()]
          .map((index) => `ill-${index}`)
          .concat([...Array(5).keys()].map((index) => `waiting-${index}`)),
      ),
    );
  });
});

describe('a receiver that fails while many requests are under way', () => {
  test('is asked again after a minute, and later after two, four and eight', async () => {
    const own = await open();
    own.receiver.answer((response) => response.writeHead(503).end());
    for (let index = 0; index < failuresToOpen + 10; index++) await own.newCustomer(`ill-${index}`);
    const waits: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await own.settle();
      const [health] = await itemsOf(own.id, webhookHealth.kind, own.dependencies);
      const until = String(health?.open_until);
      waits.push((Date.parse(until) - own.clock().getTime()) / 1_000);
      own.clock.set(until);
      await sweepDeliveries(own.dependencies);
    }
    expect(waits).toEqual([1, 2, 4, 8, 8].map((minutes) => minutes * minute));
  });
});

describe('a delivery', () => {
  test('whose message comes again is made once', async () => {
    const own = await open();
    const { queues } = own.dependencies;
    await own.newCustomer('ingrid');
    const kept: typeof queues.messages = [];
    const send = queues.send;
    queues.send = async (queue, messages) => {
      if (queue === 'webhooks') kept.push(...messages.map((message) => ({ queue, ...message })));
      await send(queue, messages);
    };
    await own.settle();
    expect(kept.length).toBeGreaterThan(0);
    own.resume(kept);
    await own.settle();
    expect(own.receiver.heard).toHaveLength(1);
  });

  test('whose message was lost is made by the sweep', async () => {
    const own = await open();
    const { queues } = own.dependencies;
    const send = queues.send;
    queues.send = async (queue, messages) => (queue === 'webhooks' ? undefined : send(queue, messages));
    await own.newCustomer('ingrid');
    await own.settle();
    queues.send = send;
    expect(own.receiver.heard).toEqual([]);
    own.clock.advance(5 * minute);
    expect(await sweepDeliveries(own.dependencies)).toBe(1);
    await own.settle();
    expect(own.receiver.heard).toHaveLength(1);
  });

  test('whose message waits in the queue for a day gets few further messages, and is made once', async () => {
    const own = await open();
    const { queues } = own.dependencies;
    const kept: typeof queues.messages = [];
    const send = queues.send;
    queues.send = async (queue, messages) => {
      if (queue === 'webhooks') kept.push(...messages.map((message) => ({ queue, ...message })));
      else await send(queue, messages);
    };
    await own.newCustomer('ingrid');
    await own.settle();
    const ofDay = [5, 5, 10, 20, 40, 80, 160, 160, 160, 160, 160, 160, 160, 160];
    const sent: number[] = [];
    for (const minutes of ofDay) {
      own.clock.advance(minutes * minute - 1);
      sent.push(await sweepDeliveries(own.dependencies));
      own.clock.advance(1);
      sent.push(await sweepDeliveries(own.dependencies));
    }
    expect(sent).toEqual(ofDay.flatMap(() => [0, 1]));
    queues.send = send;
    own.resume(kept);
    await own.settle();
    expect(own.receiver.heard).toHaveLength(1);
    expect(await own.delivery()).toMatchObject({ status: 'SUCCEEDED', tries: 1 });
  });

  test('whose messages were lost begins with short waits again after its attempt', async () => {
    const own = await open();
    const { queues } = own.dependencies;
    const send = queues.send;
    const lose: typeof send = async (queue, messages) => (queue === 'webhooks' ? undefined : send(queue, messages));
    own.receiver.answer((response) => response.writeHead(500).end());
    queues.send = lose;
    await own.newCustomer('ingrid');
    await own.settle();
    for (const minutes of [5, 5]) {
      own.clock.advance(minutes * minute);
      expect(await sweepDeliveries(own.dependencies)).toBe(1);
    }
    own.clock.advance(10 * minute);
    queues.send = send;
    expect(await sweepDeliveries(own.dependencies)).toBe(1);
    queues.send = async (queue, messages) => {
      const isRetry = messages.some(({ more = {} }) => 'tries' in more && more.tries === 1);
      if (!isRetry) await send(queue, messages);
    };
    await own.settle();
    expect(own.receiver.heard).toHaveLength(1);
    queues.send = send;
    // The retry waits for a minute, and its lost message for five.
    own.clock.advance(6 * minute);
    expect(await sweepDeliveries(own.dependencies)).toBe(1);
  });

  test('waits for nobody after its webhook was deleted', async () => {
    const own = await open();
    own.receiver.answer((response) => response.writeHead(500).end());
    await own.newCustomer('ingrid');
    const later = await own.settle();
    await own.manage(deleteWebhook, { webhookId: own.webhook.id });
    own.receiver.answer((response) => void response.end());
    own.resume(later);
    await own.settle();
    expect(own.receiver.heard).toHaveLength(1);
    expect(await own.delivery()).toMatchObject({ status: 'CANCELED' });
  });
});
