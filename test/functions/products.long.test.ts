import { expect, test } from 'vitest';
import { product, sku } from '#engine/catalogue/products/resource.ts';
import { handler as createProduct } from '../../functions/products/create-product.ts';
import { handler as deleteProduct } from '../../functions/products/delete-product.ts';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as listProducts } from '../../functions/products/list-products.ts';
import { handler as createSku } from '../../functions/skus/create-sku.ts';
import { handler as deleteSku } from '../../functions/skus/delete-sku.ts';
import { handler as getSku } from '../../functions/skus/get-sku.ts';
import { handler as listSkus } from '../../functions/skus/list-skus.ts';
import { handler as updateSku } from '../../functions/skus/update-sku.ts';
import { caller } from '../support/call.ts';
import { describeCrud, describeSourceId } from '../support/describe-crud.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

describeCrud('products', product, {
  body: (number) => ({ name: `Mug ${number}`, price: number, attributes: ['colour'], metadata: { number } }),
  refused: {
    price: { price: -1 },
    name: { name: 7 },
    attributes: { attributes: 'colour' },
    'attributes[0]': { attributes: [1] },
    source_id: { source_id: '' },
    metadata: { metadata: [] },
  },
});

const calls = { create: createSku, get: getSku, update: updateSku, remove: deleteSku };
const skuProject = loadProject({ products: [{ id: 'prod_mug' }] });
describeSourceId(
  sku,
  async (name, request = {}) => {
    const { credentials: headers } = await skuProject;
    const params = { productId: 'prod_mug', ...request.params };
    return caller(calls[name])({ ...request, headers, params });
  },
  (skuId) => ({ params: { skuId: String(skuId) } }),
  (number) => ({ sku: `Size ${number}`, price: number }),
);

const asks = ({ credentials: headers }: TestProject) => ({
  product: async (body: object) => (await caller(createProduct)({ headers, body })).body,
  sku: async (productId: string, body: object) => caller(createSku)({ headers, params: { productId }, body }),
  at: (productId: string, skuId = '') => ({ headers, params: { productId, skuId } }),
});

test('a product and a SKU show all fields, with or without values', async () => {
  const project = await loadProject();
  const { product: made, sku: madeSku } = asks(project);
  const { id, created_at, ...blank } = await made({});
  expect(Object.entries(blank)).toEqual(
    Object.entries({
      source_id: null,
      name: null,
      price: null,
      attributes: [],
      metadata: {},
      image_url: null,
      updated_at: null,
      object: 'product',
    }),
  );
  const read = await caller(getProduct)({ headers: project.credentials, params: { productId: id } });
  expect(read.body).not.toHaveProperty('skus');
  const { body } = await madeSku(id, {});
  expect(Object.entries(body)).toEqual(
    Object.entries({
      id: expect.stringMatching(/^sku_/),
      source_id: null,
      product_id: id,
      sku: null,
      price: null,
      currency: null,
      attributes: {},
      image_url: null,
      metadata: {},
      created_at: expect.any(String),
      updated_at: null,
      object: 'sku',
    }),
  );
  expect(created_at).toBe(body.created_at);
});

test.each([-1, 0.5, '5', 2 ** 53, null, 0])(
  'a price of %j is accepted only if it is in minor units, or none',
  async (price) => {
    const project = await loadProject({ products: [{ id: 'prod_mug' }] });
    const { credentials: headers } = project;
    const replies = [
      await caller(createProduct)({ headers, body: { price } }),
      await asks(project).sku('prod_mug', { price }),
    ];
    const taken = price === null || price === 0;
    expect(replies.map(({ status, body }) => [status, body.price])).toEqual(
      taken
        ? [
            [200, price],
            [200, price],
          ]
        : [
            [400, undefined],
            [400, undefined],
          ],
    );
  },
);

test('a product and its list of SKUs show its SKUs', async () => {
  const project = await loadProject();
  const { product: made, sku: madeSku, at } = asks(project);
  await made({ source_id: 'mug' });
  const small = (await madeSku('mug', { source_id: 'mug-s', price: 5 })).body;
  const large = (await madeSku('mug', { source_id: 'mug-l', attributes: { size: 'L' } })).body;
  const skus = expect.arrayContaining([small, large]);
  expect((await caller(getProduct)(at('mug'))).body.skus).toMatchObject({ data: skus, total: 2 });
  expect((await caller(listProducts)({ headers: project.credentials })).body.products).toMatchObject([
    { source_id: 'mug', skus: { data: skus, total: 2 } },
  ]);
  expect((await caller(listSkus)(at('mug'))).body).toEqual({
    ...{ object: 'list', data_ref: 'skus', skus, total: 2 },
    has_more: false,
  });
  expect((await caller(deleteSku)(at('mug', 'mug-s'))).status).toBe(204);
  expect((await caller(getProduct)(at('mug'))).body.skus).toMatchObject({ data: [large], total: 1 });
  expect(await made({ source_id: 'mug' })).not.toHaveProperty('skus');
});

