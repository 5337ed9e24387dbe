import * as v from 'valibot';
import { count, dateTime } from '../core/schema.ts';
import { projectsById } from '../http/projects/project.ts';
import { finishJob } from '../kit/jobs/endings.ts';
import { type JobItem, jobItem, queueOfKind, requireOpenJob } from '../kit/jobs/job.ts';
import { longestDelayInS } from '../kit/jobs/queues.ts';
import type { JobContext, RunOutcome, Work } from '../kit/jobs/run.ts';
import { forgetProject, personKinds } from '../operator/management/forget-project.ts';
import { projectDeletions } from '../operator/management/projects.ts';
import { parseStored } from '../table/item.ts';
import { type Key, keyAsJson, keyOf, keyText, projectRange, readKinds, readMessage } from '../table/keys.ts';
import { Update } from '../table/update.ts';

/**
 * Deletes everything of a deleted project, in passes over the whole table (docs/management.md#deletion). No index has the items of a
 * project. The table is read in pages, so a pass costs what a scan costs, and a run continues where the last one ended.
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

/**
 * After this time nothing works for the project any longer. A container trusts its credentials for 60 s, and the run of a worker lasts 5
 * minutes at most. A pass that begins later and finds nothing is the last one.
 */
const settledAfterInMs = 15 * 60_000;

/** DynamoDB deletes one item a call. A call waits for the network, so many are under way. */
const deletionsAtOnce = 50;

async function removeItems({ newTable }: JobContext, keys: readonly Key[]): Promise<number> {
  const waiting = keys.values();
  let removed = 0;
  const work = async () => {
    const table = newTable();
    for (const key of waiting) if (await table.purge(key)) removed += 1;
  };
  await Promise.all(Array.from({ length: deletionsAtOnce }, work));
  return removed;
}

/** Deletes the project's items of one page, and takes its invitations and roles back. */
async function clearPage(context: JobContext, projectId: string, keys: readonly Key[]) {
  const kept = new Set([projectsById(projectId), projectDeletions(projectId)].map(keyText));
  const isPerson = (key: Key) => personKinds.includes(readKinds(key).kind);
  const owned = keys.filter((key) => !kept.has(keyText(key)) && !isPerson(key));
  const persons = await forgetProject(context.table, projectId, keys.filter(isPerson));
  return { found: owned.length + persons, removed: await removeItems(context, owned) };
}

/** Keeps the progress, unless another worker has ended this pass. */
async function keepProgress({ table }: JobContext, job: DeletionJob, by: (update: Update) => Update): Promise<boolean> {
  const update = requireOpenJob(by(new Update().whenStill('pass', job.pass)));
  return (await table.change(keyOf(job), update.build())).done;
}

/** Ends a pass. Returns what comes next. */
async function endPass(context: JobContext, job: DeletionJob, startedAt: Date): Promise<RunOutcome> {
  const { now, queues, table, files } = context;
  const settledAt = Date.parse(job.created_at) + settledAfterInMs;
  await files().removeAll(job.about);
  if (job.found_count === 0 && startedAt.getTime() >= settledAt) {
    await table.change(projectsById(job.about), new Update().whenHas('deleted_at').remove(['secret']).build());
    await finishJob(context, job, new Update().whenStill('pass', job.pass));
    return 'done';
  }
  const isKept = await keepProgress(context, job, (update) =>
    update.add('pass', 1).set(['found_count'], 0).remove(['cursor']).remove(['pass_started_at']),
  );
  if (!isKept) return 'waiting';
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
  do {
    const { keys, next } = await context.table.scanPage({
      partitionPrefixes,
      attribute: ['project_id', projectId],
      from: job.cursor === undefined ? undefined : readMessage(job.cursor).key,
    });
    const { found, removed } = await clearPage(context, projectId, keys);
    job = {
      ...job,
      found_count: job.found_count + found,
      deleted_count: job.deleted_count + removed,
      cursor: next && keyAsJson(next),
    };
    const isKept = await keepProgress(context, job, (update) => {
      update.add('found_count', found).add('deleted_count', removed).set(['pass_started_at'], startedAt.toISOString());
      return job.cursor === undefined ? update : update.set(['cursor'], job.cursor);
    });
    if (!isKept) return 'waiting';
    if (!next) return endPass(context, job, startedAt);
  } while (!context.isTimeUp());
  return 'next';
}

export const deleteProjectWork: Work = { run };
