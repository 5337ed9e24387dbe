import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { keptForInS } from '#addons/webhooks/delivery.ts';
import { maxStoredBytes } from '#addons/webhooks/envelope.ts';
import { customers } from '#engine/customers/customer.ts';
import { fileLifeInDays } from '#kernel/core/files/files.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { handler as replay } from '../../functions/management/replay-webhook-delivery.ts';
import { openSubscribed } from '../support/hearing.ts';

test('a payload above 256 KB is sent whole, and again after four weeks', async () => {
  const own = await openSubscribed(['customer.deleted']);
  const { id } = await own.newCustomer('ingrid');
  await own.settle();
  const key = stripKey(customers(own.id, id));
  const [item] = await own.table().getMany([key]);
  const note = 'é'.repeat(maxStoredBytes / 2);
  const image = marshall({ ...item, metadata: { note } }, { removeUndefinedValues: true });
  const event = { id: 'ev_long', type: 'customer.deleted', at: own.clock().toISOString(), image };
  own.resume([{ queue: 'events', key, more: { event } }]);
  await own.settle();
  expect(own.receiver.heard.map(({ body }) => body.data.customer.metadata)).toEqual([{ note }]);
  own.clock.advance(28 * 24 * 3_600);
  await own.manage(replay, { webhookId: own.webhook.id, deliveryId: own.receiver.heard[0]?.body.id });
  await own.settle();
  expect(own.receiver.heard.map(({ text }) => text)).toEqual(Array(2).fill(own.receiver.heard[0]?.text));
  // The bucket keeps the file as long as the event can be sent again.
  expect(fileLifeInDays.events * 24 * 3_600).toBeGreaterThan(keptForInS);
});
