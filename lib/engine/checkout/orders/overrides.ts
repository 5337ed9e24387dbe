import { isDeepStrictEqual } from 'node:util';
import { type FoundProducts, type Product, product, type Sku, sku } from '#engine/catalogue/products/resource.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { saveItem } from '#kernel/kit/resource/item.ts';
import type { Item, Resource, Values } from '#kernel/kit/resource/shape.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Catalogue, findKnown, omitEmpty, type SentLine } from './line.ts';

/** Limits the overrides. Each may be two items of the order's transaction, which has 100. */
const maxOverrides = 20;

/** A stored product or SKU, and the lines' changes. */
interface Override {
  before: Item | undefined;
  sent: Values;
}

/** The changes by id, or by source id for a product or SKU that does not exist. */
type Overrides = ReadonlyMap<string, Override>;

function sourceOf(line: SentLine, of: 'product' | 'sku'): string | undefined {
  const ofLine = (line.related_object ?? 'product') === of ? line.source_id : undefined;
  return line[of]?.source_id ?? ofLine ?? undefined;
}

/** Merges the lines' changes. The last one wins, and metadata is merged. */
function gathered(
  lines: readonly SentLine[],
  of: 'product' | 'sku',
  found: (line: SentLine) => Item | undefined,
  parentOf: (line: SentLine) => string | undefined = () => undefined,
): Overrides {
  const all = new Map<string, Override>();
  for (const line of lines) {
    const { override, id: _, source_id: __, metadata, ...fields } = line[of] ?? {};
    const [before, source_id, parent] = [found(line), sourceOf(line, of), parentOf(line)];
    const key = before?.id ?? source_id;
    if (!override || key === undefined || (of === 'sku' && !before && parent === undefined)) continue;
    const known = all.get(key)?.sent;
    const created = before ? {} : { source_id, ...(parent === undefined ? {} : { product_id: parent }) };
    const merged = metadata ? { metadata: { ...Object(known?.metadata), ...metadata } } : {};
    all.set(key, { before, sent: { ...known, ...created, ...omitEmpty(fields), ...merged } });
  }
  return all;
}

function saysNew({ before, sent }: Override): boolean {
  const { metadata, ...fields } = sent;
  const merged = { ...Object(before?.metadata), ...Object(metadata) };
  return (
    before === undefined ||
    Object.entries(fields).some(([name, value]) => before[name] !== value) ||
    (metadata !== undefined && !isDeepStrictEqual(merged, before.metadata))
  );
}

interface Saved {
  readonly items: ReadonlyMap<string, Item>;
  readonly effects: Effect[];
  readonly drawn: string[];
}

/** Returns the changed products and SKUs by the same keys, with their effects. */
function saved(context: Reading, resource: Resource, overrides: Overrides): Saved {
  const effects: Effect[] = [];
  const drawn: string[] = [];
  const items = new Map<string, Item>();
  for (const [key, override] of overrides) {
    if (!saysNew(override)) continue;
    const { after, effects: own } = saveItem(context, resource, override.before, override.sent);
    items.set(key, after);
    effects.push(...own);
    if (!override.before) drawn.push(after.id);
  }
  return { items, effects, drawn };
}

interface Overriding {
  readonly catalogue: Catalogue;
  readonly effects: Effect[];
  readonly drawn: ReadonlySet<string>;
  /** Returns the existing products and SKUs with their changes. */
  readonly asOverridden: (known: FoundProducts) => FoundProducts;
}

/** Replaces stored products and SKUs by their changed versions, under the lines' names. */
function replacedIn({ products: all, skus: ofAll }: FoundProducts, products: Saved, skus: Saved): FoundProducts {
  const productOf = (one: Product) => {
    const item = products.items.get(one.id);
    return item ? parseStored(product.stored, item) : one;
  };
  const skuOf = (one: Sku) => {
    const item = skus.items.get(one.id);
    return item ? parseStored(sku.stored, item) : one;
  };
  return {
    products: new Map([...all].map(([name, one]) => [name, productOf(one)])),
    skus: new Map([...ofAll].map(([name, one]) => [name, { sku: skuOf(one.sku), product: productOf(one.product) }])),
  };
}

/**
 * Finds the changes that lines with `override` store in their products and SKUs: name, price and metadata. A missing one is created by its
 * source id, and a SKU belongs to the line's product. The returned catalogue includes the changes. 400 if they exceed the order's
 * transaction.
 */
export function readOverrides(context: Reading, lines: readonly SentLine[], stored: Catalogue): Overriding {
  const ofProducts = gathered(lines, 'product', (line) => findKnown(line, stored).product);
  const products = saved(context, product, ofProducts);
  const withProducts: Catalogue = {
    ...stored,
    product: (name) => {
      const item = products.items.get(stored.product(name)?.id ?? name);
      return item ? parseStored(product.stored, item) : stored.product(name);
    },
  };
  const ofSkus = gathered(
    lines,
    'sku',
    (line) => findKnown(line, stored).sku,
    (line) => findKnown(line, withProducts).product?.id,
  );
  if (ofProducts.size + ofSkus.size > maxOverrides) {
    throw new ServiceError('invalid_payload', {
      details: `items must override at most ${maxOverrides} products and SKUs`,
    });
  }
  const skus = saved(context, sku, ofSkus);
  const catalogue: Catalogue = {
    ...withProducts,
    sku: (name) => {
      const item = skus.items.get(stored.sku(name)?.id ?? name);
      return item ? parseStored(sku.stored, item) : stored.sku(name);
    },
  };
  return {
    catalogue,
    effects: [...products.effects, ...skus.effects],
    drawn: new Set([...products.drawn, ...skus.drawn]),
    asOverridden: (known) => (products.items.size + skus.items.size === 0 ? known : replacedIn(known, products, skus)),
  };
}
