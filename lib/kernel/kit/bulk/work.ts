import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import { Update } from '#kernel/table/update.ts';
import { isUpdate, noteProgress } from '../jobs/action.ts';
import { endJob, failAndListJob, refuseJob, requireOpenJob } from '../jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '../jobs/run.ts';
import type { Bulk, Rows } from './bulk.ts';
import { type BulkJob, bulkJobItem, lanes, rowsFile, type UploadedFile } from './job.ts';
import { LaneWalk, type NumberedRow } from './lane-walk.ts';
import { findRepeats, type Repeats, readRepeats, refuseRepeat, storeRepeats } from './repeats.ts';
import { reportExpiresAt, writeReport } from './report.ts';
import { checkRows, type NameRows, readRowSlice } from './uploaded-work.ts';

/** Limits simultaneous rows. A row mostly waits for the table. */
const laneCount = 8;
const noteEveryInMs = 2_000;

type Counts = Readonly<Record<'done' | 'failed' | 'created' | 'changed', number>>;

/** Rows that are read together: all of a body, or some of a file. */
interface Part {
  readonly opened: Rows;
  /** The number of earlier rows, which separates the lanes of different parts. */
  readonly first: number;
  /** The results of earlier rows. */
  readonly before: Counts;
  /** Rows of the whole body or file that repeat a name. */
  readonly repeats: Repeats;
}

interface Run {
  readonly context: JobContext;
  readonly job: BulkJob;
  readonly bulk: Bulk;
  readonly project: Project;
}

const none: Counts = { done: 0, failed: 0, created: 0, changed: 0 };

function laneName(lane: number, first: number): string {
  return first === 0 ? String(lane) : `${first}.${lane}`;
}

async function countsOf(
  { table }: Pick<JobContext, 'table'>,
  { project_id = '', id }: BulkJob,
  first: number,
  before: Counts,
) {
  const keys = Array.from({ length: laneCount }, (_, lane) => lanes(project_id, id, laneName(lane, first)));
  const { found } = await read(table, { found: keys });
  const sum = (of: keyof Counts) => found.reduce((total, lane) => total + (lane?.[of] ?? 0), before[of]);
  return { done: sum('done'), failed: sum('failed'), created: sum('created'), changed: sum('changed') };
}

/** Rows that are grouped without a pause, in some milliseconds. */
const groupedAtOnce = 1_000;

/** Groups rows by lane, in order. Rows about one resource are in one lane. A local server answers requests between the rows of a long body. */
async function groupByLane(
  { opened: { rows, isSequence }, first, repeats }: Part,
  named: string,
): Promise<NumberedRow[][]> {
  const numbered = rows.map((row, index) => {
    const number = first + index + 1;
    const repeated = repeats.get(number);
    return { ...row, index, number, refusal: repeated === undefined ? undefined : refuseRepeat(named, repeated) };
  });
  if (isSequence) return [numbered];
  const grouped: NumberedRow[][] = Array.from({ length: laneCount }, () => []);
  for (const [index, row] of numbered.entries()) {
    if (index > 0 && index % groupedAtOnce === 0) await setImmediate();
    const { lane } = row;
    const number = lane === undefined ? index : createHash('sha256').update(lane).digest().readUInt32BE();
    grouped[number % laneCount]?.push(row);
  }
  return grouped;
}

/** A change of the action. Only its conditions read `file_moves`. */
type BulkUpdate = Update<v.InferInput<typeof bulkJobItem> & { file_moves?: number }>;

function counted<U extends BulkUpdate>(
  update: U,
  { bulk }: { readonly bulk: Pick<Bulk, 'isCounted'> },
  { done, failed, created, changed }: Counts,
): U {
  update.set(['done_count'], done).set(['failed_count'], failed);
  return bulk.isCounted ? update.set(['created_count'], created).set(['changed_count'], changed) : update;
}

