import * as v from 'valibot';
import { array, identifier, nullable, object } from '../../core/schema.ts';
import { filterDocument } from '../../kit/filters/filter.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import type { Values } from '../../kit/resource/shape.ts';
import { memberFields } from './member.ts';

/** Entries of a collection of the type STATIC; see docs/products.md#collections. */
const maxEntries = 20;

const entry = object({
  id: identifier,
  product_id: nullable(identifier),
  object: v.picklist(['product', 'sku']),
});

const name = required(identifier, 'What operators call it.');
const filter = filterDocument(memberFields);
const products = array(entry, maxEntries);

function* rules({ type, filter, products }: Values): Generator<string> {
  if (type === 'STATIC' && filter) yield 'filter is of AUTO_UPDATE collections alone';
  if (type === 'AUTO_UPDATE' && products) yield 'products is of STATIC collections alone';
  if (type === 'AUTO_UPDATE' && !filter) yield 'filter is required';
}

/** Products and SKUs that rules and discounts name together. */
export const collection = resource('products_collection', {
  prefix: 'pc',
  number: 'few',
  most: 100,
  fields: {
    name,
    type: required(v.picklist(['STATIC', 'AUTO_UPDATE']), 'Whether its members are named, or found by a filter.'),
    filter: optional(filter, 'Of an AUTO_UPDATE collection: what its members are.'),
    products: optional(products, 'Of a STATIC collection: its members; a product brings its SKUs along.'),
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

/** Members of a STATIC collection stay as they are. */
export const updateBody = object({ name: v.optional(name.schema), filter: v.optional(filter) });

/** Every product and SKU of the project is in it, also those that only a request knows. It is nowhere stored. */
export const allProducts: Collection = {
  id: 'pc_a11pr0dUc75',
  name: 'All Products',
  type: 'AUTO_UPDATE',
  filter: { junction: 'and', object: { conditions: { $in: ['product', 'sku'] } } },
  created_at: '2000-01-01T00:00:00.000Z',
};
