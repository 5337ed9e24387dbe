import { expect, test } from 'vitest';
import { handler as createProduct } from '../../functions/products/create-product.ts';
import { handler as deleteProduct } from '../../functions/products/delete-product.ts';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as listProducts } from '../../functions/products/list-products.ts';
import { handler as updateProduct } from '../../functions/products/update-product.ts';
import { handler as createSku } from '../../functions/skus/create-sku.ts';
import { handler as deleteSku } from '../../functions/skus/delete-sku.ts';
import { handler as getSku } from '../../functions/skus/get-sku.ts';
import { handler as listSkus } from '../../functions/skus/list-skus.ts';
import { handler as deleteEntry } from '../../functions/trash-bin/delete-trash-bin-entry.ts';
import { handler as listBin } from '../../functions/trash-bin/list-trash-bin.ts';
import { caller } from '../support/call.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const mug = { id: 'prod_mug', source_id: 'mug', name: 'Mug' };
const small = { id: 'sku_small', product_id: 'prod_mug', source_id: 'small', sku: 'S' };

async function aShop(
  lists: Parameters<typeof loadProject>[0] = { products: [mug, { id: 'prod_cup' }], skus: [small] },
) {
  const project = await loadProject(lists);
  const headers = project.credentials;
  const of = (productId: string, skuId = '') => ({ headers, params: { productId, skuId } });
  return {
    project,
    of,
    remove: (name: string, query = '') => caller(deleteProduct)({ ...of(name), query }),
    removeSku: (product: string, name: string, query = '') => caller(deleteSku)({ ...of(product, name), query }),
    product: (body: object) => caller(createProduct)({ headers, body }),
    sku: (product: string, body: object) => caller(createSku)({ ...of(product), body }),
    bin: async () => (await caller(listBin)({ headers })).body.data,
    purge: (binEntryId: string) => caller(deleteEntry)({ headers, params: { binEntryId } }),
    left: async () => JSON.stringify((await itemsOf(project.id, '')).filter(({ kind }) => kind !== 'delete-children')),
  };
}

test('a product is moved to the bin, where no read finds it or its SKUs, and its source id stays taken', async () => {
  const { of, remove, product, sku, bin } = await aShop();
  expect((await remove('mug')).status).toBe(204);
  const entry = {
    id: expect.stringMatching(/^tbe_/),
    created_at: expect.any(String),
    deleted_by_user_id: null,
    resource_id: 'prod_mug',
    resource_type: 'product',
    resource_name: 'Mug',
    resource_parent_id: null,
    object: 'product',
  };
  const [binned, ...others] = await bin();
  expect([binned, others]).toEqual([entry, []]);
  for (const name of ['prod_mug', 'mug']) {
    for (const handler of [getProduct, updateProduct, listSkus, deleteProduct, createSku]) {
      const reply = await caller(handler)({
        ...of(name),
        ...(handler === updateProduct || handler === createSku ? { body: { price: 1 } } : {}),
      });
      expect([reply.status, reply.body.resource_type]).toEqual([404, 'product']);
    }
  }
  for (const name of ['sku_small', 'small']) expect((await caller(getSku)(of('', name))).status).toBe(404);
  expect((await caller(listProducts)(of(''))).body.products).toMatchObject([{ id: 'prod_cup' }]);
  const again = [await product({ source_id: 'mug' }), await product({ id: 'prod_cup', source_id: 'mug' })];
  for (const { status, body } of again) {
    expect([status, body.key, body.resource_id]).toEqual([409, 'duplicate_found', 'mug']);
    expect(body.details).toContain(binned.id);
  }
  expect((await product({ id: 'prod_mug', price: 1 })).status).toBe(404);
  expect((await sku('prod_cup', { source_id: 'small' })).status).toBe(200);
});

test('a SKU is moved to the bin alone, and its product counts one less', async () => {
  const { project, of, removeSku, sku, bin } = await aShop();
  expect((await removeSku('mug', 'small')).status).toBe(204);
  const entries = await bin();
  expect(entries).toMatchObject([
    { resource_id: 'sku_small', resource_type: 'sku', resource_name: 'S', resource_parent_id: 'prod_mug' },
  ]);
  expect((await caller(getProduct)(of('mug'))).body).not.toHaveProperty('skus');
  for (const name of ['sku_small', 'small']) expect((await caller(getSku)(of('', name))).status).toBe(404);
  expect((await removeSku('mug', 'small')).status).toBe(404);
  expect(await itemsOf(project.id, '')).toContainEqual(expect.objectContaining({ id: 'prod_mug', children: 0 }));
  for (const product of ['mug', 'prod_cup']) {
    const { status, body } = await sku(product, { source_id: 'small' });
    expect([status, body.key, body.resource_type]).toEqual([409, 'duplicate_found', 'sku']);
    expect(body.details).toContain(entries[0].id);
  }
});

