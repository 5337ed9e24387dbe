import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Fact, type FactTable, factTableNames } from '#addons/reports/facts/fact-tables.ts';
import { Lane } from './lane.ts';

/** Journals of a table that are no longer written. */
export interface SealedJournals {
  readonly table: FactTable;
  readonly files: readonly string[];
}

const positionsFile = 'positions.json';
const storedPositions = v.record(v.string(), v.string());
const extension = '.jsonl';

/** Returns the journals of each table that has some. */
export async function listJournals(folder: string): Promise<SealedJournals[]> {
  const names = await readdir(folder);
  return factTableNames.flatMap((table) => {
    const own = names.filter((name) => name.startsWith(`${table}.`) && name.endsWith(extension));
    return own.length === 0 ? [] : [{ table, files: own.map((name) => join(folder, name)) }];
  });
}

/**
 * Keeps new facts as lines of JSON until they are packed. A batch counts as kept only after its lines are on the disk.
 * A kill before that leaves at most half a line, and the batch is delivered again.
 */
export class Journal {
  readonly #folder: string;
  readonly #lane = new Lane();
  #number: number;
  #positions: Record<string, string>;
  #written = 0;

  private constructor(folder: string, number: number, positions: Record<string, string>) {
    this.#folder = folder;
    this.#number = number;
    this.#positions = positions;
  }

  static async open(folder: string): Promise<Journal> {
    await mkdir(folder, { recursive: true });
    // New lines go to new files, because an old file may end with half a line.
    const numbers = (await readdir(folder)).map((name) => Number.parseInt(name.split('.')[1] ?? '', 10) || 0);
    const text = await readFile(join(folder, positionsFile), 'utf8').catch(() => '{}');
    return new Journal(folder, Math.max(0, ...numbers) + 1, v.parse(storedPositions, JSON.parse(text)));
  }

  /** The facts since the last seal. */
  get written(): number {
    return this.#written;
  }

  /** Returns whether the facts of this record are kept. Sequence numbers of a shard only grow. */
  isKept(shardId: string, sequence: string): boolean {
    const position = this.#positions[shardId];
    return position !== undefined && BigInt(sequence) <= BigInt(position);
  }

  append(facts: readonly Fact[]): Promise<void> {
    return this.#lane.run(async () => {
      try {
        for (const [table, own] of Map.groupBy(facts, (fact) => fact.table)) {
          const lines = own.map(({ project, day, row }) => `${JSON.stringify({ project, day, ...row })}\n`);
          await appendFile(this.#place(table), lines.join(''), { flush: true });
        }
        this.#written += facts.length;
      } catch (error) {
        // A full disk may have stored half a line, so the next batch begins new files.
        this.#number += 1;
        throw error;
      }
    });
  }

  /** Notes how far the facts of a shard are kept. A kill before this note only causes facts to be delivered again. */
  notePosition(shardId: string, sequence: string): Promise<void> {
    return this.#lane.run(async () => {
      this.#positions = { ...this.#positions, [shardId]: sequence };
      const place = join(this.#folder, positionsFile);
      await writeFile(`${place}.part`, JSON.stringify(this.#positions), { flush: true });
      await rename(`${place}.part`, place);
    });
  }

  /** Begins new files, and returns the earlier files. */
  seal(): Promise<SealedJournals[]> {
    return this.#lane.run(async () => {
      this.#number += 1;
      this.#written = 0;
      return this.list();
    });
  }

  /** Returns the files of each table that has some. */
  list(): Promise<SealedJournals[]> {
    return listJournals(this.#folder);
  }

  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(file, { force: true });
  }

  #place(table: FactTable): string {
    return join(this.#folder, `${table}.${this.#number}${extension}`);
  }
}
