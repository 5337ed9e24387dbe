import * as v from 'valibot';
import { projectsById } from '#kernel/access/projects/project.ts';
import { count, dateTime } from '#kernel/core/schema.ts';
import { finishJob } from '#kernel/kit/jobs/endings.ts';
import { type JobItem, jobItem, queueOfKind, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import { longestDelayInS } from '#kernel/kit/jobs/queues.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { maxWrites } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Key, keyAsJson, keyOf, keyText, projectRange, readKinds, readMessage } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { forgetProject, personKinds } from './forget-project.ts';
import { projectDeletions } from './projects.ts';

/**
 * Deletes everything of a deleted project, in passes over the whole table (docs/management.md#deletion), because no
 * index has the items of a project. The table is read in pages, so a pass costs as much as a scan, and each run
 * continues where the last run ended.
 */

const deletionJob = v.looseObject({
  ...jobItem.entries,
  /** The number of finished passes. */
  pass: count,
  /** The items that this pass has found. */
  found_count: v.optional(count, 0),
  deleted_count: count,
  /** The key that the last page of this pass ended with. */
  cursor: v.optional(v.string()),
  pass_started_at: v.optional(dateTime),
});

type DeletionJob = v.InferOutput<typeof deletionJob>;
type Deleting = v.InferInput<typeof deletionJob>;

/** Requires that no other worker has ended this pass. */
const onlyThisPass = ({ pass }: DeletionJob) => requireOpenJob(new Update<Deleting>().whenStill('pass', pass));

/**
 * After this time nothing works for the project any longer. A container trusts its credentials for 60 s, and the run of
 * a worker lasts 5 minutes at most. A pass that begins later and finds nothing is the last pass.
 */
const settledAfterInMs = 15 * 60_000;

/**
 * Deletes items in the same transaction as their count, so that a killed worker has counted all that it deleted
 * (D-173). Returns `false` if another worker has ended this pass. All items are of a single page of 1 MB, and a
 * transaction accepts 4 MB.
 */
async function removeTogether({ table }: JobContext, job: DeletionJob, keys: readonly Key[]): Promise<boolean> {
  let open = keys;
  while (open.length > 0) {
    const counted = onlyThisPass(job).add('found_count', open.length).add('deleted_count', open.length);
    const outcome = await table.purge(open, { key: keyOf(job), change: counted.build() });
    if (outcome.done) return true;
    if (outcome.refused.at(-1)?.failed) return false;
    // Another worker or the time to live has removed these.
    open = open.filter((_, index) => outcome.refused[index]?.failed !== true);
  }
  return true;
}

/** Deletes the project's items of one page. Returns an outcome if the run ends before the last item. */
async function removeItems(
  context: JobContext,
  job: DeletionJob,
  keys: readonly Key[],
): Promise<RunOutcome | undefined> {
  for (let from = 0; from < keys.length; from += maxWrites) {
    if (!(await removeTogether(context, job, keys.slice(from, from + maxWrites)))) return 'waiting';
    if (context.isTimeUp()) return 'next';
  }
  return undefined;
}

/** Keeps the progress. Returns `undefined` if another worker has ended this pass. */
async function keepProgress(
  { table }: JobContext,
  job: DeletionJob,
  update: Update<Deleting>,
): Promise<DeletionJob | undefined> {
  const outcome = await table.change(keyOf(job), update.build());
  return outcome.done ? parseStored(deletionJob, outcome.item) : undefined;
}

/** Ends a pass. Returns the next step. */
async function endPass(context: JobContext, job: DeletionJob, startedAt: Date): Promise<RunOutcome> {
  const { now, queues, table, files } = context;
  const settledAt = Date.parse(job.created_at) + settledAfterInMs;
  await files().removeAll(job.about);
  if (job.found_count === 0 && startedAt.getTime() >= settledAt) {
    const key = projectsById(job.about);
    await table.change(key, Update.of(key).whenHas('deleted_at').remove(['secret']).build());
    await finishJob(context, job, new Update<Deleting>().whenStill('pass', job.pass));
    return 'done';
  }
  const next = onlyThisPass(job).add('pass', 1).set(['found_count'], 0).remove(['cursor']).remove(['pass_started_at']);
  if (!(await keepProgress(context, job, next))) return 'waiting';
  const waitInS = Math.ceil((settledAt - now.getTime()) / 1_000);
  if (waitInS <= 0) return 'next';
  await queues.send(queueOfKind[job.kind], [{ key: keyOf(job), delayInS: Math.min(waitInS, longestDelayInS) }]);
  return 'waiting';
}

async function run(context: JobContext, item: JobItem): Promise<RunOutcome> {
  let job = parseStored(deletionJob, item);
  const { about: projectId } = job;
  const startedAt = new Date(job.pass_started_at ?? context.now);
  const partitionPrefixes = [projectRange(projectId).partitionPrefix, ...personKinds.map((kind) => `${kind}#`)];
  const kept = new Set([projectsById(projectId), projectDeletions(projectId)].map(keyText));
  const isPerson = (key: Key) => personKinds.includes(readKinds(key).kind);
  do {
    const { keys, next } = await context.table.scanPage({
      partitionPrefixes,
      attribute: ['project_id', projectId],
      from: job.cursor === undefined ? undefined : readMessage(job.cursor).key,
    });
    const owned = keys.filter((key) => !kept.has(keyText(key)) && !isPerson(key));
    const ended = await removeItems(context, job, owned);
    if (ended) return ended;
    const persons = await forgetProject(context.table, projectId, keys.filter(isPerson));
    const noted = onlyThisPass(job).add('found_count', persons).set(['pass_started_at'], startedAt.toISOString());
    const after = await keepProgress(context, job, next ? noted.set(['cursor'], keyAsJson(next)) : noted);
    if (!after) return 'waiting';
    job = after;
    if (!next) return endPass(context, job, startedAt);
  } while (!context.isTimeUp());
  return 'next';
}

export const deleteProjectWork: Work = { run };
