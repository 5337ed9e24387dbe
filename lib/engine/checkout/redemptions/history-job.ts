import * as v from 'valibot';
import { campaigns } from '#engine/campaigns/campaign.ts';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import type { Reading } from '#kernel/http/context.ts';
import { abandonJob, finishJob } from '#kernel/kit/jobs/endings.ts';
import { jobItem, newJob, queueOfKind } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commitApart, type Effect, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { type Counting, countFurther, isSettled, readSettledTime, saveCounted } from './count-history.ts';

/** Counts histories that exceed one request for new limits. */

const historyJobItem = v.object({
  ...jobItem.entries,
  /** The id by which the limits name the job. */
  id: v.string(),
  /** The type of the subject in `about`. */
  type: v.picklist(['campaign', 'voucher']),
});

type HistoryJob = v.InferOutput<typeof historyJobItem>;

const historyJobs = kind<typeof historyJobItem, [type: 'COUNT_REDEMPTIONS', id: string]>(kinds.job, historyJobItem);

/** Starts the job for the limits that name it. Requests leave these limits to the job. */
export function leaveToJob({ project, now }: Reading, { type, id: about }: Counting, id: string): Effect {
  const kindOfJob = 'count-redemptions' as const;
  const key: ItemKey = { ...historyJobs(project.id, 'COUNT_REDEMPTIONS', id), kind: kindOfJob };
  return insert(key, newJob(key, { kind: kindOfJob, about, project_id: project.id }, now, { id, type }).insert);
}

/** The records between two notes of progress. */
const recordsAtOnce = 200;

async function readCounting(reading: Reading, { type, about: id }: HistoryJob): Promise<Counting | undefined> {
  const { table, project } = reading;
  if (type === 'campaign') {
    const terms = (await readTerms(reading, [id])).get(id);
    return terms && { type, id, key: campaigns(project.id, id), known: terms.counted_limits };
  }
  const { voucher } = await read(table, { voucher: vouchers(project.id, id) });
  return voucher && { type, id, key: vouchers(project.id, id), known: voucher.counted_limits };
}

/** Returns the job's limits, which have equal progress. */
function limitsOf({ known = {} }: Counting, { id }: HistoryJob) {
  const own = Object.entries(known).filter(([, { job }]) => job === id);
  return { names: own.map(([name]) => name), known: own[0]?.[1] };
}

/** Schedules another run for redemptions that were running when counting began. */
async function comeBack({ queues }: JobContext, job: HistoryJob, delayInS: number): Promise<RunOutcome> {
  await queues.send(queueOfKind[job.kind], [{ key: keyOf(job), delayInS }]);
  return 'waiting';
}

/** Counts each redemption once, however often it is repeated or cut off. The record of each has a mark. */
export const countRedemptions: Work = {
  run: async (context, stored) => {
    const { table, clock, isTimeUp } = context;
    const job = parseStored(historyJobItem, stored);
    const project = await context.project();
    do {
      const now = inProjectTime(clock(), project);
      const reading = { table, project, now };
      const counting = await readCounting(reading, job);
      const { names, known } = counting ? limitsOf(counting, job) : {};
      if (!counting || !names || !known) {
        await finishJob({ table, now }, job);
        return 'done';
      }
      if (known.state === 'WALKED' && !isSettled(known, now)) {
        return comeBack(context, job, Math.ceil((readSettledTime(known).getTime() - now.getTime()) / 1_000));
      }
      const next = await countFurther(reading, counting, { names, known, budget: { left: recordsAtOnce } });
      const isOpen = next.state !== 'DONE';
      await commitApart(table, saveCounted(project.id, counting, names, isOpen ? { ...next, job: job.id } : next));
    } while (!isTimeUp());
    return 'next';
  },
  /** Leaves the rest to requests again. */
  giveUp: async (context, stored) => {
    const { table, now } = context;
    const job = parseStored(historyJobItem, stored);
    const project = await context.project();
    await retryOptimistically(table, async () => {
      const counting = await readCounting({ table, project, now }, job);
      const { names, known } = counting ? limitsOf(counting, job) : {};
      if (!counting || !names || !known) return true;
      const { job: _, ...left } = known;
      return (await commitApart(table, saveCounted(project.id, counting, names, left))) || again;
    });
    await abandonJob({ table, now }, job);
  },
};
