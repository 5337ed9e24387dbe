import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import { jobItem } from '#kernel/kit/jobs/job.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';

/** The job that removes what a deleted campaign has left. Its caller sees it as an action. */
export const campaignDeletionItem = v.object({
  ...jobItem.entries,
  /** The same text is on the campaign's tombstone. A later deletion replaces this deletion. */
  deletion: v.string(),
  /** True if tombstones of the campaign and its vouchers stay for the bin. Their codes stay in use. */
  keeps: v.boolean(),
  started_at: v.optional(dateTime),
  /** The place in the list of vouchers up to which they were removed. */
  at: v.optional(v.string()),
  /** True if all vouchers were removed once, while no worker made new vouchers. */
  emptied: v.optional(v.boolean(), false),
});

export type DeletionJob = v.InferOutput<typeof campaignDeletionItem>;

export const deletionJobs = kind<typeof campaignDeletionItem, [type: 'DELETION', id: string]>(
  kinds.job,
  campaignDeletionItem,
);
