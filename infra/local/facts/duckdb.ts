import { availableParallelism } from 'node:os';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type FactTable, factTables } from '#addons/reports/facts/fact-tables.ts';
import { prepareSpill } from './spill.ts';

/** Contains everything that is special to the dialect of DuckDB (docs/reports.md#dialects). */

export type Connection = DuckDBConnection;

const types = { text: 'VARCHAR', integer: 'BIGINT', boolean: 'BOOLEAN' } as const;

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`;
}

function columnsOf(table: FactTable): [name: string, type: string][] {
  return Object.entries(factTables[table]).map(([name, { type }]) => [name, types[type]]);
}

/** Returns SQL that reads lines of JSON. It skips a line that a killed process has left half written. */
export function readLines(table: FactTable, files: readonly string[]): string {
  const columns = [['project', 'VARCHAR'], ['day', 'VARCHAR'], ...columnsOf(table)];
  const described = columns.map(([name, type]) => `${name}: '${type}'`).join(', ');
  return `read_json(${quoteAll(files)}, format = 'newline_delimited', columns = {${described}}, ignore_errors = true)`;
}

/** Returns the names of a table's columns. */
export function listColumns(table: FactTable): string {
  return Object.keys(factTables[table]).join(', ');
}

/** Returns SQL that reads files of facts. */
export function readFacts(table: FactTable, files: readonly string[]): string {
  if (files.length > 0) {
    return `SELECT ${listColumns(table)} FROM read_parquet(${quoteAll(files)}, hive_partitioning = false)`;
  }
  const empty = columnsOf(table).map(([name, type]) => `CAST(NULL AS ${type}) AS ${name}`);
  return `SELECT ${empty.join(', ')} WHERE false`;
}

export function writeFacts(query: string, file: string): string {
  return `COPY (${query}) TO ${quote(file)} (FORMAT parquet, COMPRESSION zstd)`;
}

/** The functions of the queries. Another dialect defines them in its own way. */
export const functions = `
  CREATE OR REPLACE TEMP MACRO local_day(at_ms, zone) AS
    CAST(CAST(timezone(zone, timezone('UTC', epoch_ms(at_ms))) AS DATE) AS VARCHAR)`;

/** Limits the engine. It writes what does not fit to the disk. */
const mostMemory = '500MB';
const mostThreads = 2;

/** Opens an engine that can touch only this folder. Throws if the engine has no build for this system. */
export async function openEngine(folder: string, { memory = mostMemory } = {}): Promise<DuckDBInstance> {
  const duckdb = await import('@duckdb/node-api');
  const threads = String(Math.min(mostThreads, availableParallelism()));
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads });
  const connection = await instance.connect();
  const settings = [
    `SET memory_limit = ${quote(memory)}`,
    `SET temp_directory = ${quote(await prepareSpill(folder))}`,
    'SET preserve_insertion_order = false',
    `SET allowed_directories = ${quoteAll([folder])}`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
  for (const setting of settings) await connection.run(setting);
  connection.closeSync();
  return instance;
}
