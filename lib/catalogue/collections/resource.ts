import * as v from 'valibot';
import { array, identifier, nullable, object } from '../../core/schema.ts';
import { filterDocument } from '../../kit/filters/filter.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import type { Values } from '../../kit/resource/shape.ts';
import { memberFields } from './member.ts';

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

/** Has every product and SKU of the project, also those that only a request knows. No item stores it. */
export const allProducts: Collection = {
  id: 'pc_a11pr0dUc75',
  name: 'All Products',
  type: 'AUTO_UPDATE',
  filter: { junction: 'and', object: { conditions: { $in: ['product', 'sku'] } } },
  created_at: '2000-01-01T00:00:00.000Z',
};
