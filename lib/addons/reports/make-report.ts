import type * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { ReportEngine, ReportQuery, ReportRow } from '#kernel/core/reports.ts';
import type { Starting } from '#kernel/http/context.ts';
import type { startedAction } from '#kernel/kit/bulk/job.ts';
import { newActionId, startAction } from '#kernel/kit/jobs/action.ts';
import { commit } from '#kernel/table/effects.ts';
import { type ReportBody, readAskedReport, type reportReply } from './report-body.ts';
import { type AskedReport, buildReportQuery } from './report-query.ts';
import { nameQuery } from './report-work.ts';

/** A longer report becomes an async action, so that a request never waits for a busy engine. */
const usualPatienceInMs = 1_000;

/** Returns the rows, or `undefined` if the engine is not done in time. The query then ends. */
async function queryInTime(engine: ReportEngine, query: ReportQuery): Promise<ReportRow[] | undefined> {
  const signal = AbortSignal.timeout(engine.patienceInMs ?? usualPatienceInMs);
  const timeUp = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const rows = engine.query(query, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  return Promise.race([rows, timeUp]);
}

/** Starts the job that makes the files of a report. */
async function startReport(
  context: Starting,
  asked: AskedReport,
  id: string,
): Promise<v.InferOutput<typeof startedAction>> {
  const action = { id, kind: 'make-report', type: 'REPORTS.MAKE', about: id, steps: 1 } as const;
  await commit(context.table, [startAction(context, action, { asked: defined(asked) })]);
  return { async_action_id: id };
}

interface Asking extends Starting {
  readonly reports: ReportEngine | undefined;
}

/** Answers a report, or starts an async action that makes it if the engine needs longer. */
export async function makeReport(
  context: Asking,
  name: string,
  body: ReportBody,
): Promise<v.InferOutput<typeof reportReply> | v.InferOutput<typeof startedAction>> {
  const asked = readAskedReport(context, name, body);
  const { reports } = context;
  if (!reports) {
    const details =
      'this deployment keeps no facts: start the server with a DATA_DIR, or deploy with --reports on (docs/reports.md)';
    throw new ServiceError('reports_disabled', { details });
  }
  const id = newActionId(context.now);
  const query = { ...buildReportQuery(asked), key: nameQuery(id, 0) };
  const rows = body.as_file ? undefined : await queryInTime(reports, query);
  if (rows === undefined) return startReport(context, asked, id);
  const { report, from, to, timezone, by = null, limit, page } = asked;
  const shown = rows.slice(0, limit).map((row) => ({ ...row }));
  return { object: 'report', name: report, from, to, timezone, by, rows: shown, page, has_more: rows.length > limit };
}
