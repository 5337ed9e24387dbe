import { createWriteStream } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { findStoredProject } from '#addons/admin/project-file/stored-project.ts';
import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { Table } from '#kernel/table/table.ts';
import { assemble } from './assemble.ts';
import { collect } from './collect.ts';
import { cellsIn } from './csv-rows.ts';
import { forgetPending, rememberPending } from './forget-pending.ts';
import type { Source } from './source.ts';
import { type Progress, writeWhole } from './state.ts';

export interface MigrationTarget {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly now: Date;
  readonly project: { readonly id: string; readonly name: string };
}

export interface Migrated {
  readonly counts: Readonly<Record<string, number>>;
  /** Explains what was changed or left out, and why. */
  readonly notes: readonly string[];
  /** Lists the data that the source did not provide. */
  readonly refused: readonly [name: string, why: string][];
  readonly forgotten: number;
  /** The number of items in the table that were new or differed. */
  readonly written: number;
}

/** Writes which voucher has which id here. Ids of vouchers follow from their codes and the project. */
async function writeIds(progress: Progress, project: Project): Promise<void> {
  if (progress.step('vouchers.csv').refused !== undefined) return;
  const path = progress.path('ids.jsonl');
  async function* lines() {
    for await (const { id, code = '' } of cellsIn(progress.path('vouchers.csv'))) {
      yield `${JSON.stringify({ object: 'voucher', code, old: id, new: voucherId(project, code) })}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(`${path}.part`, { mode: 0o600 }));
  await rename(`${path}.part`, path);
}

const assembled = 'project.json';
const notesName = 'notes.json';

const noteLines = v.array(v.string());

/** Makes the project file. If the process dies while the table is written, the next run uses the same file. */
async function makeFile(progress: Progress, project: MigrationTarget['project'], table: Table) {
  if (progress.step(assembled).done) {
    const notes = v.parse(noteLines, JSON.parse(await readFile(progress.path(notesName), 'utf8')));
    return { path: progress.path(assembled), notes };
  }
  const { checked, notes } = await assemble(progress, project, (id) => findStoredProject(table, id));
  await writeWhole(progress.path(notesName), JSON.stringify(notes.lines));
  await progress.note(assembled, { done: true });
  return { path: checked.path, checked, notes: notes.lines };
}

/** Copies the source's project into the table. A run that died is continued, and a further run writes what has changed since. */
export async function migrate(
  source: Source,
  progress: Progress,
  target: MigrationTarget,
  onStep: (name: string) => void = () => {},
): Promise<Migrated> {
  try {
    return await copyAll(source, progress, target, onStep);
  } catch (error) {
    // The fault may be mended at the source, so the next run reads it again.
    if (error instanceof ProjectFileError) await progress.end();
    throw error;
  }
}

async function copyAll(
  source: Source,
  progress: Progress,
  { project, ...place }: MigrationTarget,
  onStep: (name: string) => void,
): Promise<Migrated> {
  const table = new Table(place.dynamodb, place.tableName, place.now);
  await collect(source, progress, onStep);
  onStep('project file');
  const { path, checked, notes } = await makeFile(progress, project, table);
  const before = await findStoredProject(table, project.id);
  const forgotten = before ? await forgetPending(table, before.project, progress, path) : 0;
  onStep('table');
  const { counts, written } = await loadProjectFile(path, { ...place, unlessLoaded: true, follows: true, checked });
  const stored = await findStoredProject(table, project.id);
  if (stored) await writeIds(progress, stored.project);
  await rememberPending(progress, path);
  const { refused } = progress;
  await progress.end();
  return { counts, notes, refused, forgotten, written };
}
