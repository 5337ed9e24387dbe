import * as v from 'valibot';
import { ServiceError } from '../errors.ts';
import type { Write } from '../table/command.ts';
import { parseStored } from '../table/item.ts';
import { dueShards, indexed, type Key, keyOf, kinds } from '../table/keys.ts';
import { kind } from '../table/kind.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import { type JobItem, jobFailedAndListed, jobItem, jobResumed, whileOpen } from './job.ts';

/** What is a part of another job is shown by that one. */
function isShown({ kind }: JobItem): boolean {
  return kind !== 'generate-chunk';
}

/** Jobs that have failed, and those that are open, each in the order of time. */
export async function* listJobs(table: Table): AsyncGenerator<JobItem> {
  const open = Array.from({ length: dueShards }, (_, shard) => indexed.due(shard));
  for (const partition of [indexed.failedJobs, ...open]) {
    for await (const page of table.pages({ index: 'due', partition, atOnce: 100 })) {
      const wanted = page.map(keyOf).filter(({ sk }) => sk === kinds.job);
      for (const item of wanted.length > 0 ? await table.getMany(wanted) : []) {
        const job = item && parseStored(jobItem, item);
        if (job && job.state !== 'DONE' && isShown(job)) yield job;
      }
    }
  }
}

/** The job whose partition key an operator names. */
export async function findJob(table: Table, pk: string): Promise<JobItem | undefined> {
  return table.get({ pk, sk: kinds.job }, jobItem);
}

/** Whose codes a job generates. */
const campaigns = kind(kinds.campaign, v.object({ creation_status: v.string() }));

/** The change of the campaign that goes with its job: it is being generated again. */
function generatingAgain({ project_id = '', about }: JobItem): Write {
  const change = new Update()
    .whenThere()
    .set(['creation_status'], 'IN_PROGRESS')
    .set(['vouchers_generation_status'], 'IN_PROGRESS');
  return { key: campaigns(project_id, about), change: change.build() };
}

/**
 * Resumes a job that failed or seems abandoned: its stream record is dispatched as if it were new. Finished parts are not done
 * again.
 */
export async function resumeJob(table: Table, job: JobItem, now: Date): Promise<void> {
  const key: Key = keyOf(job);
  // An open job is ended first, so that the stream has a record of its reopening.
  if (job.state === 'OPEN') await table.change(key, whileOpen(jobFailedAndListed(now)).build());
  const resumed = jobResumed(key, now);
  if (job.kind === 'generate-codes') resumed.set(['position'], 0);
  const writes: Write[] = [{ key, change: resumed.build() }];
  if (job.kind === 'generate-codes') writes.push(generatingAgain(job));
  const { done } = await table.transact(writes);
  if (!done) throw new ServiceError('not_found', { details: `the job ${key.pk} is done, or was resumed by others` });
}
