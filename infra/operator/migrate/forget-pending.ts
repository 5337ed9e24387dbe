import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readEntries } from '#addons/admin/project-file/read-entries.ts';
import { cards } from '#engine/ledger/card.ts';
import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { pendingPoints } from '#engine/ledger/pending-points.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { type Progress, writeWhole } from './state.ts';

/**
 * Removes pending points that became points at the source, or were cancelled or changed there, because a load only
 * adds.
 */

const entry = v.object({ id: v.string(), code: v.string(), points: v.number() });
const list = v.array(entry);

type Pending = v.InferOutput<typeof entry>;

const fileName = 'pending.json';

async function pendingIn(path: string): Promise<Pending[]> {
  const found: Pending[] = [];
  for await (const one of readEntries(path)) {
    if (one.is === 'entry' && one.key === 'pending_points') found.push(v.parse(entry, one.value));
  }
  return found;
}

async function pendingBefore(progress: Progress): Promise<Pending[]> {
  const text = await readFile(progress.path(fileName), 'utf8').catch(() => '[]');
  return v.parse(list, JSON.parse(text));
}

const textOf = ({ id, code, points }: Pending) => `${id} ${code} ${points}`;

/** Removes pending points that the new file lacks. Points that have changed since a run wrote them stay. */
export async function forgetPending(table: Table, project: Project, progress: Progress, path: string): Promise<number> {
  const said = new Set((await pendingIn(path)).map(textOf));
  let forgotten = 0;
  for (const one of (await pendingBefore(progress)).filter((other) => !said.has(textOf(other)))) {
    const cardId = voucherId(project, one.code);
    const removed = new Update().whenStill('points', one.points).whenStill('state', 'PENDING').build();
    const { done } = await table.transact([
      { key: pendingPoints(project.id, cardId, one.id), remove: removed },
      { key: cards(project.id, cardId), change: new Update().whenThere().add('pending_points', -one.points).build() },
    ]);
    if (done) forgotten += 1;
  }
  return forgotten;
}

/** Notes the present contents of the table. */
export async function rememberPending(progress: Progress, path: string): Promise<void> {
  await writeWhole(progress.path(fileName), JSON.stringify(await pendingIn(path)));
}
