import { expect, test } from 'vitest';
import { handler as createProduct } from '../../functions/products/create-product.ts';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as listProducts } from '../../functions/products/list-products.ts';
import { handler as updateProduct } from '../../functions/products/update-product.ts';
import { handler as listSkus } from '../../functions/skus/list-skus.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

test('a product with many SKUs shows the newest hundred, and their list continues behind the last', async () => {
  const ids = Array.from({ length: 1_230 }, (_, index) => `sku_${String(index).padStart(5, '0')}`);
  const { credentials: headers } = await loadProject({
    products: [{ id: 'prod_mug' }],
    skus: ids.map((id) => ({ id, product_id: 'prod_mug' })),
  });
  const params = { productId: 'prod_mug' };
  const newest = ids.toReversed();
  const idsOf = (skus: { id: string }[]) => skus.map(({ id }) => id);
  const { skus: own } = (await caller(getProduct)({ headers, params })).body;
  expect([idsOf(own.data), own.total]).toEqual([newest.slice(0, 100), 1_230]);
  const { products } = (await caller(listProducts)({ headers })).body;
  expect([idsOf(products[0].skus.data), products[0].skus.total]).toEqual([newest.slice(0, 100), 1_230]);
  for (const handler of [createProduct, updateProduct]) {
    const { status, body } = await caller(handler)({ headers, params, body: { id: 'prod_mug', price: 5 } });
    expect([status, body.price, body.skus]).toEqual([200, 5, undefined]);
  }
  const walked: string[] = [];
  for (let query = ''; ; ) {
    const { body } = await caller(listSkus)({ headers, params, query });
    expect(body.total).toBe(1_230);
    walked.push(...idsOf(body.skus));
    if (!body.has_more) break;
    query = `limit=${100 - (walked.length % 7)}&starting_after_id=${body.more_starting_after}`;
  }
  expect(walked).toEqual(newest);
});

test.each(['sku_none', 'x'.repeat(300), '😀'.repeat(300), 'sku_of_another'])(
  'a list of SKUs does not begin behind %s, which is not a SKU of the product',
  async (cursor) => {
    const { credentials: headers } = await loadProject({
      products: [{ id: 'prod_mug' }, { id: 'prod_cup' }],
      skus: [{ id: 'sku_of_another', product_id: 'prod_cup' }],
    });
    const query = `starting_after_id=${encodeURIComponent(cursor)}`;
    const { status, body } = await caller(listSkus)({ headers, params: { productId: 'prod_mug' }, query });
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
  },
);

test('SKUs that exceed a reply are shown as far as they fit, or refused in a list of products', async () => {
  const metadata = { text: '"'.repeat(25_000) };
  const { credentials: headers } = await loadProject({
    products: [{ id: 'prod_mug' }],
    skus: Array.from({ length: 70 }, (_, index) => ({ id: `sku_${index}`, product_id: 'prod_mug', metadata })),
  });
  const { status, body } = await caller(getProduct)({ headers, params: { productId: 'prod_mug' } });
  expect([status, body.skus.total]).toEqual([200, 70]);
  expect(body.skus.data.length).toBeGreaterThan(50);
  expect(body.skus.data.length).toBeLessThan(70);
  const page = await caller(listSkus)({ headers, params: { productId: 'prod_mug' } });
  expect(page.body).toMatchObject({ has_more: true, more_starting_after: page.body.skus.at(-1).id });
  const listed = await caller(listProducts)({ headers });
  expect([listed.status, listed.body.key]).toEqual([400, 'invalid_query_params']);
});
