import { afterAll, expect, test } from 'vitest';
import { handler as createSchema } from '../../../../../functions/management/create-metadata-schema.ts';
import { handler as createProduct } from '../../../../../functions/products/create-product.ts';
import { caller } from '../../../../support/call.ts';
import { ownTable, testDependencies, testTime } from '../../../../support/dependencies.ts';
import { exported } from '../../../../support/exported.ts';
import { faultsOf, loadFile, loadProject, projectFile } from '../../../../support/project.ts';

const size = { type: 'number', array: false, optional: true };
const schema = (related_object: string, properties: object = { size }) => ({ related_object, properties });
const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };
const wrong = { metadata: { size: 'ten' } };
const fault = (place: string) => `${place} must be a number, but is "ten"`;

test('a broken object is refused by its place, wherever the schemas stand in the file', async () => {
  const objects = {
    campaigns: [
      { id: 'camp_1', name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: coupon },
    ],
    vouchers: [
      { ...coupon, code: 'A', metadata: { size: 1 } },
      { ...coupon, code: 'B', ...wrong },
      { ...coupon, code: 'C', campaign: 'Spring', ...wrong },
    ],
    products: [{ id: 'prod_1', name: 'Tin', ...wrong }],
    customers: [{ source_id: 'a', ...wrong }],
    orders: [{ source_id: 'o', items: [{ quantity: 1, ...wrong }], ...wrong }],
  };
  const metadata_schemas = ['voucher', 'product', 'customer', 'order', 'order_item'].map((name) => schema(name));
  const faults = [
    fault('products[0].metadata.size'),
    fault('vouchers[1].metadata.size'),
    fault('customers[0].metadata.size'),
    fault('orders[0].metadata.size'),
    fault('orders[0].items[0].metadata.size'),
  ];
  expect((await faultsOf(projectFile({ metadata_schemas, ...objects }))).toSorted()).toEqual(faults.toSorted());
  expect((await faultsOf(projectFile({ ...objects, metadata_schemas }))).toSorted()).toEqual(faults.toSorted());
  // The vouchers of this campaign use the schema of campaigns.
  const ofCampaigns = { ...objects, products: [], customers: [], orders: [], metadata_schemas: [schema('campaign')] };
  expect(await faultsOf(projectFile(ofCampaigns))).toEqual([fault('vouchers[2].metadata.size')]);
});

test('schemas in a circle, and 101 definitions, are refused by their place', async () => {
  const nested = (object_type: string) => ({ inner: { type: 'object', array: false, optional: true, object_type } });
  const circle = [schema('box', nested('crate')), schema('crate', nested('box'))];
  expect((await faultsOf(projectFile({ metadata_schemas: circle }))).join()).toMatch(/^metadata_schemas.*box > /);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`key${index}`, size]));
  expect((await faultsOf(projectFile({ metadata_schemas: [schema('product', many)] }))).join()).toMatch(
    /^metadata_schemas\[0\].*at most 100 definitions/,
  );
});

test('a file is checked by stored schemas, too, and required keys by lists that only callers fill', async () => {
  const project = await loadProject({
    metadata_schemas: [
      schema('product', { size: { ...size, optional: false } }),
      schema('voucher', { size: { ...size, optional: false } }),
    ],
  });
  const own = { project: Object(project.file).project };
  expect(await faultsOf({ ...own, products: [{ name: 'Tin' }], vouchers: [{ ...coupon, code: 'A' }] })).toEqual([
    'products[0].metadata.size is required by the schema product',
  ]);
});

test('a second load changes nothing, adds definitions, and never changes a type', async () => {
  const tableName = await ownTable(afterAll);
  const dependencies = testDependencies({ tableName });
  const content = projectFile({ metadata_schemas: [schema('product'), schema('order')] });
  await loadFile(content, testTime, dependencies);
  const first = await exported(content.project.id, dependencies);
  await loadFile(content, new Date('2026-07-01T00:00:00Z'), dependencies);
  expect(await exported(content.project.id, dependencies)).toEqual(first);
  const added = { ...content, metadata_schemas: [schema('product', { weight: size })] };
  await loadFile(added, testTime, dependencies);
  const { metadata_schemas } = await exported(content.project.id, dependencies);
  expect(metadata_schemas).toMatchObject([
    { related_object: 'order', properties: { size } },
    { related_object: 'product', properties: { size, weight: size } },
  ]);
});

test.each([
  [
    { metadata_schemas: [schema('product', { it: { type: 'string', lt: 3 } })] },
    'metadata_schemas[0].properties.it.lt is only a limit',
  ],
  [{ metadata_schemas: [schema('product', { it: { type: 'object', object_type: 'box' } })] }, 'box is none'],
  [
    {
      metadata_schemas: [
        schema('box', { it: { type: 'object', object_type: 'crate' } }),
        schema('crate', { it: { type: 'object', object_type: 'box' } }),
      ],
    },
    'metadata_schemas[0].properties must not nest a schema in itself: box > crate > box',
  ],
  [{ metadata_schemas: [schema('product'), schema('product')] }, 'metadata_schemas[1].related_object repeats'],
])('a faulty schema is refused: %j', async (lists, words) => {
  expect((await faultsOf(projectFile(lists))).join('\n')).toContain(words);
});

test('a type of the table never changes', async () => {
  const { file } = await loadProject({ metadata_schemas: [schema('product')] });
  const changed = {
    project: Object(file).project,
    metadata_schemas: [schema('product', { size: { type: 'string' } })],
  };
  expect((await faultsOf(changed)).join('\n')).toContain('properties.size.type is number and cannot change');
});

test('an export loads with objects that are older than their schema', async () => {
  const tableName = await ownTable(afterAll);
  const dependencies = testDependencies({ tableName });
  const content = projectFile({});
  await loadFile(content, testTime, dependencies);
  const [key] = content.app_keys;
  const headers = { 'x-app-id': key?.app_id ?? '', 'x-app-token': key?.app_token ?? '' };
  const projectId = content.project.id;
  const made = await caller(createProduct, dependencies)({ headers, body: { name: 'Tin', ...wrong } });
  expect(made.status).toBe(200);
  const body = schema('product');
  expect((await caller(createSchema, dependencies)({ params: { projectId }, body })).status).toBe(200);
  const file = await exported(projectId, dependencies);
  expect(file.metadata_schemas).toMatchObject([{ related_object: 'product' }]);
  const elsewhere = testDependencies({ tableName: await ownTable(afterAll) });
  await loadFile(file, testTime, elsewhere);
  expect((await exported(projectId, elsewhere)).products).toEqual(file.products);
});
