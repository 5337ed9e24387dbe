import { addDays } from '#kernel/core/calendar.ts';
import type { ReportQuery } from '#kernel/core/reports.ts';
import { sharedDay } from '../facts/fact-places.ts';
import { type FactColumn, type FactTable, factTableNames, factTables } from '../facts/fact-tables.ts';

/**
 * Contains everything that is special to the dialect of Athena. infra/local/facts/duckdb.ts contains the counterpart
 * for DuckDB (docs/reports.md#dialects). The queries themselves are the same.
 */

/** The types of columns in Glue. */
export const athenaTypes: Readonly<Record<FactColumn['type'], string>> = {
  text: 'string',
  integer: 'bigint',
  boolean: 'boolean',
};

/** Names in Glue. Lines of all tables share one table. */
export const freshTable = 'fresh_facts';
export const packedTable = (table: FactTable) => `packed_${table}`;

const isPlainAscii = /^[\x20-\x5b\x5d-\x7e]*$/;

/** Writes a text as a literal of printable ASCII, so that no sign can end the literal. */
function quote(value: string): string {
  const text = value.toWellFormed();
  if (isPlainAscii.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const signs = [...text].map((sign) => {
    if (sign === '\\') return '\\\\';
    if (isPlainAscii.test(sign)) return sign.replace("'", "''");
    return `\\+${(sign.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`;
  });
  return `U&'${signs.join('')}'`;
}

/** Writes the value of a parameter. Only texts can come from a caller, and each becomes a single literal. */
export function writeLiteral(value: string | bigint | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quote(value);
  return value < 0n ? `(${value})` : String(value);
}

const startOf = (day: string) => Date.parse(`${day}T00:00:00.000Z`);

type Days = ReportQuery['days']['all'];

/** Limits the rows to days by their times. */
function limitTimes({ from, to }: Days): string[] {
  const at = 'COALESCE(at_ms, 0)';
  return [
    ...(from === undefined ? [] : [`${at} >= ${writeLiteral(BigInt(startOf(from)))}`]),
    ...(to === undefined ? [] : [`${at} < ${writeLiteral(BigInt(startOf(addDays(to, 1))))}`]),
  ];
}

/** Limits the partitions. No partition is later than tomorrow, and a single partition has all very early or late days. */
function limitPartitions({ from = sharedDay, to }: Days, today: string): string {
  const tomorrow = addDays(today, 1);
  const last = to === undefined || to > tomorrow ? tomorrow : to;
  const first = from < sharedDay ? sharedDay : from;
  return `(day = ${quote(sharedDay)} OR day BETWEEN ${quote(first)} AND ${quote(last)})`;
}

/** Defines a table of the query: the facts of one project and of these days, each once. */
function defineTable(table: FactTable, { projectId, days }: ReportQuery, today: string): string {
  const columns = Object.keys(factTables[table]).join(', ');
  const own = days[table] ?? days.all;
  const project = `project = ${quote(projectId)}`;
  const packed = [project, limitPartitions(own, today), ...limitTimes(own)].join(' AND ');
  const fresh = [`fact_table = ${quote(table)}`, project, ...limitTimes(own)].join(' AND ');
  return [
    `${table} AS (`,
    `  SELECT ${columns} FROM (`,
    '    SELECT *, ROW_NUMBER() OVER (PARTITION BY fact_id) AS copy FROM (',
    `      SELECT ${columns} FROM ${packedTable(table)} WHERE ${packed}`,
    '      UNION ALL',
    `      SELECT ${columns} FROM ${freshTable} WHERE ${fresh}`,
    '    )',
    '  ) WHERE copy = 1',
    ')',
  ].join('\n');
}

/** Returns the day of a time in a zone, as a text. */
const localDay = (at: string, zone: string) =>
  `CAST(CAST(from_unixtime(CAST(${at} AS DOUBLE) / 1000) AT TIME ZONE ${zone} AS DATE) AS VARCHAR)`;

/** Returns the whole text of a query: its tables, and its values as literals. */
export function writeAthenaSql(text: string, query: ReportQuery, today: string): string {
  const plain = text
    .replaceAll(/^\s*--.*\n/gm, '')
    .replaceAll(/\blocal_day\((\w+), (\$\w+)\)/g, (_, at: string, zone: string) => localDay(at, zone))
    .replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = query.parameters[name];
      if (value === undefined) throw new Error(`the query ${query.name} has no value for ${name}`);
      return writeLiteral(value);
    });
  const tables = factTableNames.filter((table) => new RegExp(`\\b(?:FROM|JOIN) ${table}\\b`).test(text));
  const defined = tables.map((table) => defineTable(table, query, today)).join(',\n');
  return plain.startsWith('WITH ') ? `WITH ${defined},\n${plain.slice('WITH '.length)}` : `WITH ${defined}\n${plain}`;
}
