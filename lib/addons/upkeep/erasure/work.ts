import type { Reading } from '#kernel/http/context.ts';
import { erasureItem } from '#kernel/kit/deletion/erasure.ts';
import { endJob, type JobItem, queueOfKind, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import { longestDelayInS } from '#kernel/kit/jobs/queues.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { eraseEvents } from './erase-events.ts';
import { eraseExports, eraseImports } from './erase-jobs.ts';
import { eraseRecords } from './erase-records.ts';
import { compileNaming } from './naming.ts';

type ErasureUpdate = Update<typeof erasureItem>;

/** The number of walks. The second finds writes of requests that had read the customer before the deletion. */
const walksInAll = 2;

/**
 * Walks once. A repeated erasure has no effect, so the walk may be cut off anywhere, and two workers may run it
 * simultaneously.
 */
async function walkOnce(context: JobContext, stored: JobItem): Promise<'done' | 'open' | 'time'> {
  const { about, person, created_at } = parseStored(erasureItem, stored);
  if (!person) return 'done';
  const { table, now, isTimeUp } = context;
  const reading: Reading = { table, now, project: await context.project() };
  const records = new Set<string>();
  for (const id of [about, ...(person.ids ?? [])]) {
    const some = await eraseRecords(reading, id, isTimeUp);
    if (!some) return 'time';
    for (const record of some) records.add(record);
  }
  const naming = compileNaming(reading.project, about, person, records);
  const erasing = { context: reading, files: context.files(), person: naming, until: created_at, isTimeUp };
  const ends = [await eraseExports(erasing), await eraseImports(erasing), await eraseEvents(erasing)];
  if (ends.includes('time')) return 'time';
  return ends.includes('open') ? 'open' : 'done';
}

/** Erases a person from everything that stays after their deletion. The job forgets the person at its end. */
export const erasePerson: Work = {
  run: async (context, stored): Promise<RunOutcome> => {
    const { table, now, queues } = context;
    const { walks, kind } = parseStored(erasureItem, stored);
    const key = keyOf(stored);
    const end = await walkOnce(context, stored);
    if (end === 'time') return 'next';
    if (end === 'done' && walks + 1 >= walksInAll) {
      const ended: ErasureUpdate = endJob(now);
      await table.change(key, requireOpenJob(ended.remove(['person'])).build());
      return 'done';
    }
    if (end === 'done') {
      const walked = requireOpenJob<ErasureUpdate>(new Update()).whenStill('walks', walks === 0 ? undefined : walks);
      await table.change(key, walked.set(['walks'], walks + 1).build());
    }
    await queues.send(queueOfKind[kind], [{ key, delayInS: longestDelayInS }]);
    return 'waiting';
  },
};
