import * as v from 'valibot';
import { findProject, listedProject, listedProjects, retainedNames } from '#kernel/access/projects/project.ts';
import { findRetentionStart } from '#kernel/access/projects/retention.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { count } from '#kernel/core/schema.ts';
import { jobItem, newJob } from '#kernel/kit/jobs/job.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { type ItemKey, itemMarks, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';

/** Starts the jobs that archive and remove old records, one at a time for each kind of record of a project. */

const retained = v.picklist(retainedNames);

/** Archived records that must be removed. */
const chunk = v.object({
  /** The number in the names of the parts with the records, one part for each day. */
  part: count,
  days: v.array(v.string()),
  records: v.array(
    v.object({
      key: v.custom<Key>(isRecord),
      customer_id: v.optional(v.string()),
      /** A digest of the archived record. A record that differs stays. */
      digest: v.string(),
    }),
  ),
});

export type Chunk = v.InferOutput<typeof chunk>;

export const retentionItem = v.object({
  ...jobItem.entries,
  retained,
  /** Records before this moment are removed. */
  before: v.string(),
  /** The place in the list after which the walk continues. */
  behind: v.optional(v.string()),
  /** Counts the parts that were started. Each run writes under its own numbers. */
  begun: v.optional(count, 0),
  /** Counts the notes. Each builds on the preceding note. */
  noted: v.optional(count, 0),
  chunk: v.optional(chunk),
});

export type RetentionItem = v.InferOutput<typeof retentionItem>;

const jobs = kind<typeof retentionItem, [type: 'RETENTION', id: string]>(kinds.job, retentionItem);

/** Stores the day of the last examination. */
const runItem = v.object({ day: v.string() });

export const retentionRuns = kind(kinds.retentionRun, runItem);

export function retentionKey(projectId: string, name: string): ItemKey<typeof retentionItem> {
  return { ...jobs(projectId, 'RETENTION', name), kind: 'remove-old' };
}

/** Starts the due jobs of one project, and returns their number. An existing job continues instead. */
async function startOf(table: Table, projectId: string, time: Date): Promise<number> {
  const project = await findProject(table, projectId);
  const now = inTimezone(time, project?.timezone ?? 'UTC');
  const names = retainedNames.filter((name) => project?.retention[name] !== undefined);
  const { runs } = await read(table, { runs: names.map((name) => retentionRuns(projectId, name)) });
  const due = names.filter((_, index) => runs[index]?.day !== formatDay(now));
  const started = await Promise.all(
    due.map((name) => {
      const before = project && findRetentionStart(project, name, now);
      if (!before) return false;
      const key = retentionKey(projectId, name);
      const job = { kind: 'remove-old' as const, about: name, project_id: projectId };
      const fields = { retained: name, before: before.toISOString(), begun: 0, noted: 0 };
      return table.insert(key, { ...newJob(key, job, now, fields).insert, ...itemMarks(key) });
    }),
  );
  return started.filter(Boolean).length;
}

/** Starts the jobs of all projects, each once a day. */
export async function startRetention(table: Table, now: Date, isTimeUp: () => boolean): Promise<number> {
  let started = 0;
  for await (const page of table.pages(listedProjects.all)) {
    for (const item of page) {
      if (isTimeUp()) return started;
      started += await startOf(table, parseStored(listedProject, item).project_id, now);
    }
  }
  return started;
}
