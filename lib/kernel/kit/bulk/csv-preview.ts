import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { count } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import type { CsvBulk, CsvTable } from './csv-bulk.ts';
import { findRepeats, refuseRepeat } from './repeats.ts';

/** Shows what an import would do, before it writes. */

const previewColumn = v.object({
  title: described(v.string(), 'The title of the column in the file.'),
  field: described(v.optional(v.string()), 'The field that the column sets.'),
  metadata: described(
    v.optional(v.string()),
    'The key of metadata that the column sets. A column without either is ignored.',
  ),
});

const previewFailure = v.object({
  row: described(count, 'Row 1 is the first row below the header.'),
  reason: v.string(),
});

const shownPreview = named(
  'ImportPreview',
  v.object({
    columns: described(v.array(previewColumn), 'The titles of the file, in their order.'),
    rows: described(v.array(v.array(v.string())), 'The cells of the first rows.'),
    rows_count: described(count, 'All rows of the file.'),
    checked_count: described(count, 'The number of rows that were checked, from the first row on.'),
    failed_count: described(count, 'The checked rows that would fail by themselves, whatever is stored.'),
    failed: described(v.array(previewFailure), 'The first of them, with the reason.'),
    encoding: described(v.optional(v.string()), 'The encoding of a file that is not UTF-8.'),
  }),
);

export const importPreview = v.object({
  preview: described(shownPreview, 'Shows what the import would do. Nothing was imported.'),
});

const shownRows = 5;
const shownFailures = 10;
/** A request checks these in a second. */
const mostChecked = 20_000;

export function previewTable(context: Writing, bulk: CsvBulk, table: CsvTable): v.InferOutput<typeof importPreview> {
  const { columns, rows, encoding } = table;
  const checked = Math.min(rows.length, mostChecked);
  const names = bulk.rowsIn(table, context.project).rows.map(({ unique }, index) => [index + 1, unique] as const);
  const repeats = findRepeats(names);
  const failed: v.InferOutput<typeof previewFailure>[] = [];
  const fail = (row: number, error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    failed.push({ row, reason: error.details });
  };
  for (let row = 1; row <= checked; row += 1) {
    const first = repeats.get(row);
    try {
      if (first !== undefined) throw refuseRepeat(bulk.named, first);
      bulk.check({ ...context, actionId: '', row, tally: () => undefined }, table, row - 1);
    } catch (error) {
      fail(row, error);
    }
  }
  return {
    preview: {
      columns: columns.map((title) => ({ title, ...bulk.placeOf(title) })),
      rows: rows.slice(0, shownRows),
      rows_count: rows.length,
      checked_count: checked,
      failed_count: failed.length,
      failed: failed.slice(0, shownFailures),
      ...(encoding && encoding !== 'utf-8' ? { encoding } : {}),
    },
  };
}
