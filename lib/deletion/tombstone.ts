import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { jobItem, newJob } from '../jobs/job.ts';
import { change, type Effect, insert } from '../table/effects.ts';
import { type ItemKey, kind } from '../table/kind.ts';
import { type Listing, unplaced } from '../table/listing.ts';

const parents = ['customer', 'product'] as const;

/** Kinds of what is deleted with its children. */
export type Parent = (typeof parents)[number];

export const deletionJobItem = v.object({ ...jobItem.entries, parent: v.picklist(parents) });

const deletions = kind('JOB', deletionJobItem);

interface Deleted {
  parent: Parent;
  id: string;
  key: ItemKey;
  /** In which it stands. */
  lists: readonly Listing[];
}

/**
 * From here on no read finds it and no write changes it (`Update.whenThere`), and it is in no list. Its children go by a job, which
 * the same transaction starts; the item itself goes with the last of them.
 */
export function deleteWithChildren(projectId: string, { parent, id, key, lists }: Deleted, now: Date): Effect[] {
  const jobKey: ItemKey = { ...deletions(projectId, 'DELETION', randomUUID()), kind: 'delete-children' };
  const job = newJob(jobKey, { kind: 'delete-children', about: id, project_id: projectId }, now, { parent });
  return [
    change(key, (update) => {
      for (const name of lists.flatMap((list) => Object.keys(unplaced(list)))) update.remove([name]);
      return update.whenThere().set(['deleted_at'], now.toISOString());
    }),
    insert(jobKey, job.insert),
  ];
}
