import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { type JobUpdate, jobItem, maxSweeps, queueOfKind, requireOpenJob, sweepAttributes } from './job.ts';
import { createJobContext, giveUpJob, type JobDependencies, type Works } from './run.ts';

/**
 * Resumes overdue work, because its record or message was abandoned, or its worker died. A job whose runs do not end
 * for a day ends as FAILED.
 */
export async function sweep(
  key: Key,
  item: Readonly<Record<string, unknown>>,
  dependencies: JobDependencies,
  works: Works,
): Promise<void> {
  const job = parseStored(jobItem, item);
  const context = createJobContext(dependencies, job, () => false);
  if (job.sweeps >= maxSweeps) return giveUpJob(context, job, works[job.kind], dependencies.log);
  await dependencies.queues.send(queueOfKind[job.kind], [{ key }]);
  const { dueAt } = sweepAttributes(key, context.now);
  const swept = requireOpenJob<JobUpdate>(new Update()).add('sweeps', 1).set(['dueAt'], dueAt);
  await context.table.change(key, swept.build());
}
