import * as v from 'valibot';
import { type FactTable, factTableNames } from '#addons/reports/facts/fact-tables.ts';
import type { ReportQuery, ReportRow } from '#kernel/core/reports.ts';
import { clampToSafe } from '#kernel/core/sum.ts';
import { readQuery } from '../../reports/read-query.ts';
import { type Connection, functions, listColumns, quote, readFacts, readLines, writeFacts } from './duckdb.ts';
import { type Days, type FactFiles, readDayOf } from './fact-files.ts';
import type { Journal } from './journal.ts';

const daysFound = v.array(v.object({ day: v.string() }));

interface Source {
  readonly table: FactTable;
  readonly projectId: string;
  readonly days: Days;
  /** The journals of the table. */
  readonly lines: readonly string[];
}

/** Defines a view of the packed facts, and of those in the journal that are not packed yet. */
async function defineView(connection: Connection, { table, projectId, days, lines }: Source, files: FactFiles) {
  // One listing serves both parts, because a pack may replace files between two listings.
  const packed = await files.list(table, projectId, days);
  const view = `CREATE OR REPLACE TEMP VIEW ${table} AS ${readFacts(table, packed)}`;
  if (lines.length === 0) return connection.run(view);
  const { from = '', to = '9999' } = days;
  const wanted = `fact_id IS NOT NULL AND project = ${quote(projectId)} AND day BETWEEN ${quote(from)} AND ${quote(to)}`;
  const fresh = `fresh_${table}`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${fresh} AS
     SELECT DISTINCT ON (fact_id) * FROM ${readLines(table, lines)} WHERE ${wanted}`,
  );
  const found = await connection.runAndReadAll(`SELECT DISTINCT day FROM ${fresh}`);
  const freshDays = v.parse(daysFound, found.getRowObjectsJson()).map((one) => one.day);
  const same = packed.filter((file) => freshDays.includes(readDayOf(file)));
  const known = `SELECT fact_id FROM (${readFacts(table, same)})`;
  return connection.run(`${view} UNION ALL SELECT ${listColumns(table)} FROM ${fresh} WHERE fact_id NOT IN (${known})`);
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === 'bigint') return clampToSafe(Number(value));
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error(`a report has a column of the type ${typeof value}`);
}

function readRows(rows: readonly Record<string, unknown>[]): ReportRow[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])));
}

interface Prepared {
  readonly sql: string;
  /** The parameters that the query names. */
  readonly used: Record<string, string | bigint | null>;
}

/** A line of a query that ends its first step. A table then keeps the rows of this name. */
const keepLine = /,\n-- Keep (\w+)\b.*\n/;

interface Steps {
  /** Makes the table that the last step reads, if the query has two steps. */
  readonly first: string | undefined;
  readonly last: string;
}

/** Divides a query, because the engine frees the memory of joins only when a statement ends. */
function divide(sql: string): Steps {
  const found = keepLine.exec(sql);
  if (!found) return { first: undefined, last: sql };
  const [line, name] = found;
  return {
    first: `CREATE OR REPLACE TEMP TABLE kept_${name} AS ${sql.slice(0, found.index)} SELECT * FROM ${name}`,
    last: `WITH ${name} AS (SELECT * FROM kept_${name}),\n${sql.slice(found.index + line.length)}`,
  };
}

/** Defines the views that a query reads, and runs its first step. They reach no facts of another project. */
async function prepare(
  connection: Connection,
  { name, projectId, days, parameters }: ReportQuery,
  files: FactFiles,
  journal: Pick<Journal, 'list'>,
): Promise<Prepared> {
  const sql = await readQuery(name);
  const journals = new Map((await journal.list()).map((one) => [one.table, one.files]));
  await connection.run(functions);
  for (const table of factTableNames.filter((one) => new RegExp(`\\b(?:FROM|JOIN) ${one}\\b`).test(sql))) {
    const source = { table, projectId, days: days[table] ?? days.all, lines: journals.get(table) ?? [] };
    await defineView(connection, source, files);
  }
  const usedBy = (text: string) =>
    Object.fromEntries(Object.entries(parameters).filter(([key]) => new RegExp(`\\$${key}\\b`).test(text)));
  const { first, last } = divide(sql);
  if (first !== undefined) await connection.run(first, usedBy(first));
  return { sql: last, used: usedBy(last) };
}

/** Runs a query over the facts of one project. An aborted query ends with an error. */
export async function runQuery(
  connection: Connection,
  query: ReportQuery,
  files: FactFiles,
  journal: Pick<Journal, 'list'>,
  signal?: AbortSignal,
): Promise<ReportRow[]> {
  const { sql, used } = await prepare(connection, query, files, journal);
  signal?.throwIfAborted();
  return readRows((await connection.runAndReadAll(sql, used)).getRowObjectsJS());
}

/** Runs a query like `runQuery`, and also writes its rows to a Parquet file. */
export async function runQueryToFile(
  connection: Connection,
  query: ReportQuery,
  files: FactFiles,
  journal: Pick<Journal, 'list'>,
  file: string,
): Promise<ReportRow[]> {
  const { sql, used } = await prepare(connection, query, files, journal);
  // The numbers keep the order of the rows, because the engine keeps none in a table.
  const numbered = `SELECT *, ROW_NUMBER() OVER () AS row_number FROM (${sql})`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE answer AS ${numbered}`, used);
  const inOrder = 'SELECT * EXCLUDE (row_number) FROM answer ORDER BY row_number';
  await connection.run(writeFacts(inOrder, file));
  return readRows((await connection.runAndReadAll(inOrder)).getRowObjectsJS());
}
