import { stat } from 'node:fs/promises';
import { type Cells, cellsIn, headerOf } from './csv-rows.ts';
import { linesIn } from './json-lines.ts';
import { firstPlace, pagesFrom, type Row, windows } from './pages.ts';
import type { Source } from './source.ts';
import type { Progress } from './state.ts';

/** Reads the lines of orders from the list of orders, unless the export has them. A file keeps them for later runs. */

export const orderLines = 'order_lines';

const fileName = `${orderLines}.jsonl`;

/** Names the state of an order. Dates sort by time. */
const versionOf = ({ created_at, updated_at }: Row | Cells) => String(updated_at ?? created_at ?? '');

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const hasLines = async (progress: Progress) => (await headerOf(progress.path('orders.csv'))).includes('items');

async function versionsIn(progress: Progress): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for await (const cells of cellsIn(progress.path('orders.csv'))) versions.set(cells.id ?? '', versionOf(cells));
  return versions;
}

/** Takes an order that is as new as the export says, or newer, from those that are wanted. */
function take(wanted: Map<string, string>, row: Row): boolean {
  const version = wanted.get(String(row.id));
  return version !== undefined && version <= versionOf(row) && wanted.delete(String(row.id));
}

/** Reads the newest orders first, until each order of the export is known. So a further run reads few pages. */
export async function readOrderLines(source: Source, progress: Progress): Promise<void> {
  if (progress.step('orders.csv').refused !== undefined || (await hasLines(progress))) return;
  const path = progress.path(fileName);
  const before = progress.step(orderLines);
  const from = before.bytes === undefined ? { at: firstPlace, bytes: await sizeOf(path) } : before;
  await progress.note(orderLines, from);
  const file = await progress.append(fileName, from);
  try {
    const wanted = await versionsIn(progress);
    for await (const row of linesIn(path)) take(wanted, row);
    const pages = pagesFrom(source, '/v1/orders?order=-created_at', from.at, windows.filter);
    for await (const { rows, next } of wanted.size > 0 ? pages : []) {
      const lines = rows.filter((row) => take(wanted, row)).map((row) => `${JSON.stringify(row)}\n`);
      const bytes = await file.write(lines.join(''));
      if (next !== undefined) await progress.note(orderLines, { at: next, bytes });
      if (wanted.size === 0) break;
    }
  } finally {
    await file.close();
  }
  await progress.note(orderLines, { done: true });
}

export type OrderFound = { readonly row: Row } | { readonly cells: Cells };

/** Yields each order of the export once: with its lines if they are known, else as the export says. */
export async function* ordersOf(progress: Progress): AsyncGenerator<OrderFound> {
  const path = progress.path(fileName);
  const left = await versionsIn(progress);
  if ((await sizeOf(path)) > 0 && !(await hasLines(progress))) {
    const last = new Map<string, number>();
    let number = 0;
    for await (const row of linesIn(path)) {
      const version = left.get(String(row.id));
      if (version !== undefined && version <= versionOf(row)) last.set(String(row.id), number);
      number += 1;
    }
    number = 0;
    for await (const row of linesIn(path)) {
      if (last.get(String(row.id)) === number && left.delete(String(row.id))) yield { row };
      number += 1;
    }
  }
  for await (const cells of cellsIn(progress.path('orders.csv'))) if (left.has(cells.id ?? '')) yield { cells };
}
