import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { array, count, identifier, listOf, longText, object, sentMetadata, shortText } from '../../core/schema.ts';
import { cursorQuery, moreEntries, optionalLimit, trueOrFalse } from '../../http/page.ts';
import { filterQuery } from '../../kit/filters/filter.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import type { Resource } from '../../kit/resource/shape.ts';
import { productFilters, skuFilters } from './filter-fields.ts';

const sourceId = optional(identifier, "The caller's own id.");
const price = optional(count, 'In minor units of the currency.');
const imageUrl = optional(longText, 'Where a picture of it is.');
const metadata = optional(sentMetadata, 'Free key/value pairs of the caller.');
const nothing = { source_id: null, price: null, image_url: null, updated_at: null, metadata: {} };

/** A product in one of its kinds: a size, a colour. */
export const sku = resource('sku', {
  prefix: 'sku',
  number: 'many',
  fields: {
    source_id: sourceId,
    product_id: required(identifier, 'The product that it is of.', { refers: 'products' }),
    sku: optional(shortText, 'What people call it.'),
    price,
    currency: optional(shortText, 'ISO 4217, such as EUR.'),
    attributes: optional(sentMetadata, "What it has of the product's attributes, by their names."),
    image_url: imageUrl,
    metadata,
  },
  unique: ['source_id'],
  sourceId: true,
  parent: { field: 'product_id', of: (): Resource => product },
  empty: { ...nothing, sku: null, currency: null, attributes: {} },
  fileKey: 'skus',
});

const maxAttributes = 100;

/** What is sold. */
export const product = resource('product', {
  prefix: 'prod',
  number: 'many',
  fields: {
    source_id: sourceId,
    name: optional(shortText, 'What people call it.'),
    price,
    attributes: optional(array(shortText, maxAttributes), 'By what its SKUs differ.'),
    metadata,
    image_url: imageUrl,
  },
  unique: ['source_id'],
  sourceId: true,
  orders: ['created_at', 'updated_at'],
  // Orders store and change the products of their lines.
  spread: 8,
  dated: true,
  filters: productFilters,
  dataRef: 'products',
  empty: { ...nothing, name: null, attributes: [] },
  shows: { skus: v.optional(listOf(sku.reply)) },
  fileKey: 'products',
});

export type Product = v.InferOutput<typeof product.stored>;
export type Sku = v.InferOutput<typeof sku.stored>;

/** Unlike that within a product, its array is `skus`. */
export const skuList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('skus'),
  skus: v.array(sku.reply),
  total: count,
  ...moreEntries,
});

export const skuQuery = object({
  limit: described(optionalLimit, 'How many SKUs the page has at most; a hundred where none is sent.'),
  ...cursorQuery,
  filters: v.optional(filterQuery<Sku>(skuFilters)),
});

export type SkuQuery = v.InferOutput<typeof skuQuery>;

export const forceQuery = v.object({
  force: described(v.optional(trueOrFalse), 'For ever, and its source id is free. Otherwise it goes into the bin.'),
});

export type Force = v.InferOutput<typeof forceQuery>;
