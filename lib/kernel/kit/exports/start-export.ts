import { newPrefixedId } from '#kernel/core/ids.ts';
import type { Showing } from '#kernel/http/context.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { newJob } from '../jobs/job.ts';
import { type Export, exportItem, exportKey, placeExport, presentExport } from './export.ts';
import type { ExportedObject, ExportScope } from './exported-object.ts';

/** Describes the file to callers. */
export const exportNote =
  'Ask for the export until it is DONE. Its `result.url` then gives the file. The file is CSV with a header. ' +
  'Times are in UTC, and amounts are in major units. The column `metadata.<key>` has one key of the metadata, ' +
  'and the column `metadata` has all metadata as JSON. A text that spreadsheets would read as a formula begins ' +
  'with an apostrophe. A file in the order of creation has no size limit. An export in another order ends in ' +
  'ERROR if its file would be larger than about 100 MB. Files and exports are deleted after 90 days.';

/** Starts the job that makes the file. `sent` are checked parameters, and `scope` are the limits of the path. */
export async function startExport(
  { table, project, now, baseUrl }: Showing,
  exported: ExportedObject,
  sent: Parameters<ExportedObject['header']>[0] = {},
  scope?: ExportScope,
): Promise<Export> {
  exported.checkFields(sent);
  const id = newPrefixedId('exp_', now);
  const key = exportKey(project.id, id);
  const created_at = now.toISOString();
  const job = newJob(key, { kind: 'export', about: id, project_id: project.id }, now, {
    id,
    exported_object: exported.object,
    parameters: sent,
    ...(scope ? { scope } : {}),
    bom: sent.bom ?? project.exportBom,
    base_url: baseUrl,
    noted: 0,
    ...placeExport(project.id, { id, created_at }, 'SCHEDULED'),
  });
  await commit(table, [insert(key, job.insert)]);
  return presentExport(parseStored(exportItem, { ...job.insert, ...key }), project.id, undefined);
}
