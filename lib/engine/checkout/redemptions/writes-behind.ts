import * as v from 'valibot';
import { isRecord } from '#kernel/core/is-record.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { endJob, jobItem, newJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { Work } from '#kernel/kit/jobs/run.ts';
import type { Write } from '#kernel/table/command.ts';
import { type Effect, insert, maxWrites, mergeEffects } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, stripKey, tableShape } from '#kernel/table/keys.ts';
import { type ItemKey, itemMarks, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { Update } from '#kernel/table/update.ts';

/**
 * Stores writes that exceed one transaction. They are stored as data before the transaction, which inserts the job that makes them. They
 * are made afterwards, each once. Without the job they have no effect and expire.
 */

/** A write that can be made at any later time: an insert under its own id, or an unconditional change. */
type KeptWrite = Extract<Write, { insert: unknown } | { change: unknown }>;

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

/** The progress of the job takes one more item of the transaction. */
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

/** Stores the writes, and returns the effect that lets the transaction start them. */
export async function keepWritesBehind(
  { table, project, now }: Writing,
  id: string,
  effects: readonly Effect[],
): Promise<Effect> {
  const writes = mergeEffects(effects).map(({ write }) => {
    if (!('insert' in write || 'change' in write)) throw new Error('a write behind a transaction inserts or changes');
    return JSON.stringify({ ...write, key: stripKey(write.key) });
  });
  const parts = inParts(writes);
  const expiresAt = Math.floor(now.getTime() / 1_000) + keptForInS;
  await Promise.all(
    parts.map((part, number) => {
      const key = behindParts(project.id, id, String(number));
      return table.insert(key, { ...itemMarks(key), writes: `[${part.join()}]`, [tableShape.timeToLive]: expiresAt });
    }),
  );
  const key: ItemKey = { ...behindJobKey(project.id, id), kind: 'write-behind' };
  const job = { kind: 'write-behind' as const, about: id, project_id: project.id };
  return insert(key, newJob(key, job, now, { parts: parts.length, made: 0 }).insert);
}

const text = v.string();
const key = v.custom<Key>(isRecord);
const attributes = v.custom<Attributes>(isRecord);
const keptWrites = v.array(
  v.union([
    v.object({ key, insert: attributes }),
    v.object({
      key,
      change: v.object({
        set: text,
        condition: text,
        names: v.custom<Record<string, string>>(isRecord),
        values: attributes,
      }),
    }),
  ]),
);

function parseWrites(kept: string): KeptWrite[] {
  return v.parse(keptWrites, JSON.parse(kept));
}

/** Returns the open job with its number of finished parts, or nothing if all are finished or none was stored. */
async function madeOf({ table, project }: Pick<Reading, 'table' | 'project'>, id: string) {
  const { job } = await read(table, { job: behindJobKey(project.id, id) });
  return job?.state === 'OPEN' ? job : undefined;
}

/** Makes the next part and notes it in one transaction, so that a second worker makes nothing. */
async function makePart(
  { table, project, now }: Pick<Reading, 'table' | 'project' | 'now'>,
  id: string,
  { parts, made }: { parts: number; made: number },
): Promise<void> {
  const { part } = await read(table, { part: behindParts(project.id, id, String(made)) });
  if (!part) throw new Error('writes behind a transaction are missing');
  const progress = requireOpenJob(new Update<typeof behindJobItem>())
    .whenStill('made', made)
    .set(['made'], made + 1);
  const change = (made + 1 === parts ? endJob(now, progress) : progress).build();
  const outcome = await table.transact([...parseWrites(part.writes), { key: behindJobKey(project.id, id), change }]);
  if (outcome.done || (await madeOf({ table, project }, id))?.made !== made) return;
  throw new Error('writes behind a transaction were refused');
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
