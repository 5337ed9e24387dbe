import * as v from 'valibot';
import type { Areas } from '#kernel/core/geo-point.ts';
import type { CompiledSchema } from '#kernel/core/metadata/check.ts';
import { array, identifier, nullable, object } from '#kernel/core/schema.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter, filterDocument, listFilterLocations } from '#kernel/kit/filters/filter.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import type { Values } from '#kernel/kit/resource/shape.ts';
import type { Product, Sku } from '../products/resource.ts';

type Said = {
  readonly id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly price?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** Describes a line of an order, with all its data about its product and SKU. */
export interface LineOfProduct {
  readonly source_id?: string | undefined;
  readonly related_object?: 'product' | 'sku' | undefined;
  readonly product_id?: string | undefined;
  readonly sku_id?: string | undefined;
  readonly product?: (Said & { readonly name?: string | undefined }) | undefined;
  readonly sku?: (Said & { readonly sku?: string | undefined }) | undefined;
}

/** Describes a product or SKU that is not stored. It has no times, attributes or picture. */
type InlineMember = Readonly<Record<string, unknown>> & { readonly object: 'product' | 'sku' };

/** Describes a product or a SKU for filters of collections. A SKU does not include the fields of its product. */
export type Member = ReturnType<typeof productMember> | ReturnType<typeof skuMember> | InlineMember;

function productMember(item: Product) {
  return { ...item, object: 'product', skus: Array.from({ length: item.children ?? 0 }, () => 'sku') } as const;
}

/** Returns a SKU for filters. Its attributes are its values of the product's attributes. */
function skuMember(item: Sku) {
  return { ...item, object: 'sku', name: item.sku, attributes: Object.values(item.attributes ?? {}) } as const;
}

/** Returns the product or SKU that a line describes itself, or nothing if the line names none. */
function inlineMember(line: LineOfProduct): InlineMember[] {
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
const memberFields: FilterFields<Member> = {
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

/** A collection of the type STATIC has at most this many entries; see docs/products.md#collections. */
const maxEntries = 20;

const entry = object({
  id: identifier,
  product_id: nullable(identifier),
  object: v.picklist(['product', 'sku']),
});

const name = required(identifier, 'The name that operators see.');
const filter = filterDocument(memberFields);
const products = array(entry, maxEntries);

function* rules({ type, filter, products }: Values): Generator<string> {
  if (type === 'STATIC' && filter) yield 'filter must be left out of a STATIC collection';
  if (type === 'AUTO_UPDATE' && products) yield 'products must be left out of an AUTO_UPDATE collection';
  if (type === 'AUTO_UPDATE' && !filter) yield 'filter is required';
}

/** Groups products and SKUs that rules and discounts name together. */
export const collection = resource('products_collection', {
  prefix: 'pc',
  number: 'few',
  most: 100,
  fields: {
    name,
    type: required(
      v.picklist(['STATIC', 'AUTO_UPDATE']),
      'A `STATIC` collection names its members. An `AUTO_UPDATE` collection finds them by a filter.',
    ),
    filter: optional(filter, 'The filter that finds the members of an AUTO_UPDATE collection.'),
    products: optional(products, 'The members of a STATIC collection. A product brings its SKUs along.'),
  },
  orders: ['created_at', 'updated_at'],
  fileKey: 'product_collections',
  rules,
});

export type Collection = v.InferOutput<typeof collection.stored>;
export type CollectionEntry = v.InferOutput<typeof entry>;

export const createBody = v.variant('type', [
  object({ name: name.schema, type: v.literal('STATIC'), products }),
  object({ name: name.schema, type: v.literal('AUTO_UPDATE'), filter }),
]);

/** Changes a collection. The members of a STATIC collection never change. */
export const updateBody = object({ name: v.optional(name.schema), filter: v.optional(filter) });

/** Contains every product and SKU of the project, including those that only a request describes. It is not stored. */
export const allProducts: Collection = {
  id: 'pc_a11pr0dUc75',
  name: 'All Products',
  type: 'AUTO_UPDATE',
  filter: { junction: 'and', object: { conditions: { $in: ['product', 'sku'] } } },
  created_at: '2000-01-01T00:00:00.000Z',
};

/** Holds the product of a line and its SKU, if they are stored or will be stored with the line. */
interface StoredProduct {
  readonly product?: Product | undefined;
  readonly sku?: Sku | undefined;
}

type Contains = (line: LineOfProduct, stored: StoredProduct) => boolean;

/** Tests a STATIC collection. It contains the SKUs that it names, and all SKUs of the products that it names. */
function testNames({ products }: Pick<Collection, 'products'>): Contains {
  const named = new Set(products?.map(({ id }) => id));
  return (_, { product, sku }) =>
    product !== undefined && (named.has(product.id) || (sku !== undefined && named.has(sku.id)));
}

/**
 * Returns the members that a filter may find. A stored SKU does not include its product. If the SKU is not stored, the
 * line describes it.
 */
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