test.each([1, 100])(
  'a product with %d SKUs that is deleted in the bin leaves nothing, and its names are free',
  async (number) => {
    const skus = Array.from({ length: number }, (_, index) => ({
      ...small,
      id: `sku_${index}`,
      source_id: `mug ${index}`,
    }));
    const { project, remove, product, sku, bin, purge, left } = await aShop({ products: [mug], skus });
    expect((await remove('mug')).status).toBe(204);
    const [entry] = await bin();
    expect((await purge(entry.id)).status).toBe(204);
    expect([(await purge(entry.id)).status, await bin()]).toEqual([404, []]);
    await runOutbox(project.id);
    expect(await left()).not.toContain('mug');
    const { body } = await product({ source_id: 'mug' });
    expect(body.id).not.toBe('prod_mug');
    const again = await caller(getProduct)({ headers: project.credentials, params: { productId: body.id } });
    expect([again.status, again.body.skus]).toEqual([200, undefined]);
    expect((await sku('mug', { source_id: 'mug 0' })).status).toBe(200);
  },
);

test('a product in the bin keeps only its own source id once its hundred SKUs are deleted', async () => {
  const skus = Array.from({ length: 100 }, (_, index) => ({
    ...small,
    id: `sku_${index}`,
    source_id: `size ${index}`,
  }));
  const { project, remove, product, sku, bin, purge, left } = await aShop({
    products: [mug, { id: 'prod_cup' }],
    skus,
  });
  await remove('mug');
  await runOutbox(project.id);
  expect(await left()).not.toContain('size');
  expect((await product({ source_id: 'mug' })).status).toBe(409);
  expect((await sku('prod_cup', { source_id: 'size 7' })).status).toBe(200);
  await purge((await bin())[0].id);
  await runOutbox(project.id);
  expect(await left()).not.toContain('mug');
});

test.each(['', 'force=true'])(
  'a SKU that is in the bin stays there when its product is deleted with %j',
  async (query) => {
    const more = Array.from({ length: 40 }, (_, index) => ({ product_id: 'prod_mug', source_id: `more ${index}` }));
    const lists = { products: [mug, { id: 'prod_cup' }], skus: [small, ...more] };
    const { project, remove, removeSku, sku, bin, purge, left } = await aShop(lists);
    await removeSku('mug', 'small');
    expect((await remove('mug', query)).status).toBe(204);
    await runOutbox(project.id);
    expect(await left()).not.toContain('more');
    expect((await sku('prod_cup', { source_id: 'small' })).status).toBe(409);
    for (const { id } of await bin()) expect((await purge(id)).status).toBe(204);
    await runOutbox(project.id);
    expect(await left()).not.toMatch(/mug|small/);
    expect((await sku('prod_cup', { source_id: 'small' })).status).toBe(200);
  },
);

test('force leaves nothing in the bin, and frees the source ids at once', async () => {
  const { remove, removeSku, product, sku, bin, left } = await aShop();
  expect((await removeSku('mug', 'small', 'force=true')).status).toBe(204);
  expect((await sku('mug', { source_id: 'small' })).status).toBe(200);
  expect((await remove('mug', 'force=true')).status).toBe(204);
  expect([await bin(), (await left()).includes('mug')]).toEqual([[], false]);
  expect((await product({ source_id: 'mug' })).status).toBe(200);
});

test.each([
  ['product', 'mug', ''],
  ['sku', 'mug', 'small'],
])('of twenty requests that delete a %s at once, one moves it to the bin, once', async (type, productName, skuName) => {
  const { remove, removeSku, bin, purge, left } = await aShop();
  const once = () => (skuName ? removeSku(productName, skuName) : remove(productName));
  const replies = await Promise.all(Array.from({ length: 20 }, once));
  expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)]);
  const entries = await bin();
  expect(entries).toMatchObject([{ resource_type: type }]);
  const purged = await Promise.all(Array.from({ length: 20 }, () => purge(entries[0].id)));
  expect(purged.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)]);
  expect(await left()).not.toContain('small');
});

test('of twenty requests that create a product by its source id while it moves to the bin, none gets another one', async () => {
  const { remove, product, bin } = await aShop();
  const creating = Array.from({ length: 20 }, (_, price) => product({ source_id: 'mug', price }));
  const [deleted, ...replies] = await Promise.all([remove('mug'), ...creating]);
  expect(deleted.status).toBe(204);
  expect(await bin()).toHaveLength(1);
  for (const { status, body } of replies) {
    expect(status === 200 ? body.id : body.key).toBe(status === 200 ? 'prod_mug' : 'duplicate_found');
  }
  expect((await product({ source_id: 'mug' })).status).toBe(409);
});
