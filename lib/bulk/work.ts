import { createHash } from 'node:crypto';
import { goesOn } from '../jobs/action.ts';
import { jobDone, jobFailedAndListed, whileOpen } from '../jobs/job.ts';
import type { JobContext, Outcome, Work } from '../jobs/run.ts';
import { parseStored } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';
import { read } from '../table/read.ts';
import { Update } from '../table/update.ts';
import type { Bulk, Rows } from './bulk.ts';
import { bulkJobItem, lanes, rowsFile } from './job.ts';
import { LaneWalk, type NumberedRow } from './lane-walk.ts';

/** Rows under way at once: each is mostly waiting for the table. */
const laneCount = 8;
const noteEveryInMs = 2_000;

function laneKeys(projectId: string, actionId: string) {
  return Array.from({ length: laneCount }, (_, lane) => lanes(projectId, actionId, String(lane)));
}

async function countsOf({ table }: JobContext, projectId: string, actionId: string) {
  const { found } = await read(table, { found: laneKeys(projectId, actionId) });
  const sum = (of: 'done' | 'failed') => found.reduce((total, lane) => total + (lane?.[of] ?? 0), 0);
  return { done: sum('done'), failed: sum('failed') };
}

/** Rows by the lane that does them, in order: those about one thing are in one. */
function dealt({ rows, isSequence }: Rows): NumberedRow[][] {
  const numbered = rows.map((row, index) => ({ ...row, number: index + 1 }));
  if (isSequence) return [numbered];
  const dealt: NumberedRow[][] = Array.from({ length: laneCount }, () => []);
  for (const [index, row] of numbered.entries()) {
    const { lane } = row;
    const number = lane === undefined ? index : createHash('sha256').update(lane).digest().readUInt32BE();
    dealt[number % laneCount]?.push(row);
  }
  return dealt;
}

function counted(update: Update, { done, failed }: { done: number; failed: number }): Update {
  return update.set(['done_count'], done).set(['failed_count'], failed);
}

/**
 * Does the rows of an action, in lanes that each go from row to row. It may be cut off anywhere and run by two at once: a row
 * and the note that it is done are one transaction.
 */
export function bulkWork(bulks: readonly Bulk[]): Work {
  const byType = new Map<string, Bulk>(bulks.map((one) => [one.type, one]));
  return {
    run: async (context, stored): Promise<Outcome> => {
      const { table, now, clock, files } = context;
      const job = parseStored(bulkJobItem, stored);
      const key = keyOf(job);
      const bulk = byType.get(job.type);
      if (!bulk) throw new Error(`nothing does rows of ${job.type}`);
      const project = await context.project();
      const opened = bulk.rowsIn(JSON.parse(await files().read(rowsFile(project.id, job.id))));
      let notedAt = performance.now();
      const note = async () => {
        notedAt = performance.now();
        const counts = await countsOf(context, project.id, job.id);
        await table.change(key, counted(whileOpen(goesOn(new Update(), job, clock())), counts).build());
      };
      await note();
      const writing = { project, now, baseUrl: job.base_url, caller: { project, ...job.caller } };
      const ends = await Promise.allSettled(
        dealt(opened).map((rows, lane) => {
          const walk = new LaneWalk(context, bulk, {
            projectId: project.id,
            actionId: job.id,
            lane,
            rows,
            together: opened.together,
          });
          return walk.run(writing, () => (performance.now() - notedAt > noteEveryInMs ? note() : undefined));
        }),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      const outcomes = ends.map((end) => (end.status === 'fulfilled' ? end.value : 'later'));
      if (outcomes.includes('later')) return 'later';
      if (outcomes.includes('next')) return 'next';
      const counts = await countsOf(context, project.id, job.id);
      await table.change(key, counted(whileOpen(jobDone(clock())), counts).build());
      return 'done';
    },
    giveUp: async (context, stored) => {
      const job = parseStored(bulkJobItem, stored);
      const counts = await countsOf(context, job.project_id ?? '', job.id);
      await context.table.change(keyOf(job), counted(whileOpen(jobFailedAndListed(context.now)), counts).build());
    },
  };
}
