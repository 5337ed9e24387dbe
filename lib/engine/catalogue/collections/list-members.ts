import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, cursorQuery, moreEntries, pageQuery, presentMore, unknownCursor } from '#kernel/http/page.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { sortKey, walkList } from '#kernel/table/listing.ts';
import { readChildren, readItemsOf } from '#kernel/table/read.ts';
import { readAreas } from '../locations/location.ts';
import { findProducts, type Product, product, type Sku, sku } from '../products/resource.ts';
import { type Collection, compileCollection, listCollectionLocations } from './resource.ts';
import { getCollection } from './save-collection.ts';

export const membersListed = listed({
  key: 'data',
  element: v.variant('object', [product.reply, v.object({ ...sku.reply.entries, product: product.reply })]),
  paging: { ...pageQuery, ...cursorQuery },
  orders: ['created_at', 'updated_at'],
  byDefault: '-created_at',
  orderWords:
    'The field of the products that orders the list. A leading dash means descending. SKUs follow their product.',
  place: { total: count, ...moreEntries },
});

type Query = v.InferOutput<typeof membersListed.query>;

interface Found {
  readonly product: Product;
  readonly sku?: Sku;
}

/** Names the element after which a walk continues. */
interface Cursor {
  readonly product: Product;
  readonly id: string;
}

interface Order {
  readonly field: string;
  readonly descending: boolean;
}

/** A walk reads at most this many elements, and keeps only the elements of the page. */
const walkedAtMost = 1_000;
const productsAtOnce = 50;

const idOf = (found: Found) => (found.sku ?? found.product).id;

function placeIn(field: string, { id, created_at, updated_at }: Product): string {
  return sortKey(field === 'updated_at' ? (updated_at ?? created_at) : created_at, id);
}

/** Walks products in their order, each before its SKUs, the oldest SKU first. */
async function* walk(
  { table, project }: Reading,
  { field, descending }: Order,
  cursor: Cursor | undefined,
): AsyncGenerator<Found> {
  const list = product.listings.find((one) => one.order === field)?.listing;
  if (!list) throw new Error(`products are not listed by ${field}`);
  const start = cursor && placeIn(field, cursor.product);
  const range = { descending, atOnce: productsAtOnce, ...(descending ? { to: start } : { from: start }) };
  let isBehind = cursor === undefined;
  for await (const batch of splitIntoBatches(walkList(table, list, [project.id], range), productsAtOnce)) {
    const products = await readItemsOf(table, product.many, batch);
    const families = await Promise.all(
      products.map(async (one) => ({
        one,
        skus: one?.children ? await readChildren(table, sku.few, project.id, one.id) : [],
      })),
    );
    for (const { one, skus } of families) {
      if (!one) continue;
      isBehind ||= one.id !== cursor?.product.id;
      for (const found of [{ product: one }, ...skus.map((own) => ({ product: one, sku: own }))]) {
        if (isBehind) yield found;
        else isBehind = idOf(found) === cursor?.id;
      }
    }
  }
}

/** Yields the named members that exist, in the order of their products. */
async function* yieldNamed(
  context: Reading,
  { products: wanted = [] }: Pick<Collection, 'products'>,
  { field, descending }: Order,
): AsyncGenerator<Found> {
  const listNames = (object: string) => (wanted ?? []).flatMap((one) => (one.object === object ? [one.id] : []));
  const { products, skus } = await findProducts(context, { products: listNames('product'), skus: listNames('sku') });
  const found: Found[] = [...[...products.values()].map((one) => ({ product: one })), ...skus.values()];
  const placed = found.map((one) => ({ one, at: placeIn(field, one.product), within: one.sku?.id ?? '' }));
  const isAfter = (one: string, other: string) => (one === other ? 0 : one > other ? 1 : -1);
  placed.sort((a, b) => isAfter(a.at, b.at) * (descending ? -1 : 1) || isAfter(a.within, b.within));
  for (const { one } of placed) yield one;
}

async function* skipTo(all: AsyncIterable<Found>, { id }: Cursor): AsyncGenerator<Found> {
  let isBehind = false;
  for await (const found of all) {
    if (isBehind) yield found;
    else isBehind = idOf(found) === id;
  }
}

async function readCursor(context: Reading, id: string | undefined): Promise<Cursor | undefined> {
  if (id === undefined) return undefined;
  const { products, skus } = await findProducts(context, { products: [id], skus: [id] });
  const owner = products.get(id) ?? skus.get(id)?.product;
  if (!owner) throw unknownCursor('product or SKU');
  return { product: owner, id };
}

function show({ product: own, sku: of }: Found) {
  return of ? { ...presentResource(sku, of), product: presentResource(product, own) } : presentResource(product, own);
}

/** Lists the named members, or walks products and SKUs for members that meet the filter. A request reads a bounded number. */
export async function listCollectionMembers(context: Reading, id: string, query: Query) {
  const collection = await getCollection(context, id);
  const areas = await readAreas(context, listCollectionLocations([collection]));
  const contains = compileCollection(collection, {
    now: context.now,
    areas,
    schema: context.project.schemas('product'),
  });
  const cursor = await readCursor(context, query.starting_after_id);
  const order = membersListed.orderIn(query);
  const isNamed = collection.type === 'STATIC';
  const source = (from: Cursor | undefined) => {
    if (!isNamed) return walk(context, order, from);
    return from ? skipTo(yieldNamed(context, collection, order), from) : yieldNamed(context, collection, order);
  };
  const { page, total, next } = await readFilteredPage(
    (range) => source(range.behind === undefined ? undefined : cursor),
    {
      limit: query.limit,
      offset: cursor ? 0 : computeOffset(query),
      behind: cursor?.id,
      atMost: walkedAtMost,
      ...(isNamed ? {} : { matches: (batch: readonly Found[]) => batch.map((one) => contains({}, one)) }),
    },
  );
  return membersListed.show(page.map(show), { total, ...presentMore(next && idOf(next)) });
}
