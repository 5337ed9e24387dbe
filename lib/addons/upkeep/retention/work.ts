import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import type { Reading } from '#kernel/http/context.ts';
import { requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { change, commitApart, remove } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf, stripKey } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { archive, digestLine, forgetLines, keepLines, readRecordDay, writeLine } from './archive.ts';
import { type Chunk, type RetentionItem, retentionItem, retentionKey, retentionRuns } from './job.ts';
import { type FoundRecord, type OldRecord, oldRecords } from './old-records.ts';

/** Archives old records and removes them, some at a time. */

const recordsAtOnce = 250;

type RetentionUpdate = Update<typeof retentionItem>;

interface Run {
  readonly context: JobContext;
  readonly reading: Reading;
}

/** Notes the progress of the job, on the note before. `undefined` means that another run is ahead. */
async function moved(
  { context: { table } }: Run,
  job: RetentionItem,
  by: (update: RetentionUpdate) => RetentionUpdate,
) {
  const update = by(requireOpenJob<RetentionUpdate>(new Update()).whenStill('noted', job.noted)).add('noted', 1);
  const outcome = await table.change(keyOf(job), update.build());
  return outcome.done ? parseStored(retentionItem, outcome.item) : undefined;
}

/** Finds the next old records and the place to continue, which may be before a customer with more of them. */
async function findNext({ reading }: Run, { retained, before, behind }: RetentionItem) {
  const found: OldRecord[] = [];
  let [done, last] = [behind, behind];
  for await (const old of oldRecords[retained].find(reading, before, behind)) {
    if (old.at !== last) [done, last] = [last, old.at];
    if (found.length === recordsAtOnce) return { found, behind: done };
    found.push(old);
  }
  return { found, behind: last };
}

async function readFound({ reading }: Run, found: readonly OldRecord[]): Promise<FoundRecord[]> {
  const items = await reading.table.getMany(found.map(({ key }) => key));
  return items.flatMap((item, index) => (item ? [{ item, customerId: found[index]?.customerId }] : []));
}

/** Removes records that still equal their archive. */
async function removeArchived(run: Run, { retained }: RetentionItem, { records }: Chunk): Promise<void> {
  const old = records.map(({ key, customer_id: customerId }) => ({
    key,
    at: '',
    ...(customerId ? { customerId } : {}),
  }));
  const digests = new Set(records.map(({ digest }) => digest));
  const left = await readFound(run, old);
  const same = left.filter((one) => digests.has(digestLine(writeLine(retained, one))));
  await oldRecords[retained].remove(run.reading, same);
}

/** Stores the lines of the next records, and notes them. Returns the reason if the job ends. */
async function take(run: Run, job: RetentionItem): Promise<RetentionItem | 'end' | 'later' | 'waiting'> {
  const { context } = run;
  const { found, behind } = await findNext(run, job);
  if (found.length === 0) return 'end';
  const records = await readFound(run, found);
  const walkOn = (update: RetentionUpdate) => (behind === undefined ? update : update.set(['behind'], behind));
  // An index shows removed records for a moment.
  if (records.length === 0) return behind === job.behind ? 'later' : ((await moved(run, job, walkOn)) ?? 'waiting');
  const begun = requireOpenJob<RetentionUpdate>(new Update()).whenStill('noted', job.noted).add('begun', 1);
  const outcome = await context.table.change(keyOf(job), begun.build());
  if (!outcome.done) return 'waiting';
  const part = parseStored(retentionItem, outcome.item).begun;
  const lines = records.map((one) => ({ one, line: writeLine(job.retained, one) }));
  const byDay = Map.groupBy(lines, ({ one }) => readRecordDay(one.item, run.reading.project.timezone));
  const days = new Map([...byDay].map(([day, some]) => [day, some.map(({ line }) => line)]));
  await keepLines(context.files(), job, part, days);
  const chunk: Chunk = {
    part,
    days: [...days.keys()],
    records: lines.map(({ one: { item, customerId }, line }) => ({
      key: stripKey(keyOf(item)),
      digest: digestLine(line),
      ...(customerId ? { customer_id: customerId } : {}),
    })),
  };
  return (await moved(run, job, (update) => walkOn(update).set(['chunk'], chunk))) ?? 'waiting';
}

/** Archives and removes the noted records. */
async function finish(run: Run, job: RetentionItem, chunk: Chunk): Promise<RetentionItem | undefined> {
  const files = run.context.files();
  // The lines expire after a week. A job that was resumed later reads the records again.
  if (!(await archive(files, job))) return moved(run, job, (update) => update.remove(['chunk']).remove(['behind']));
  await removeArchived(run, job, chunk);
  const next = await moved(run, job, (update) => update.remove(['chunk']));
  if (next) await forgetLines(files, job);
  return next;
}

/** Ends the job and notes its day, so that no other job starts on that day. */
async function end({ context: { table }, reading: { project } }: Run, job: RetentionItem): Promise<RunOutcome> {
  const isOwn = (update: RetentionUpdate) => requireOpenJob(update).whenStill('noted', job.noted);
  const day = formatDay(inTimezone(new Date(job.created_at), project.timezone));
  await commitApart(table, [
    remove(retentionKey(project.id, job.retained), isOwn),
    change(retentionRuns(project.id, job.retained), (update) => update.set(['day'], day)),
  ]);
  return 'done';
}

/**
 * Reads the oldest records, stores their lines, notes them, archives the lines and removes the records. It may be cut
 * off anywhere, and two workers may run it simultaneously. The note decides what is archived, and each note builds on
 * the preceding note.
 */
export const removeOld: Work = {
  run: async (context, stored): Promise<RunOutcome> => {
    const { table, now, isTimeUp } = context;
    const run = { context, reading: { table, now, project: await context.project() } };
    let job = parseStored(retentionItem, stored);
    for (;;) {
      if (job.chunk) {
        const next = await finish(run, job, job.chunk);
        if (!next) return 'waiting';
        job = next;
      }
      if (run.reading.project.retention[job.retained] === undefined) return end(run, job);
      if (isTimeUp()) return 'next';
      const taken = await take(run, job);
      if (taken === 'end') return end(run, job);
      if (typeof taken === 'string') return taken;
      job = taken;
    }
  },
};
