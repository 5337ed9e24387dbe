import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import {
  array,
  count,
  identifier,
  listEnvelope,
  longText,
  object,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { cursorQuery, moreEntries, optionalLimit, sentBoolean } from '#kernel/http/page.ts';
import { filterQuery } from '#kernel/kit/filters/filter.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import type { Resource } from '#kernel/kit/resource/shape.ts';
import { read } from '#kernel/table/read.ts';

/** Names the fields that filter products and SKUs, in lists and in exports. */

const common = {
  id: 'text',
  source_id: 'text',
  price: 'number',
  created_at: 'date',
  updated_at: 'date',
  'metadata.*': 'any',
} as const;

export const productFilters = { ...common, name: 'text', attributes: 'list' } as const;

export const skuFilters = {
  ...common,
  product_id: 'text',
  sku: 'text',
  currency: 'text',
  'attributes.*': 'any',
} as const;

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
  shows: { skus: described(v.optional(listEnvelope(sku.reply)), 'Absent while there are none.') },
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
    'Deletes the object permanently, and frees its source id. Otherwise the object is moved to the bin.',
  ),
});

export type Force = v.InferOutput<typeof forceQuery>;

/** Returns a copy of the metadata of a stored product or SKU. */
export function copyMetadata(stored: { metadata?: unknown } | undefined): Record<string, unknown> {
  const metadata: unknown = stored?.metadata;
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}

interface FoundSku {
  readonly sku: Sku;
  readonly product: Product;
}

export interface FoundProducts {
  /** Maps the given names to products. It lacks unknown names. */
  readonly products: ReadonlyMap<string, Product>;
  readonly skus: ReadonlyMap<string, FoundSku>;
}

/**
 * Finds products and SKUs by ids or source ids; the id wins. Any number of names needs two rounds of batches of 100
 * keys.
 */
export async function findProducts(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  names: { products?: Iterable<string>; skus?: Iterable<string> },
): Promise<FoundProducts> {
  const [productNames, skuNames] = [[...new Set(names.products)], [...new Set(names.skus)]];
  const first = await read(table, {
    products: productNames.map((name) => product.many(project.id, name)),
    productSources: productNames.map((name) => product.claim(project.id, 'source_id', name)),
    skuIds: skuNames.map((name) => sku.claim(project.id, 'id', name)),
    skuSources: skuNames.map((name) => sku.claim(project.id, 'source_id', name)),
  });
  const productIds = productNames.map((_, index) =>
    first.products[index] ? undefined : first.productSources[index]?.id,
  );
  const claims = skuNames.map((_, index) => first.skuIds[index] ?? first.skuSources[index]);
  const owners = claims.map((claim) => claim?.parent);
  const second = await read(table, {
    products: productIds.map((id) => (id === undefined ? undefined : product.many(project.id, id))),
    skus: claims.map((claim) =>
      claim?.parent === undefined ? undefined : sku.few(project.id, claim.parent, claim.id),
    ),
    owners: owners.map((id) => (id === undefined ? undefined : product.many(project.id, id))),
  });
  return {
    products: new Map(
      productNames.flatMap((name, index) => {
        const found = first.products[index] ?? second.products[index];
        return found ? [[name, found] as const] : [];
      }),
    ),
    skus: new Map(
      skuNames.flatMap((name, index) => {
        const [found, owner] = [second.skus[index], second.owners[index]];
        return found && owner ? [[name, { sku: found, product: owner }] as const] : [];
      }),
    ),
  };
}
