import type { FilterFields } from '../../kit/filters/fields.ts';
import type { Product, Sku } from '../products/resource.ts';

type Said = {
  readonly id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly price?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** Describes a line of an order, with everything that it says of its product and SKU. */
export interface LineOfProduct {
  readonly source_id?: string | undefined;
  readonly related_object?: 'product' | 'sku' | undefined;
  readonly product_id?: string | undefined;
  readonly sku_id?: string | undefined;
  readonly product?: (Said & { readonly name?: string | undefined }) | undefined;
  readonly sku?: (Said & { readonly sku?: string | undefined }) | undefined;
}

/** Describes a product or SKU that nobody stores. It has no times, attributes or picture. */
type InlineMember = Readonly<Record<string, unknown>> & { readonly object: 'product' | 'sku' };

/** Describes a product or a SKU for filters of collections. A SKU stands alone, without the fields of its product. */
export type Member = ReturnType<typeof productMember> | ReturnType<typeof skuMember> | InlineMember;

export function productMember(item: Product) {
  return { ...item, object: 'product', skus: Array.from({ length: item.children ?? 0 }, () => 'sku') } as const;
}

/** Returns a SKU for filters. Its attributes are its values of the product's attributes. */
export function skuMember(item: Sku) {
  return { ...item, object: 'sku', name: item.sku, attributes: Object.values(item.attributes ?? {}) } as const;
}

/** Returns the product or SKU that a line describes itself, or nothing if the line names none. */
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

/** Names the fields by which collections find their members. For a product's SKUs only the number is known. */
export const memberFields: FilterFields<Member> = {
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
