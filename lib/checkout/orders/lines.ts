import { collection, compileCollections, listCollectionLocations } from '../../catalogue/collections/resource.ts';
import { readAreas } from '../../catalogue/locations/location.ts';
import { type FoundProducts, findProducts } from '../../catalogue/products/resource.ts';
import type { Reading } from '../../http/context.ts';
import type { Effect } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import { type Catalogue, findKnown, listLineNames, type OrderLine, prepareLine, type SentLine } from './line.ts';
import { readOverrides } from './overrides.ts';

export interface PreparedLines {
  lines: OrderLine[];
  /** The products and SKUs of the lines, after the request. */
  catalogue: Catalogue;
  /** The stored products and SKUs, after the request, by the names in the lines. */
  known: FoundProducts;
  /** The products and SKUs that the lines store with the order. */
  effects: Effect[];
}

/** Removes the prices and names that a browser sent, if the product or SKU of the line is stored with a price. */
function withStoredPrices(line: SentLine, catalogue: Catalogue): SentLine {
  const { sku, product } = findKnown(line, catalogue);
  const price = sku?.price ?? product?.price ?? undefined;
  if (price === undefined) return line;
  const { price: _, amount: __, product: sentProduct, sku: sentSku, ...own } = line;
  return {
    ...own,
    ...(sentProduct ? { product: { ...sentProduct, name: undefined, price: undefined } } : {}),
    ...(sentSku ? { sku: { ...sentSku, sku: undefined, price: undefined } } : {}),
  };
}

/**
 * Completes lines with products, SKUs and prices, in two calls for any number. `isStored` stores them with the order. `isFromBrowser` marks
 * lines of a browser, for which stored prices win.
 */
export async function prepareLines(
  context: Reading,
  sent: readonly SentLine[],
  { isStored, isFromBrowser = false }: { isStored: boolean; isFromBrowser?: boolean },
): Promise<PreparedLines> {
  const names = sent.map(listLineNames);
  const known = await findProducts(context, {
    products: names.flatMap(({ products }) => products),
    skus: names.flatMap(({ skus }) => skus),
  });
  const owners = new Map([...known.skus.values()].map(({ product }) => [product.id, product]));
  const stored: Catalogue = {
    product: (name) => known.products.get(name) ?? owners.get(name),
    sku: (name) => known.skus.get(name)?.sku,
  };
  const { drawn, effects, asOverridden, ...overridden } = readOverrides(context, sent, stored);
  const catalogue = isStored ? overridden.catalogue : { ...overridden.catalogue, drawn };
  const lines = isFromBrowser ? sent.map((line) => withStoredPrices(line, catalogue)) : sent;
  const prepared = lines.map((line) => prepareLine(line, catalogue));
  return { lines: prepared, catalogue, known: asOverridden(known), effects };
}

const given = (ids: readonly (string | undefined)[]) => ids.filter((id) => id !== undefined);

/** Adds the collections of stored lines, among the given ones. */
export async function addCollections(context: Reading, items: readonly OrderLine[], ids: readonly string[]) {
  if (ids.length === 0) return items;
  const { table, project, now } = context;
  const [{ found }, { products, skus }] = await Promise.all([
    read(table, { found: ids.map((id) => collection.few(project.id, id)) }),
    findProducts(context, {
      products: given(items.map(({ product_id }) => product_id)),
      skus: given(items.map(({ sku_id }) => sku_id)),
    }),
  ]);
  const collections = found.filter((one) => one !== undefined);
  const areas = await readAreas(context, listCollectionLocations(collections));
  const collectionIds = compileCollections(collections, { now, areas, schema: project.schemas('product') });
  return items.map((line) => {
    const sku = skus.get(line.sku_id ?? '')?.sku;
    return { ...line, collections: collectionIds(line, { product: products.get(line.product_id ?? ''), sku }) };
  });
}
