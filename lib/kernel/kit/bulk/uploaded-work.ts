import { ServiceError } from '#kernel/core/errors.ts';
import { type Encoding, notText, WindowsTest, WrongEncoding } from '#kernel/core/files/encoding.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { isBlank } from './csv.ts';
import { type CsvTable, findRowFault } from './csv-bulk.ts';
import { csvError } from './csv-cells.ts';
import { streamCsv } from './csv-stream.ts';
import type { UploadedFile } from './job.ts';
import { findRepeats, NameHashes, type Repeats } from './repeats.ts';
import { uploadFile } from './upload.ts';

/** Reads the rows of an uploaded file, some at a time. */

/** Failed rows have numbers of six digits. */
const mostRows = 999_999;
const rowsAtOnce = 2_000;
/** Limits the characters of rows that are read together. */
const charactersAtOnce = 4_000_000;
const mostFaults = 100;
/** A file with more rows that repeat a code is a mistake as a whole. */
const mostRepeats = 100_000;

type Reading = Pick<Files, 'pieces'>;

function linesOf(files: Reading, projectId: string, file: UploadedFile) {
  const { place, version, byte, line, separator, encoding } = file;
  return streamCsv(files.pieces(uploadFile(projectId, place), byte, version), {
    byte,
    number: line,
    separator,
    encoding,
  });
}

function faultOf(error: unknown): { fault: string } {
  if (error instanceof WrongEncoding) return { fault: `the file ${notText}` };
  if (error instanceof ServiceError) return { fault: error.details };
  throw error;
}

/**
 * Returns the encoding of a file that is not UTF-8, by all of its bytes. The request has decided by the first piece, so
 * both must read the same header.
 */
async function findWindows(files: Reading, projectId: string, file: UploadedFile): Promise<Encoding> {
  const test = new WindowsTest();
  for await (const piece of files.pieces(uploadFile(projectId, file.place), 0, file.version)) test.add(piece);
  const encoding = test.end();
  const isSame = file.encoding === encoding || file.columns.every((title) => /^[\0-\x7f]*$/.test(title));
  if (encoding === undefined || !isSame) throw new WrongEncoding();
  return encoding;
}

/** Returns the names of rows, in the order of the rows. A name that no row repeats is `undefined`. */
export type NameRows = (table: CsvTable) => readonly (string | undefined)[];

export interface Checked {
  readonly rows: number;
  readonly encoding: Encoding;
  readonly repeats: Repeats;
}

/** Checks the whole file before any row runs. Returns the number of rows and the rows that repeat a name, or the faults. */
export async function checkRows(
  files: Reading,
  projectId: string,
  file: UploadedFile,
  nameRows: NameRows,
): Promise<Checked | { fault: string }> {
  try {
    if (file.encoding === 'windows-1252') await findWindows(files, projectId, file);
    return await checkLines(files, projectId, file, nameRows);
  } catch (error) {
    if (!(error instanceof WrongEncoding) || file.encoding !== 'utf-8') return faultOf(error);
  }
  try {
    const encoding = await findWindows(files, projectId, file);
    return await checkLines(files, projectId, { ...file, encoding }, nameRows);
  } catch (error) {
    return faultOf(error);
  }
}

async function checkLines(
  files: Reading,
  projectId: string,
  file: UploadedFile,
  nameRows: NameRows,
): Promise<Checked | { fault: string }> {
  const faults: string[] = [];
  const hashes = new NameHashes();
  let rows = 0;
  for await (const slice of slicesOf(files, projectId, file)) {
    rows += slice.table.rows.length;
    if (rows > mostRows) throw csvError(`the file must have at most ${mostRows} rows`);
    faults.push(...slice.faults);
    if (faults.length >= mostFaults) break;
    for (const name of nameRows(slice.table)) hashes.add(name);
  }
  if (faults.length > 0) return { fault: csvError(...faults.slice(0, mostFaults)).details };
  const repeats = await repeatsOf(files, projectId, { file, nameRows, hashes });
  return { rows, encoding: file.encoding, repeats };
}

/** Compares the names whose hashes are repeated. */
async function repeatsOf(
  files: Reading,
  projectId: string,
  { file, nameRows, hashes }: { file: UploadedFile; nameRows: NameRows; hashes: NameHashes },
): Promise<Repeats> {
  if (!hashes.isRepeated) return new Map();
  const named: [number, string][] = [];
  let rows = 0;
  for await (const { table } of slicesOf(files, projectId, file)) {
    for (const [index, name] of nameRows(table).entries()) {
      if (name !== undefined && hashes.mayRepeat(name)) named.push([rows + index + 1, name]);
    }
    rows += table.rows.length;
    if (named.length > 2 * mostRepeats) break;
  }
  const repeats = findRepeats(named);
  if (repeats.size > mostRepeats) throw csvError(`the file must have at most ${mostRepeats} rows that repeat a code`);
  return repeats;
}

export interface RowSlice {
  /** The rows in the form that `csvBulk` stores. */
  readonly table: CsvTable;
  /** The place where the next rows begin. */
  readonly next: { readonly byte: number; readonly number: number };
  readonly faults: readonly string[];
}

async function* slicesOf(files: Reading, projectId: string, file: UploadedFile): AsyncGenerator<RowSlice> {
  const { columns, owner_id, separator } = file;
  let next = { byte: file.byte, number: file.line };
  let [rows, faults]: [string[][], string[]] = [[], []];
  let length = 0;
  const slice = (): RowSlice => ({
    table: { columns, rows, separator, ...(owner_id === undefined ? {} : { owner_id }) },
    next,
    faults,
  });
  for await (const line of linesOf(files, projectId, file)) {
    next = line.next;
    if (isBlank(line.cells)) continue;
    const fault = findRowFault(line, columns.length);
    if (fault !== undefined) faults.push(fault);
    rows.push(line.cells.slice(0, columns.length));
    length += line.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length < rowsAtOnce && length <= charactersAtOnce) continue;
    yield slice();
    [rows, faults, length] = [[], [], 0];
  }
  yield slice();
}

/** Returns the next rows of the file, none at its end, or the reason why it is no longer readable. */
export async function readRowSlice(
  files: Reading,
  projectId: string,
  file: UploadedFile,
): Promise<RowSlice | { fault: string }> {
  try {
    for await (const slice of slicesOf(files, projectId, file)) return slice;
  } catch (error) {
    return faultOf(error);
  }
  throw new Error('a file has no last slice');
}
