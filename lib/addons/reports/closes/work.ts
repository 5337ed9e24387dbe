import { fileLifeInDays } from '#kernel/core/files/files.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { abandonJob, finishJob } from '#kernel/kit/jobs/endings.ts';
import type { JobItem } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { isOutOfCapacity } from '#kernel/table/conflicts.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import { Update } from '#kernel/table/update.ts';
import { type CloseItem, closeItem, closes, journalFile, statementFile } from './close.ts';
import { readEstimates } from './estimates.ts';
import { writeJournal, writeStatement } from './files.ts';
import { listPeriods, settleMonths } from './settle-months.ts';
import { rememberLapses } from './sum-card.ts';
import { sumCards } from './walk-cards.ts';

/** A slice notes its sums after this many cards, so that a crash loses only seconds of work. */
const cardsOfSlice = 20_000;

const dayInMs = 24 * 3_600_000;

type CloseUpdate = Update<typeof closeItem>;

/** Changes an open close that is unchanged since it was read. Returns `undefined` if another run is ahead, or the close was deleted. */
async function changeClose(
  { table }: JobContext,
  projectId: string,
  close: CloseItem,
  by: (update: CloseUpdate) => CloseUpdate,
) {
  const key = closes(projectId, close.id);
  const update = by(Update.of(key).whenStill('noted', close.noted).whenStill('status', close.status)).add('noted', 1);
  const outcome = await table.change(key, update.build());
  return outcome.done ? parseStored(closeItem, outcome.item) : undefined;
}

interface Slice {
  readonly sums: CloseItem['sums'];
  readonly behind: string | undefined;
  readonly end: 'all' | 'full' | 'capacity';
}

/** Sums the next cards. At least one batch is summed. */
async function sumSlice(context: JobContext, projectId: string, close: CloseItem): Promise<Slice> {
  const periods = listPeriods(close);
  const zone = inTimezone(new Date(close.at), close.timezone);
  const sums = structuredClone(close.sums);
  let behind = close.behind;
  const walk = { table: context.newTable(), projectId, campaignId: close.campaign_id, periods, behind };
  try {
    for await (const place of sumCards({ ...walk, lapseOf: rememberLapses(zone) }, sums)) {
      behind = place;
      if (sums.cards - close.sums.cards >= cardsOfSlice || context.isTimeUp()) return { sums, behind, end: 'full' };
    }
    return { sums, behind, end: 'all' };
  } catch (error) {
    if (behind === close.behind || !isOutOfCapacity(error)) throw error;
    return { sums, behind, end: 'capacity' };
  }
}

/** Stores the months before the files are written, so that two simultaneous runs write the same files. */
async function settle(context: JobContext, projectId: string, close: CloseItem): Promise<void> {
  const project = await context.project();
  const estimates = await readEstimates({ table: context.table, project }, close.campaign_id);
  const { months, pool } = settleMonths(close, estimates);
  await changeClose(context, projectId, close, (update) => {
    if (pool) update.set(['pool'], pool);
    return update.set(['months'], months);
  });
}

async function writeFiles(context: JobContext, projectId: string, close: CloseItem): Promise<void> {
  const { table, clock } = context;
  const { decimals } = await context.project();
  const files = [
    { ...statementFile(projectId, close.id), content: writeStatement(close, decimals) },
    { ...journalFile(projectId, close.id), content: writeJournal(close, decimals) },
  ];
  await Promise.all(files.map((file) => context.files().put(file)));
  const until = new Date(clock().getTime() + fileLifeInDays.exports * dayInMs).toISOString();
  const isDone = (update: CloseUpdate) => update.set(['status'], 'DONE').set(['files_until'], until);
  if (await changeClose(context, projectId, close, isDone)) return;
  const { left } = await read(table, { left: closes(projectId, close.id) });
  if (!left) await Promise.all(files.map(context.files().remove));
}

async function findClose({ table }: JobContext, job: JobItem): Promise<CloseItem | undefined> {
  return (await read(table, { close: closes(job.project_id ?? '', job.about) })).close;
}

const isOpen = (close: CloseItem | undefined) => close?.status === 'SCHEDULED' || close?.status === 'IN_PROGRESS';

async function run(context: JobContext, job: JobItem): Promise<RunOutcome> {
  const projectId = job.project_id ?? '';
  let close = await findClose(context, job);
  while (close && isOpen(close)) {
    if (close.months.length > 0) await writeFiles(context, projectId, close);
    else if (close.is_walked) await settle(context, projectId, close);
    else {
      const { sums, behind, end } = await sumSlice(context, projectId, close);
      const noted = await changeClose(context, projectId, close, (update) => {
        if (behind !== undefined) update.set(['behind'], behind);
        return update
          .set(['status'], 'IN_PROGRESS')
          .set(['sums'], sums)
          .set(['is_walked'], end === 'all');
      });
      if (!noted && isOpen(await findClose(context, job))) return 'waiting';
      if (noted && end === 'capacity') return 'later';
      if (noted && context.isTimeUp()) return 'next';
    }
    close = await findClose(context, job);
  }
  await finishJob(context, job);
  return 'done';
}

async function giveUp(context: JobContext, job: JobItem): Promise<void> {
  const close = await findClose(context, job);
  if (close && isOpen(close)) {
    await changeClose(context, job.project_id ?? '', close, (update) => update.set(['status'], 'ERROR'));
  }
  await abandonJob(context, job);
}

/**
 * Closes the points of a programme in slices over its cards. The sums and the place in the list move in a single
 * conditional write, so that a slice never counts twice.
 */
export const closePoints: Work = { run, giveUp };
