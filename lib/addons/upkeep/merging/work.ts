import { findCustomerById } from '#engine/customers/find-customer.ts';
import { type MergeJob, mergeJobItem } from '#engine/customers/merge/merge-job.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteProgress } from '#kernel/kit/jobs/action.ts';
import { finishJob } from '#kernel/kit/jobs/endings.ts';
import { queueOfKind, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { moveActivities } from './move-activities.ts';
import { moveHoldings } from './move-holdings.ts';
import { moveRecords } from './move-records.ts';
import { type Moving, TargetGone } from './moving.ts';

/**
 * The last walk comes after every write of a request that had read the merged customer. An index may lag after such a
 * write.
 */
const cleanWalks = 2;
const pauseInS = 60;

/** Walks once over everything. Returns the number of moves. `undefined`: the time is up. */
async function walkOnce(moving: Moving): Promise<number | undefined> {
  let moved = 0;
  for (const move of [moveHoldings, moveActivities, moveRecords]) {
    const some = await move(moving);
    if (some === undefined) return undefined;
    moved += some;
  }
  return moved;
}

/** Finds the customer that the old names lead to now. The target of the request may have been merged since. */
async function findTarget(reading: Reading, { about }: MergeJob): Promise<string | undefined> {
  return (await findCustomerById(reading, about))?.id;
}

async function finish({ table, now }: JobContext, job: MergeJob): Promise<'done'> {
  await finishJob({ table, now }, job, noteProgress(new Update(), job, now).set(['done_count'], 1));
  return 'done';
}

/**
 * Moves everything of a merged customer. It may be cut off anywhere, and two workers may run it simultaneously, because
 * each move happens once.
 */
export const mergeCustomers: Work = {
  run: async (context, stored): Promise<RunOutcome> => {
    const { table, now, queues, isTimeUp } = context;
    const job = parseStored(mergeJobItem, stored);
    const key = keyOf(stored);
    const reading: Reading = { table, now, project: await context.project() };
    const to = await findTarget(reading, job);
    // The deletion of the target removes what is left.
    if (to === undefined) return finish(context, job);
    const moving = { context: reading, from: job.from, to, movesPoints: job.move_points, isTimeUp };
    const moved = await walkOnce(moving).catch((error: unknown) => {
      if (error instanceof TargetGone) return undefined;
      throw error;
    });
    if (moved === undefined) return 'next';
    const walks = moved === 0 ? job.clean_walks + 1 : 0;
    if (walks >= cleanWalks) return finish(context, job);
    const noted = noteProgress(requireOpenJob(new Update()), job, now).set(['clean_walks'], walks);
    await table.change(key, noted.build());
    if (walks === 0) return 'next';
    await queues.send(queueOfKind[job.kind], [{ key, delayInS: pauseInS }]);
    return 'waiting';
  },
};
