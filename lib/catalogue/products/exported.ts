import type * as v from 'valibot';
import { amounts, columns } from '../../kit/exports/columns.ts';
import { allOf, exported } from '../../kit/exports/exported.ts';
import { type Item, present } from '../../kit/resource/shape.ts';
import { readChildren } from '../../table/read.ts';
import { productFilters, skuFilters } from './filter-fields.ts';
import { product, sku } from './resource.ts';

export const exportedProducts = exported<v.InferOutput<typeof product.reply>>({
  object: 'product',
  ...allOf(product, (item) => present(product, item)),
  fields: {
    ...columns('id', 'source_id', 'name'),
    ...amounts('price'),
    ...columns('attributes', 'image_url', 'created_at', 'updated_at', 'metadata'),
  },
  defaults: ['id', 'source_id', 'name'],
  orders: ['created_at', 'updated_at'],
  filters: productFilters,
});

const parents = allOf(product, (item: Item) => item);

/** Exports SKUs by walking their products. */
export const exportedSkus = exported<v.InferOutput<typeof sku.reply>>({
  object: 'sku',
  list: parents.list,
  read: async (context, batch) => {
    const { table, project } = context;
    const some = (await parents.read(context, batch)).filter(({ children }) => children);
    const skus = await Promise.all(some.map(({ id }) => readChildren(table, sku.few, project.id, id)));
    return skus.flat().map((item) => present(sku, item));
  },
  fields: {
    ...columns('id', 'source_id', 'product_id', 'sku'),
    ...amounts('price'),
    ...columns('currency', 'attributes', 'image_url', 'created_at', 'updated_at', 'metadata'),
  },
  defaults: ['id', 'source_id', 'product_id', 'sku'],
  orders: ['created_at', 'updated_at'],
  filters: skuFilters,
});
