import * as v from 'valibot';
import { projectId } from '#kernel/access/projects/project.ts';
import { count, dateTime } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { indexed, type Key, keyEntries, tableShape } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import type { QueueName } from './queues.ts';

/** Kinds of work outside requests, each with its queue. */
export const queueOfKind = {
  'generate-codes': 'generation',
  'generate-chunk': 'generation',
  'send-invitation': 'mail',
  'finish-update': 'bulk',
  bulk: 'bulk',
  'sync-segment': 'bulk',
  'delete-segment': 'bulk',
  'delete-children': 'bulk',
  'delete-campaign': 'bulk',
  'hold-vouchers': 'bulk',
  'write-behind': 'bulk',
  'settle-members': 'bulk',
  'count-redemptions': 'bulk',
  'merge-customers': 'bulk',
  export: 'exports',
  'close-points': 'exports',
  'make-report': 'exports',
  'erase-person': 'exports',
  'remove-old': 'exports',
  'delete-project': 'exports',
} as const satisfies Record<string, QueueName>;

export type JobKind = keyof typeof queueOfKind;

export function isJobKind(kind: string): kind is JobKind {
  return Object.hasOwn(queueOfKind, kind);
}

const jobKind = v.picklist(Object.keys(queueOfKind).filter(isJobKind));

/** A stored job. While it is OPEN, the index of due items contains it, for the hourly sweep. */
export const jobItem = v.looseObject({
  ...keyEntries,
  kind: jobKind,
  /** Absent if the job does not concern a single project. */
  project_id: v.optional(projectId),
  /** The id of its subject, for the log and operators, such as a campaign or an invitation. */
  about: v.string(),
  state: v.picklist(['OPEN', 'DONE', 'FAILED']),
  created_at: dateTime,
  /** Counts failed runs. Lack of capacity does not count. */
  attempts: v.optional(count, 0),
  /** Counts the sweeps that found the job since a run last ended. */
  sweeps: v.optional(count, 0),
});

export type JobItem = v.InferOutput<typeof jobItem>;

/** A change of a job. */
export type JobUpdate = Update<typeof jobItem>;

/** The number of failures after which a job is abandoned. */
export const maxAttempts = 20;
/** The number of sweeps after which a job whose runs never end is abandoned. */
export const maxSweeps = 24;
/** The time after which the sweep first looks at the job. */
const sweepAfterInMs = 3_600_000;
const closedLifeInS = 30 * 24 * 3_600;

export function sweepAttributes(key: Key, now: Date) {
  return { dueShard: indexed.dueShardOf(key), dueAt: new Date(now.getTime() + sweepAfterInMs).toISOString() };
}

interface NewJob {
  kind: JobKind;
  about: string;
  project_id?: string;
}

/** Makes a new job. Its stream record starts a worker. `fields` are the fields that only its kind has. */
export function newJob(key: Key, job: NewJob, now: Date, fields: Attributes = {}): { key: Key; insert: Attributes } {
  const counts = { attempts: 0, sweeps: 0 };
  const insert = {
    ...fields,
    ...job,
    ...counts,
    state: 'OPEN',
    created_at: now.toISOString(),
    ...sweepAttributes(key, now),
  };
  return { key, insert };
}

/** Ends the job as done. The caller adds conditions, and `update` further changes. */
export function endJob(now: Date, update: JobUpdate = new Update()): JobUpdate {
  return update
    .set(['state'], 'DONE')
    .set(['updated_at'], now.toISOString())
    .set([tableShape.timeToLive], Math.floor(now.getTime() / 1_000) + closedLifeInS)
    .remove(['dueShard'])
    .remove(['dueAt']);
}

/** Ends the job as failed. The caller adds conditions. */
export function failJob(update: JobUpdate = new Update()): JobUpdate {
  return update.set(['state'], 'FAILED');
}

/** Ends the job as failed, and lists it for operators, who may resume it. */
export function failAndListJob(now: Date, update: JobUpdate = new Update()): JobUpdate {
  return failJob(update)
    .set(['updated_at'], now.toISOString())
    .set(['dueShard'], indexed.failedJobs)
    .set(['dueAt'], now.toISOString());
}

/** Ends the job as failed for the caller's fault. Operators have nothing to repair. */
export function refuseJob(now: Date): JobUpdate {
  return new Update<typeof jobItem>()
    .set(['state'], 'FAILED')
    .set(['updated_at'], now.toISOString())
    .set([tableShape.timeToLive], Math.floor(now.getTime() / 1_000) + closedLifeInS)
    .remove(['dueShard'])
    .remove(['dueAt']);
}

/** Requires that the job is open. */
export function requireOpenJob<U extends JobUpdate>(change: U): U {
  return change.whenStill('state', 'OPEN');
}

/** Reopens a failed job. Its stream record starts a worker, like a new job's. */
export function reopenJob(key: Key, now: Date): JobUpdate {
  const { dueShard, dueAt } = sweepAttributes(key, now);
  return new Update<typeof jobItem>()
    .whenStill('state', 'FAILED')
    .set(['state'], 'OPEN')
    .set(['attempts'], 0)
    .set(['sweeps'], 0)
    .set(['dueShard'], dueShard)
    .set(['dueAt'], dueAt);
}
