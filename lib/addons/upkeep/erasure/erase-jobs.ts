import { exportedCustomers } from '#engine/customers/exports/customers.ts';
import type { Files } from '#kernel/core/files/files.ts';
import type { Reading } from '#kernel/http/context.ts';
import { bulkJobItem, failedRows, rowsFile } from '#kernel/kit/bulk/job.ts';
import { reportFile } from '#kernel/kit/bulk/report.ts';
import { uploadFile } from '#kernel/kit/bulk/upload.ts';
import { exportFile, exportItem, exportLists, partFile } from '#kernel/kit/exports/export.ts';
import { actionsByTime } from '#kernel/kit/jobs/action.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { type Listing, walkList } from '#kernel/table/listing.ts';
import { eraseFromFile } from './erase-files.ts';
import { eraseFields } from './erase-records.ts';
import type { Naming } from './naming.ts';
import { listFieldsToErase } from './personal-data.ts';

/** Erases a person from exports and imports: their files, their parameters, and failed rows. */

export interface Erasing {
  readonly context: Reading;
  readonly files: Files;
  readonly person: Naming;
  /** Later jobs contain no data of the person. */
  readonly until: string;
  readonly isTimeUp: () => boolean;
}

/** The end of a walk. `open` means that a job was still running, and must be examined again. */
type End = 'done' | 'open' | 'time';

async function* jobsIn({ context: { table, project }, until }: Erasing, list: Listing) {
  const walk = walkList(table, list, [project.id], { to: `${until}$` });
  for await (const batch of splitIntoBatches(walk, 25)) {
    for (const item of await table.getMany(batch.map(({ key }) => key))) if (item) yield item;
  }
}

const mostParts = 10_000;

async function eraseExport({ context, files, person }: Erasing, item: Record<string, unknown>): Promise<void> {
  const { id, begun, parameters, exported_object } = parseStored(exportItem, item);
  const { id: projectId } = context.project;
  const numbers = Array.from({ length: Math.min(begun, mostParts) }, (_, index) => index + 1);
  await Promise.all(numbers.map((number) => files.remove(partFile(projectId, id, number))));
  await eraseFromFile(files, {
    file: exportFile(projectId, id),
    partAt: (number) => partFile(projectId, `${id}-erased`, number),
    isOfCustomers: exported_object === exportedCustomers.object,
    person,
  });
  if (person.isWithin(JSON.stringify(parameters))) await eraseFields(context, keyOf(item), listFieldsToErase('export'));
}

export async function eraseExports(erasing: Erasing): Promise<End> {
  let end: End = 'done';
  for await (const item of jobsIn(erasing, exportLists.created_at)) {
    if (erasing.isTimeUp()) return 'time';
    if (item.state === 'OPEN') end = 'open';
    else await eraseExport(erasing, item);
  }
  return end;
}

async function eraseImport({ context, files, person }: Erasing, item: Record<string, unknown>): Promise<void> {
  const { id, file, fault = '' } = parseStored(bulkJobItem, item);
  const { table, project } = context;
  await files.remove(file ? uploadFile(project.id, file.place) : rowsFile(project.id, id));
  await files.remove(reportFile(project.id, id));
  if (person.isWithin(fault)) await eraseFields(context, keyOf(item), listFieldsToErase('bulk'));
  for await (const rows of table.pages(failedRows.all(project.id, id))) {
    const named = rows.filter((row) => person.isWithin(JSON.stringify(row)));
    for (const row of named) await eraseFields(context, keyOf(row), listFieldsToErase('FAILED_ROW'));
  }
}

export async function eraseImports(erasing: Erasing): Promise<End> {
  let end: End = 'done';
  for await (const item of jobsIn(erasing, actionsByTime)) {
    if (erasing.isTimeUp()) return 'time';
    if (item.kind !== 'bulk') continue;
    if (item.state === 'OPEN') end = 'open';
    else await eraseImport(erasing, item);
  }
  return end;
}
