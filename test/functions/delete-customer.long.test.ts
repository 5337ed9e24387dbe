import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createHandler } from '../../functions/customers/create-customer.ts';
import { handler as removeHandler } from '../../functions/customers/delete-customer.ts';
import { handler as permanentHandler } from '../../functions/customers/delete-customer-permanently.ts';
import { handler as getHandler } from '../../functions/customers/get-customer.ts';
import { handler as activitiesHandler } from '../../functions/customers/list-customer-activities.ts';
import { handler as listHandler } from '../../functions/customers/list-customers.ts';
import { handler as updateHandler } from '../../functions/customers/update-customer.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const gift = { type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 500 }, active: true };

/** A customer with cards and activities. */
async function aCustomer() {
  const project = await loadProject({
    customers: [{ id: 'cust_1', source_id: 'crm-1', name: 'Siv' }],
    vouchers: [
      { ...gift, code: 'GIFT-1', holder_id: 'cust_1' },
      { ...gift, code: 'GIFT-2', holder_id: 'cust_1' },
      { code: 'FIVE-OFF', type: 'DISCOUNT_VOUCHER', holder_id: 'cust_1', active: true },
    ],
    event_schema: [{ name: 'seen', metadata: {} }],
  });
  const { credentials: headers } = project;
  const call = (handler: Endpoint, request: object) => caller(handler)({ headers, ...request });
  const event = () => call(eventHandler, { body: { event: 'seen', customer: { id: 'cust_1' } } });
  const params = { customerId: 'crm-1' };
  return { project, call, event, params, byId: { customerId: 'cust_1' } };
}

/** Returns the customer's items of the table. */
async function left(projectId: string): Promise<string[]> {
  const items = await itemsOf(projectId, '');
  const kinds = items.filter(({ pk }) => String(pk).includes('#CUSTOMER')).map(({ sk }) => String(sk).split('#')[0]);
  return [...new Set(kinds)].map(String).sort();
}

describe('a customer who was deleted', () => {
  test('is no longer found by id, source id or list, nor changed, and a new customer may have the source id', async () => {
    const { call, event, params, byId } = await aCustomer();
    expect((await event()).status).toBe(200);
    expect((await call(removeHandler, { params })).status).toBe(204);
    for (const request of [{ params }, { params: byId }]) {
      expect((await call(getHandler, request)).status).toBe(404);
      expect((await call(activitiesHandler, request)).status).toBe(404);
      expect((await call(updateHandler, { ...request, body: { name: 'New' } })).status).toBe(404);
      expect((await call(removeHandler, request)).status).toBe(404);
    }
    expect((await event()).status).toBe(404);
    expect((await call(listHandler, {})).body.customers).toEqual([]);
    const { body } = await call(createHandler, { body: { source_id: 'crm-1', name: 'Another' } });
    expect(body).toMatchObject({ source_id: 'crm-1', name: 'Another' });
    expect(body.id).not.toBe('cust_1');
    expect((await call(getHandler, { params })).body).toMatchObject({ id: body.id, name: 'Another' });
  });

  test('is no longer the customer of the source id in containers that remember the id', async () => {
    const { call, params } = await aCustomer();
    const seen = () => call(eventHandler, { body: { event: 'seen', customer: { source_id: 'crm-1' } } });
    const whose = async () => (await seen()).body.customer.id;
    expect([await whose(), await whose()]).toEqual(['cust_1', 'cust_1']);
    expect((await call(removeHandler, { params })).status).toBe(204);
    const other = await whose();
    expect(other).not.toBe('cust_1');
    expect([await whose(), await whose()]).toEqual([other, other]);
    const { body } = await call(updateHandler, { params, body: { name: 'Another' } });
    expect([body.id, (await call(getHandler, { params })).body.name, await whose()]).toEqual([other, 'Another', other]);
  });

  test('leaves vouchers without a holder, and nothing else', async () => {
    const { project, call, event, params } = await aCustomer();
    for (let number = 0; number < 60; number++) await event();
    expect(await left(project.id)).toEqual(['ACTIVITY', 'CUSTOMER', 'CUSTOMER_SOURCE', 'HELD_CARD', 'HELD_VOUCHER']);
    await call(removeHandler, { params });
    // Two simultaneous deletions, and another deletion afterwards.
    const open = await openJobs(project.id);
    await Promise.all([deliver(open), deliver(open)]);
    await runOutbox(project.id);
    await deliver(open);
    expect(await left(project.id)).toEqual([]);
    for (const code of ['GIFT-1', 'GIFT-2', 'FIVE-OFF']) {
      const { body } = await call(voucherHandler, { params: { code } });
      expect(body.active).toBe(true);
      expect(body).not.toHaveProperty('holder_id');
    }
  });

  test('is deleted by one of twenty concurrent requests, and an event meanwhile is whole or refused', async () => {
    const { project, call, event, params } = await aCustomer();
    const deletions = Array.from({ length: 20 }, () => call(removeHandler, { params }));
    const events = Array.from({ length: 5 }, event);
    const statuses = (await Promise.all(deletions)).map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
    for (const { status } of await Promise.all(events)) expect([200, 404]).toContain(status);
    expect(await openJobs(project.id)).toHaveLength(1);
    await runOutbox(project.id);
    expect(await left(project.id)).toEqual([]);
  });
});

test('a permanent deletion reports what existed, and deletes it', async () => {
  const { project, call, event, params } = await aCustomer();
  await event();
  await event();
  await call(updateHandler, { params, body: { name: 'Siv Aune' } });
  const { status, body } = await call(permanentHandler, { params });
  expect([status, body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^del_/),
      created_at: '2026-06-15T12:00:00.000Z',
      related_object_id: 'cust_1',
      related_object: 'customer',
      status: 'DONE',
      data_json: {
        events: 2,
        customer_events: 3,
        daily_events: 0,
        segments: 0,
        orders: 0,
        order_events: 0,
        customer: 1,
      },
      object: 'pernament_deletion',
    },
  ]);
  expect((await call(permanentHandler, { params })).status).toBe(404);
  await runOutbox(project.id);
  expect(await left(project.id)).toEqual([]);
});
