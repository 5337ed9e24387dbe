import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { type FactTable, factTableNames } from '#addons/reports/facts/fact-tables.ts';
import { type Connection, quote, readFacts, readLines, writeFacts } from './duckdb.ts';
import type { SealedJournals } from './journal.ts';

/** A project and a day in UTC. Each partition of a table is one file. */
interface Partition {
  readonly project: string;
  readonly day: string;
}

const partitions = v.array(v.object({ project: v.string(), day: v.pipe(v.string(), v.isoDate()) }));

/** Selects days, both included. */
export interface Days {
  readonly from?: string;
  readonly to?: string;
}

/** Returns the day of a file of facts. */
export function readDayOf(file: string): string {
  return basename(dirname(file)).slice('day='.length);
}

const generationOf = (name: string) => Number(/^facts\.(\d+)\.parquet$/.exec(name)?.[1] ?? 0);

const nameOf = (generation: number) => `facts.${generation}.parquet`;

/** Returns the newest generation in a folder, or 0. */
async function findNewest(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return Math.max(0, ...names.map(generationOf));
}

/**
 * Holds the packed facts: one Parquet file for each table, project and day, and each fact once. A pack writes the next
 * generation of a file under a new name. Only the newest counts, so a kill leaves either the old or the new generation.
 * The engine opens a file several times, so a file must never change under its name.
 */
export class FactFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #projectFolder(table: FactTable, project: string): string {
    return join(this.#folder, table, `project=${encodeURIComponent(project)}`);
  }

  /** Returns the files of a project's days, and so the only facts that a query of this project can read. */
  async list(table: FactTable, project: string, { from = '', to = '9999' }: Days = {}): Promise<string[]> {
    const folder = this.#projectFolder(table, project);
    const names = await readdir(folder).catch(() => []);
    const days = names.map((name) => name.slice('day='.length)).filter((day) => from <= day && day <= to);
    const held = await Promise.all(
      days.sort().map(async (day) => {
        const place = join(folder, `day=${day}`);
        const newest = await findNewest(place);
        return newest === 0 ? [] : [join(place, nameOf(newest))];
      }),
    );
    return held.flat();
  }

  /** Adds sealed facts, each of them once, to their files. It may be repeated. */
  async pack(connection: Connection, { table, files }: SealedJournals): Promise<void> {
    const order = 'ORDER BY project, day';
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE fresh AS
       SELECT DISTINCT ON (project, day, fact_id) * FROM ${readLines(table, files)} WHERE fact_id IS NOT NULL ${order}`,
    );
    const found = await connection.runAndReadAll(`SELECT DISTINCT project, day FROM fresh ${order}`);
    for (const partition of v.parse(partitions, found.getRowObjectsJson())) {
      await this.#add(connection, table, partition);
    }
    await connection.run('DROP TABLE fresh');
  }

  async #add(connection: Connection, table: FactTable, { project, day }: Partition): Promise<void> {
    const folder = join(this.#projectFolder(table, project), `day=${day}`);
    await mkdir(folder, { recursive: true });
    const old = await this.list(table, project, { from: day, to: day });
    const own = `SELECT * EXCLUDE (project, day) FROM fresh WHERE project = ${quote(project)} AND day = ${quote(day)}`;
    const earlier = `SELECT * FROM (${readFacts(table, old)}) WHERE fact_id NOT IN (SELECT fact_id FROM (${own}))`;
    const generation = (await findNewest(folder)) + 1;
    const place = join(folder, nameOf(generation));
    await connection.run(writeFacts(`${own} UNION ALL BY NAME ${earlier}`, `${place}.part`));
    await rename(`${place}.part`, place);
    const replaced = (await readdir(folder)).filter((name) => generationOf(name) < generation);
    for (const name of replaced) await rm(join(folder, name), { force: true });
  }

  async removeProject(project: string): Promise<void> {
    for (const table of factTableNames) await rm(this.#projectFolder(table, project), { recursive: true, force: true });
  }
}
