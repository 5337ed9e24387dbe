import type { Areas } from '../../core/geo-point.ts';
import type { CompiledSchema } from '../../core/metadata/check.ts';
import { compileFilter, listFilterLocations } from '../../kit/filters/filter.ts';
import type { Product, Sku } from '../products/resource.ts';
import { inlineMember, type LineOfProduct, type Member, memberFields, productMember, skuMember } from './member.ts';
import { allProducts, type Collection } from './resource.ts';

/** Holds the product of a line and its SKU, if they are stored or will be stored with the line. */
interface StoredProduct {
  readonly product?: Product | undefined;
  readonly sku?: Sku | undefined;
}

type Contains = (line: LineOfProduct, stored: StoredProduct) => boolean;

/** Tests a STATIC collection. It has the SKUs that it names, and all SKUs of the products that it names. */
function testNames({ products }: Pick<Collection, 'products'>): Contains {
  const named = new Set(products?.map(({ id }) => id));
  return (_, { product, sku }) =>
    product !== undefined && (named.has(product.id) || (sku !== undefined && named.has(sku.id)));
}

/** Returns the members that a filter may find. A stored SKU stands alone. Without one, the line itself describes the SKU. */
function findMembers(line: LineOfProduct, { product, sku }: StoredProduct): Member[] {
  if (sku) return [skuMember(sku)];
  if (!product) return inlineMember(line);
  return [productMember(product), ...(line.sku ? inlineMember(line) : [])];
}

/** The moment, the areas of the locations that filters name, and the schema of products. */
interface Around {
  readonly now: Date;
  readonly areas: Areas;
  readonly schema?: CompiledSchema | undefined;
}

/** Returns the ids of the locations that the filters of collections name. */
export function listCollectionLocations(collections: readonly Pick<Collection, 'filter'>[]): string[] {
  return collections.flatMap(({ filter }) => (filter ? listFilterLocations(filter) : []));
}

/** Returns the test whether a collection has the product or SKU of a line, or a stored one without a line. */
export function compileCollection(
  collection: Pick<Collection, 'type' | 'filter' | 'products'>,
  { now, areas, schema }: Around,
): Contains {
  const { type, filter } = collection;
  if (type === 'STATIC') return testNames(collection);
  if (!filter) return () => false;
  const matches = compileFilter<Member>(memberFields, filter, schema);
  return (line, stored) => findMembers(line, stored).some((member) => matches(member, now, areas));
}

/** Returns a function that names the collections of a line's product or SKU, for any number of lines. */
export function compileCollections(collections: readonly Collection[], around: Around) {
  const all = collections.map((one) => ({ id: one.id, contains: compileCollection(one, around) }));
  return (line: LineOfProduct, stored: StoredProduct): string[] => [
    allProducts.id,
    ...all.flatMap(({ id, contains }) => (contains(line, stored) ? [id] : [])),
  ];
}
