import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as importProducts } from '../../functions/products/import-products.ts';
import { handler as getSku } from '../../functions/skus/get-sku.ts';
import { handler as importSkus } from '../../functions/skus/import-skus.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

type Imports = typeof importCustomers | typeof importProducts | typeof importSkus;

/** Imports the file, and shows the action when it has ended. */
async function imported({ id, credentials: headers }: TestProject, handler: Imports, file: string) {
  const { status, body } = await caller(handler)({ headers, body: { file } });
  await runOutbox(id);
  const params = { asyncActionId: body.async_action_id };
  return { status, action: (await caller(getAction)({ headers, params })).body };
}

test('a refused file is refused as a whole, and changes nothing', async () => {
  const { credentials: headers } = await loadProject();
  const { status, body } = await caller(importProducts)({ headers, body: { file: 'source_id,name\ncup,Cup\nmug' } });
  expect([status, body.key, body.details]).toEqual([400, 'invalid_payload', 'line 3, column 2 is missing']);
  expect((await caller(getProduct)({ headers, params: { productId: 'cup' } })).status).toBe(404);
});

test('customers get what their rows say and keep what the file has no column for, and impossible rows are named', async () => {
  const address = { city: 'Oslo', line_1: 'Quay 1', line_2: null, state: null, country: null, postal_code: null };
  const known = {
    id: 'cust_1',
    source_id: 'known',
    name: 'Old',
    phone: '1',
    birthday: '1990-01-01',
    address,
    metadata: { old: 1 },
  };
  const project = await loadProject({
    customers: [known, { id: 'cust_2', source_id: 'two', email: 'two@mail.example' }],
  });
  const file = [
    'Source_id,Id,Name,Email,Birthdate,Address_line_1,Postal_Code,Roast,vip,note',
    'known,,"Ana ""A"" Lund",ana@mail.example,1991-02-03T04:05:06.000Z,,0150,light,true,null',
    'new,,,,,"Pier 2,\n3rd floor",,007,,false',
    ',cust_2,Two,,,,,,,',
    ',,Nobody,,,,,,,',
    'bad,,,,1991-02-30,,,,,',
    ',cust_two,,,,,,,,',
  ].join('\r\n');
  const { status, action } = await imported(project, importCustomers, file);
  expect(status).toBe(202);
  expect(action).toMatchObject({ type: 'CUSTOMERS.IMPORT_CSV', status: 'DONE' });
  expect(action.result).toMatchObject({ message: 'Customers are imported: done', done_count: 4, failed_count: 2 });
  expect(action.result.metadata_columns).toEqual(['Roast', 'vip', 'note']);
  expect(action.result.failed).toMatchObject([
    { row: 4, reason: 'source_id or id is required' },
    { row: 5, source_id: 'bad', reason: 'birthdate must be an existing date, YYYY-MM-DD' },
  ]);
  const get = async (customerId: string) =>
    (await caller(getCustomer)({ headers: project.credentials, params: { customerId } })).body;
  expect(await get('known')).toMatchObject({
    id: 'cust_1',
    name: 'Ana "A" Lund',
    email: 'ana@mail.example',
    phone: '1',
    birthday: '1991-02-03',
    birthdate: '1991-02-03',
  });
  const { address: moved, metadata } = await get('known');
  expect([moved, metadata]).toEqual([
    { city: 'Oslo', line_2: null, state: null, country: null, postal_code: '0150' },
    { old: 1, Roast: 'light', vip: true, note: null },
  ]);
  expect(await get('new')).toMatchObject({ name: null, address: { line_1: 'Pier 2,\n3rd floor' } });
  expect((await get('new')).metadata).toEqual({ Roast: '007', note: false });
  expect(await get('cust_2')).toMatchObject({ source_id: 'two', name: 'Two', email: null });
  // A file of another project brings its ids.
  expect(await get('cust_two')).toMatchObject({ id: 'cust_two', source_id: null });
});

