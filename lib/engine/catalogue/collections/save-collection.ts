import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import { ruleType } from '#engine/rules/assignment.ts';
import { findRulesNaming } from '#engine/rules/named-collections.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { itemOr404, removeItem, saveItem } from '#kernel/kit/resource/item.ts';
import { getResource } from '#kernel/kit/resource/operations.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { findProducts } from '../products/resource.ts';
import { collectionChanges, collectionChangeTypes } from './activities.ts';
import { allProducts, type CollectionEntry, collection, type createBody, type updateBody } from './resource.ts';

/**
 * Finds each product and SKU once, by its id. Answers 404 if it is missing, or if the SKU belongs to another product.
 */
async function resolveEntries(context: Reading, entries: readonly CollectionEntry[]): Promise<CollectionEntry[]> {
  const named = (object: CollectionEntry['object']) =>
    entries.flatMap((entry) => (entry.object === object ? [entry.id] : []));
  const { products, skus } = await findProducts(context, { products: named('product'), skus: named('sku') });
  const found = entries.map((entry): CollectionEntry => {
    const { id, product_id, object } = entry;
    const known = object === 'product' ? products.get(id) : skus.get(id)?.sku;
    if (!known) throw notFound(object, id);
    if (!('product_id' in known)) return { id: known.id, object };
    const owner = skus.get(id)?.product;
    if (product_id && product_id !== owner?.id && product_id !== owner?.source_id) throw notFound(object, id);
    return { id: known.id, product_id: known.product_id, object };
  });
  return [...new Map(found.map((entry) => [entry.id, entry])).values()];
}

export async function createCollection(context: Writing, body: v.InferOutput<typeof createBody>) {
  const members = body.type === 'STATIC' ? { products: await resolveEntries(context, body.products) } : {};
  const { table } = context;
  return retryOptimistically(table, async () => {
    const { after, effects } = saveItem(context, collection, undefined, { ...body, ...members });
    const recorded = collectionChanges.record(context, after, [collectionChangeTypes.created]);
    return (await commit(table, [...effects, ...recorded])) ? presentResource(collection, after) : again;
  });
}

export async function getCollection(context: Reading, id: string) {
  return id === allProducts.id ? presentResource(collection, allProducts) : getResource(context, collection, id);
}

function refuseAllProducts(id: string): void {
  if (id !== allProducts.id) return;
  throw new ServiceError('resource_protected', {
    details: `${allProducts.name} exists in every project, and cannot be changed or deleted`,
    resource: { id, type: collection.name },
  });
}

/** Updates a collection. Answers 400 `invalid_payload` for a filter of a STATIC collection. The type never changes. */
export async function updateCollection(context: Writing, id: string, body: v.InferOutput<typeof updateBody>) {
  refuseAllProducts(id);
  const { table } = context;
  return retryOptimistically(table, async () => {
    const before = parseStored(collection.stored, await itemOr404(context, collection, id));
    if (body.filter !== undefined && before.type === 'STATIC') {
      throw new ServiceError('invalid_payload', { details: 'filter must be left out of a STATIC collection' });
    }
    const { name = before.name, filter = before.filter } = body;
    const changed = [
      ...(name === before.name ? [] : [collectionChangeTypes.updated]),
      ...(isDeepStrictEqual(filter, before.filter) ? [] : [collectionChangeTypes.filtersUpdated]),
    ];
    const { after, effects } = saveItem(context, collection, before, body);
    const recorded = collectionChanges.record(context, after, changed);
    return (await commit(table, [...effects, ...recorded])) ? presentResource(collection, after) : again;
  });
}

/** One reply names at most this many ids. */
const maxNamed = 100;

/** Deletes a collection. Answers 400 `resource_in_use` while rules name it. */
export async function removeCollection(context: Writing, id: string): Promise<void> {
  refuseAllProducts(id);
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const before = await itemOr404(context, collection, id);
    const { rules, asRead } = await findRulesNaming(context, id);
    if (rules.length > 0) {
      throw new ServiceError('resource_in_use', {
        details: `the collection is in use by validation rules, ${rules.length} in all: remove it from these rules first`,
        resource: { id, type: collection.name },
        related: { ids: rules.slice(0, maxNamed), type: ruleType },
      });
    }
    const recorded = collectionChanges.record(context, before, [collectionChangeTypes.deleted]);
    return (await commit(table, [...removeItem(collection, project.id, before), asRead, ...recorded])) || again;
  });
}
