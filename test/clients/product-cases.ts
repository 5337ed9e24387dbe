import { expect } from 'vitest';
import { answeredBy, type Case } from './case.ts';

/** Rows for the client's methods about products, their SKUs and collections. */
export const productCases: Record<string, Case> = {
  'productCollections.create': answeredBy('create-product-collection', async (client) => {
    const filter = { junction: 'and', name: { conditions: { $is: ['House beans'] } } } as const;
    const made = await client.productCollections.create({ type: 'AUTO_UPDATE', name: 'Found', filter });
    expect(made).toMatchObject({ id: expect.stringMatching(/^pc_/), name: 'Found', type: 'AUTO_UPDATE', filter });
  }),
  'productCollections.list': answeredBy('list-product-collections', async (client) => {
    const { data } = await client.productCollections.list({ limit: 100, order: 'created_at' });
    expect(data.map(({ id }) => id).slice(0, 2)).toEqual(['pc_pantry', 'pc_dear']);
  }),
  'productCollections.get': answeredBy('get-product-collection', async (client) => {
    expect(await client.productCollections.get('pc_a11pr0dUc75')).toMatchObject({ name: 'All Products' });
  }),
  'productCollections.listProducts': answeredBy('list-collection-products', async (client) => {
    expect(await client.productCollections.listProducts('pc_pantry', { limit: 5 })).toMatchObject({
      total: 2,
      data: [{ id: 'prod_filter' }, { id: 'sku_beans_1000', product: { id: 'prod_beans' } }],
    });
  }),
  'productCollections.delete': answeredBy('delete-product-collection', async (client) => {
    const { id } = await client.productCollections.create({ type: 'STATIC', name: 'Gone', products: [] });
    await client.productCollections.delete(id);
    await expect(client.productCollections.get(id)).rejects.toMatchObject({ code: 404 });
  }),
  'products.bulkUpdate': answeredBy('update-products-in-bulk', async (client, runJobs) => {
    const { async_action_id } = await client.products.bulkUpdate([{ source_id: 'beans', price: 9100 }]);
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({
      status: 'DONE',
      result: { done_count: 1 },
    });
    expect(await client.products.get('beans')).toMatchObject({ price: 9100, name: 'House beans' });
  }),
  'products.bulkUpdateMetadata': answeredBy('update-products-metadata', async (client, runJobs) => {
    const { async_action_id } = await client.products.bulkUpdateMetadata({
      source_ids: ['beans', 'filter-paper'],
      metadata: { shelf: 3 },
    });
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 2 } });
    expect(await client.products.get('beans')).toMatchObject({ metadata: { shelf: 3, roast: 'light' } });
  }),
  'products.create': answeredBy('create-product', async (client) => {
    const made = await client.products.create({ name: 'Mug', source_id: 'sdk-mug', price: 900, metadata: { a: 1 } });
    expect(made).toMatchObject({ object: 'product', source_id: 'sdk-mug', price: 900, metadata: { a: 1 } });
  }),
  'products.get': answeredBy('get-product', async (client) => {
    expect(await client.products.get('beans')).toMatchObject({ id: 'prod_beans', skus: { total: 2 } });
  }),
  'products.list': answeredBy('list-products', async (client) => {
    const { products, data_ref } = await client.products.list({ limit: 100 });
    expect([data_ref, products.map(({ id }) => id)]).toEqual(['products', expect.arrayContaining(['prod_beans'])]);
  }),
  'products.update': answeredBy('update-product', async (client) => {
    const changed = await client.products.update({ source_id: 'beans', price: 9100 });
    expect(changed).toMatchObject({ id: 'prod_beans', name: 'House beans', price: 9100 });
  }),
  'products.delete': answeredBy('delete-product', async (client) => {
    const { id } = await client.products.create({ name: 'Gone' });
    await client.products.delete(id, { force: true });
    await expect(client.products.get(id)).rejects.toMatchObject({ code: 404 });
  }),
  'products.createSku': answeredBy('create-sku', async (client) => {
    const { id } = await client.products.create({ source_id: 'sdk-cup' });
    const made = await client.products.createSku(id, { sku: 'Large', source_id: 'sdk-cup-l', price: 5 });
    expect(made).toMatchObject({ object: 'sku', product_id: id, sku: 'Large' });
    const { skus, total } = await client.products.listSkus('sdk-cup');
    expect([skus, total]).toEqual([[made], 1]);
  }),
  'products.listSkus': answeredBy('list-skus', async (client) => {
    expect(await client.products.listSkus('beans')).toMatchObject({ data_ref: 'skus', total: 2 });
  }),
  'products.getSku': answeredBy('get-sku', async (client) => {
    expect(await client.products.getSku('beans-1000')).toMatchObject({ id: 'sku_beans_1000', sku: '1 kg' });
  }),
  'products.updateSku': answeredBy('update-sku', async (client) => {
    const changed = await client.products.updateSku('beans', { id: 'sku_beans_250', sku: '250 g', price: 8100 });
    expect(changed).toMatchObject({ id: 'sku_beans_250', price: 8100 });
  }),
  'products.deleteSku': answeredBy('delete-sku', async (client) => {
    const { id } = await client.products.createSku('filter-paper', { sku: 'Gone' });
    await client.products.deleteSku('filter-paper', id);
    await expect(client.products.getSku(id)).rejects.toMatchObject({ code: 404 });
  }),
};
