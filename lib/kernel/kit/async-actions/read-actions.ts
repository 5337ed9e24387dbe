import type * as v from 'valibot';
import { boundPeriod } from '#kernel/core/day-bounds.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Files } from '#kernel/core/files/files.ts';
import type { Reading } from '#kernel/http/context.ts';
import { sortKey, walkList } from '#kernel/table/listing.ts';
import { read, readItemsOf } from '#kernel/table/read.ts';
import { readCreatedCategories, readFailedRows } from '../bulk/job.ts';
import { reportFile } from '../bulk/report.ts';
import { type ActionItem, actions, actionsByTime } from '../jobs/action.ts';
import type { actionsQuery, actionsReply, asyncAction } from './async-action.ts';
import { presentAction, presentListed } from './async-action.ts';
import { showMadeReport } from './made-report.ts';

/** Lists actions, newest first. `end_date` excludes actions that started then or later. A date without a time is the end of its day. */
export async function listActions(
  { table, project, now }: Reading,
  { limit, ...query }: v.InferOutput<typeof actionsQuery>,
): Promise<v.InferOutput<typeof actionsReply>> {
  const { end_date } = boundPeriod(query, now);
  const range = { descending: true, ...(end_date === undefined ? {} : { to: sortKey(end_date) }) };
  const found = [];
  for await (const entry of walkList(table, actionsByTime, [project.id], { ...range, atOnce: limit + 1 })) {
    found.push(entry);
    if (found.length > limit) break;
  }
  const items = await readItemsOf(table, actions, found.slice(0, limit));
  return {
    object: 'list',
    data_ref: 'async_actions',
    async_actions: items.flatMap((item) => (item ? [presentListed(item)] : [])),
    has_more: found.length > limit,
  };
}

interface Showing extends Reading {
  readonly files: Pick<Files, 'link' | 'read'>;
}

/** Returns the address of the report on the rows, until the report is removed. */
async function linkReport({ project, now, files }: Showing, { id, report_until = '' }: ActionItem) {
  return now.toISOString() < report_until ? files.link(reportFile(project.id, id)) : undefined;
}

/** Returns the report that an action made, until its files are removed. */
async function readReport({ project, now, files }: Showing, { id, type, done_count, report_until = '' }: ActionItem) {
  if (type !== 'REPORTS.MAKE' || now.toISOString() >= report_until) return undefined;
  return showMadeReport(files, { projectId: project.id, id, rowsCount: done_count });
}

/** Returns an action. 404 if the project has no action with this id, or it ended long ago. */
export async function getAction(context: Showing, id: string): Promise<v.InferOutput<typeof asyncAction>> {
  const { table, project, now } = context;
  const { action } = await read(table, { action: actions(project.id, id) });
  if (!action) throw notFound('async_action', id);
  if (action.state === 'OPEN') return presentAction(action, {}, now);
  if (action.kind !== 'bulk') return presentAction(action, { report: await readReport(context, action) }, now);
  const [failed, created, report] = await Promise.all([
    readFailedRows(table, project.id, id),
    readCreatedCategories(table, project.id, id),
    linkReport(context, action),
  ]);
  return presentAction(action, { rows: { failed, created, report } }, now);
}
