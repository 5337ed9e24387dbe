import { expect, test } from 'vitest';
import { findProducts } from '#engine/catalogue/products/resource.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { loadProject } from '../../../../support/project.ts';

const { dynamodb, tableName } = testDependencies();

async function world(lists: Record<string, unknown>) {
  const { id } = await loadProject(lists);
  const table = new Table(dynamodb, tableName, testTime);
  const project = await findProject(table, id);
  if (!project) throw new Error('there is no project');
  return { table: new Table(dynamodb, tableName, testTime), project };
}

test('products and SKUs are found by id or source id; the id wins, and unknown ones are left out', async () => {
  const context = await world({
    products: [
      { id: 'prod_mug', source_id: 'mug', price: 5 },
      { id: 'prod_cup', source_id: 'prod_mug' },
    ],
    skus: [{ id: 'sku_small', source_id: 'small', product_id: 'prod_mug', price: 4 }],
  });
  const { products, skus } = await findProducts(context, {
    products: ['mug', 'prod_mug', 'prod_cup', 'small', 'mug', ''],
    skus: ['small', 'sku_small', 'mug', 'constructor'],
  });
  expect([...products].map(([name, { id, price }]) => [name, id, price])).toEqual([
    ['mug', 'prod_mug', 5],
    ['prod_mug', 'prod_mug', 5],
    ['prod_cup', 'prod_cup', undefined],
  ]);
  expect([...skus].map(([name, { sku, product }]) => [name, sku.id, sku.price, product.id])).toEqual([
    ['small', 'sku_small', 4, 'prod_mug'],
    ['sku_small', 'sku_small', 4, 'prod_mug'],
  ]);
});

test('lines of 250 products and 250 SKUs are found in 15 calls', async () => {
  const numbers = Array.from({ length: 250 }, (_, index) => index);
  const context = await world({
    products: numbers.map((number) => ({ id: `prod_${number}`, source_id: `p${number}` })),
    skus: numbers.map((number) => ({ product_id: `prod_${number}`, source_id: `s${number}` })),
  });
  const { products, skus } = await findProducts(context, {
    products: numbers.map((number) => `p${number}`),
    skus: numbers.map((number) => `s${number}`),
  });
  expect([products.size, skus.size]).toEqual([250, 250]);
  expect(context.table.meter.calls).toBe(15);
});
