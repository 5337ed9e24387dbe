import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import type { Fact } from '#addons/reports/facts/fact-tables.ts';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import type { ReportEngine, ReportQuery, ReportRow } from '#kernel/core/reports.ts';
import type { ItemChange, NoteFault } from '#kernel/table/stream.ts';
import { type Connection, openEngine } from './duckdb.ts';
import { FactFiles } from './fact-files.ts';
import { Journal } from './journal.ts';
import { Lane } from './lane.ts';
import { runQuery, runQueryToFile } from './run-query.ts';

/** The parts of a folder of facts. */
export const folders = { journal: 'journal', files: 'files', answers: 'answers' } as const;

/** Limits the lines that a report has to pack first. */
const packAt = 100_000;

/** Keeps the facts of one machine in a folder, and answers reports about them. */
export class FactStore implements ReportEngine {
  readonly #journal: Journal;
  readonly #files: FactFiles;
  readonly #answers: string;
  readonly #instance: DuckDBInstance;
  /** Packs and queries use all cores, so they run in turn. */
  readonly #lane = new Lane();

  private constructor(folder: string, journal: Journal, instance: DuckDBInstance) {
    this.#journal = journal;
    this.#files = new FactFiles(join(folder, folders.files));
    this.#answers = join(folder, folders.answers);
    this.#instance = instance;
  }

  static async open(path: string): Promise<FactStore> {
    const folder = resolve(path);
    // A killed process may have left files of answers.
    await rm(join(folder, folders.answers), { recursive: true, force: true });
    await mkdir(join(folder, folders.answers), { recursive: true });
    const instance = await openEngine(folder);
    return new FactStore(folder, await Journal.open(join(folder, folders.journal)), instance);
  }

  /** Keeps the facts of changes of a shard, which come in their order. A batch may come again. */
  async keepChanges(changes: readonly ItemChange[], shardId: string, note: NoteFault): Promise<void> {
    const fresh = changes.filter(({ sequence }) => !this.#journal.isKept(shardId, sequence));
    const last = fresh.at(-1);
    if (last === undefined) return;
    await this.keep(findFacts(fresh, note));
    await this.#journal.notePosition(shardId, last.sequence);
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
  query(query: ReportQuery, signal?: AbortSignal): Promise<ReportRow[]> {
    return this.#withConnection(async (connection) => {
      signal?.throwIfAborted();
      const interrupt = () => connection.interrupt();
      signal?.addEventListener('abort', interrupt);
      try {
        return await runQuery(connection, query, this.#files, this.#journal, signal);
      } finally {
        signal?.removeEventListener('abort', interrupt);
      }
    });
  }

  async queryWithFile(query: ReportQuery): Promise<{ rows: ReportRow[]; parquet: Uint8Array }> {
    const file = join(this.#answers, `${randomUUID()}.parquet`);
    try {
      const rows = await this.#withConnection((connection) =>
        runQueryToFile(connection, query, this.#files, this.#journal, file),
      );
      return { rows, parquet: await readFile(file) };
    } finally {
      await rm(file, { force: true });
    }
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
