import { describe, expect, test } from 'vitest';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as getSku } from '../../functions/skus/get-sku.ts';
import { caller } from '../support/call.ts';
import { done, openStore } from '../support/store.ts';

test('an order has 500 lines, and each product is found', async () => {
  const store = await openStore();
  const items = Array.from({ length: 500 }, (_, index) => (index % 2 ? { sku_id: 'tin' } : { source_id: 'tea' }));
  expect(done(await store.create({ items }))).toMatchObject({ amount: 250 * (700 + 500) });
});

describe('a line with override', () => {
  test('stores its product and SKU with the order, and creates missing ones by their source ids', async () => {
    const store = await openStore();
    const [product, sku] = [caller(getProduct), caller(getSku)];
    const headers = store.project.credentials;
    const items = [
      { source_id: 'tea', product: { override: true, name: 'Green tea', price: 550, metadata: { a: 1 } } },
      { source_id: 'tea', quantity: 2, product: { override: true, metadata: { b: 2 } } },
      { source_id: 'scone', product: { override: true, name: 'Scone', price: 40 } },
      {
        source_id: 'scone-xl',
        related_object: 'sku',
        product: { source_id: 'scone' },
        sku: { override: true, sku: 'XL', price: 60 },
      },
      { source_id: 'scone-xl', related_object: 'sku', quantity: 2 },
      { source_id: 'lost', related_object: 'sku', sku: { override: true, price: 60 } },
      { source_id: 'kept', product: { name: 'Not stored' } },
    ];
    const body = done(await store.create({ items }));
    expect(body.amount).toBe(550 + 2 * 550 + 40 + 60 + 2 * 60 + 60);
    const shown = async (productId: string) => (await product({ headers, params: { productId } })).body;
    expect(await shown('prod_tea')).toMatchObject({ name: 'Green tea', price: 550, metadata: { a: 1, b: 2 } });
    const scone = await shown('scone');
    expect(scone).toMatchObject({ name: 'Scone', price: 40, skus: { total: 1 } });
    expect(body.items[2]).toMatchObject({
      product_id: scone.id,
      related_object: 'product',
      product: { name: 'Scone' },
    });
    const xl = (await sku({ headers, params: { skuId: 'scone-xl' } })).body;
    expect(xl).toMatchObject({ product_id: scone.id, sku: 'XL', price: 60 });
    for (const line of body.items.slice(3, 5))
      expect(line).toMatchObject({ sku_id: xl.id, product_id: scone.id, price: 60 });
    for (const skuId of ['lost', 'kept']) expect((await sku({ headers, params: { skuId } })).status).toBe(404);
    expect((await product({ headers, params: { productId: 'kept' } })).status).toBe(404);
    done(await store.create({ items }));
    expect(await shown('scone')).toEqual(scone);
  });

  test('creates one product for twenty orders at once', async () => {
    const store = await openStore();
    const items = [{ source_id: 'new', product: { override: true, name: 'New', price: 5 } }];
    const sent = Array.from({ length: 20 }, () => store.create({ items }));
    const ids = new Set((await Promise.all(sent)).map((reply) => done(reply).items[0].product_id));
    expect(ids.size).toBe(1);
  });

  test('is refused with more products than one order stores, and nothing is stored', async () => {
    const store = await openStore();
    const items = Array.from({ length: 21 }, (_, index) => ({ source_id: `p-${index}`, product: { override: true } }));
    expect(await store.create({ items })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('20') },
    });
    const { status } = await caller(getProduct)({ headers: store.project.credentials, params: { productId: 'p-0' } });
    expect(status).toBe(404);
    expect(done(await store.create({ items: items.slice(1) })).items).toHaveLength(20);
  });
});
