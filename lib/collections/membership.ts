import { compileFilter } from '../filters/filter.ts';
import type { Product, Sku } from '../products/resource.ts';
import { type Member, memberFields, productMember, skuMember } from './member.ts';
import { allProducts, type Collection } from './resource.ts';

/** Whether a product is in the collection or, with a SKU, whether that is. */
export type Contains = (product: Product, sku?: Sku) => boolean;

/** A SKU is in a STATIC collection that names it or its product, and in an AUTO_UPDATE one whose filter it meets by itself. */
export function containing(
  { type, filter, products }: Pick<Collection, 'type' | 'filter' | 'products'>,
  now: Date,
): Contains {
  if (type === 'STATIC') {
    const named = new Set(products?.map(({ id }) => id));
    return (product, sku) => named.has(product.id) || (sku !== undefined && named.has(sku.id));
  }
  const matches = filter ? compileFilter<Member>(memberFields, filter) : () => false;
  return (product, sku) => matches(sku ? skuMember(sku) : productMember(product), now);
}

/**
 * Tells the ids of the collections that a product or SKU is in, for any number of them; without a product, for one that only a
 * request knows.
 */
export function collectionsOf(collections: readonly Collection[], now: Date) {
  const all = collections.map((one) => ({ id: one.id, contains: containing(one, now) }));
  return (product?: Product, sku?: Sku): string[] => [
    allProducts.id,
    ...all.flatMap(({ id, contains }) => (product && contains(product, sku) ? [id] : [])),
  ];
}
