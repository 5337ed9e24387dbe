import { mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { type Fact, factTableNames } from '../../../lib/background/facts/fact-tables.ts';
import { findFacts, type NoteFault } from '../../../lib/background/facts/find-facts.ts';
import type { ReportEngine, ReportQuery, ReportRow } from '../../../lib/core/reports.ts';
import { clampToSafe } from '../../../lib/core/sum.ts';
import type { StreamRecord } from '../../../lib/table/stream.ts';
import { type Connection, functions, listSettings, readFacts } from './duckdb.ts';
import { FactFiles } from './fact-files.ts';
import { Journal } from './journal.ts';
import { Lane } from './lane.ts';

/** Limits the engine. It writes what does not fit to the disk. */
const memory = '600MB';
const mostThreads = 2;
/** Limits the lines that a report has to pack first. */
const packAt = 100_000;

const queriesFolder = join(import.meta.dirname, '..', '..', 'reports');

/** Keeps the facts of one machine in a folder, and answers reports about them. */
export class FactStore implements ReportEngine {
  readonly #journal: Journal;
  readonly #files: FactFiles;
  readonly #instance: DuckDBInstance;
  /** Packs and queries use all cores, and a query must not see half a pack. */
  readonly #lane = new Lane();

  private constructor(journal: Journal, files: FactFiles, instance: DuckDBInstance) {
    this.#journal = journal;
    this.#files = files;
    this.#instance = instance;
  }

  static async open(path: string): Promise<FactStore> {
    const folder = resolve(path);
    await mkdir(folder, { recursive: true });
    // The engine has a build for each system. A system without one has no reports.
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(Math.min(mostThreads, availableParallelism())),
    });
    const connection = await instance.connect();
    for (const setting of listSettings(folder, memory)) await connection.run(setting);
    connection.closeSync();
    return new FactStore(await Journal.open(join(folder, 'journal')), new FactFiles(join(folder, 'files')), instance);
  }

  /** Keeps the facts of records of a shard, which come in their order. A batch may come again. */
  async keepRecords(records: readonly StreamRecord[], shardId: string, note: NoteFault): Promise<void> {
    const sequenceOf = ({ dynamodb }: StreamRecord) => dynamodb?.SequenceNumber ?? '0';
    const fresh = records.filter((record) => !this.#journal.isKept(shardId, sequenceOf(record)));
    const last = fresh.at(-1);
    if (last === undefined) return;
    await this.keep(findFacts(fresh, note));
    await this.#journal.notePosition(shardId, sequenceOf(last));
  }

  async keep(facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    await this.#journal.append(facts);
    if (this.#journal.written >= packAt) await this.pack();
  }

  /** Moves all facts of the journal to their files. A kill before the end leaves them in the journal. */
  pack(): Promise<void> {
    return this.#withConnection((connection) => this.#pack(connection));
  }

  async #pack(connection: Connection): Promise<void> {
    for (const sealed of await this.#journal.seal()) {
      await this.#files.pack(connection, sealed);
      await this.#journal.remove(sealed.files);
    }
  }

  /** Runs a query over the facts of one project. It sees all facts that were kept before. */
  query({ name, projectId, days, parameters }: ReportQuery): Promise<ReportRow[]> {
    return this.#withConnection(async (connection) => {
      await this.#pack(connection);
      await connection.run(functions);
      const sql = await readFile(join(queriesFolder, `${name}.sql`), 'utf8');
      for (const table of factTableNames.filter((one) => new RegExp(`\\b(?:FROM|JOIN) ${one}\\b`).test(sql))) {
        const files = await this.#files.list(table, projectId, days[table] ?? days.all);
        await connection.run(`CREATE OR REPLACE TEMP VIEW ${table} AS ${readFacts(table, files)}`);
      }
      const used = Object.entries(parameters).filter(([key]) => new RegExp(`\\$${key}\\b`).test(sql));
      const result = await connection.runAndReadAll(sql, Object.fromEntries(used));
      return result
        .getRowObjectsJS()
        .map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])));
    });
  }

  removeProject(projectId: string): Promise<void> {
    return this.#withConnection(async (connection) => {
      await this.#pack(connection);
      await this.#files.removeProject(projectId);
    });
  }

  /** Ends the engine. Facts that are not packed stay in the journal. */
  end(): Promise<void> {
    return this.#lane.run(async () => this.#instance.closeSync());
  }

  #withConnection<R>(work: (connection: Connection) => Promise<R>): Promise<R> {
    return this.#lane.run(async () => {
      const connection = await this.#instance.connect();
      try {
        return await work(connection);
      } finally {
        connection.closeSync();
      }
    });
  }
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === 'bigint') return clampToSafe(Number(value));
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error(`a report has a column of the type ${typeof value}`);
}
