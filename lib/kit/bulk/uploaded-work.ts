import { ServiceError } from '../../core/errors.ts';
import type { Files } from '../../core/files/files.ts';
import { findRowFault } from './csv-bulk.ts';
import { csvError } from './csv-cells.ts';
import { streamCsv } from './csv-stream.ts';
import type { UploadedFile } from './job.ts';
import { uploadFile } from './upload.ts';

/** Reads the rows of an uploaded file, some at a time. */

/** Failed rows have numbers of six digits. */
const mostRows = 999_999;
const rowsAtOnce = 2_000;
/** Limits the characters of rows that are read together. */
const charactersAtOnce = 4_000_000;
const mostFaults = 100;

type Reading = Pick<Files, 'pieces'>;

function linesOf(files: Reading, projectId: string, { place, version, byte, line, separator }: UploadedFile) {
  return streamCsv(files.pieces(uploadFile(projectId, place), byte, version), { byte, number: line, separator });
}

function faultOf(error: unknown): { fault: string } {
  if (error instanceof ServiceError) return { fault: error.details };
  throw error;
}

/** Checks the whole file before any row runs. Returns the number of rows, or the faults. */
export async function checkRows(
  files: Reading,
  projectId: string,
  file: UploadedFile,
): Promise<{ rows: number } | { fault: string }> {
  const faults: string[] = [];
  let rows = 0;
  try {
    for await (const line of linesOf(files, projectId, file)) {
      rows += 1;
      if (rows > mostRows) throw csvError(`the file must have at most ${mostRows} rows`);
      const fault = findRowFault(line, file.columns.length);
      if (fault) faults.push(fault);
      if (faults.length === mostFaults) break;
    }
    return faults.length > 0 ? { fault: csvError(...faults).details } : { rows };
  } catch (error) {
    return faultOf(error);
  }
}

export interface RowSlice {
  /** The rows in the form that `csvBulk` stores. */
  readonly table: { columns: readonly string[]; rows: readonly (readonly string[])[]; owner_id?: string };
  /** The place where the next rows begin. */
  readonly next: { readonly byte: number; readonly number: number };
}

/** Returns the next rows of the file, none at its end, or the reason why it is no longer readable. */
export function readRowSlice(
  files: Reading,
  projectId: string,
  file: UploadedFile,
): Promise<RowSlice | { fault: string }> {
  return readSlice(files, projectId, file).catch(faultOf);
}

async function readSlice(files: Reading, projectId: string, file: UploadedFile): Promise<RowSlice> {
  const rows: (readonly string[])[] = [];
  let next = { byte: file.byte, number: file.line };
  let length = 0;
  for await (const line of linesOf(files, projectId, file)) {
    rows.push(line.cells);
    next = line.next;
    length += line.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length === rowsAtOnce || length > charactersAtOnce) break;
  }
  const { columns, owner_id } = file;
  return { table: { columns, rows, ...(owner_id === undefined ? {} : { owner_id }) }, next };
}
