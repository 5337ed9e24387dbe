import type * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { presentMore, unknownCursor } from '#kernel/http/page.ts';
import { pageTooLong, ReplyRoom } from '#kernel/http/reply-size.ts';
import { compileFilter, type Filter } from '#kernel/kit/filters/filter.ts';
import { createItem, findItem, itemOr404, updateItem } from '#kernel/kit/resource/item.ts';
import { listItems, wrapResources } from '#kernel/kit/resource/operations.ts';
import { type Item, type ListQuery, presentResource, type Values } from '#kernel/kit/resource/shape.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { walkChildren } from '#kernel/table/read.ts';
import { product, type Sku, type SkuQuery, sku, skuFilters } from './resource.ts';

type Place = Pick<Reading, 'table' | 'project'>;
type ShownSku = v.InferOutput<typeof sku.reply>;

/** A product shows at most this many of its SKUs. */
const maxShown = 100;

interface Wanted {
  readonly limit: number;
  readonly behind?: string | undefined;
  readonly room: ReplyRoom;
}

interface Found {
  readonly skus: ShownSku[];
  /** The reason why further SKUs of the product are not shown. */
  readonly end?: 'limit' | 'room';
}

/** Reads SKUs newest first, because ids sort by creation, and as many as the reply has room for. */
async function readSkus(
  { table, project }: Place,
  { id, children }: Item,
  { limit, behind, room }: Wanted,
): Promise<Found> {
  const skus: ShownSku[] = [];
  if (!children) return { skus };
  const walk = { descending: true, behind, atOnce: limit + 1 };
  for await (const stored of walkChildren(table, sku.few, [project.id, id], walk)) {
    if (skus.length === limit) return { skus, end: 'limit' };
    const shown = presentResource(sku, stored);
    if (!room.holds(shown)) return { skus, end: 'room' };
    skus.push(shown);
  }
  return { skus };
}

/** Returns the number of SKUs, which the product counts. */
function countSkus({ children }: Item, { skus, end }: Found): number {
  return end ? Number(children) : skus.length;
}

/** Shows the product with its newest SKUs, if it has some. */
async function showWithSkus(context: Place, item: Item, room: ReplyRoom) {
  const own = await readSkus(context, item, { limit: maxShown, room });
  const total = countSkus(item, own);
  const skus = total > 0 ? { skus: wrapList(own.skus, total) } : {};
  return { shown: { ...presentResource(product, item), ...skus }, end: own.end };
}

export async function getProduct(context: Reading, name: string): Promise<v.InferOutput<typeof product.reply>> {
  const item = await itemOr404(context, product, name);
  const room = new ReplyRoom();
  room.take(presentResource(product, item));
  return (await showWithSkus(context, item, room)).shown;
}

/** Creates a product. The reply leaves out its SKUs, because a product may have thousands. */
export async function createProduct(context: Writing, body: Values) {
  return presentResource(product, await createItem(context, product, body));
}

export async function updateProduct(context: Writing, name: string, body: Values) {
  return presentResource(product, await updateItem(context, product, name, body));
}

const atOnce = 10;

/** Lists products with their SKUs, by a query for each product that has some. Answers 400 if a reply has no room for them. */
export async function listProducts(context: Reading, query: ListQuery) {
  const { items, ...place } = await listItems(context, product, query);
  const room = new ReplyRoom();
  const shown = [];
  for (let first = 0; first < items.length; first += atOnce) {
    const some = items.slice(first, first + atOnce);
    const products = await Promise.all(some.map((item) => showWithSkus(context, item, room)));
    if (products.some(({ end }) => end === 'room')) throw pageTooLong();
    shown.push(...products.map((one) => one.shown));
  }
  return wrapResources(product, shown, place);
}

async function checkCursor(context: Place, { id }: Item, cursor: string): Promise<void> {
  const known = await findItem(context, sku, { id: cursor });
  if (known?.product_id !== id) throw unknownCursor('SKU');
}

/** Reads the SKUs of the product that pass the filter. */
async function readFilteredSkus(
  { table, project, now }: Reading,
  { id }: Item,
  { filters, limit, behind }: { filters: Filter; limit: number; behind: string | undefined },
) {
  const meets = compileFilter<Sku>(skuFilters, filters);
  const all = (range: { behind?: string | undefined }) =>
    walkChildren(table, sku.few, [project.id, id], { descending: true, behind: range.behind });
  const matches = (batch: readonly Sku[]) => batch.map((one) => meets(one, now));
  const { page, total, next } = await readFilteredPage(all, { limit, offset: 0, behind, descending: true, matches });
  const room = new ReplyRoom();
  const skus = page.map((one) => presentResource(sku, one));
  if (!skus.every((one) => room.holds(one))) throw pageTooLong();
  return { object: 'list' as const, data_ref: 'skus' as const, skus, total, ...presentMore(next?.id) };
}

/** Lists the SKUs of a product. Its array is called `skus`, unlike the array of the list within a product. */
export async function listSkus(context: Reading, productName: string, query: SkuQuery) {
  const { limit = maxShown, starting_after_id: behind, filters } = query;
  const item = await itemOr404(context, product, productName);
  if (behind !== undefined) await checkCursor(context, item, behind);
  if (filters) return readFilteredSkus(context, item, { filters, limit, behind });
  const { skus, end } = await readSkus(context, item, { limit, behind, room: new ReplyRoom() });
  const total = behind === undefined ? countSkus(item, { skus, ...defined({ end }) }) : Number(item.children ?? 0);
  const next = end ? skus.at(-1)?.id : undefined;
  return { object: 'list' as const, data_ref: 'skus' as const, skus, total, ...presentMore(next) };
}
