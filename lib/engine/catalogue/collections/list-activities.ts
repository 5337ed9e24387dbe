import type * as v from 'valibot';
import { listChanges } from '#engine/ledger/activities/list-changes.ts';
import type { Reading } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { walkChildren } from '#kernel/table/read.ts';
import { collectionActivities, collectionChanges } from './activities.ts';
import { allProducts, collection } from './resource.ts';

const shown = listChanges(collectionChanges, 'ProductCollectionActivity');

export const collectionActivitiesListed = shown.list;

async function hasChanges({ table, project }: Reading, id: string): Promise<boolean> {
  for await (const _ of walkChildren(table, collectionActivities, [project.id, id], {})) return true;
  return false;
}

/**
 * Lists the changes of a collection, even if it is deleted. Answers 404 for a collection that never existed, and 400
 * for a cursor of another list.
 */
export async function listCollectionActivities(
  context: Reading,
  id: string,
  query: v.InferOutput<typeof collectionActivitiesListed.query>,
) {
  if (id !== allProducts.id && !(await hasChanges(context, id))) await itemOr404(context, collection, id);
  return shown.readPage(context, id, query);
}
