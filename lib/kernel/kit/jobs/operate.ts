import * as v from 'valibot';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Write } from '#kernel/table/command.ts';
import { parseStored } from '#kernel/table/item.ts';
import {
  dueShards,
  indexed,
  type Key,
  keyByPartitionName,
  keyOf,
  partitionNameOf,
  readKinds,
} from '#kernel/table/keys.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { failAndListJob, type JobItem, jobItem, reopenJob, requireOpenJob } from './job.ts';

/** Kinds that are parts of other jobs, which show them. */
function isShown({ kind }: JobItem): boolean {
  return kind !== 'generate-chunk';
}

/** Returns failed and open jobs, each in the order of time. */
export async function* listJobs(table: Table): AsyncGenerator<JobItem> {
  const open = Array.from({ length: dueShards }, (_, shard) => indexed.due(shard));
  for (const partition of [indexed.failedJobs, ...open]) {
    for await (const page of table.pages({ index: 'due', partition, atOnce: 100 })) {
      const wanted = page.map(keyOf).filter((key) => readKinds(key).kind === kinds.job);
      for (const item of wanted.length > 0 ? await table.getMany(wanted) : []) {
        const job = item && parseStored(jobItem, item);
        if (job && job.state !== 'DONE' && isShown(job)) yield job;
      }
    }
  }
}

/** Finds the job by the partition key that an operator names. */
export async function findJob(table: Table, name: string): Promise<JobItem | undefined> {
  return table.get(keyByPartitionName(kinds.job, name), jobItem);
}

/** Campaigns, whose codes jobs generate. */
const campaigns = kind(kinds.campaign, v.object({ creation_status: v.string() }));

const codesJob = v.object({ is_creation: v.optional(v.boolean(), false) });

/** Marks the campaign of a resumed generation as generating again. */
function generatingAgain(update: Update, job: JobItem): Update {
  update.add('generations_open', 1).add('generations_failed', -1).set(['vouchers_generation_status'], 'IN_PROGRESS');
  return parseStored(codesJob, job).is_creation ? update.set(['creation_status'], 'IN_PROGRESS') : update;
}

/** Returns the change of a generation's campaign. Other jobs do not change a campaign. */
function beside({ kind, project_id = '', about }: JobItem, by: (update: Update) => Update): Write[] {
  if (kind !== 'generate-codes') return [];
  return [{ key: campaigns(project_id, about), change: by(new Update().whenThere()).build() }];
}

/** Resumes a job that failed or seems abandoned. The stream dispatches it like a new job. Finished parts are not repeated. */
export async function resumeJob(table: Table, job: JobItem, now: Date): Promise<void> {
  const key: Key = keyOf(job);
  // An open job is ended first, so that the stream has a record of its reopening.
  if (job.state === 'OPEN') {
    const failed = beside(job, (update) => update.add('generations_open', -1).add('generations_failed', 1));
    await table.transact([{ key, change: requireOpenJob(failAndListJob(now)).build() }, ...failed]);
  }
  const resumed: Update = reopenJob(key, now);
  if (job.kind === 'generate-codes') resumed.set(['position'], 0);
  const { done } = await table.transact([
    { key, change: resumed.build() },
    ...beside(job, (update) => generatingAgain(update, job)),
  ]);
  if (!done)
    throw new ServiceError('not_found', {
      details: `the job ${partitionNameOf(key)} is done, or was resumed by others`,
    });
}
