import type * as v from 'valibot';
import { resourceChanges } from '#engine/ledger/activities/resource-changes.ts';
import type { Reading } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { walkChildren } from '#kernel/table/read.ts';
import { allProducts, collection } from './resource.ts';

/** Types of the activities of a collection. */
export const collectionChanges = {
  created: 'products_collection.created',
  updated: 'products_collection.updated',
  filtersUpdated: 'products_collection.filters_updated',
  deleted: 'products_collection.deleted',
} as const;

const changes = resourceChanges({
  resource: collection,
  parent: collection.few.kind,
  kind: kinds.collectionActivity,
  schemaName: 'ProductCollectionActivity',
  shownAs: 'products_collection',
  types: Object.values(collectionChanges),
  words: 'collection activity',
});

export const collectionActivities = changes.activities;
export const recordCollectionChanges = changes.record;
export const collectionActivitiesListed = changes.list;

async function hasChanges({ table, project }: Reading, id: string): Promise<boolean> {
  for await (const _ of walkChildren(table, collectionActivities, [project.id, id], {})) return true;
  return false;
}

/**
 * Lists the changes of a collection, of a deleted one too. 404 for a collection that never was, and 400 for a cursor of
 * another list.
 */
export async function listCollectionActivities(
  context: Reading,
  id: string,
  query: v.InferOutput<typeof collectionActivitiesListed.query>,
) {
  if (id !== allProducts.id && !(await hasChanges(context, id))) await itemOr404(context, collection, id);
  return changes.readPage(context, id, query);
}
