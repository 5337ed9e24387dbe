import type { Fields } from '../filters/fields.ts';
import type { Product, Sku } from '../products/resource.ts';

/** A product or a SKU as collections look at it: a SKU by itself, without what its product has. */
export type Member = ReturnType<typeof productMember> | ReturnType<typeof skuMember>;

export function productMember(item: Product) {
  return { ...item, object: 'product', skus: Array.from({ length: item.children ?? 0 }, () => 'sku') } as const;
}

/** Its attributes are what it has of those of its product. */
export function skuMember(item: Sku) {
  return { ...item, object: 'sku', name: item.sku, attributes: Object.values(item.attributes ?? {}) } as const;
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
