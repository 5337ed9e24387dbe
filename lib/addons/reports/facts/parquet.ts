import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { FactColumn, FactTable } from './fact-tables.ts';
import { factTables } from './fact-tables.ts';

/** Writes and reads Parquet without an engine. Only workers in the background load this. */

export type ParquetValue = string | number | bigint | boolean | null;

export interface ParquetColumn {
  readonly name: string;
  readonly type: FactColumn['type'] | 'number';
}

const types = { text: 'STRING', integer: 'INT64', boolean: 'BOOLEAN', number: 'DOUBLE' } as const;

/** A row group is read as a whole, and its smallest and largest values let a query pass over it. */
const rowsOfGroup = 100_000;

function toStored(value: ParquetValue | undefined, type: ParquetColumn['type']): ParquetValue {
  if (value === undefined || value === null) return null;
  return type === 'integer' && typeof value === 'number' ? BigInt(value) : value;
}

/** Writes rows with these columns. A row without a value has `null` there. */
export function writeParquet(
  columns: readonly ParquetColumn[],
  rows: readonly Readonly<Record<string, ParquetValue>>[],
): Uint8Array {
  const columnData = columns.map(({ name, type }) => ({
    name,
    type: types[type],
    data: rows.map((row) => toStored(row[name], type)),
  }));
  const written = parquetWriteBuffer({
    columnData,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    rowGroupSize: rowsOfGroup,
  });
  return new Uint8Array(written);
}

/** Reads all rows. Integers become numbers, because no fact has a larger integer. */
export async function readParquet(bytes: Uint8Array): Promise<Record<string, string | number | boolean | null>[]> {
  const file = Uint8Array.from(bytes).buffer;
  const rows = await parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : (value ?? null)]),
    ),
  );
}

export function listFactColumns(table: FactTable): ParquetColumn[] {
  return Object.entries(factTables[table]).map(([name, { type }]) => ({ name, type }));
}
