import { randomInt } from 'node:crypto';
import { isProjectDeleted, type Project } from '#kernel/access/projects/project.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { RequestTable } from '#kernel/http/request-table.ts';
import { isOutOfCapacity } from '#kernel/table/conflicts.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyOf, readKinds } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { abandonJob, finishJob } from './endings.ts';
import type { InsertFlow } from './insert-flow.ts';
import {
  type JobItem,
  type JobKind,
  type JobUpdate,
  jobItem,
  maxAttempts,
  queueOfKind,
  requireOpenJob,
} from './job.ts';
import { longestDelayInS, type Queues } from './queues.ts';

/**
 * The outcome of a run. `later` continues later, and does not count as an attempt. `next` continues immediately, after
 * the messages in the queue. `waiting` means that other jobs end it.
 */
export type RunOutcome = 'done' | 'later' | 'next' | 'waiting';

export interface JobContext {
  table: Table;
  /** The time when the run began. */
  now: Date;
  clock: () => Date;
  queues: Queues;
  flow: InsertFlow;
  /** Returns the files. Throws in a worker without files. */
  files: () => Files;
  /** Returns the engine of reports. Throws in a worker that has no engine. */
  reports: () => ReportEngine;
  /** Returns another view of the table, for simultaneous work. */
  newTable: () => Table;
  /** Returns whether new work would be cut off. */
  isTimeUp: () => boolean;
  /** Returns the project of a job. */
  project: () => Promise<Project>;
  note: (fields: Attributes) => void;
}

/** The work of a kind of job. It may be cut off anywhere, repeated, and run by two workers simultaneously. */
export interface Work {
  run: (context: JobContext, job: JobItem) => Promise<RunOutcome>;
  /** Ends the job as FAILED, and counts the finished work. Without it the job is only ended. */
  giveUp?: (context: JobContext, job: JobItem) => Promise<void>;
}

export interface Works extends Readonly<Record<JobKind, Work>> {
  /** Handles a change of an item that is not a job. */
  readonly changed: (key: Key, dependencies: JobDependencies) => Promise<void>;
  /** Makes the deliveries of an event. */
  readonly happened: (key: Key, more: unknown, dependencies: JobDependencies) => Promise<void>;
  /** Delivers an event to a webhook. */
  readonly deliver: (key: Key, more: unknown, dependencies: JobDependencies) => Promise<void>;
}

export interface JobDependencies extends Dependencies {
  queues: Queues;
  flow: InsertFlow;
}

/** Work that lacked capacity is retried within this time. */
const longestPauseInS = 20;

export function createJobContext(dependencies: JobDependencies, job: JobItem, isTimeUp: () => boolean): JobContext {
  const { dynamodb, tableName, clock, credentialCache, queues, flow, files, reports, patienceInMs, log } = dependencies;
  const now = clock();
  const { request_id: id } = job;
  // Events about the writes of a job name the request that has ordered it.
  const newTable = () =>
    typeof id === 'string'
      ? new RequestTable({ id, at: '' }, dynamodb, tableName, now, { patienceInMs })
      : new Table(dynamodb, tableName, now, { patienceInMs });
  const table = newTable();
  return {
    table,
    now,
    clock,
    queues,
    flow,
    files: () => {
      if (!files) throw new Error('this worker has no files');
      return files;
    },
    reports: () => {
      if (!reports) throw new Error('this worker has no engine of reports');
      return reports;
    },
    newTable,
    isTimeUp,
    project: async () => {
      const found =
        job.project_id === undefined ? undefined : await credentialCache.project(table, job.project_id, now);
      if (!found) throw new Error('the project of a job is missing');
      return found;
    },
    note: (fields) => log(JSON.stringify({ level: 'warn', time: now.toISOString(), ...logFields(job), ...fields })),
  };
}

function logFields({ kind, project_id, about, attempts }: JobItem): Attributes {
  return { job: kind, project_id: project_id ?? null, about, attempts };
}

