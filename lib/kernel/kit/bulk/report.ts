import * as v from 'valibot';
import { type FileKind, type FilePlace, type Files, fileLifeInDays } from '#kernel/core/files/files.ts';
import { count } from '#kernel/core/schema.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { tableShape } from '#kernel/table/keys.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { writeCsvLine } from '../exports/csv-line.ts';
import type { Bulk, Row, RowWriting } from './bulk.ts';
import { type FailedRow, failedRowItem, failedRows, partsExpireAt, rowId } from './job.ts';

/** Writes the outcome of each row of an update into a file, because a result names only the first failed rows. */

const createdRowItem = v.object({ row: count });

const createdRows = childKind({ kind: kinds.job }, kinds.createdRow, createdRowItem);

/** Notes that a row creates its resource, in the transaction that creates it. */
export function noteCreated({ project, now, actionId, row }: RowWriting): Effect {
  const item = { row, [tableShape.timeToLive]: partsExpireAt(now) };
  return insert(createdRows(project.id, actionId, rowId(row)), item);
}

/** Returns the place of the report. It names customers, so it stays no longer than the rows that were sent. */
export function reportFile(projectId: string, actionId: string): FilePlace & FileKind {
  return { area: 'reports', projectId, place: `${actionId}.csv`, name: `${actionId}.csv`, type: 'text/csv' };
}

const dayInMs = 86_400_000;

export function reportExpiresAt(writtenAt: Date): string {
  return new Date(writtenAt.getTime() + fileLifeInDays.reports * dayInMs).toISOString();
}

interface Reported {
  readonly projectId: string;
  readonly actionId: string;
  readonly named: Bulk['named'];
  readonly rows: readonly Row[];
}

/** Writes the report of an action whose rows have all run. Writes the same file when it is repeated. */
export async function writeReport(
  table: Table,
  files: Pick<Files, 'put'>,
  { projectId, actionId, named, rows }: Reported,
): Promise<void> {
  const failed = new Map<number, FailedRow>();
  for await (const some of table.pages(failedRows.all(projectId, actionId))) {
    for (const item of some) {
      const one = parseStored(failedRowItem, item);
      failed.set(one.row, one);
    }
  }
  const created = new Set<number>();
  for await (const some of table.pages(createdRows.all(projectId, actionId))) {
    for (const item of some) created.add(parseStored(createdRowItem, item).row);
  }
  const lines = rows.map(({ subject }, index) => {
    const row = index + 1;
    const fault = failed.get(row);
    const isFound = !created.has(row) && fault?.key !== 'not_found';
    return writeCsvLine([row, subject, isFound, fault === undefined, fault?.key, fault?.details]);
  });
  const header = writeCsvLine(['row', named, 'found', 'updated', 'key', 'details']);
  await files.put({ ...reportFile(projectId, actionId), content: header + lines.join('') });
}
