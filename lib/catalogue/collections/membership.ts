import { compileFilter } from '../../kit/filters/filter.ts';
import type { Product, Sku } from '../products/resource.ts';
import { inlineMember, type LineOfProduct, type Member, memberFields, productMember, skuMember } from './member.ts';
import { allProducts, type Collection } from './resource.ts';

/** The product of a line and its SKU, as far as they are stored, or will be with the line. */
export interface StoredProduct {
  readonly product?: Product | undefined;
  readonly sku?: Sku | undefined;
}

type Contains = (line: LineOfProduct, stored: StoredProduct) => boolean;

/** A STATIC collection has the SKUs that it names and those of products that it names. */
function naming({ products }: Pick<Collection, 'products'>): Contains {
  const named = new Set(products?.map(({ id }) => id));
  return (_, { product, sku }) =>
    product !== undefined && (named.has(product.id) || (sku !== undefined && named.has(sku.id)));
}

/** Returns what a filter may find: a SKU by itself, and only where it is not stored what the line says of it. */
function membersOf(line: LineOfProduct, { product, sku }: StoredProduct): Member[] {
  if (sku) return [skuMember(sku)];
  if (!product) return inlineMember(line);
  return [productMember(product), ...(line.sku ? inlineMember(line) : [])];
}

/** Whether a collection has the product or SKU of a line, or one that is stored and has no line. */
export function containing(collection: Pick<Collection, 'type' | 'filter' | 'products'>, now: Date): Contains {
  const { type, filter } = collection;
  if (type === 'STATIC') return naming(collection);
  if (!filter) return () => false;
  const matches = compileFilter<Member>(memberFields, filter);
  return (line, stored) => membersOf(line, stored).some((member) => matches(member, now));
}

/** Tells the ids of the collections that have a line's product or SKU, for any number of lines. */
export function collectionsOf(collections: readonly Collection[], now: Date) {
  const all = collections.map((one) => ({ id: one.id, contains: containing(one, now) }));
  return (line: LineOfProduct, stored: StoredProduct): string[] => [
    allProducts.id,
    ...all.flatMap(({ id, contains }) => (contains(line, stored) ? [id] : [])),
  ];
}
