import { expect } from 'vitest';
import { answeredBy, balanceOf, type Case } from './case.ts';

/** Rows for the client's methods about orders. */
export const orderCases: Record<string, Case> = {
  'orders.create': answeredBy('create-order', async (client) => {
    const before = await balanceOf(client, 'CREW-OLUF');
    const made = await client.orders.create({
      source_id: 'sdk-1',
      status: 'PAID',
      items: [{ source_id: 'filter-paper', quantity: 2 }],
      customer: { source_id: 'crm-102' },
    });
    expect(made).toMatchObject({ object: 'order', status: 'PAID', amount: 9800, customer_id: 'cust_oluf' });
    expect(await balanceOf(client, 'CREW-OLUF')).toBe(before + 9);
  }),
  'orders.get': answeredBy('get-order', async (client) => {
    expect(await client.orders.get('till-3-2041')).toMatchObject({ id: 'ord_pickup', total_amount: 22700 });
  }),
  'orders.list': answeredBy('list-orders', async (client) => {
    const { orders, data_ref } = await client.orders.list({ limit: 100 });
    expect([data_ref, orders.map(({ id }) => id)]).toEqual(['orders', expect.arrayContaining(['ord_guest'])]);
  }),
  'orders.import': answeredBy('import-orders', async (client, runJobs) => {
    const { async_action_id } = (await client.orders.import([{ source_id: 'sdk-2', amount: 5 }])) as unknown as {
      async_action_id: string;
    };
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1 } });
    expect(await client.orders.get('sdk-2')).toMatchObject({ amount: 5 });
  }),
  'orders.update': answeredBy('update-order', async (client) => {
    const changed = await client.orders.update({ id: 'ord_pickup', status: 'CANCELED' });
    expect(changed).toMatchObject({ id: 'ord_pickup', status: 'CANCELED', amount: 24700 });
  }),
};
