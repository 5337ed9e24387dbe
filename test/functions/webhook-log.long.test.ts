import { expect, test } from 'vitest';
import { handler as getDelivery } from '../../functions/management/get-webhook-delivery.ts';
import { handler as listDeliveries } from '../../functions/management/list-webhook-deliveries.ts';
import { handler as replayFailed } from '../../functions/management/replay-failed-webhook-deliveries.ts';
import { handler as replay } from '../../functions/management/replay-webhook-delivery.ts';
import { handler as sendTest } from '../../functions/management/test-webhook.ts';
import { openSubscribed } from '../support/hearing.ts';

/** Opens a project whose webhook was switched off by an answer 410, after three customers were created. */
async function openFailed() {
  const own = await openSubscribed(['customer.created', 'customer.updated']);
  const params = { webhookId: own.webhook.id };
  own.receiver.answer((response) => response.writeHead(410).end('gone'));
  for (const name of ['a', 'b', 'c']) await own.newCustomer(name);
  await own.settle();
  own.receiver.answer((response) => void response.end('back'));
  const list = async (query = 'limit=100') => (await own.manage(listDeliveries, params, undefined, query)).body;
  const ids = async (query?: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
  return { ...own, params, list, ids };
}

test('the log shows each delivery with its attempts, newest first, in pages, by type, entity and status', async () => {
  const { list, ids, manage, params, receiver } = await openFailed();
  const { data, has_more } = await list();
  expect([data.length, has_more]).toEqual([3, false]);
  const [newest] = data;
  expect(newest).toMatchObject({
    object: 'webhook_delivery',
    type: 'customer.created',
    status: 'FAILED',
    attempts: [{ status: 410, answer: 'gone', at: expect.any(String), duration_ms: expect.any(Number) }],
    next_attempt_at: null,
  });
  const { request, ...delivery } = (await manage(getDelivery, { ...params, deliveryId: newest.id })).body;
  expect(delivery).toEqual(newest);
  const got = receiver.heard.find(({ body }) => body.id === newest.id);
  expect(request.body).toBe(got?.text);
  expect(request.headers['x-voucherify-signature']).toBe(got?.headers['x-voucherify-signature']);
  const first = await list('limit=2');
  expect([first.data.length, first.has_more]).toEqual([2, true]);
  expect(await ids(`limit=2&starting_after_id=${first.more_starting_after}`)).toEqual([data[2].id]);
  expect(await ids(`entity_id=${newest.entity_id}`)).toEqual([newest.id]);
  expect(await ids('status=FAILED&type=customer.created')).toHaveLength(3);
  expect(await ids('status=SUCCEEDED')).toEqual([]);
  expect(await ids('type=customer.updated')).toEqual([]);
  expect((await manage(getDelivery, { ...params, deliveryId: 'whs_none' })).body).toMatchObject({
    code: 404,
    resource_type: 'webhook_delivery',
  });
});

test('one delivery is sent again with its ids and payload, although the webhook is off', async () => {
  const { ids, manage, params, receiver, settle, isActive } = await openFailed();
  const [deliveryId = ''] = await ids();
  const before = receiver.heard.find(({ body }) => body.id === deliveryId);
  expect((await manage(replay, { ...params, deliveryId })).body).toMatchObject({ id: deliveryId, status: 'PENDING' });
  await settle();
  const again = receiver.heard.filter(({ body }) => body.id === deliveryId);
  expect(again).toHaveLength(2);
  expect(again[1]?.text).toBe(before?.text);
  const { body: after } = await manage(getDelivery, { ...params, deliveryId });
  expect(after.status).toBe('SUCCEEDED');
  expect(after.attempts.map(({ status }: { status: number }) => status)).toEqual([410, 200]);
  expect(await isActive()).toBe(false);
});

test('everything that failed since a time is sent again once, even if twenty callers ask at once', async () => {
  const { manage, params, receiver, settle, list } = await openFailed();
  const [{ created_at: since }] = (await list()).data.toReversed();
  const heard = receiver.heard.length;
  const replies = await Promise.all(Array.from({ length: 20 }, () => manage(replayFailed, params, { since })));
  expect(replies.reduce((sum, { body }) => sum + body.replayed, 0)).toBe(3);
  await settle();
  expect(receiver.heard).toHaveLength(heard + 3);
  expect(new Set((await list()).data.map(({ status }: { status: string }) => status))).toEqual(new Set(['SUCCEEDED']));
  const later = { since: new Date(Date.parse(since) + 3_600_000).toISOString() };
  expect((await manage(replayFailed, params, later)).body).toEqual({ replayed: 0, has_more: false });
});

test('a replay that fails again is no reason for retries', async () => {
  const { ids, manage, params, receiver, settle } = await openFailed();
  receiver.answer((response) => response.writeHead(500).end());
  const [deliveryId = ''] = await ids();
  await manage(replay, { ...params, deliveryId });
  expect(await settle()).toEqual([]);
  expect((await manage(getDelivery, { ...params, deliveryId })).body.status).toBe('FAILED');
});

test('a test event reaches the target once, signed and marked as a test', async () => {
  const own = await openFailed();
  const { body: made } = await own.manage(sendTest, own.params, { type: 'redemption.succeeded' });
  await own.settle();
  expect(own.receiver.heard.at(-1)?.body).toMatchObject({
    id: made.id,
    type: 'redemption.succeeded',
    data: { test: true },
  });
  expect(await own.ids('type=redemption.succeeded&status=SUCCEEDED')).toEqual([made.id]);
});
