import * as v from 'valibot';
import { ServiceError } from '#kernel/core/errors.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import { type ReportQuery, type ReportRow, ReportUnfinishedError } from '#kernel/core/reports.ts';
import { count } from '#kernel/core/schema.ts';
import { madeReportFiles, mostShownRows } from '#kernel/kit/async-actions/made-report.ts';
import { reportExpiresAt } from '#kernel/kit/bulk/report.ts';
import { writeCsvLine } from '#kernel/kit/exports/csv-line.ts';
import { actionItem, noteProgress } from '#kernel/kit/jobs/action.ts';
import { abandonJob, finishJob } from '#kernel/kit/jobs/endings.ts';
import type { JobContext, Work } from '#kernel/kit/jobs/run.ts';
import { isOutOfCapacity } from '#kernel/table/conflicts.ts';
import { parseStored } from '#kernel/table/item.ts';
import { Update } from '#kernel/table/update.ts';
import { isReport, type ReportName } from './report-list.ts';
import { buildReportQuery } from './report-query.ts';

const name = v.custom<ReportName>((one) => typeof one === 'string' && isReport(one));

/** The job of a report is an async action (docs/decisions/reports-and-facts.md#d-171). */
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

type ReportJob = v.InferOutput<typeof reportJob>;

/** Names the query of a job's attempt. A request uses the key of the first attempt, which continues its query. */
export function nameQuery(actionId: string, attempts: number): string {
  return `${actionId} ${attempts}`;
}

/** Writes rows as CSV with a header. A report without rows is an empty file. */
export function writeReportCsv(rows: readonly ReportRow[]): string {
  const [first] = rows;
  if (!first) return '';
  return [Object.keys(first), ...rows.map((row) => Object.values(row))].map(writeCsvLine).join('');
}

/** An engine that fails this often, in some four minutes, fails permanently, for example for lack of memory. */
const mostAttempts = 8;

/** A busy engine gets this time. Athena itself ends a query after half an hour. */
const mostHours = 24;

/** Ends the job as FAILED. The message of the action begins with the key, which stays the same in all releases. */
async function fail({ table, clock }: JobContext, job: ReportJob, key: string, words: string) {
  const now = clock();
  await abandonJob({ table, now }, job, noteProgress(new Update(), job, now).set(['fault'], `${key}: ${words}`));
  return 'done' as const;
}

/** Returns whether the engine accepts no more queries now. */
function isThrottled(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === 'capacity';
}

/** Returns the outcome of the run instead of rows if the query has not ended, or can never succeed. */
async function queryOrEnd(context: JobContext, job: ReportJob, query: ReportQuery) {
  try {
    return await context.reports().queryWithFile(query);
  } catch (error) {
    const isBusy = error instanceof ReportUnfinishedError || isThrottled(error) || isOutOfCapacity(error);
    const waitedInMs = context.clock().getTime() - Date.parse(job.created_at);
    if (isBusy && waitedInMs > mostHours * 3_600_000) {
      return fail(context, job, 'report_timed_out', `the engine was busy for ${mostHours} hours: ask again`);
    }
    if (isBusy) return 'later';
    if (error instanceof ServiceError) {
      return fail(context, job, error.key, error.details ?? error.message);
    }
    if (job.attempts + 1 < mostAttempts) throw error;
    context.note({ level: 'error', given_up: true, ...describeFailure(error) });
    return fail(
      context,
      job,
      'report_failed',
      'the engine failed several times: ask for fewer days, or tell the operator',
    );
  }
}

/** Makes the files of a report. A run that is cut off or done twice writes files again, and the end is noted once. */
export const makeReportFiles: Work = {
  run: async (context, stored) => {
    const job = parseStored(reportJob, stored);
    const { asked } = job;
    const { limit } = asked;
    const query = { ...buildReportQuery(asked), key: nameQuery(job.id, job.attempts) };
    const made = await queryOrEnd(context, job, query);
    if (typeof made === 'string') return made;
    const { rows: found, parquet } = made;
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
