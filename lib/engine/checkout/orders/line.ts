import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import {
  count,
  identifier,
  integer,
  keptText,
  metadata,
  nullable,
  object,
  sentCount,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import type { Item } from '#kernel/kit/resource/shape.ts';

const relatedObject = v.picklist(['product', 'sku']);

export const sentProduct = object({
  id: nullable(identifier),
  source_id: nullable(identifier),
  override: nullable(v.boolean()),
  name: nullable(shortText),
  price: nullable(sentCount),
  metadata: nullable(sentMetadata),
});

export const sentSku = object({
  id: nullable(identifier),
  source_id: nullable(identifier),
  override: nullable(v.boolean()),
  sku: nullable(shortText),
  price: nullable(sentCount),
  metadata: nullable(sentMetadata),
});

/** A line of a body. Fields of replies may be sent back, and are calculated again. */
export const sentLine = object({
  id: nullable(identifier),
  source_id: nullable(identifier),
  related_object: nullable(relatedObject),
  product_id: nullable(identifier),
  sku_id: nullable(identifier),
  quantity: nullable(sentCount),
  initial_quantity: nullable(sentCount),
  discount_quantity: nullable(sentCount),
  price: nullable(sentCount),
  amount: nullable(sentCount),
  initial_amount: nullable(sentCount),
  discount_amount: nullable(sentCount),
  product: nullable(sentProduct),
  sku: nullable(sentSku),
  metadata: nullable(sentMetadata),
});

export type SentLine = v.InferOutput<typeof sentLine>;

const shownText = v.optional(keptText);
const shownCount = v.optional(count);

/**
 * A line with product and money, as orders store it and replies show it. Without `amount` it has no money. `metadata`
 * of its product is the sent metadata.
 */
export const orderLine = v.object({
  object: v.optional(v.literal('order_item'), 'order_item'),
  id: shownText,
  source_id: shownText,
  related_object: v.optional(relatedObject),
  product_id: shownText,
  sku_id: shownText,
  quantity: count,
  initial_quantity: shownCount,
  discount_quantity: shownCount,
  price: shownCount,
  amount: shownCount,
  initial_amount: shownCount,
  discount_amount: shownCount,
  order_discount_share: described(
    shownCount,
    'The part of the discount on the whole order that this line has. Payments by cards are not discounts here.',
  ),
  subtotal_amount: shownCount,
  returned_quantity: described(shownCount, 'The units that returns have taken back.'),
  returned_amount: described(shownCount, 'The part of `amount` that the returned units had.'),
  product: v.optional(
    v.object({
      id: shownText,
      source_id: shownText,
      name: shownText,
      price: shownCount,
      metadata: v.optional(metadata),
    }),
  ),
  sku: v.optional(
    v.object({
      id: shownText,
      source_id: shownText,
      sku: shownText,
      price: shownCount,
      metadata: v.optional(metadata),
    }),
  ),
  metadata: v.optional(metadata),
});

/** A stored line. */
export const keptOrderLine = v.object({
  ...orderLine.entries,
  /**
   * The quantity before free units that the caller counts in and no redemption gave. Redemptions add to this quantity. Without it,
   * `initial_quantity` came with the order, and redemptions gave the rest.
   */
  base_quantity: shownCount,
  /** The caller's own discount besides redemptions. It is negative if redemptions took off more than the caller left. */
  sent_discount_amount: v.optional(integer),
  /** The units that discounts of some units have made free, besides `discount_quantity`. */
  freed_quantity: shownCount,
  /** The part of `discount_amount` that cards have paid. */
  paid_by_cards: shownCount,
});

export type OrderLine = v.InferOutput<typeof keptOrderLine>;

/** The fields of a stored product that a line uses. */
export interface KnownProduct extends Item {
  readonly source_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly price?: number | null | undefined;
}

interface KnownSku extends Item {
  readonly product_id: string;
  readonly source_id?: string | null | undefined;
  readonly sku?: string | null | undefined;
  readonly price?: number | null | undefined;
}

/** The products and SKUs of lines, by id or source id. A SKU brings its product. */
export interface Catalogue {
  readonly product: (idOrSourceId: string) => KnownProduct | undefined;
  readonly sku: (idOrSourceId: string) => KnownSku | undefined;
  /** Ids of products that are not stored. Lines do not show them, because each request draws new ids. */
  readonly drawn?: ReadonlySet<string> | undefined;
}

type Named = Pick<SentLine, 'source_id' | 'related_object' | 'product_id' | 'sku_id' | 'product' | 'sku'>;

/** Returns the names of the line in order of precedence. A source id names a product by default. */
export function listLineNames({ source_id, related_object, product_id, sku_id, product, sku }: Named) {
  const ofSku = related_object === 'sku';
  const names = (...all: (string | null | undefined)[]) => all.filter((name) => typeof name === 'string');
  return {
    skus: names(sku_id, sku?.id, ofSku ? source_id : undefined, sku?.source_id),
    products: names(product_id, product?.id, ofSku ? undefined : source_id, product?.source_id),
  };
}

/** Finds the line's product and SKU. A SKU brings its own product, whatever the line names. */
export function findKnown(line: Named, { product, sku }: Catalogue) {
  const names = listLineNames(line);
  const ownSku = first(names.skus, sku);
  return { sku: ownSku, product: ownSku ? product(ownSku.product_id) : first(names.products, product) };
}

function first<T>(names: readonly string[], find: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const found = find(name);
    if (found) return found;
  }
  return undefined;
}

