import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { jobItem, newJob } from '../jobs/job.ts';

/** Starts the job that erases a person from stored items of others (`lib/addons/upkeep/erasure`). */

const person = v.object({
  source_id: v.optional(v.string()),
  /** Texts that identify this person almost surely: e-mail address and telephone number. */
  names: v.array(v.string()),
  /** The ids of the customers that were merged into this customer. */
  ids: v.optional(v.array(v.string())),
  /** Texts that others may share: name, address, metadata. */
  texts: v.array(v.string()),
});

export type Person = v.InferOutput<typeof person>;

export const erasureItem = v.object({
  ...jobItem.entries,
  /** Present until the end of the job, which also erases it. */
  person: v.optional(person),
  /** Counts the completed walks. */
  walks: v.optional(count, 0),
});

const jobs = kind<typeof erasureItem, [type: 'ERASURE', id: string]>(kinds.job, erasureItem);

function erasureKey(projectId: string, customerId: string): ItemKey<typeof erasureItem> {
  return { ...jobs(projectId, 'ERASURE', customerId), kind: 'erase-person' };
}

export function startErasure(projectId: string, customerId: string, known: Person, now: Date): Effect {
  const key = erasureKey(projectId, customerId);
  const job = { kind: 'erase-person' as const, about: customerId, project_id: projectId };
  return insert(key, newJob(key, job, now, { person: known }).insert);
}
