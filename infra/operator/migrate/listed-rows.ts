import { stat } from 'node:fs/promises';
import { type Cells, cellsIn, headerOf } from './csv-rows.ts';
import { linesIn } from './json-lines.ts';
import { firstPlace, pagesFrom, type Row, type Windows, windows } from './pages.ts';
import type { Source } from './source.ts';
import type { Progress } from './state.ts';

/**
 * Reads from a list what an export leaves out. A file keeps the rows for later runs, which therefore read few pages.
 */

export interface Listed {
  /** The name of the step, and of the file of rows. */
  readonly name: string;
  /** The name of the export. */
  readonly of: string;
  /** The path of the list, the newest first. */
  readonly path: string;
  readonly by: Windows;
  /** Names the state of a row or a line. States sort by time. */
  readonly versionOf: (row: Row | Cells) => string;
  /** A column of an export that leaves nothing out. */
  readonly column?: string;
}

/** The lines of orders. */
export const orderLines: Listed = {
  name: 'order_lines',
  of: 'orders',
  path: '/v1/orders?order=-created_at',
  by: windows.filter,
  versionOf: ({ created_at, updated_at }) => String(updated_at ?? created_at ?? ''),
  column: 'items',
};

/** The orders, discounts and links of redemptions. Nothing but a rollback changes a redemption, and it is a record itself. */
export const redemptionRows: Listed = {
  name: 'redemption_rows',
  of: 'redemptions',
  path: '/v1/redemptions?order=-created_at',
  by: windows.before,
  versionOf: () => '',
};

const fileOf = ({ name }: Listed) => `${name}.jsonl`;
const linesOf = (progress: Progress, { of }: Listed) => cellsIn(progress.path(`${of}.csv`));

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function isWhole(progress: Progress, { of, column }: Listed): Promise<boolean> {
  return column !== undefined && (await headerOf(progress.path(`${of}.csv`))).includes(column);
}

/** Returns the state of each line of the export, by its id. */
export async function versionsIn(progress: Progress, listed: Listed): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for await (const cells of linesOf(progress, listed)) versions.set(cells.id ?? '', listed.versionOf(cells));
  return versions;
}

/** Accepts a wanted row that is as new as the export says, or newer. */
function take({ versionOf }: Listed, wanted: Map<string, string>, row: Row): boolean {
  const version = wanted.get(String(row.id));
  return version !== undefined && version <= versionOf(row) && wanted.delete(String(row.id));
}

/** Reads the newest rows first, until each line of the export is known. */
export async function readListedRows(source: Source, progress: Progress, listed: Listed): Promise<void> {
  const { name, of, path: list, by } = listed;
  if (progress.step(`${of}.csv`).refused !== undefined || (await isWhole(progress, listed))) return;
  const path = progress.path(fileOf(listed));
  const before = progress.step(name);
  const from = before.bytes === undefined ? { at: firstPlace, bytes: await sizeOf(path) } : before;
  await progress.note(name, from);
  const file = await progress.append(fileOf(listed), from);
  try {
    const wanted = await versionsIn(progress, listed);
    for await (const row of linesIn(path)) take(listed, wanted, row);
    const pages = pagesFrom(source, list, from.at, by);
    for await (const { rows, next } of wanted.size > 0 ? pages : []) {
      const lines = rows.filter((row) => take(listed, wanted, row)).map((row) => `${JSON.stringify(row)}\n`);
      const bytes = await file.write(lines.join(''));
      if (next !== undefined) await progress.note(name, { at: next, bytes });
      if (wanted.size === 0) break;
    }
  } finally {
    await file.close();
  }
  await progress.note(name, { done: true });
}

/** Yields the rows of the list that the export still has. */
export async function* knownRows(progress: Progress, listed: Listed, left: Map<string, string>): AsyncGenerator<Row> {
  const path = progress.path(fileOf(listed));
  if ((await sizeOf(path)) === 0 || (await isWhole(progress, listed))) return;
  const last = new Map<string, number>();
  let number = 0;
  for await (const row of linesIn(path)) {
    const version = left.get(String(row.id));
    if (version !== undefined && version <= listed.versionOf(row)) last.set(String(row.id), number);
    number += 1;
  }
  number = 0;
  for await (const row of linesIn(path)) {
    if (last.get(String(row.id)) === number && left.delete(String(row.id))) yield row;
    number += 1;
  }
}

export type ListedFound = { readonly row: Row } | { readonly cells: Cells };

/** Yields each line of the export once: as its row of the list if that is known, else as in the export. */
export async function* listedIn(progress: Progress, listed: Listed): AsyncGenerator<ListedFound> {
  const left = await versionsIn(progress, listed);
  for await (const row of knownRows(progress, listed, left)) yield { row };
  for await (const cells of linesOf(progress, listed)) if (left.has(cells.id ?? '')) yield { cells };
}
