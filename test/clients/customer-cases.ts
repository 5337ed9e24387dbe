import { expect } from 'vitest';
import { answeredBy, type Case, list } from './case.ts';

/** The library's own type allows it to be missing. */
type Made = { id: string };

/** Rows for the client's methods about customers, their segments and events. */
export const customerCases: Record<string, Case> = {
  'segments.create': answeredBy('create-segment', async (client) => {
    const filter = { junction: 'AND' as const, 'metadata.roast': { conditions: { $is: ['light'] } } };
    const made = await client.segments.create({ name: 'By the client', type: 'auto-update', filter });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^seg_/),
      type: 'auto-update',
      filter,
      object: 'segment',
    });
  }),
  'segments.get': answeredBy('get-segment', async (client) => {
    expect(await client.segments.get('seg_regulars')).toMatchObject({ name: 'Regulars', type: 'auto-update' });
  }),
  'segments.list': answeredBy('list-customer-segments', async (client) => {
    const { data } = await client.segments.list('crm-102');
    expect(data).toContainEqual({ id: 'seg_dark_roast', name: 'Dark roast', object: 'segment' });
  }),
  'segments.delete': answeredBy('delete-segment', async (client) => {
    const { id } = await client.segments.create({ name: 'Gone soon', type: 'static', customers: ['cust_ingrid'] });
    await client.segments.delete(id);
    await expect(client.segments.get(id)).rejects.toMatchObject({ code: 404 });
  }),
  'customers.get': answeredBy('get-customer', async (client) => {
    const byId = await client.customers.get('cust_ingrid');
    expect(byId).toMatchObject({ id: 'cust_ingrid', object: 'customer', metadata: expect.any(Object) });
    const { source_id } = byId as { source_id: string };
    expect(await client.customers.get(source_id)).toEqual(byId);
  }),
  'customers.delete': answeredBy('delete-customer', async (client) => {
    await client.customers.delete('crm-190');
    await expect(client.customers.get('crm-190')).rejects.toMatchObject({ code: 404 });
  }),
  'customers.deletePermanently': answeredBy('delete-customer-permanently', async (client) => {
    const deleted = await client.customers.deletePermanently('crm-191');
    expect(deleted).toMatchObject({ related_object_id: 'cust_leaving', status: 'DONE', data_json: { customer: 1 } });
  }),
  'customers.updateInBulk': answeredBy('update-customers-in-bulk', async (client, runJobs) => {
    const { async_action_id } = await client.customers.updateInBulk([{ source_id: 'crm-bulk', name: 'Bulk' }]);
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({
      status: 'DONE',
      result: { done_count: 1 },
    });
    expect(await client.customers.get('crm-bulk')).toMatchObject({ name: 'Bulk' });
  }),
  'customers.updateMetadataInBulk': answeredBy('update-customers-metadata', async (client, runJobs) => {
    const body = { source_ids: ['crm-101', 'crm-102'], metadata: { wave: 2 } };
    const { async_action_id } = await client.customers.updateMetadataInBulk(body);
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 2 } });
  }),
  'customers.create': answeredBy('create-customer', async (client) => {
    const { id } = (await client.customers.create({ source_id: 'sdk-1', name: 'Sol', metadata: { a: 1 } })) as Made;
    expect(id).toMatch(/^cust_/);
    const merged = await client.customers.create({ source_id: 'sdk-1', metadata: { b: 2 } });
    expect(merged).toMatchObject({ id, name: 'Sol', metadata: { a: 1, b: 2 } });
  }),
  'customers.update': answeredBy('update-customer', async (client) => {
    const { id } = (await client.customers.create({ source_id: 'sdk-2', name: 'Lua' })) as Made;
    expect(await client.customers.update({ source_id: 'sdk-2', phone: '1' })).toMatchObject({ id, phone: '1' });
    expect(await client.customers.update({ id, name: 'Luz' })).toMatchObject({ id, phone: '1', name: 'Luz' });
  }),
  'customers.list': answeredBy('list-customers', async (client) => {
    const page = await client.customers.list({ limit: 2, order: 'created_at' });
    expect(page).toMatchObject({ object: 'list', data_ref: 'customers', customers: [{ id: 'cust_ingrid' }, {}] });
    const dated = { email: 'oluf@post.example', created_at: { before: '2026-01-17' } };
    expect(await client.customers.list(dated)).toMatchObject({ total: 1, customers: [{ id: 'cust_oluf' }] });
    for (const order of ['created_at', '-created_at'] as const) {
      const scroll = client.customers.scroll({ limit: 1, order }) as AsyncIterable<Made>;
      const found: string[] = [];
      for await (const { id } of scroll) found.push(id);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(['cust_ingrid', 'cust_oluf', 'cust_sian']));
    }
  }),
  'customers.listActivity': answeredBy('list-customer-activity', async (client) => {
    const first = await client.customers.listActivity('cust_ingrid', { limit: 1, order: 'created_at' });
    expect(first).toMatchObject({ ...list, data: [{ type: 'customer.created' }], has_more: true });
    const rest = { limit: 100, order: 'created_at' as const, starting_after_id: first.more_starting_after ?? '' };
    expect(await client.customers.listActivity('cust_ingrid', rest)).toMatchObject({ ...list, has_more: false });
  }),
  'customers.listRedeemables': answeredBy('list-customer-redeemables', async (client) => {
    const filters = { junction: 'and', voucher_type: { conditions: { $in: ['LOYALTY_CARD'] } } };
    const found = await client.customers.listRedeemables('cust_ingrid', { limit: 5, order: '-id', filters });
    expect(found).toMatchObject({
      ...list,
      data: [{ redeemable_object: 'voucher', redeemable: { voucher: { code: 'CREW-INGRID' } } }],
      has_more: false,
    });
  }),
  'customers.listActivities': answeredBy('list-customer-activities', async (client) => {
    const first = await client.customers.listActivities('cust_ingrid', { limit: 1, order: 'created_at' });
    expect(first).toMatchObject({ ...list, data: [{ type: 'customer.created' }] });
    const rest = await client.customers.listActivities('cust_ingrid', {
      limit: 100,
      order: 'created_at',
      starting_after_id: first.data[0]?.id,
    });
    expect(rest.data).toHaveLength(first.total - 1);
  }),
  'events.create': answeredBy('send-event', async (client) => {
    const record = await client.events.create('cup_returned', {
      event: 'cup_returned',
      customer: { source_id: 'web-77', name: 'Wanda' },
      loyalty: { code: 'CREW-INGRID' },
    });
    expect(record).toMatchObject({
      object: 'event',
      type: 'cup_returned',
      customer: { object: 'customer', source_id: 'web-77', name: 'Wanda' },
      referral: null,
      loyalty: null,
    });
  }),
};
