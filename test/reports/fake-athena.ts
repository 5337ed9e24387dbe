import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { onTestFinished } from 'vitest';
import { createAthenaClient, createAthenaEngine } from '#addons/reports/athena/athena-engine.ts';
import { packedTable } from '#addons/reports/athena/dialect.ts';
import { listGlueTables } from '#addons/reports/athena/glue-tables.ts';
import type { FactBucket } from '#addons/reports/facts/fact-bucket.ts';
import { factAreas } from '#addons/reports/facts/fact-places.ts';
import { factTableNames } from '#addons/reports/facts/fact-tables.ts';
import { openEngine, quote } from '../../infra/local/facts/duckdb.ts';
import { readQuery } from '../../infra/reports/read-query.ts';
import { type AwsCall, openFakeAws } from '../support/fake-aws.ts';

/** Answers Athena's calls from the bucket's files. DuckDB runs the text, with Athena's functions as macros. */

const types: Readonly<Record<string, string>> = { string: 'VARCHAR', bigint: 'BIGINT', boolean: 'BOOLEAN' };

const macros = `CREATE MACRO from_unixtime(seconds) AS to_timestamp(seconds)`;

/** Copies the bucket's files into the folder, and defines the tables over them as Glue does. */
async function defineTables(connection: DuckDBConnection, bucket: FactBucket, folder: string): Promise<void> {
  for (const area of [factAreas.packed, factAreas.fresh]) {
    for (const { key } of await bucket.list(`${area}/`)) {
      await mkdir(dirname(join(folder, key)), { recursive: true });
      await writeFile(join(folder, key), (await bucket.read(key)) ?? '');
    }
  }
  for (const { name, columns, partitions } of listGlueTables()) {
    const all = [...columns, ...partitions].map((column) => `${column.name}: '${types[column.type]}'`);
    const empty = [...columns, ...partitions].map((column) => `CAST(NULL AS ${types[column.type]}) AS ${column.name}`);
    const table = factTableNames.find((one) => packedTable(one) === name);
    const place = table ? `${factAreas.packed}/${table}/` : `${factAreas.fresh}/`;
    const found = await bucket.list(place);
    const files = `[${found.map(({ key }) => quote(join(folder, key))).join(', ')}]`;
    const source = table
      ? `read_parquet(${files}, hive_partitioning = true, hive_types = {project: VARCHAR, day: VARCHAR}, union_by_name = true)`
      : `read_json(${files}, format = 'newline_delimited', columns = {${all.join(', ')}}, ignore_errors = true)`;
    const rows = found.length === 0 ? '' : ` UNION ALL BY NAME SELECT * FROM ${source}`;
    await connection.run(`CREATE OR REPLACE VIEW ${name} AS SELECT ${empty.join(', ')} WHERE false${rows}`);
  }
}

const typeNames: Readonly<Record<string, string>> = {
  VARCHAR: 'varchar',
  BIGINT: 'bigint',
  INTEGER: 'integer',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
};

interface Executed {
  readonly sql: string;
  readonly columns: { Name: string; Type: string }[];
  readonly rows: (string | null)[][];
}

/** The number of rows in a page of results. Athena's is 1,000. */
const pageSize = 7;

interface Options {
  readonly today?: Date;
  /** Replaces the state of a query, by its number and the number of the request for its state. */
  readonly status?: (query: number, request: number) => object | undefined;
  /** Answers a call with an error of the service. */
  readonly refuse?: (call: AwsCall) => { readonly error: string } | undefined;
}

/** Opens an engine over the bucket's present files, with the calls that Athena got. */
export async function openAthena(
  bucket: FactBucket,
  { today = new Date('2026-06-15T12:00:00.000Z'), status = () => undefined, refuse = () => undefined }: Options = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-athena-'));
  const instance = await openEngine(folder);
  const connection = await instance.connect();
  await connection.run(macros);
  onTestFinished(async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  });
  let defined: Promise<void> | undefined;
  const executed = new Map<string, Executed>();
  const asked = new Map<string, number>();

  async function execute({ QueryString: sql, ClientRequestToken: token }: Record<string, string>): Promise<void> {
    if (token === undefined || sql === undefined || executed.has(token)) return;
    defined ??= defineTables(connection, bucket, folder);
    await defined;
    const found = await connection.runAndReadAll(sql);
    const columns = found
      .columnNames()
      .map((Name, index) => ({ Name, Type: typeNames[String(found.columnType(index))] ?? '' }));
    const rows = found.getRowsJS().map((row) => row.map((value) => (value === null ? null : String(value))));
    executed.set(token, { sql, columns, rows });
  }

  function answer({ operation, input }: AwsCall): object {
    const token = operation === 'StartQueryExecution' ? input.ClientRequestToken : input.QueryExecutionId;
    if (operation === 'StartQueryExecution') return { QueryExecutionId: token };
    if (operation === 'GetQueryExecution') {
      const count = (asked.get(token) ?? 0) + 1;
      asked.set(token, count);
      return {
        QueryExecution: {
          QueryExecutionId: token,
          Status: status([...asked.keys()].indexOf(token), count) ?? { State: 'SUCCEEDED' },
        },
      };
    }
    const { columns, rows } = executed.get(token) ?? { columns: [], rows: [] };
    const all = [columns.map(({ Name }) => Name), ...rows];
    const from = Number(input.NextToken ?? 0);
    const page = all.slice(from, from + pageSize);
    return {
      ...(from + pageSize < all.length ? { NextToken: String(from + pageSize) } : {}),
      ResultSet: {
        ResultSetMetadata: { ColumnInfo: columns },
        Rows: page.map((row) => ({ Data: row.map((VarCharValue) => (VarCharValue === null ? {} : { VarCharValue })) })),
      },
    };
  }

  const { calls, endpoint } = await openFakeAws(async (call) => {
    const refusal = refuse(call);
    if (refusal) return refusal;
    if (call.operation === 'StartQueryExecution') await execute(call.input);
    return answer(call);
  });
  const engine = createAthenaEngine({
    client: createAthenaClient(endpoint),
    workgroup: 'reports',
    database: 'facts',
    readQuery,
    clock: () => today,
    waitFor: async () => {},
  });
  const texts = () =>
    calls.flatMap(({ operation, input }) => (operation === 'StartQueryExecution' ? [String(input.QueryString)] : []));
  return { engine, calls, texts };
}
