import { createReadStream } from 'node:fs';
import { csvError, readMinorUnits } from '#kernel/kit/bulk/csv-cells.ts';
import { fileStart, streamCsv } from '#kernel/kit/bulk/csv-stream.ts';
import { unmarkCell } from '#kernel/kit/exports/csv-line.ts';
import { SourceFault } from './source.ts';

/** A line of an export. Fields have the names that the export requested, and empty cells are left out. */
export type Cells = Readonly<Record<string, string>>;

/** `Redemption Count` becomes `redemption_count`. */
function fieldOf(title: string): string {
  return title.trim().toLowerCase().replaceAll(/\s+/g, '_');
}

/** Yields the lines of a file below its header. */
async function* cellsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Cells> {
  let fields: string[] | undefined;
  for await (const { cells, number } of streamCsv(pieces, fileStart)) {
    if (!fields) fields = cells.map(fieldOf);
    else if (cells.length !== fields.length)
      throw new SourceFault(
        `line ${number} of an export has ${cells.length} cells, and its header has ${fields.length}`,
      );
    else {
      const named = fields.map((field, index) => [field, unmarkCell(cells[index] ?? '')] as const);
      yield Object.fromEntries(named.filter(([, cell]) => cell !== ''));
    }
  }
}

export function cellsIn(path: string): AsyncGenerator<Cells> {
  return cellsOf(createReadStream(path));
}

/** Returns the fields of a file, also of one without lines. */
export async function headerOf(path: string): Promise<string[]> {
  for await (const { cells } of streamCsv(createReadStream(path), fileStart)) return cells.map(fieldOf);
  return [];
}

export function whole(cell: string | undefined): number | undefined {
  return cell !== undefined && /^-?\d{1,15}$/.test(cell) ? Number(cell) : undefined;
}

/** The source writes amounts with two decimals, whatever its currency. */
const decimals = 2;

/** Files have major units, and entries have minor units. */
export function minor(cell: string | undefined): number | undefined {
  if (cell === undefined) return undefined;
  const size = readMinorUnits(cell.replace('-', ''), decimals);
  if (size === undefined) throw csvError(`an amount must be in major units with up to ${decimals} decimals: ${cell}`);
  return cell.startsWith('-') ? -size : size;
}

export function flag(cell: string | undefined): boolean | undefined {
  const known: Readonly<Record<string, boolean>> = { true: true, false: false };
  return known[cell?.toLowerCase() ?? ''];
}

export function json(cell: string | undefined): unknown {
  if (cell === undefined) return undefined;
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}
