import * as v from 'valibot';
import { newTimedId } from '#kernel/core/ids.ts';
import { count, dateTime } from '#kernel/core/schema.ts';
import type { Starting } from '#kernel/http/context.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import type { Update } from '#kernel/table/update.ts';
import { type JobKind, jobItem, newJob } from './job.ts';

/** Types of actions that a caller's request can start, with the message that the caller gets. */
export const actionMessages = {
  'CAMPAIGN.VOUCHERS_DELETE': 'Vouchers of the campaign are deleted',
  'CAMPAIGN.VOUCHERS_GENERATE': 'Vouchers of the campaign are generated',
  'CAMPAIGN.VOUCHERS_IMPORT': 'Vouchers are imported into the campaign',
  'CAMPAIGN.VOUCHERS_IMPORT_CSV': 'Vouchers are imported into the campaign',
  'CAMPAIGN.VOUCHERS_UPDATE': 'Vouchers of the campaign are updated',
  'CUSTOMERS.BULK_UPDATE': 'Customers are updated',
  'CUSTOMERS.IMPORT_CSV': 'Customers are imported',
  'CUSTOMERS.MERGE': 'The customer is merged',
  'CUSTOMERS.METADATA_UPDATE': 'Metadata of customers is updated',
  'ORDERS.IMPORT': 'Orders are imported',
  'PRODUCTS.BULK_UPDATE': 'Products are updated',
  'PRODUCTS.IMPORT_CSV': 'Products are imported',
  'PRODUCTS.METADATA_UPDATE': 'Metadata of products is updated',
  'REPORTS.MAKE': 'The report is made',
  'SKUS.IMPORT_CSV': 'SKUs are imported',
  'VOUCHERS.BULK_UPDATE': 'Vouchers are updated',
  'VOUCHERS.IMPORT': 'Vouchers are imported',
  'VOUCHERS.IMPORT_CSV': 'Vouchers are imported',
  'VOUCHERS.METADATA_UPDATE': 'Metadata of vouchers is updated',
} as const satisfies Record<string, string>;

export type ActionType = keyof typeof actionMessages;

/** Returns whether the action updates rows. An import has another result, and no report. */
export function isUpdate(type: string): boolean {
  return /\.(?:BULK|METADATA)_UPDATE$/.test(type);
}

/** A job that a caller has started, and sees as an async action. Its work is counted in steps. */
export const actionItem = v.looseObject({
  ...jobItem.entries,
  id: v.string(),
  /** Also accepts types of a later release. */
  type: v.string(),
  request_id: v.string(),
  steps: count,
  done_count: v.optional(count, 0),
  failed_count: v.optional(count, 0),
  /** Rows of a file that created a resource, or changed it. Absent if they are not counted. */
  created_count: v.optional(count),
  changed_count: v.optional(count),
  started_at: v.optional(dateTime),
  updated_at: v.optional(dateTime),
  /** Titles of a file's columns that became metadata. */
  metadata_columns: v.optional(v.array(v.string())),
  /** The encoding of a file that is not UTF-8. */
  encoding: v.optional(v.string()),
  /** The time until which the report on the rows can be read. */
  report_until: v.optional(dateTime),
  /** Explains why a file was not imported, or not to its end. */
  fault: v.optional(v.string()),
});

export type ActionItem = v.InferOutput<typeof actionItem>;

export const actions = kind(kinds.job, actionItem);

/** Lists actions by the time of the request, newest last. */
export const actionsByTime = listing(listIndexes.first, 'ASYNC_ACTIONS');

export function newActionId(now: Date): string {
  return newTimedId('async_action', now);
}

interface NewAction {
  id: string;
  kind: JobKind;
  type: ActionType;
  /** The id of its subject, for the log and operators. */
  about: string;
  steps: number;
}

/** Returns the effect that starts an action, for the transaction of the request. `fields` are the fields that only its kind of job has. */
export function startAction(
  { project, now, requestId }: Pick<Starting, 'now' | 'requestId'> & { project: { id: string } },
  { id, kind, about, ...action }: NewAction,
  fields: Attributes = {},
): { key: ItemKey; insert: Attributes } {
  // The item names its job in the attribute that names the kind of other items.
  const key: ItemKey = { ...actions(project.id, id), kind };
  const { insert } = newJob(key, { kind, about, project_id: project.id }, now, {
    ...fields,
    ...action,
    ...placeInList(actionsByTime, [project.id], [now.toISOString(), id]),
    id,
    request_id: requestId,
    done_count: 0,
    failed_count: 0,
  });
  return { key, insert };
}

/** Notes that the action is in progress. */
export function noteProgress<U extends Update<typeof actionItem>>(
  update: U,
  { started_at }: Pick<ActionItem, 'started_at'>,
  now: Date,
): U {
  const at = now.toISOString();
  return (started_at === undefined ? update.set(['started_at'], at) : update).set(['updated_at'], at);
}
