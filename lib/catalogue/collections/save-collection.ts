import type * as v from 'valibot';
import { notFound, ServiceError } from '../../core/errors.ts';
import type { Reading, Writing } from '../../http/context.ts';
import { found, removing } from '../../kit/resource/item.ts';
import { create, get, update } from '../../kit/resource/plain.ts';
import { present } from '../../kit/resource/shape.ts';
import { rulesNaming } from '../../rules/named-collections.ts';
import { ruleType } from '../../rules/stored-rules.ts';
import { retryOptimistically } from '../../table/conflicts.ts';
import { commit } from '../../table/effects.ts';
import { findProducts } from '../products/find.ts';
import { allProducts, type CollectionEntry, collection, type createBody, type updateBody } from './resource.ts';

/** Each product and SKU once, by its id; 404 for one that is not there, or a SKU of another product. */
async function resolved(context: Reading, entries: readonly CollectionEntry[]): Promise<CollectionEntry[]> {
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
  const members = body.type === 'STATIC' ? { products: await resolved(context, body.products) } : {};
  return create(context, collection, { ...body, ...members });
}

export async function getCollection(context: Reading, id: string) {
  return id === allProducts.id ? present(collection, allProducts) : get(context, collection, id);
}

function refuseAllProducts(id: string): void {
  if (id !== allProducts.id) return;
  throw new ServiceError('resource_protected', {
    details: `${allProducts.name} is there in every project, as it is`,
    resource: { id, type: collection.name },
  });
}

/** 400 `invalid_payload` for a filter where members are named; the type never changes. */
export async function updateCollection(context: Writing, id: string, body: v.InferOutput<typeof updateBody>) {
  refuseAllProducts(id);
  if (body.filter !== undefined && (await get(context, collection, id)).type === 'STATIC') {
    throw new ServiceError('invalid_payload', { details: 'filter is of AUTO_UPDATE collections alone' });
  }
  return update(context, collection, id, body);
}

/** Ids in one reply. */
const maxNamed = 100;

/** 400 `resource_in_use` while rules name it. */
export async function removeCollection(context: Writing, id: string): Promise<void> {
  refuseAllProducts(id);
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const before = await found(context, collection, id);
    const { rules, asRead } = await rulesNaming(context, id);
    if (rules.length > 0) {
      throw new ServiceError('resource_in_use', {
        details: `${rules.length} validation rules name the collection`,
        resource: { id, type: collection.name },
        related: { ids: rules.slice(0, maxNamed), type: ruleType },
      });
    }
    return (await commit(table, [...removing(collection, project.id, before), asRead])) || undefined;
  });
}