/** Leaves out fields without a value. */
export function omitEmpty<T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], null | undefined> } {
  return Object.assign({}, ...Object.entries(fields).map(([name, value]) => (value == null ? {} : { [name]: value })));
}

/** Returns the amount. The sent amount wins over price times quantity, and both are stored. A line never costs less than nothing. */
function moneyOf(sent: SentLine, price: number | undefined, quantity: number) {
  const amount = sent.amount ?? (price === undefined ? undefined : price * quantity);
  if (amount === undefined) return {};
  const discount = Math.min(sent.discount_amount ?? 0, amount);
  return {
    price,
    amount,
    initial_amount: sent.initial_amount,
    discount_amount: discount > 0 ? discount : undefined,
    subtotal_amount: amount - discount,
  };
}

/**
 * Finds the line's product, SKU and price. The price is the line's, else the sent product's, else the stored SKU's, else the stored
 * product's. An unknown line stays unchanged.
 */
export function prepareLine(sent: SentLine, catalogue: Catalogue): OrderLine {
  const { sku, product } = findKnown(sent, catalogue);
  const price = sent.price ?? sent.sku?.price ?? sent.product?.price ?? sku?.price ?? product?.price ?? undefined;
  const quantity = sent.quantity ?? 1;
  const stored = (id: string | undefined) => (id !== undefined && catalogue.drawn?.has(id) ? undefined : id);
  const { override: _, ...ofProduct } = sent.product ?? {};
  const { override: __, ...ofSku } = sent.sku ?? {};
  const shownProduct = omitEmpty({
    id: stored(product?.id) ?? ofProduct.id,
    source_id: product ? product.source_id : ofProduct.source_id,
    name: ofProduct.name ?? product?.name,
    price: ofProduct.price ?? product?.price,
    metadata: ofProduct.metadata,
  });
  const shownSku = omitEmpty({
    id: stored(sku?.id) ?? ofSku.id,
    source_id: sku ? sku.source_id : ofSku.source_id,
    sku: ofSku.sku ?? sku?.sku,
    price: ofSku.price ?? sku?.price,
    metadata: ofSku.metadata,
  });
  return {
    object: 'order_item',
    quantity,
    ...omitEmpty({
      id: sent.id,
      source_id: sent.source_id,
      related_object: sent.related_object ?? (sku ? 'sku' : product ? 'product' : undefined),
      product_id: stored(sku?.product_id ?? product?.id) ?? sent.product_id,
      sku_id: stored(sku?.id) ?? sent.sku_id,
      initial_quantity: sent.initial_quantity,
      discount_quantity: sent.discount_quantity,
      ...moneyOf(sent, price, quantity),
      product: Object.keys(shownProduct).length > 0 ? shownProduct : undefined,
      sku: Object.keys(shownSku).length > 0 ? shownSku : undefined,
      metadata: sent.metadata,
    }),
  };
}
