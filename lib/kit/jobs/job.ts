import * as v from 'valibot';
import { count, dateTime } from '../../core/schema.ts';
import { projectId } from '../../http/projects/project.ts';
import type { Attributes } from '../../table/item.ts';
import { indexed, type Key, tableShape } from '../../table/keys.ts';
import { Update } from '../../table/update.ts';
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
  export: 'exports',
  'erase-person': 'exports',
  'remove-old': 'exports',
} as const satisfies Record<string, QueueName>;

export type JobKind = keyof typeof queueOfKind;

const jobKind = v.picklist([
  'generate-codes',
  'generate-chunk',
  'send-invitation',
  'finish-update',
  'bulk',
  'sync-segment',
  'delete-segment',
  'delete-children',
  'delete-campaign',
  'hold-vouchers',
  'write-behind',
  'settle-members',
  'count-redemptions',
  'export',
  'erase-person',
  'remove-old',
]) satisfies v.GenericSchema<JobKind>;

/** As stored. While OPEN it stands in the index of due items, where the hourly sweep finds it. */
export const jobItem = v.looseObject({
  pk: v.string(),
  sk: v.string(),
  kind: jobKind,
  /** Absent where it concerns several projects or none. */
  project_id: v.optional(projectId),
  /** Id of its subject, for the log and operators: a campaign's, an invitation's. */
  about: v.string(),
  state: v.picklist(['OPEN', 'DONE', 'FAILED']),
  created_at: dateTime,
  /** Failed runs; lack of capacity does not count. */
  attempts: v.optional(count, 0),
  /** Sweeps that found it since a run last ended. */
  sweeps: v.optional(count, 0),
});

export type JobItem = v.InferOutput<typeof jobItem>;

/** Failures after which a job is given up. */
export const maxAttempts = 20;
/** Hourly sweeps after which a job is given up whose runs never end. */
export const maxSweeps = 24;
/** When the sweep first looks for it. */
const sweepAfterInMs = 3_600_000;
const closedLifeInS = 30 * 24 * 3_600;

export function dueAgain(key: Key, now: Date) {
  return { dueShard: indexed.dueShardOf(key), dueAt: new Date(now.getTime() + sweepAfterInMs).toISOString() };
}

interface NewJob {
  kind: JobKind;
  about: string;
  project_id?: string;
}

/** Its stream record starts a worker. `fields`: what its kind needs besides. */
export function newJob(key: Key, job: NewJob, now: Date, fields: Attributes = {}): { key: Key; insert: Attributes } {
  const counts = { attempts: 0, sweeps: 0 };
  const insert = { ...fields, ...job, ...counts, state: 'OPEN', created_at: now.toISOString(), ...dueAgain(key, now) };
  return { key, insert };
}

/** Ends it as done; the caller adds conditions. `update`: what else is changed of it. */
export function jobDone(now: Date, update = new Update()): Update {
  return update
    .set(['state'], 'DONE')
    .set(['updated_at'], now.toISOString())
    .set([tableShape.timeToLive], Math.floor(now.getTime() / 1_000) + closedLifeInS)
    .remove(['dueShard'])
    .remove(['dueAt']);
}

/** Ends it as failed; the caller adds conditions. */
export function jobFailed(update = new Update()): Update {
  return update.set(['state'], 'FAILED');
}

/** Also lists it for operators, who may resume it. */
export function jobFailedAndListed(now: Date, update = new Update()): Update {
  return jobFailed(update)
    .set(['updated_at'], now.toISOString())
    .set(['dueShard'], indexed.failedJobs)
    .set(['dueAt'], now.toISOString());
}

/** Ends it as failed by a fault of its caller's: operators have nothing to mend. */
export function jobRefused(now: Date): Update {
  return new Update()
    .set(['state'], 'FAILED')
    .set(['updated_at'], now.toISOString())
    .set([tableShape.timeToLive], Math.floor(now.getTime() / 1_000) + closedLifeInS)
    .remove(['dueShard'])
    .remove(['dueAt']);
}

/** Conditional on its being open. */
export function whileOpen(change: Update): Update {
  return change.whenStill('state', 'OPEN');
}

/** Reopens a failed job; its stream record starts a worker, as for a new one. */
export function jobResumed(key: Key, now: Date): Update {
  const { dueShard, dueAt } = dueAgain(key, now);
  return new Update()
    .whenStill('state', 'FAILED')
    .set(['state'], 'OPEN')
    .set(['attempts'], 0)
    .set(['sweeps'], 0)
    .set(['dueShard'], dueShard)
    .set(['dueAt'], dueAt);
}
