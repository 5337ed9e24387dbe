import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import {
  array,
  count,
  identifier,
  listEnvelope,
  longText,
  object,
  sentMetadata,
  shortText,
} from '../../core/schema.ts';
import { cursorQuery, moreEntries, optionalLimit, sentBoolean } from '../../http/page.ts';
import { filterQuery } from '../../kit/filters/filter.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import type { Resource } from '../../kit/resource/shape.ts';
import { productFilters, skuFilters } from './filter-fields.ts';

const sourceId = optional(identifier, "The caller's own id.");
const price = optional(count, 'The price in minor units of the currency.');
const imageUrl = optional(longText, 'The address of a picture.');
const metadata = optional(sentMetadata, 'Free key/value pairs of the caller.');
const nothing = { source_id: null, price: null, image_url: null, updated_at: null, metadata: {} };

/** Describes one kind of a product, such as a size or a colour. */
export const sku = resource('sku', {
  prefix: 'sku',
  number: 'many',
  fields: {
    source_id: sourceId,
    product_id: required(identifier, 'The product of the SKU.', { refers: 'products' }),
    sku: optional(shortText, 'The name of the SKU.'),
    price,
    currency: optional(shortText, 'ISO 4217, such as EUR.'),
    attributes: optional(sentMetadata, "The SKU's values of the product's attributes, by their names."),
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

/** Describes a product that is sold. */
export const product = resource('product', {
  prefix: 'prod',
  number: 'many',
  fields: {
    source_id: sourceId,
    name: optional(shortText, 'The name of the product.'),
    price,
    attributes: optional(array(shortText, maxAttributes), 'The names of the attributes by which its SKUs differ.'),
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
  shows: { skus: v.optional(listEnvelope(sku.reply)) },
  fileKey: 'products',
});

export type Product = v.InferOutput<typeof product.stored>;
export type Sku = v.InferOutput<typeof sku.stored>;

/** Lists the SKUs of a product. Its array is called `skus`, unlike the array of the list within a product. */
export const skuList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('skus'),
  skus: v.array(sku.reply),
  total: count,
  ...moreEntries,
});

export const skuQuery = object({
  limit: described(optionalLimit, 'The maximum number of SKUs on the page. Without it, the number is 100.'),
  ...cursorQuery,
  filters: v.optional(filterQuery<Sku>(skuFilters)),
});

export type SkuQuery = v.InferOutput<typeof skuQuery>;

export const forceQuery = v.object({
  force: described(
    v.optional(sentBoolean),
    'Deletes the object for good, and frees its source id. Otherwise the object is moved to the bin.',
  ),
});

export type Force = v.InferOutput<typeof forceQuery>;
