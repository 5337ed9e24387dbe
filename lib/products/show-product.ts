import type * as v from 'valibot';
import type { Reading, Writing } from '../context.ts';
import { createItem, found, updateItem } from '../resource/item.ts';
import { envelope, listItems } from '../resource/plain.ts';
import { type Item, type ListQuery, present, type Values } from '../resource/shape.ts';
import { list } from '../schema.ts';
import { onceWritten } from '../table/conflicts.ts';
import { readChildren } from '../table/read.ts';
import { product, type Sku, sku } from './resource.ts';

type Place = Pick<Reading, 'table' | 'project'>;

/** Newest first. */
async function skusOf({ table, project }: Place, { id, children }: Item): Promise<Sku[]> {
  const skus = children ? await readChildren(table, sku.few, project.id, id) : [];
  const place = ({ created_at, id }: Sku) => `${created_at} ${id}`;
  return skus.sort((one, other) => (place(one) < place(other) ? 1 : -1));
}

async function shownSkus(context: Place, item: Item) {
  return (await skusOf(context, item)).map((one) => present(sku, one));
}

/** With its SKUs. */
export async function showProduct(context: Place, item: Item): Promise<v.InferOutput<typeof product.reply>> {
  return present(product, { ...item, skus: list(await shownSkus(context, item)) });
}

export async function getProduct(context: Reading, name: string) {
  return showProduct(context, await found(context, product, name));
}

export async function createProduct(context: Writing, body: Values) {
  const item = await createItem(context, product, body);
  return onceWritten(() => showProduct(context, item));
}

export async function updateProduct(context: Writing, name: string, body: Values) {
  const item = await updateItem(context, product, name, body);
  return onceWritten(() => showProduct(context, item));
}

/** Each with its SKUs: a query for each product that has some. */
export async function listProducts(context: Reading, query: ListQuery) {
  const { items, ...place } = await listItems(context, product, query);
  return envelope(product, await Promise.all(items.map((item) => showProduct(context, item))), place);
}

/** The array is `skus`, unlike that within a product. */
export async function listSkus(context: Reading, productName: string) {
  const skus = await shownSkus(context, await found(context, product, productName));
  return { object: 'list' as const, data_ref: 'skus' as const, skus, total: skus.length };
}
