import { keyOf } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { endJob, failAndListJob, type JobItem, type JobUpdate, requireOpenJob } from './job.ts';

interface Ending {
  readonly table: Table;
  readonly now: Date;
}

/** Ends an open job as DONE, with the changes of `update`. Has no effect if the job has already ended. */
export async function finishJob({ table, now }: Ending, job: JobItem, update?: JobUpdate): Promise<void> {
  await table.change(keyOf(job), requireOpenJob(endJob(now, update)).build());
}

/** Ends an open job as FAILED, and lists it for operators. Has no effect if the job has already ended. */
export async function abandonJob({ table, now }: Ending, job: JobItem, update?: JobUpdate): Promise<void> {
  await table.change(keyOf(job), requireOpenJob(failAndListJob(now, update)).build());
}
