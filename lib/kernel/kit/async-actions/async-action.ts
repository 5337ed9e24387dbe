import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { count, dateTime, text } from '#kernel/core/schema.ts';
import { limitQuery, sentBound } from '#kernel/http/page.ts';
import type { FailedRow } from '../bulk/job.ts';
import { type ActionItem, type ActionType, actionMessages, isUpdate } from '../jobs/action.ts';
import { type MadeReport, madeReport } from './made-report.ts';

const listed = {
  id: v.string(),
  type: v.string(),
  status: v.picklist(['ENQUEUED', 'IN_PROGRESS', 'DONE', 'FAILED']),
  /** Reports whether everything succeeded. It is UNKNOWN until the end. */
  operation_status: v.picklist(['SUCCESS', 'FAILED', 'UNKNOWN']),
  created_at: dateTime,
  /** `null` until the work begins. */
  updated_at: v.nullable(dateTime),
  request_id: v.string(),
  /** In percent. */
  progress: count,
  object: v.literal('async_action'),
};

/** An action in a list. */
export const listedAction = named('ListedAsyncAction', v.object(listed));

/** Names a row. */
const rowName = { code: v.optional(v.string()), source_id: v.optional(v.string()) };

/** A single action. It also has a result once it has ended. */
export const asyncAction = named(
  'AsyncAction',
  v.object({
    ...listed,
    /** Milliseconds from the beginning to the end, or to now. */
    processing_time: count,
    /** Absent until the end. */
    result: v.optional(
      v.object({
        message: v.string(),
        done_count: count,
        failed_count: v.optional(count),
        created_count: described(v.optional(count), 'Rows of a file that made something.'),
        changed_count: described(v.optional(count), 'Rows of a file that changed something.'),
        unchanged_count: described(v.optional(count), 'Rows of a file that say what is stored already.'),
        encoding: described(v.optional(text), 'The encoding that the file was read in, if it is not UTF-8.'),
        errors: v.optional(v.array(v.object({ ...rowName, message: text, details: text, key: text }))),
        failed: v.optional(v.array(v.object({ ...rowName, row: count, reason: text }))),
        reports: described(
          v.optional(v.array(v.string())),
          'The addresses of CSV files that tell how each row of an update ended. Each reply has new addresses, for at most a day.',
        ),
        reports_available_till: described(v.optional(dateTime), 'The time at which the files are removed.'),
        metadata_columns: described(
          v.optional(v.array(text)),
          'The titles of columns that match no field. Their values became metadata.',
        ),
        categories_created: described(
          v.optional(v.array(text)),
          'Names of the categories that the import created, up to 100.',
        ),
        report: described(
          v.optional(madeReport),
          'The report of the action REPORTS.MAKE, until its files are removed.',
        ),
      }),
    ),
  }),
);

export const actionsReply = v.object({
  object: v.literal('list'),
  data_ref: v.literal('async_actions'),
  async_actions: v.array(listedAction),
  has_more: v.boolean(),
});

export const actionsQuery = v.object({ ...limitQuery, end_date: v.optional(sentBound) });

function statusOf({ state, started_at, kind }: ActionItem) {
  if (state !== 'OPEN') return state;
  // Clients that import many rows wait until it is no longer IN_PROGRESS.
  return started_at === undefined && kind !== 'bulk' ? 'ENQUEUED' : 'IN_PROGRESS';
}

function operationStatusOf({ state, failed_count }: ActionItem) {
  if (state === 'OPEN') return 'UNKNOWN';
  return state === 'DONE' && failed_count === 0 ? 'SUCCESS' : 'FAILED';
}

function progressOf({ state, steps, done_count, failed_count }: ActionItem): number {
  if (state === 'DONE') return 100;
  // An open action shows at most 99, because its end is noted after its last step.
  return steps === 0 ? 0 : Math.min(99, Math.floor((100 * (done_count + failed_count)) / steps));
}

export function presentListed(item: ActionItem): v.InferOutput<typeof listedAction> {
  const { id, type, created_at, updated_at = null, request_id } = item;
  const shown = { id, type, created_at, updated_at, request_id };
  return {
    ...shown,
    status: statusOf(item),
    operation_status: operationStatusOf(item),
    progress: progressOf(item),
    object: 'async_action',
  };
}

function isKnown(type: string): type is ActionType {
  return Object.hasOwn(actionMessages, type);
}

interface RowsEnd {
  readonly failed: readonly FailedRow[];
  /** The names of created categories. */
  readonly created: readonly string[];
  /** The address of the report, if it exists. */
  readonly report: string | undefined;
}

/** Divides the rows that were done, if they were counted. */
function countsOf({ done_count, created_count, changed_count }: ActionItem) {
  if (created_count === undefined || changed_count === undefined) return {};
  return { created_count, changed_count, unchanged_count: Math.max(0, done_count - created_count - changed_count) };
}

/** Shows how rows ended. An update names its failed rows `errors`, and an import names them `failed`. */
function rowsResult(item: ActionItem, { failed: rows, created, report }: RowsEnd) {
  const { type, failed_count, metadata_columns, report_until, encoding } = item;
  const reported =
    report_until === undefined
      ? {}
      : { reports: report === undefined ? [] : [report], reports_available_till: report_until };
  if (isUpdate(type)) return { failed_count, errors: [...rows], ...reported };
  const failed = rows.map(({ details: reason, ...row }) => ({ ...row, reason }));
  return {
    failed_count,
    failed,
    ...countsOf(item),
    ...(encoding ? { encoding } : {}),
    ...(metadata_columns ? { metadata_columns } : {}),
    ...(created.length > 0 ? { categories_created: [...created] } : {}),
  };
}

interface ActionEnd {
  /** Counts the outcomes of the action's rows, if it has rows. */
  readonly rows?: RowsEnd;
  readonly report?: MadeReport | undefined;
}

/** Shows an action. */
export function presentAction(
  item: ActionItem,
  { rows, report }: ActionEnd,
  now: Date,
): v.InferOutput<typeof asyncAction> {
  const { state, type, created_at, started_at = created_at, updated_at = started_at } = item;
  const end = state === 'OPEN' ? now.toISOString() : updated_at;
  const isPartDone = item.fault === undefined || (item.done_count ?? 0) > 0;
  const outcome = state === 'DONE' ? 'done' : isPartDone ? 'not all could be done' : 'nothing was done';
  const why = item.fault === undefined ? '' : `: ${item.fault}`;
  const message = `${isKnown(type) ? actionMessages[type] : type}: ${outcome}${why}`;
  return {
    ...presentListed(item),
    processing_time: Math.max(0, Date.parse(end) - Date.parse(started_at)),
    ...(state === 'OPEN'
      ? {}
      : {
          result: {
            message,
            done_count: item.done_count,
            ...(rows ? rowsResult(item, rows) : {}),
            ...(report ? { report } : {}),
          },
        }),
  };
}
