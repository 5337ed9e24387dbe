import type * as v from 'valibot';
import { amountColumns, plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport, describePlainExport } from '#kernel/kit/exports/exported-object.ts';
import { type Item, presentResource } from '#kernel/kit/resource/shape.ts';
import { readChildren } from '#kernel/table/read.ts';
import { product, productFilters, sku, skuFilters } from './resource.ts';

export const exportedProducts = describeExport<v.InferOutput<typeof product.reply>>({
  object: 'product',
  ...describePlainExport(product, (item) => presentResource(product, item)),
  fields: {
    ...plainColumns('id', 'source_id', 'name'),
    ...amountColumns('price'),
    ...plainColumns('attributes', 'image_url', 'created_at', 'updated_at', 'metadata'),
  },
  defaults: ['id', 'source_id', 'name'],
  orders: ['created_at', 'updated_at'],
  filters: productFilters,
});

const parents = describePlainExport(product, (item: Item) => item);

/** Exports SKUs by walking their products. */
export const exportedSkus = describeExport<v.InferOutput<typeof sku.reply>>({
  object: 'sku',
  list: parents.list,
  read: async (context, batch) => {
    const { table, project } = context;
    const some = (await parents.read(context, batch)).filter(({ children }) => children);
    const skus = await Promise.all(some.map(({ id }) => readChildren(table, sku.few, project.id, id)));
    return skus.flat().map((item) => presentResource(sku, item));
  },
  fields: {
    ...plainColumns('id', 'source_id', 'product_id', 'sku'),
    ...amountColumns('price'),
    ...plainColumns('currency', 'attributes', 'image_url', 'created_at', 'updated_at', 'metadata'),
  },
  defaults: ['id', 'source_id', 'product_id', 'sku'],
  orders: ['created_at', 'updated_at'],
  filters: skuFilters,
});
