import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { change, type Effect, insert } from '#kernel/table/effects.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { clearPlace, type Listing } from '#kernel/table/listing.ts';
import type { Update } from '#kernel/table/update.ts';
import { jobItem, newJob } from '../jobs/job.ts';

const parents = ['customer', 'product', 'voucher'] as const;

/** Kinds that are deleted with their children. */
export type DeletedParent = (typeof parents)[number];

export const childDeletionItem = v.object({
  ...jobItem.entries,
  parent: v.picklist(parents),
  /**
   * The same text is on the tombstone. An item that was created since then under its key belongs to another resource.
   */
  deletion: v.optional(v.string()),
  /** The tombstone stays, for the bin. */
  keepsTombstone: v.optional(v.boolean(), false),
});

const deletions = kind<typeof childDeletionItem, [type: 'DELETION', id: string]>(kinds.job, childDeletionItem);

interface Gone {
  parent: DeletedParent;
  id: string;
  keepsTombstone?: boolean;
}

/** Buries an item: no read finds it, no write changes it (`Update.whenThere`), and no list contains it. */
export function bury<U extends Update>(update: U, lists: readonly Listing[], now: Date): U {
  for (const name of lists.flatMap((list) => Object.keys(clearPlace(list)))) update.remove([name]);
  return update.whenThere().set(['deleted_at'], now.toISOString());
}

/** Starts the job that removes the children of a buried item. `deletion` is stored on its tombstone. */
export function startChildDeletion(
  projectId: string,
  { parent, id, keepsTombstone = false }: Gone,
  now: Date,
): { started: Effect; deletion: string } {
  const deletion = randomUUID();
  const key: ItemKey = { ...deletions(projectId, 'DELETION', deletion), kind: 'delete-children' };
  const fields = { parent, deletion, keepsTombstone };
  const job = newJob(key, { kind: 'delete-children', about: id, project_id: projectId }, now, fields);
  return { started: insert(key, job.insert), deletion };
}

interface Deleted extends Gone {
  key: ItemKey;
  /** The lists that contain the item. */
  lists: readonly Listing[];
}

/**
 * Buries the item, and starts the job that removes its children in the same transaction. The item is removed after the last child, unless
 * its tombstone is kept.
 */
export function deleteWithChildren(projectId: string, { key, lists, ...gone }: Deleted, now: Date): Effect[] {
  const { started, deletion } = startChildDeletion(projectId, gone, now);
  return [change(key, (update) => bury(update, lists, now).set(['deletion'], deletion)), started];
}
