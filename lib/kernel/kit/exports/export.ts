import * as v from 'valibot';
import { named, shownAs } from '#kernel/core/documented.ts';
import type { FileKind, FilePlace, Files } from '#kernel/core/files/files.ts';
import { count, dateTime, metadata } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { jobItem } from '../jobs/job.ts';
import { exportScope } from './exported-object.ts';

/** An export is the job that makes its file. */
export const exportItem = v.looseObject({
  ...jobItem.entries,
  id: v.string(),
  exported_object: v.string(),
  /** The erasure of a person removes parameters that name the person. */
  parameters: v.optional(metadata, {}),
  /** The limits that the request's path sets. */
  scope: v.optional(exportScope),
  /** The file begins with a byte order mark. */
  bom: v.optional(v.boolean(), false),
  /** The address of this API, for addresses in the file. */
  base_url: v.optional(v.string(), ''),
  updated_at: v.optional(dateTime),
  /** The place in the list after which the walk continues. */
  behind: v.optional(v.string()),
  /** The numbers of the parts that make the file, in their order. */
  parts: v.optional(v.array(count), []),
  /** Counts the slices that were begun. Each run writes under its own numbers. */
  begun: v.optional(count, 0),
  /** Counts the slices that were noted. Each note builds on the preceding note. */
  noted: v.optional(count, 0),
  is_walked: v.optional(v.boolean(), false),
});

export type ExportItem = v.InferOutput<typeof exportItem>;

const jobs = kind<typeof exportItem, [type: 'EXPORT', id: string]>(kinds.job, exportItem);

/** Separates exports from jobs that callers know as async actions. */
export function exportKey(projectId: string, id: string): ItemKey<typeof exportItem> {
  return { ...jobs(projectId, 'EXPORT', id), kind: 'export' };
}

export const exportLists = {
  created_at: listing(listIndexes.first, 'EXPORTS_BY_CREATION', { counted: true }),
  status: listing(listIndexes.second, 'EXPORTS_BY_STATUS'),
};

const status = v.picklist(['SCHEDULED', 'IN_PROGRESS', 'DONE', 'ERROR']);

export type ExportStatus = v.InferOutput<typeof status>;

/** Returns the attributes that put an export into its lists. */
export function placeExport(
  projectId: string,
  { id, created_at }: Pick<ExportItem, 'id' | 'created_at'>,
  status: ExportStatus,
): Attributes {
  return {
    ...placeInList(exportLists.created_at, [projectId], [created_at, id]),
    ...placeInList(exportLists.status, [projectId], [status, created_at, id]),
  };
}

/** The media type of files that this service writes as CSV. */
export const csvType = 'text/csv; charset=utf-8';

export function exportFile(projectId: string, id: string): FilePlace & FileKind {
  return { area: 'exports', projectId, place: `${id}.csv`, name: `${id}.csv`, type: csvType };
}

export function partFile(projectId: string, id: string, part: number): FilePlace {
  return { area: 'parts', projectId, place: `${id}/${part}.csv` };
}

export const exportReply = named(
  'Export',
  v.object({
    id: v.string(),
    object: v.literal('export'),
    created_at: dateTime,
    status,
    channel: v.literal('API'),
    exported_object: v.string(),
    parameters: metadata,
    result: v.nullable(v.object({ url: v.string() })),
    user_id: shownAs(v.null(), { type: ['string', 'null'], description: 'Always null: an export belongs to no user.' }),
  }),
);

export type Export = v.InferOutput<typeof exportReply>;

function statusOf({ state, begun }: ExportItem): ExportStatus {
  if (state === 'OPEN') return begun === 0 ? 'SCHEDULED' : 'IN_PROGRESS';
  return state === 'DONE' ? 'DONE' : 'ERROR';
}

/** Shows the parameters with the path's limits as a filter. */
function shownParameters({ parameters, scope }: ExportItem) {
  if (!scope) return parameters;
  const ofPath = Object.entries(scope).map(([name, id]) => [name, { conditions: { $in: [id] } }] as const);
  return { ...parameters, filters: { ...Object(parameters.filters), ...Object.fromEntries(ofPath) } };
}

/** Shows an export. The address of its file is signed again each time. */
export async function presentExport(
  item: ExportItem,
  projectId: string,
  files: Pick<Files, 'link'> | undefined,
): Promise<Export> {
  const { id, created_at, exported_object } = item;
  const url = files && item.state === 'DONE' ? await files.link(exportFile(projectId, id)) : undefined;
  return {
    id,
    object: 'export',
    created_at,
    status: statusOf(item),
    channel: 'API',
    exported_object,
    parameters: shownParameters(item),
    result: url === undefined ? null : { url },
    user_id: null,
  };
}
