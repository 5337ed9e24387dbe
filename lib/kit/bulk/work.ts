import { createHash } from 'node:crypto';
import type { Project } from '../../http/projects/project.ts';
import { parseStored } from '../../table/item.ts';
import { keyOf } from '../../table/keys.ts';
import { read } from '../../table/read.ts';
import { Update } from '../../table/update.ts';
import { isUpdate, noteProgress } from '../jobs/action.ts';
import { endJob, failAndListJob, refuseJob, requireOpenJob } from '../jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '../jobs/run.ts';
import type { Bulk, Rows } from './bulk.ts';
import { type BulkJob, bulkJobItem, lanes, rowsFile, type UploadedFile } from './job.ts';
import { LaneWalk, type NumberedRow } from './lane-walk.ts';
import { reportExpiresAt, writeReport } from './report.ts';
import { checkRows, readRowSlice } from './uploaded-work.ts';

/** Limits simultaneous rows. A row mostly waits for the table. */
const laneCount = 8;
const noteEveryInMs = 2_000;

interface Counts {
  readonly done: number;
  readonly failed: number;
}

/** Rows that are read together: all of a body, or some of a file. */
interface Part {
  readonly opened: Rows;
  /** The number of earlier rows, which separates the lanes of different parts. */
  readonly first: number;
  /** The results of earlier rows. */
  readonly before: Counts;
}

interface Run {
  readonly context: JobContext;
  readonly job: BulkJob;
  readonly bulk: Bulk;
  readonly project: Project;
}

const none: Counts = { done: 0, failed: 0 };

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
  const sum = (of: 'done' | 'failed') => found.reduce((total, lane) => total + (lane?.[of] ?? 0), before[of]);
  return { done: sum('done'), failed: sum('failed') };
}

/** Groups rows by lane, in order. Rows about one resource are in one lane. */
function dealt({ opened: { rows, isSequence }, first }: Part): NumberedRow[][] {
  const numbered = rows.map((row, index) => ({ ...row, index, number: first + index + 1 }));
  if (isSequence) return [numbered];
  const dealt: NumberedRow[][] = Array.from({ length: laneCount }, () => []);
  for (const [index, row] of numbered.entries()) {
    const { lane } = row;
    const number = lane === undefined ? index : createHash('sha256').update(lane).digest().readUInt32BE();
    dealt[number % laneCount]?.push(row);
  }
  return dealt;
}

function counted(update: Update, { done, failed }: Counts): Update {
  return update.set(['done_count'], done).set(['failed_count'], failed);
}

/** Runs rows that were read together. Returns the results up to them, or the reason why some have not run. */
async function doPart({ context, job, bulk, project }: Run, part: Part): Promise<Counts | Exclude<RunOutcome, 'done'>> {
  const { table, now, clock } = context;
  const { opened, first, before } = part;
  let notedAt = performance.now();
  const note = async () => {
    notedAt = performance.now();
    const counts = await countsOf(context, job, first, before);
    await table.change(keyOf(job), counted(requireOpenJob(noteProgress(new Update(), job, clock())), counts).build());
  };
  await note();
  const writing = { project, now, baseUrl: job.base_url, caller: { project, ...job.caller } };
  const ends = await Promise.allSettled(
    dealt(part).map((rows, lane) => {
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

async function finish(
  { context: { table, clock }, job }: Run,
  counts: Counts,
  reportUntil?: string,
): Promise<RunOutcome> {
  const ended = counted(requireOpenJob(endJob(clock())), counts);
  if (reportUntil !== undefined) ended.set(['report_until'], reportUntil);
  await table.change(keyOf(job), ended.build());
  return 'done';
}

async function doBody(run: Run): Promise<RunOutcome> {
  const { context, job, bulk, project } = run;
  const body: unknown = JSON.parse(await context.files().read(rowsFile(project.id, job.id)));
  const opened = bulk.rowsIn(body);
  const counts = await doPart(run, { opened, first: 0, before: none });
  if (typeof counts === 'string') return counts;
  if (!isUpdate(job.type)) return finish(run, counts);
  const { rows } = opened;
  const { table, clock } = context;
  await writeReport(table, context.files(), { projectId: project.id, actionId: job.id, named: bulk.named, rows });
  return finish(run, counts, reportExpiresAt(clock()));
}

/** Notes the progress of a file. `undefined` means that another run is ahead. */
async function moved({ context: { table }, job }: Run, from: UploadedFile, to: UploadedFile, steps?: number) {
  const next = { ...to, moves: from.moves + 1 };
  const update = requireOpenJob(new Update())
    .whenStill('file_moves', from.moves === 0 ? undefined : from.moves)
    .set(['file_moves'], next.moves)
    .set(['file'], next);
  if (steps !== undefined) update.set(['steps'], steps);
  return (await table.change(keyOf(job), update.build())).done ? next : undefined;
}

/** Checks the whole file before its first row runs. */
async function check(run: Run, file: UploadedFile): Promise<UploadedFile | RunOutcome> {
  const { context, project } = run;
  const found = await checkRows(context.files(), project.id, file);
  if ('rows' in found) return (await moved(run, file, { ...file, is_checked: true }, found.rows)) ?? 'waiting';
  return refuse(run, found.fault);
}

/** Ends the action for a fault of the file. Finished rows stay, and are counted. */
async function refuse(
  { context: { table, clock }, job }: Run,
  fault: string,
  counts: Counts = none,
): Promise<RunOutcome> {
  const refused = counted(requireOpenJob(refuseJob(clock())), counts).set(['fault'], fault);
  await table.change(keyOf(job), refused.build());
  return 'done';
}

/** Runs an uploaded file, some rows at a time, from the progress that the last run noted. */
async function doFile(run: Run, file: UploadedFile): Promise<RunOutcome> {
  const { context, bulk, project } = run;
  const checked = file.is_checked ? file : await check(run, file);
  if (typeof checked === 'string') return checked;
  for (let at: UploadedFile = checked; ; ) {
    const slice = await readRowSlice(context.files(), project.id, at);
    if ('fault' in slice) return refuse(run, slice.fault, at);
    const { table, next } = slice;
    if (table.rows.length === 0) return finish(run, at);
    const counts = await doPart(run, { opened: bulk.rowsIn(table), first: at.rows, before: at });
    if (typeof counts === 'string') return counts;
    const rows = at.rows + table.rows.length;
    const noted = await moved(run, at, { ...at, ...counts, rows, byte: next.byte, line: next.number });
    if (!noted) return 'waiting';
    if (context.isTimeUp()) return 'next';
    at = noted;
  }
}

/**
 * Runs the rows of an action in lanes. It may be cut off anywhere, and run by two workers at once: a row and its note are one transaction.
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
      await context.table.change(keyOf(job), counted(requireOpenJob(failAndListJob(context.now)), counts).build());
    },
  };
}
