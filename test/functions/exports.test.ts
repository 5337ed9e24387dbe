import { describe, expect, test } from 'vitest';
import { exportFile } from '#kernel/kit/exports/export.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as createHandler } from '../../functions/exports/create-export.ts';
import { handler as deleteHandler } from '../../functions/exports/delete-export.ts';
import { handler as listHandler } from '../../functions/exports/list-exports.ts';
import { handler as ordersHandler } from '../../functions/orders/export-orders.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { exportedLines, shownExport, startExport } from '../support/exports.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const at = (hour: number) => `2026-03-01T0${hour}:00:00.000Z`;

const shop = {
  customers: [
    {
      id: 'cust_1',
      source_id: 'crm-1',
      name: '=1+1',
      email: 'a@mail.example',
      phone: '+47 22 86',
      address: { city: 'Bergen', line_1: 'Kai 1, "B"' },
      metadata: { roast: 'light' },
      summary: { orders: { total_amount: 1250, total_count: 2 } },
      created_at: at(1),
    },
    { id: 'cust_2', name: 'Berta', address: { city: 'Oslo' }, metadata: { roast: 'dark' }, created_at: at(2) },
  ],
  orders: [
    { id: 'ord_1', source_id: 'till-1', status: 'PAID', amount: 1250, customer_id: 'cust_1', created_at: at(1) },
    {
      id: 'ord_2',
      status: 'CREATED',
      amount: 500,
      items: [{ quantity: 1, amount: 500 }],
      metadata: { till: 'B' },
      created_at: at(2),
    },
    { id: 'ord_3', status: 'CANCELED', amount: 99_900, created_at: at(3) },
  ],
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 505, attributes: ['size'], created_at: at(1) },
    { id: 'prod_cup', name: 'Cup', created_at: at(2) },
  ],
  skus: [
    { id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', sku: 'Tin', price: 700, created_at: at(5) },
    { id: 'sku_bag', product_id: 'prod_tea', sku: 'Bag', created_at: at(4) },
  ],
};

const is = (value: unknown) => ({ conditions: { $is: value } });

describe('the file has a line for each', () => {
  test.each([
    ['customer', undefined, ['Name,Source ID', "'=1+1,crm-1", 'Berta,']],
    [
      'customer, of chosen fields',
      { fields: ['id', 'phone', 'address_line_1', 'orders_total_amount', 'metadata.roast', 'metadata'] },
      [
        'ID,Phone,Address Line 1,Orders Total Amount,metadata.roast,Metadata',
        'cust_1,+47 22 86,"Kai 1, ""B""",12.50,light,"{""roast"":""light""}"',
        'cust_2,,,0,dark,"{""roast"":""dark""}"',
      ],
    ],
    ['customer, of a city', { fields: ['id'], filters: { city: is('Oslo') } }, ['ID', 'cust_2']],
    [
      'customer, of either',
      { fields: ['id'], filters: { junction: 'or', 'metadata.roast': is('light'), name: is('Berta') } },
      ['ID', 'cust_1', 'cust_2'],
    ],
    ['order', {}, ['ID,Source ID,Status', 'ord_1,till-1,PAID', 'ord_2,,CREATED', 'ord_3,,CANCELED']],
    [
      'order, by status',
      { order: '-status', fields: ['status', 'amount', 'created_at', 'customer_id'] },
      [
        'Status,Amount,Created At,Customer ID',
        `PAID,12.50,${at(1)},cust_1`,
        `CREATED,5,${at(2)},`,
        `CANCELED,999,${at(3)},`,
      ],
    ],
    [
      'order, with lines',
      { fields: ['id', 'initial_amount', 'items', 'redemptions'] },
      [
        'ID,Initial Amount,Items,Redemptions',
        'ord_1,,[],{}',
        'ord_2,,"[{""object"":""order_item"",""quantity"":1,""amount"":500}]",{}',
        'ord_3,,[],{}',
      ],
    ],
    [
      'order, of an amount',
      { order: '-created_at', fields: ['id'], filters: { amount: { conditions: { $more_than: 500 } } } },
      ['ID', 'ord_3', 'ord_1'],
    ],
    ['product', undefined, ['ID,Source ID,Name', 'prod_tea,tea,Tea', 'prod_cup,,Cup']],
    [
      'product, of chosen fields',
      { fields: ['price', 'attributes'], order: '-created_at' },
      ['Price,Attributes', ',[]', '5.05,"[""size""]"'],
    ],
    [
      'sku, by creation',
      { order: 'created_at' },
      ['ID,Source ID,Product ID,Sku', 'sku_bag,,prod_tea,Bag', 'sku_tin,tin,prod_tea,Tin'],
    ],
    ['sku, of a price', { fields: ['id', 'price'], filters: { price: is(700) } }, ['ID,Price', 'sku_tin,7']],
  ])('%s', async (name, parameters, lines) => {
    const project = await loadProject(shop);
    const [exported_object] = name.split(',');
    const body = { exported_object, ...(parameters ? { parameters } : {}) };
    expect(await exportedLines(project, body)).toEqual(lines);
    if (exported_object === 'order') expect(await exportedLines(project, { parameters }, ordersHandler)).toEqual(lines);
  });

  test('row, and only its header without any', async () => {
    expect(await exportedLines(await loadProject(), { exported_object: 'order' })).toEqual(['ID,Source ID,Status']);
  });
});