/** Runs the work that a message of a queue names. Throws if the message must be delivered again. */
export function runMessage(
  key: Key,
  more: Readonly<Record<string, unknown>>,
  dependencies: JobDependencies,
  works: Works,
  isTimeUp: () => boolean,
): Promise<void> {
  if ('event' in more) return works.happened(key, more, dependencies);
  const { kind } = readKinds(key);
  if (kind === kinds.webhookDelivery) return works.deliver(key, more, dependencies);
  if (kind === kinds.job) return runJob(key, dependencies, works, isTimeUp);
  return works.changed(key, dependencies);
}

/** Does the work of the item under the key if it is still open. Throws if its message must be delivered again. */
export async function runJob(
  key: Key,
  dependencies: JobDependencies,
  works: Works,
  isTimeUp: () => boolean,
): Promise<void> {
  const { dynamodb, tableName, clock } = dependencies;
  const table = new Table(dynamodb, tableName, clock());
  const [item] = await table.getMany([key]);
  if (!item) return;
  const job = parseStored(jobItem, item);
  if (job.state === 'OPEN') await runOpen(job, dependencies, works[job.kind], isTimeUp);
}

/** Finds the project of a job. The work for a deleted project would restore items. */
async function findProjectOf(
  table: Table,
  { credentialCache }: JobDependencies,
  { kind, project_id }: JobItem,
  now: Date,
): Promise<Project | 'deleted' | undefined> {
  if (project_id === undefined || kind === 'delete-project') return undefined;
  const found = await credentialCache.project(table, project_id, now);
  if (found) return found;
  return (await isProjectDeleted(table, project_id)) ? 'deleted' : undefined;
}

async function runOpen(job: JobItem, dependencies: JobDependencies, work: Work, isTimeUp: () => boolean) {
  const { clock, log, queues } = dependencies;
  const startedAt = clock();
  const context = createJobContext(dependencies, job, isTimeUp);
  const key = keyOf(job);
  const again = (delayInS: number) => queues.send(queueOfKind[job.kind], [{ key, delayInS }]);
  const line = (fields: Attributes) =>
    log(
      JSON.stringify({
        level: 'info',
        time: startedAt.toISOString(),
        ...logFields(job),
        duration_ms: clock().getTime() - startedAt.getTime(),
        ...fields,
      }),
    );
  try {
    const found = await findProjectOf(context.table, dependencies, job, startedAt);
    if (found === 'deleted') {
      await finishJob(context, job);
      return line({ outcome: 'done', project_deleted: true });
    }
    const now = found ? inProjectTime(context.now, found) : context.now;
    const outcome = await work.run({ ...context, now }, job);
    if (outcome !== 'done' && job.sweeps > 0) await forgetSweeps(context.table, key);
    if (outcome === 'later') await again(randomInt(1, longestPauseInS + 1));
    if (outcome === 'next') await again(0);
    line({ outcome });
  } catch (error) {
    if (isOutOfCapacity(error)) {
      await again(randomInt(1, longestPauseInS + 1));
      return line({ outcome: 'later' });
    }
    line({ level: 'error', ...describeFailure(error) });
    const failed = await countFailure(context.table, key);
    if (!failed) return;
    if (failed.attempts < maxAttempts) return again(Math.min(2 ** failed.attempts, longestDelayInS));
    await giveUpJob(context, failed, work, log);
  }
}

/** Ends a job that kept failing. The alarm counts its line in the log. */
export async function giveUpJob(context: JobContext, job: JobItem, work: Work, log: (line: string) => void) {
  try {
    await (work.giveUp ?? abandonJob)(context, job);
  } catch (error) {
    if (isOutOfCapacity(error)) throw error;
    context.note(describeFailure(error));
    await abandonJob(context, job);
  }
  log(JSON.stringify({ level: 'error', time: context.now.toISOString(), ...logFields(job), given_up: true }));
}

/** Returns `undefined` if the job has already ended. */
async function countFailure(table: Table, key: Key): Promise<JobItem | undefined> {
  const counted = requireOpenJob<JobUpdate>(new Update()).add('attempts', 1).build();
  const outcome = await table.change(key, counted);
  return outcome.done ? parseStored(jobItem, outcome.item) : undefined;
}

async function forgetSweeps(table: Table, key: Key): Promise<void> {
  await table.change(key, requireOpenJob<JobUpdate>(new Update()).set(['sweeps'], 0).build());
}
