import { expect, test } from 'vitest';
import { webhookEvents } from '#addons/webhooks/delivery.ts';
import { handler as erase } from '../../functions/customers/delete-customer-permanently.ts';
import { openSubscribed } from '../support/hearing.ts';
import { itemsOf } from '../support/outbox.ts';

test('the erasure of a customer empties the payloads of their events, and of no others', async () => {
  const own = await openSubscribed(['customer.created', 'customer.deleted']);
  const { id } = await own.newCustomer('ingrid-who-leaves');
  await own.newCustomer('olav-who-stays');
  await own.settle();
  const stored = async () => JSON.stringify(await itemsOf(own.id, webhookEvents.kind, own.dependencies));
  expect(await stored()).toContain('ingrid-who-leaves');
  expect((await own.call(erase, { params: { customerId: id } })).status).toBe(200);
  await own.settleAll();
  const left = await stored();
  expect(left).not.toContain('ingrid-who-leaves');
  expect(left).toContain('olav-who-stays');
});
