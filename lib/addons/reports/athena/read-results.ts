import { type AthenaClient, type ColumnInfo, GetQueryResultsCommand } from '@aws-sdk/client-athena';
import type { ReportRow } from '#kernel/core/reports.ts';
import { clampToSafe } from '#kernel/core/sum.ts';
import type { ParquetColumn } from '../facts/parquet.ts';

export interface Results {
  readonly columns: readonly ParquetColumn[];
  readonly rows: ReportRow[];
}

const columnTypes: Readonly<Record<string, ParquetColumn['type']>> = {
  varchar: 'text',
  char: 'text',
  bigint: 'integer',
  integer: 'integer',
  double: 'number',
  boolean: 'boolean',
};

function toColumn({ Name = '', Type = '' }: ColumnInfo): ParquetColumn {
  // A column without any value has the type unknown.
  return { name: Name, type: columnTypes[Type.replace(/\(\d+\)$/, '')] ?? 'text' };
}

function toValue(text: string | undefined, { type }: ParquetColumn): ReportRow[string] {
  if (text === undefined) return null;
  if (type === 'boolean') return text === 'true';
  return type === 'text' ? text : clampToSafe(Number(text));
}

/**
 * Reads all rows of a query that has succeeded. Athena returns 1,000 rows per call, and the names of the columns first.
 */
export async function readResults(client: AthenaClient, id: string): Promise<Results> {
  const rows: ReportRow[] = [];
  let columns: ParquetColumn[] = [];
  let token: string | undefined;
  let isFirst = true;
  do {
    const page = await client.send(new GetQueryResultsCommand({ QueryExecutionId: id, NextToken: token }));
    const { Rows = [], ResultSetMetadata } = page.ResultSet ?? {};
    if (isFirst) columns = (ResultSetMetadata?.ColumnInfo ?? []).map(toColumn);
    for (const { Data = [] } of isFirst ? Rows.slice(1) : Rows) {
      rows.push(
        Object.fromEntries(columns.map((column, index) => [column.name, toValue(Data[index]?.VarCharValue, column)])),
      );
    }
    isFirst = false;
    token = page.NextToken;
  } while (token !== undefined);
  return { columns, rows };
}
