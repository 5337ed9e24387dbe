import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importHandler } from '../../functions/orders/import-orders.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { done, openStore, orderTypes } from '../support/store.ts';

test('imported orders exist and count in the background; they earn nothing, then or later, and cause no activity', async () => {
  const store = await openStore();
  const headers = store.project.credentials;
  const customer = { source_id: 'shop-2' };
  const [known, balance] = [done(await store.create({ source_id: 'known' })), (await store.card('BOB')).balance];
  const reply = await caller(importHandler)({
    headers,
    body: [
      { source_id: 'i-1', status: 'PAID', amount: '900', customer, created_at: '2025-01-02T03:04:05Z' },
      { source_id: 'i-2', items: [{ source_id: 'tea', quantity: 2 }], customer },
      { id: known.id, status: 'CANCELED' },
      { source_id: 'i-4', customer: { id: 'cust_none' } },
    ],
  });
  expect(reply.status).toBe(200);
  await runOutbox(store.project.id);
  const { async_action_id: asyncActionId } = reply.body;
  const action = (await caller(getAction)({ headers, params: { asyncActionId } })).body;
  expect(action).toMatchObject({
    type: 'ORDERS.IMPORT',
    status: 'DONE',
    operation_status: 'FAILED',
    result: { done_count: 3, failed_count: 1, failed: [{ row: 4, source_id: 'i-4' }] },
  });
  const created_at = '2025-01-02T03:04:05.000Z';
  expect((await store.get('i-1')).body).toMatchObject({ amount: 900, customer_id: 'cust_bob', created_at });
  expect((await store.get('i-2')).body.amount).toBe(1000);
  expect((await store.get('known')).body.status).toBe('CANCELED');
  expect((await store.get('i-4')).status).toBe(404);
  for (const status of ['CREATED', 'PAID']) done(await store.update('i-1', { status }));
  expect((await store.card('BOB')).balance).toBe(balance);
  expect(orderTypes(await store.activities('shop-2'))).toEqual([
    'customer.order.paid',
    'customer.order.updated',
    'customer.order.updated',
  ]);
  expect((await store.customer('shop-2')).summary.orders).toMatchObject({
    total_amount: 900,
    last_order_date: created_at,
  });
});

test('an import names every fault of every order, and is refused completely', async () => {
  const { credentials: headers } = (await openStore()).project;
  const faulty = await caller(importHandler)({
    headers,
    body: [{ amount: -1 }, { items: [{ initial_quantity: 'x' }] }],
  });
  expect(faulty.body.details).toBe('[0].amount must be 0 or more; [1].items[0].initial_quantity must be a number');
  const many = await caller(importHandler)({ headers, body: Array(2001).fill({}) });
  expect([many.status, many.body.details]).toEqual([400, expect.stringContaining('at most 2000 orders')]);
});
