import * as v from 'valibot';
import type { ReportRow } from '../../core/reports.ts';
import { count } from '../../core/schema.ts';
import { madeReportFiles, mostShownRows } from '../../kit/async-actions/made-report.ts';
import { reportExpiresAt } from '../../kit/bulk/report.ts';
import { writeCsvLine } from '../../kit/exports/csv-line.ts';
import { actionItem, noteProgress } from '../../kit/jobs/action.ts';
import { finishJob } from '../../kit/jobs/endings.ts';
import type { Work } from '../../kit/jobs/run.ts';
import { parseStored } from '../../table/item.ts';
import { Update } from '../../table/update.ts';
import { type ReportName, reports } from './report-list.ts';
import { buildReportQuery } from './report-query.ts';

/** The name of the work, by which the worker of exports knows the job. */
export const reportObject = 'report';

const name = v.picklist(Object.keys(reports) as ReportName[]);

/** The job of a report is an async action of the kind of exports (docs/decisions.md#d-161). */
const reportJob = v.looseObject({
  ...actionItem.entries,
  asked: v.object({
    report: name,
    projectId: v.string(),
    timezone: v.string(),
    from: v.string(),
    to: v.string(),
    by: v.optional(v.string()),
    campaignId: v.optional(v.string()),
    budget: v.optional(count),
    until: v.optional(v.string()),
    order: v.optional(v.string()),
    limit: count,
    page: count,
  }),
});

/** Writes rows as CSV with a header. A report without rows is an empty file. */
export function writeReportCsv(rows: readonly ReportRow[]): string {
  const [first] = rows;
  if (!first) return '';
  return [Object.keys(first), ...rows.map((row) => Object.values(row))].map(writeCsvLine).join('');
}

/** Makes the files of a report. A run that is cut off or done twice writes files again, and the end is noted once. */
export const makeReportFiles: Work = {
  run: async (context, stored) => {
    const job = parseStored(reportJob, stored);
    const { asked } = job;
    const { limit } = asked;
    const { rows: found, parquet } = await context.reports().queryWithFile(buildReportQuery(asked));
    const rows = found.slice(0, limit);
    const files = madeReportFiles(asked.projectId, job.id);
    await Promise.all([
      context.files().put({ ...files.json, content: JSON.stringify(rows.slice(0, mostShownRows)) }),
      context.files().put({ ...files.csv, content: writeReportCsv(rows) }),
      context.files().put({ ...files.parquet, content: parquet }),
    ]);
    const now = context.clock();
    const update = noteProgress(new Update(), job, now)
      .set(['done_count'], rows.length)
      .set(['report_until'], reportExpiresAt(now));
    await finishJob({ table: context.table, now }, job, update);
    return 'done';
  },
};
