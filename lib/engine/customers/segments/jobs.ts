import * as v from 'valibot';
import { finishJob } from '#kernel/kit/jobs/endings.ts';
import { type JobItem, type JobKind, jobItem, newJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { commitApart, type Effect, insert, maxWrites, remove } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { walkList } from '#kernel/table/listing.ts';
import { read, walkChildren } from '#kernel/table/read.ts';
import { Update } from '#kernel/table/update.ts';
import { customerLists, listedCustomer } from '../change-customer.ts';
import { segmentActivities } from './activities.ts';
import { endTurn, keepMembers, mayLackCustomers } from './keep-members.ts';
import { maxSegmentParts, partKey } from './member-parts.ts';
import { listedMember, memberKey, membersOfSegment, type Segment, segment } from './segment.ts';

const segmentJobs = kind<typeof jobItem, [type: string, segmentId: string, turn: string]>(kinds.job, jobItem);

/** Starts a job that works for a segment after its write. `turn` distinguishes repeated jobs. */
export function startSegmentJob(projectId: string, jobKind: JobKind, about: string, now: Date, turn = 0): Effect {
  // The `kind` of a stored job names the job, and not the kind of the item.
  const key = { ...segmentJobs(projectId, jobKind, about, String(turn)), kind: jobKind };
  return insert(key, newJob(key, { kind: jobKind, about, project_id: projectId }, now).insert);
}

const syncJobItem = v.object({ ...jobItem.entries, about: v.string(), at: v.optional(v.string()) });

/** A run notes its progress after this many customers. */
const sentAtOnce = 500;

async function end({ table, now }: JobContext, job: JobItem): Promise<RunOutcome> {
  await finishJob({ table, now }, job);
  return 'done';
}

/**
 * Sends every customer of the project to be followed, for a segment that is new or has another filter. For a segment
 * that is becoming active, it stores the members itself, so that it knows when the last is stored.
 */
export const syncSegment: Work = {
  run: async (context, stored) => {
    const { table, queues, isTimeUp } = context;
    const job = parseStored(syncJobItem, stored);
    const project = await context.project();
    const { found } = await read(table, { found: segment.few(project.id, job.about) });
    if (found && mayLackCustomers(found, context.now)) return 'later';
    const behind = job.at === undefined ? {} : { behind: job.at };
    const customers = found ? walkList(table, customerLists.created_at, [project.id], behind) : [];
    for await (const batch of splitIntoBatches(customers, sentAtOnce)) {
      if (found?.turning === undefined) {
        await queues.send(
          'segments',
          batch.map(({ key }) => ({ key })),
        );
      } else {
        const ids = batch.map(({ listed }) => parseStored(listedCustomer, listed).id);
        await keepMembers({ ...context, project }, found, ids);
      }
      await table.change(keyOf(job), requireOpenJob(new Update().set(['at'], batch.at(-1)?.at)).build());
      if (isTimeUp()) return 'later';
    }
    if (found?.turning !== undefined) await endTurn({ table, project }, found);
    return end(context, job);
  },
};

/** Deletes the memberships and activities of a deleted segment, and the parts of a static segment. */
export const deleteSegmentMembers: Work = {
  run: async (context, job) => {
    const { table, isTimeUp } = context;
    const project = await context.project();
    const gone = Array.from({ length: maxSegmentParts }, (_, index) => partKey(project.id, job.about, index));
    await commitApart(
      table,
      gone.map((key) => remove(key, (own) => own)),
    );
    const changes = walkChildren(table, segmentActivities, [project.id, job.about], {});
    for await (const batch of splitIntoBatches(changes, maxWrites)) {
      await commitApart(
        table,
        batch.map(({ id }) => remove(segmentActivities(project.id, job.about, id), (own) => own)),
      );
      if (isTimeUp()) return 'later';
    }
    const kept = walkList(table, membersOfSegment, [project.id, job.about]);
    for await (const batch of splitIntoBatches(kept, maxWrites)) {
      const ids = batch.map(({ listed }) => parseStored(listedMember, listed).id);
      const keys = ids.map((customer_id) => memberKey(project.id, { customer_id, segment_id: job.about }));
      await commitApart(
        table,
        keys.map((key) => remove(key, (own) => own)),
      );
      if (isTimeUp()) return 'later';
    }
    return end(context, job);
  },
};

export function startSync(projectId: string, { id, revision }: Segment, now: Date): Effect {
  return startSegmentJob(projectId, 'sync-segment', id, now, revision);
}