test("a row's whole metadata replaces the customer's, which does not count for the limit", async () => {
  const project = await loadProject({ customers: [{ id: 'cust_1', metadata: { kept: 'x'.repeat(30_000) } }] });
  const { action } = await imported(
    project,
    importCustomers,
    `id,metadata\ncust_1,"{""more"":""${'x'.repeat(30_000)}""}"\n`,
  );
  expect(action.result).toMatchObject({ done_count: 1, failed_count: 0 });
});

test('products are created or changed, and their prices are in major units', async () => {
  const project = await loadProject({
    products: [{ id: 'prod_1', source_id: 'cup', name: 'Cup', image_url: 'https://a.example', metadata: { old: 1 } }],
  });
  const file = [
    'source_id,Name,PRICE,attributes,shelf mark',
    'cup,,12.5,"size, colour",left',
    'mug,Mug,7,,',
    'jar,Jar,"7,50",,',
    'pot,Pot,0.001,,',
    'pan,Pan,-1,,',
    `${'x'.repeat(500_000)},Long,1,,`,
    'urn,Urn,9999999999999.99,,',
    ',,1,,',
  ].join('\n');
  const { status, action } = await imported(project, importProducts, file);
  expect(status).toBe(200);
  expect(action).toMatchObject({
    type: 'PRODUCTS.IMPORT_CSV',
    status: 'DONE',
    result: { done_count: 3, failed_count: 5 },
  });
  const reason = 'price must be in major units with up to 2 decimals, such as 12.50';
  expect(action.result.failed).toMatchObject([
    { row: 3, source_id: 'jar', reason },
    { row: 4, source_id: 'pot', reason },
    { row: 5, source_id: 'pan', reason },
    { row: 6, source_id: 'x'.repeat(300), reason: 'source_id must have at most 300 characters' },
    { row: 8, reason: 'source_id or id or name is required' },
  ]);
  const get = async (productId: string) =>
    (await caller(getProduct)({ headers: project.credentials, params: { productId } })).body;
  expect(await get('cup')).toMatchObject({
    id: 'prod_1',
    name: null,
    price: 1250,
    attributes: ['size', 'colour'],
    image_url: 'https://a.example',
    metadata: { old: 1, 'shelf mark': 'left' },
  });
  expect(await get('mug')).toMatchObject({ name: 'Mug', price: 700, attributes: [], metadata: {} });
  expect(await get('urn')).toMatchObject({ price: 999_999_999_999_999 });
});

test('SKUs are created or changed in their products, and an import is done even if every row failed', async () => {
  const project = await loadProject({ products: [{ id: 'prod_1', source_id: 'cup' }, { id: 'prod_2' }] });
  const header = 'product_id,source_id,sku,price,currency,attributes,shelf\n';
  const rows = 'cup,cup-s,Small,3.05,EUR,"{""size"":""S"",""__proto__"":{""a"":1}}",left\nprod_1,cup-s,Smaller,,,,\n';
  const { status, action } = await imported(project, importSkus, header + rows);
  expect([status, action.type, action.result]).toMatchObject([200, 'SKUS.IMPORT_CSV', { done_count: 2, failed: [] }]);
  const { body } = await caller(getSku)({ headers: project.credentials, params: { skuId: 'cup-s' } });
  expect(body).toMatchObject({
    product_id: 'prod_1',
    sku: 'Smaller',
    price: null,
    attributes: {},
    metadata: { shelf: 'left' },
  });

  const bad = 'prod_2,cup-s,,,,,\nnone,x,,,,,\n,y,,,,,\ncup,z,,,,size S,\n';
  const failed = (await imported(project, importSkus, header + bad)).action;
  expect(failed).toMatchObject({ status: 'DONE', result: { done_count: 0, failed_count: 4 } });
  expect(failed.result.failed).toMatchObject([
    { row: 1, source_id: 'cup-s' },
    { row: 2, source_id: 'x' },
    { row: 3, source_id: 'y', reason: 'product_id is required' },
    { row: 4, source_id: 'z', reason: 'attributes must be an object' },
  ]);
});
