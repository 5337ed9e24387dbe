import { resourceChanges } from '#engine/ledger/activities/resource-changes.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { collection } from './resource.ts';

/** Types of the activities of a collection. */
export const collectionChangeTypes = {
  created: 'products_collection.created',
  updated: 'products_collection.updated',
  filtersUpdated: 'products_collection.filters_updated',
  deleted: 'products_collection.deleted',
} as const;

export const collectionChanges = resourceChanges({
  resource: collection,
  parent: collection.few.kind,
  kind: kinds.collectionActivity,
  shownAs: 'products_collection',
  types: Object.values(collectionChangeTypes),
});

export const collectionActivities = collectionChanges.activities;