/** Runs rows that were read together. Returns the results up to them, or the reason why some have not run. */
async function doPart(run: Run, part: Part): Promise<Counts | Exclude<RunOutcome, 'done'>> {
  const { context, job, bulk, project } = run;
  const { table, now, clock } = context;
  const { opened, first, before } = part;
  let notedAt = performance.now();
  const note = async () => {
    notedAt = performance.now();
    const counts = await countsOf(context, job, first, before);
    await table.change(
      keyOf(job),
      counted(requireOpenJob(noteProgress<BulkUpdate>(new Update(), job, clock())), run, counts).build(),
    );
  };
  await note();
  const writing = {
    project,
    now,
    baseUrl: job.base_url,
    caller: { project, ...job.caller },
    requestId: job.request_id,
  };
  const grouped = await groupByLane(part, bulk.named);
  const ends = await Promise.allSettled(
    grouped.map((rows, lane) => {
      const own = { projectId: project.id, actionId: job.id, lane: laneName(lane, first), rows };
      const walk = new LaneWalk(context, bulk, { ...own, together: opened.together });
      return walk.run(writing, () => (performance.now() - notedAt > noteEveryInMs ? note() : undefined));
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const outcomes = ends.map((end) => (end.status === 'fulfilled' ? end.value : 'later'));
  if (outcomes.includes('later')) return 'later';
  if (outcomes.includes('next')) return 'next';
  return countsOf(context, job, first, before);
}

async function finish(run: Run, counts: Counts, reportUntil?: string): Promise<RunOutcome> {
  const { table, clock } = run.context;
  const ended: BulkUpdate = counted(requireOpenJob(endJob(clock())), run, counts);
  if (reportUntil !== undefined) ended.set(['report_until'], reportUntil);
  await table.change(keyOf(run.job), ended.build());
  return 'done';
}

async function doBody(run: Run): Promise<RunOutcome> {
  const { context, job, bulk, project } = run;
  const body: unknown = JSON.parse(await context.files().read(rowsFile(project.id, job.id)));
  const opened = bulk.rowsIn(body, project);
  const repeats = findRepeats(opened.rows.map(({ unique }, index) => [index + 1, unique]));
  const counts = await doPart(run, { opened, first: 0, before: none, repeats });
  if (typeof counts === 'string') return counts;
  if (!isUpdate(job.type)) return finish(run, counts);
  const { rows } = opened;
  const { table, clock } = context;
  await writeReport(table, context.files(), { projectId: project.id, actionId: job.id, named: bulk.named, rows });
  return finish(run, counts, reportExpiresAt(clock()));
}

/** Notes the progress of a file, and facts of the action. `undefined` means that another run is ahead. */
async function moved(
  { context: { table }, job }: Run,
  from: UploadedFile,
  to: UploadedFile,
  facts: { readonly steps?: number; readonly encoding?: string } = {},
) {
  const next = { ...to, moves: from.moves + 1 };
  const update = requireOpenJob<BulkUpdate>(new Update())
    .whenStill('file_moves', from.moves === 0 ? undefined : from.moves)
    .set(['file_moves'], next.moves)
    .set(['file'], next);
  update.setAll(facts);
  return (await table.change(keyOf(job), update.build())).done ? next : undefined;
}

/** Checks the whole file before its first row runs. */
async function check(run: Run, file: UploadedFile): Promise<UploadedFile | RunOutcome> {
  const { context, project, bulk, job } = run;
  const nameRows: NameRows = (table) => bulk.rowsIn(table, project).rows.map(({ unique }) => unique);
  const found = await checkRows(context.files(), project.id, file, nameRows);
  if ('fault' in found) return refuse(run, found.fault);
  const { rows: steps, encoding, repeats } = found;
  const has_repeats = repeats.size > 0;
  if (has_repeats) await storeRepeats(context.files(), project.id, job.id, repeats);
  const facts = { steps, ...(encoding === 'utf-8' ? {} : { encoding }) };
  return (await moved(run, file, { ...file, encoding, has_repeats, is_checked: true }, facts)) ?? 'waiting';
}

/** Ends the action for a fault of the file. Finished rows stay, and are counted. */
async function refuse(run: Run, fault: string, counts: Counts = none): Promise<RunOutcome> {
  const { table, clock } = run.context;
  const refused: BulkUpdate = refuseJob(clock());
  counted(requireOpenJob(refused), run, counts).set(['fault'], fault);
  await table.change(keyOf(run.job), refused.build());
  return 'done';
}

/** Runs an uploaded file, some rows at a time, from the progress that the last run noted. */
async function doFile(run: Run, file: UploadedFile): Promise<RunOutcome> {
  const { context, bulk, project } = run;
  const checked = file.is_checked ? file : await check(run, file);
  if (typeof checked === 'string') return checked;
  const repeats = checked.has_repeats ? await readRepeats(context.files(), project.id, run.job.id) : new Map();
  for (let at: UploadedFile = checked; ; ) {
    const slice = await readRowSlice(context.files(), project.id, at);
    if ('fault' in slice) return refuse(run, slice.fault, at);
    const { table, next } = slice;
    if (table.rows.length === 0) return finish(run, at);
    const counts = await doPart(run, {
      opened: bulk.rowsIn(table, project),
      first: at.rows,
      before: at,
      repeats,
    });
    if (typeof counts === 'string') return counts;
    const rows = at.rows + table.rows.length;
    const noted = await moved(run, at, { ...at, ...counts, rows, byte: next.byte, line: next.number });
    if (!noted) return 'waiting';
    if (context.isTimeUp()) return 'next';
    at = noted;
  }
}

/**
 * Runs the rows of an action in lanes. It may be cut off anywhere, and two workers may run it simultaneously, because a
 * row and its note are one transaction.
 */
export function createBulkWork(bulks: readonly Bulk[]): Work {
  const byType = new Map<string, Bulk>(bulks.map((one) => [one.type, one]));
  return {
    run: async (context, stored): Promise<RunOutcome> => {
      const job = parseStored(bulkJobItem, stored);
      const bulk = byType.get(job.type);
      if (!bulk) throw new Error(`nothing does rows of ${job.type}`);
      const run = { context, job, bulk, project: await context.project() };
      return job.file ? doFile(run, job.file) : doBody(run);
    },
    giveUp: async (context, stored) => {
      const job = parseStored(bulkJobItem, stored);
      const counts = await countsOf(context, job, job.file?.rows ?? 0, job.file ?? none);
      const bulk = { isCounted: byType.get(job.type)?.isCounted ?? false };
      const ended = counted(requireOpenJob(failAndListJob(context.now)), { bulk }, counts);
      await context.table.change(keyOf(job), ended.build());
    },
  };
}