test('a SKU is found only under its own product, and its source id belongs to no other product', async () => {
  const project = await loadProject();
  const { product: made, sku: madeSku, at } = asks(project);
  await Promise.all([made({ source_id: 'mug' }), made({ source_id: 'cup' })]);
  const { id } = (await madeSku('mug', { source_id: 'small' })).body;
  const replies = [
    await caller(updateSku)({ ...at('cup', 'small'), body: { price: 1 } }),
    await caller(deleteSku)(at('cup', id)),
    await madeSku('cup', { id, price: 1 }),
    await madeSku('cup', { source_id: 'small' }),
    await madeSku('jug', { source_id: 'large' }),
    await caller(listSkus)(at('jug')),
    await caller(deleteSku)(at('jug', 'small')),
  ];
  expect(replies.map(({ status, body }) => [status, body.resource_type, body.resource_id])).toEqual([
    [404, 'sku', 'small'],
    [404, 'sku', id],
    [404, 'sku', id],
    [409, 'sku', 'small'],
    [404, 'product', 'jug'],
    [404, 'product', 'jug'],
    [404, 'product', 'jug'],
  ]);
  expect((await caller(getSku)(at('', 'small'))).body).toMatchObject({ id, price: null });
});

test.each([
  ['start_date=2026-01-02', ['c', 'b']],
  ['end_date=2026-01-02T00:00:00Z&order=created_at', ['a', 'b']],
  ['start_date=2026-01-01T00:00:00.001Z&end_date=2026-01-02', ['b']],
  ['start_date=2026-01-02&order=updated_at', ['c', 'b']],
  ['end_date=2026-01-02&order=-updated_at', ['b', 'a']],
  ['start_date=2026-01-04', []],
])('products of %s were created between the dates, both included', async (query, names) => {
  const products = ['a', 'b', 'c'].map((source_id, index) => ({
    source_id,
    created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
    updated_at: `2026-02-0${source_id === 'b' ? 9 : 1}T00:00:00.000Z`,
  }));
  const { credentials: headers } = await loadProject({ products });
  const { body } = await caller(listProducts)({ headers, query });
  expect(body.products.map((one: { source_id: string }) => one.source_id)).toEqual(names);
  expect(body.total).toBe(names.length);
});

test.each([['start_date=2026-01-02&end_date=2026-01-01'], ['start_date=soon']])('%s is refused', async (query) => {
  const { credentials: headers } = await loadProject();
  const { status, body } = await caller(listProducts)({ headers, query });
  expect([status, body.key]).toEqual([400, 'invalid_query_params']);
});

/** No id begins like this. */
const named = /["#_]mug\b/;

test.each([3, 100])('deleting a product deletes its %d SKUs, with every name that they had', async (number) => {
  const skus = Array.from({ length: number }, (_, index) => ({ product_id: 'prod_mug', source_id: `mug ${index}` }));
  const project = await loadProject({ products: [{ id: 'prod_mug', source_id: 'mug' }, { id: 'prod_cup' }], skus });
  const { product: made, sku: madeSku, at } = asks(project);
  await madeSku('prod_cup', { source_id: 'cup' });
  expect((await caller(getProduct)(at('mug'))).body.skus.total).toBe(number);
  expect((await caller(deleteProduct)({ ...at('mug'), query: 'force=true' })).status).toBe(204);
  for (const [get, gone] of [
    [getProduct, at('prod_mug')],
    [getSku, at('', 'mug 0')],
    [listSkus, at('prod_mug')],
  ] as const) {
    expect((await caller(get)(gone)).status).toBe(404);
  }
  expect((await caller(listProducts)(at(''))).body.products).toMatchObject([{ id: 'prod_cup' }]);
  await runOutbox(project.id);
  const left = (await itemsOf(project.id, '')).filter(({ kind }) => kind !== 'delete-children');
  expect(JSON.stringify(left)).not.toMatch(named);
  const again = await made({ source_id: 'mug' });
  expect((await caller(getProduct)(at(again.id))).body).not.toHaveProperty('skus');
  expect((await madeSku('mug', { source_id: 'mug 0' })).status).toBe(200);
});

test('twenty SKUs that are created at once all exist, and count', async () => {
  const project = await loadProject({ products: [{ id: 'prod_mug' }] });
  const { sku: madeSku, at } = asks(project);
  const replies = await Promise.all(Array.from({ length: 20 }, (_, price) => madeSku('prod_mug', { price })));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  const { skus } = (await caller(getProduct)(at('prod_mug'))).body;
  expect([skus.total, new Set(skus.data.map(({ price }: { price: number }) => price)).size]).toEqual([20, 20]);
  expect(await itemsOf(project.id, '')).toContainEqual(expect.objectContaining({ id: 'prod_mug', children: 20 }));
});

test('no SKU outlives its product, even if SKUs are created while it is deleted', async () => {
  const project = await loadProject({ products: [{ id: 'prod_mug' }] });
  const { sku: madeSku, at } = asks(project);
  const making = Array.from({ length: 10 }, (_, index) => madeSku('prod_mug', { source_id: `mug ${index}` }));
  const [deleted, ...made] = await Promise.all([
    caller(deleteProduct)({ ...at('prod_mug'), query: 'force=true' }),
    ...making,
  ]);
  expect(deleted.status).toBe(204);
  expect(new Set(made.map(({ status }) => status))).toEqual(
    expect.toBeOneOf([new Set([200, 404]), new Set([404]), new Set([200])]),
  );
  expect(JSON.stringify(await itemsOf(project.id, ''))).not.toMatch(named);
});
