import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { endJob, jobItem, newJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { Work } from '#kernel/kit/jobs/run.ts';
import { readEffects, storeEffects } from '#kernel/table/data-effects.ts';
import { change, commitApart, type Effect, insert, maxWrites } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { tableShape } from '#kernel/table/keys.ts';
import { type ItemKey, itemMarks, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';

/**
 * Makes effects that exceed one transaction. They are stored as data before the transaction, which inserts the job that makes them. They are
 * made afterwards, each once. Without the job they have no effect and expire.
 */

const behindJobItem = v.object({
  ...jobItem.entries,
  parts: count,
  /** Counts the finished parts. */
  made: count,
});

const jobs = kind<typeof behindJobItem, [type: 'BEHIND', id: string]>(kinds.job, behindJobItem);

/** Returns the key of the job. `id` is the record of the writes. */
function behindJobKey(projectId: string, id: string): ItemKey<typeof behindJobItem> {
  return jobs(projectId, 'BEHIND', id);
}

const partItem = v.object({ writes: v.string() });

export const behindParts = kind<typeof partItem, [id: string, number: string]>(kinds.writesBehind, partItem);

/** The progress of the job needs one more item of the transaction. */
const writesOfPart = maxWrites - 1;
/** An item has at most 400 KB. */
const bytesOfPart = 300_000;
const keptForInS = 30 * 24 * 3_600;

function inParts(writes: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const write of writes) {
    const length = Buffer.byteLength(write);
    const last = parts.at(-1);
    if (last && last.length < writesOfPart && bytes + length <= bytesOfPart) {
      last.push(write);
      bytes += length;
    } else {
      parts.push([write]);
      bytes = length;
    }
  }
  return parts;
}

/** Stores inserts and amendments, and returns the effect that lets the transaction start them. */
export async function keepWritesBehind(
  { table, project, now }: Writing,
  id: string,
  effects: readonly Effect[],
): Promise<Effect> {
  const parts = inParts(storeEffects(effects));
  const expiresAt = Math.floor(now.getTime() / 1_000) + keptForInS;
  await Promise.all(
    parts.map((part, number) => {
      const key = behindParts(project.id, id, String(number));
      return table.insert(key, { ...itemMarks(key), writes: part.join(), [tableShape.timeToLive]: expiresAt });
    }),
  );
  const key: ItemKey = { ...behindJobKey(project.id, id), kind: 'write-behind' };
  const job = { kind: 'write-behind' as const, about: id, project_id: project.id };
  return insert(key, newJob(key, job, now, { parts: parts.length, made: 0 }).insert);
}

/** Returns the open job with its number of finished parts, or nothing if all are finished or none was stored. */
async function madeOf({ table, project }: Pick<Reading, 'table' | 'project'>, id: string) {
  const { job } = await read(table, { job: behindJobKey(project.id, id) });
  return job?.state === 'OPEN' ? job : undefined;
}

/** Returns whether an amendment was refused because its item no longer exists. */
const isPointless = (effect: Effect, stored: Attributes | undefined) =>
  'amend' in effect && effect.amend.ifThere === true && (stored === undefined || stored.deleted_at !== undefined);

/**
 * Makes the next part and notes it in one transaction, so that a second worker makes nothing. Amendments of items that were deleted since
 * are left out.
 */
async function makePart(
  { table, project, now }: Pick<Reading, 'table' | 'project' | 'now'>,
  id: string,
  { parts, made }: { parts: number; made: number },
): Promise<void> {
  const { part } = await read(table, { part: behindParts(project.id, id, String(made)) });
  if (!part) throw new Error('writes after a transaction are missing');
  const progress = change(behindJobKey(project.id, id), (update) => {
    requireOpenJob(update)
      .whenStill('made', made)
      .set(['made'], made + 1);
    return made + 1 === parts ? endJob(now, update) : update;
  });
  let open = readEffects(part.writes);
  for (let before = Number.POSITIVE_INFINITY; open.length < before; ) {
    const pointless = new Set<Effect>();
    const noting = open.map((effect) => ({
      ...effect,
      refused: (stored: Attributes | undefined) => {
        if (isPointless(effect, stored)) pointless.add(effect);
        return undefined;
      },
    }));
    if (await commitApart(table, [...noting, progress])) return;
    before = open.length;
    open = open.filter((effect) => !pointless.has(effect));
  }
  if ((await madeOf({ table, project }, id))?.made !== made) return;
  throw new Error('writes after a transaction were refused');
}

/** Makes all stored writes. Returns when they are made, also by another worker. */
export async function makeWritesBehind(context: Pick<Reading, 'table' | 'project' | 'now'>, id: string): Promise<void> {
  for (let job = await madeOf(context, id); job; job = await madeOf(context, id)) await makePart(context, id, job);
}

/** Makes the writes of a request that died or failed. */
export const writeBehind: Work = {
  run: async (context, job) => {
    const { table, now } = context;
    await makeWritesBehind({ table, now, project: await context.project() }, job.about);
    return 'done';
  },
};