test('an export shows its request, and the address of the finished file', async () => {
  const project = await loadProject(shop);
  const parameters = { order: 'status', fields: ['id'], filters: { status: is('PAID') } };
  const id = await startExport(project, { parameters }, ordersHandler);
  const common = { id, object: 'export', created_at: testTime.toISOString(), channel: 'API', exported_object: 'order' };
  expect(await shownExport(project, id)).toEqual({
    ...common,
    status: 'SCHEDULED',
    parameters,
    result: null,
    user_id: null,
  });
  expect(id).toMatch(/^exp_/);
  await runOutbox(project.id);
  expect(await shownExport(project, id)).toMatchObject({
    ...common,
    status: 'DONE',
    result: { url: expect.stringContaining(`${id}.csv`) },
  });
  const action = await caller(getAction)({ headers: project.credentials, params: { asyncActionId: id } });
  expect([action.status, action.body.key]).toEqual([404, 'not_found']);
});

describe('an export is refused', () => {
  test.each([
    [
      'a foreign object',
      { exported_object: 'wheel' },
      'invalid_payload',
      'exported_object must be one of customer, order',
    ],
    ['no object', {}, 'invalid_payload', 'exported_object'],
    ['an unknown order', { exported_object: 'order', parameters: { order: 'amount' } }, 'invalid_payload', '-status'],
    [
      'an unknown filter',
      { exported_object: 'order', parameters: { filters: { wheel: is(1) } } },
      'invalid_payload',
      'parameters.filters.wheel is not a field to filter by: ',
    ],
    [
      'a foreign field',
      { exported_object: 'sku', parameters: { fields: ['id', 'colour', 'metadata.a'] } },
      'invalid_export_fields',
      'parameters.fields has colour, which sku does not have: its fields are id, source_id',
    ],
  ])('with %s', async (_, body, key, details) => {
    const project = await loadProject();
    const reply = await caller(createHandler)({ headers: project.credentials, body });
    expect([reply.status, reply.body.key]).toEqual([400, key]);
    expect(reply.body.details).toContain(details);
  });

  test('of orders with a foreign field', async () => {
    const { credentials: headers } = await loadProject();
    const reply = await caller(ordersHandler)({ headers, body: { parameters: { fields: ['name'] } } });
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_export_fields']);
  });
});

test('the list is newest first or by status, and its total counts all', async () => {
  const project = await loadProject();
  const clock = standingClock();
  const create = caller(createHandler, testDependencies({ clock }));
  const ids: string[] = [];
  for (const exported_object of ['order', 'customer', 'sku']) {
    ids.push((await create({ headers: project.credentials, body: { exported_object } })).body.id);
    clock.advance(1);
    if (ids.length === 2) await runOutbox(project.id);
  }
  const listed = async (query: string) => {
    const { body } = await caller(listHandler)({ headers: project.credentials, query });
    expect(body).toMatchObject({ object: 'list', data_ref: 'exports', total: 3 });
    return body.exports.map(({ id }: { id: string }) => ids.indexOf(id));
  };
  expect(await listed('')).toEqual([2, 1, 0]);
  expect(await listed('order=created_at&limit=1&page=2')).toEqual([1]);
  expect(await listed('order=status')).toEqual([0, 1, 2]);
  expect(await listed('order=-status&limit=2')).toEqual([2, 1]);
});

test('deleting an export deletes its file, and a missing export is a 404', async () => {
  const project = await loadProject(shop);
  const exportId = await startExport(project, { exported_object: 'order' });
  await runOutbox(project.id);
  const remove = () => caller(deleteHandler)({ headers: project.credentials, params: { exportId } });
  expect((await remove()).status).toBe(204);
  await expect(testDependencies().files.read(exportFile(project.id, exportId))).rejects.toThrow('there is no file');
  expect((await remove()).body).toMatchObject({ key: 'not_found', resource_id: exportId, resource_type: 'export' });
  expect(await shownExport(project, exportId)).toMatchObject({ key: 'not_found' });
});
