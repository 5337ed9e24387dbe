import * as v from 'valibot';
import { dateTime } from '../../core/schema.ts';
import { jobItem } from '../../kit/jobs/job.ts';
import { kind } from '../../table/kind.ts';

/** The job that takes away what a deleted campaign has left; of a request it is the action that its caller sees. */
export const deletionJobItem = v.object({
  ...jobItem.entries,
  /** The same on the campaign's tombstone: what was begun later goes on in place of this. */
  deletion: v.string(),
  /** Whether tombstones stay, for the bin: of the campaign and of its vouchers, whose codes stay taken. */
  keeps: v.boolean(),
  started_at: v.optional(dateTime),
  /** The place in the list of vouchers up to which they are gone. */
  at: v.optional(v.string()),
  /** Whether all were gone once, with nobody making others. */
  emptied: v.optional(v.boolean(), false),
});

export type DeletionJob = v.InferOutput<typeof deletionJobItem>;

export const deletionJobs = kind<typeof deletionJobItem, [type: 'DELETION', id: string]>('JOB', deletionJobItem);
