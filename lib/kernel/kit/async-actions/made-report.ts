import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import type { FileKind, FilePlace, Files } from '#kernel/core/files/files.ts';
import { reportRow } from '#kernel/core/reports.ts';
import { count } from '#kernel/core/schema.ts';
import { reportFile } from '../bulk/report.ts';

/** A report that was too long for a reply. Its worker keeps it in files, as long as reports on rows. */

/** Limits the rows that a reply has. Files have all of them. */
export const mostShownRows = 1_000;

export interface ReportFiles {
  /** The first rows, as JSON. */
  readonly json: FilePlace & FileKind;
  readonly csv: FilePlace & FileKind;
  readonly parquet: FilePlace & FileKind;
}

export function madeReportFiles(projectId: string, actionId: string): ReportFiles {
  const of = (ending: string, type: string) =>
    ({ area: 'reports', projectId, place: `${actionId}.${ending}`, name: `${actionId}.${ending}`, type }) as const;
  return {
    json: of('json', 'application/json'),
    csv: reportFile(projectId, actionId),
    parquet: of('parquet', 'application/vnd.apache.parquet'),
  };
}

export const madeReport = v.object({
  rows_count: described(count, 'The number of rows in the files.'),
  rows: described(v.array(reportRow), `The first rows, at most ${mostShownRows}.`),
  csv_url: described(v.string(), 'The address of all rows as CSV. Each reply has a new address, for at most a day.'),
  parquet_url: described(
    v.string(),
    'The address of all rows as Parquet. Each reply has a new address, for at most a day.',
  ),
});

export type MadeReport = v.InferOutput<typeof madeReport>;

const rows = v.pipe(v.string(), v.parseJson(), v.array(reportRow));

/** Shows a made report. Its addresses are signed again each time. */
export async function showMadeReport(
  files: Pick<Files, 'link' | 'read'>,
  { projectId, id, rowsCount }: { readonly projectId: string; readonly id: string; readonly rowsCount: number },
): Promise<MadeReport> {
  const { json, csv, parquet } = madeReportFiles(projectId, id);
  const [text, csv_url, parquet_url] = await Promise.all([files.read(json), files.link(csv), files.link(parquet)]);
  return { rows_count: rowsCount, rows: v.parse(rows, text), csv_url, parquet_url };
}
