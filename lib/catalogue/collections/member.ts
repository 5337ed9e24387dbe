import type { Fields } from '../../kit/filters/fields.ts';
import type { Product, Sku } from '../products/resource.ts';

type Said = {
  readonly id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly price?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** A line of an order, with all that it says of its product and SKU. */
export interface LineOfProduct {
  readonly source_id?: string | undefined;
  readonly related_object?: 'product' | 'sku' | undefined;
  readonly product_id?: string | undefined;
  readonly sku_id?: string | undefined;
  readonly product?: (Said & { readonly name?: string | undefined }) | undefined;
  readonly sku?: (Said & { readonly sku?: string | undefined }) | undefined;
}

/** A product or SKU that nobody stores has no times, attributes or picture. */
type InlineMember = Readonly<Record<string, unknown>> & { readonly object: 'product' | 'sku' };

/** A product or a SKU as collections look at it: a SKU by itself, without what its product has. */
export type Member = ReturnType<typeof productMember> | ReturnType<typeof skuMember> | InlineMember;

export function productMember(item: Product) {
  return { ...item, object: 'product', skus: Array.from({ length: item.children ?? 0 }, () => 'sku') } as const;
}

/** Its attributes are what it has of those of its product. */
export function skuMember(item: Sku) {
  return { ...item, object: 'sku', name: item.sku, attributes: Object.values(item.attributes ?? {}) } as const;
}

/** Returns what a line says of a product or SKU that is not stored; nothing where it names none. */
export function inlineMember(line: LineOfProduct): InlineMember[] {
  const { source_id, related_object, product_id, sku_id, product, sku } = line;
  if (sku_id !== undefined || sku !== undefined || related_object === 'sku') {
    const metadata = { ...product?.metadata, ...sku?.metadata };
    const names = { id: sku_id ?? sku?.id, product_id: product_id ?? product?.id, name: sku?.sku ?? product?.name };
    const own = { source_id: sku?.source_id ?? source_id, price: sku?.price };
    return [{ object: 'sku', ...names, ...own, metadata }];
  }
  if (product_id === undefined && product === undefined && source_id === undefined) return [];
  const names = { id: product_id ?? product?.id, source_id: product?.source_id ?? source_id, name: product?.name };
  return [{ object: 'product', ...names, price: product?.price, metadata: product?.metadata ?? {} }];
}

/** By what collections find their members; of a product's SKUs only the number is known. */
export const memberFields: Fields<Member> = {
  id: 'text',
  product_id: 'text',
  source_id: 'text',
  name: 'text',
  price: 'number',
  object: 'text',
  attributes: 'list',
  image_url: 'text',
  skus: 'list',
  created_at: 'date',
  updated_at: 'date',
  'metadata.*': 'any',
};
