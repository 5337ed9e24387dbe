import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Draft } from '#kernel/kit/entries/traits.ts';
import { lists } from './lists.ts';

/** Limits the text of a list in memory. */
const heldBytes = 1_000_000;
const copiedAtOnceInBytes = 256 * 1024;
/** Only the owner may read the file, because its keys open the project. */
const ownerOnly = 0o600;

/**
 * Sorts entries, which arrive in the order of the table, into the lists of a project file. Keeps each list in a
 * separate file until all are joined, so that memory holds little.
 */
export class Spool {
  readonly #folder: string;
  readonly #files = new Map<string, FileHandle>();
  readonly #held = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the number of entries by list, in the order of the file. */
  get counts(): ReadonlyMap<string, number> {
    return new Map(
      [...lists.keys()].flatMap((list) => (this.#counts.has(list) ? [[list, this.#counts.get(list) ?? 0]] : [])),
    );
  }

  async add(list: string, entry: Draft): Promise<void> {
    const count = this.#counts.get(list) ?? 0;
    const held = `${this.#held.get(list) ?? ''}${count > 0 ? ',\n' : ''}${JSON.stringify(entry)}`;
    this.#held.set(list, held);
    this.#counts.set(list, count + 1);
    if (held.length > heldBytes) await this.#write(list);
  }

  /** Joins the lists except empty lists, and returns the path of the file. */
  async finish(project: Draft): Promise<string> {
    const path = join(this.#folder, 'project.json');
    const out = await open(path, 'wx', ownerOnly);
    try {
      await out.write(`{\n"project": ${JSON.stringify(project)}`);
      for (const list of this.counts.keys()) {
        await this.#write(list);
        await out.write(`,\n"${list}": [\n`);
        await this.#copy(list, out);
        await out.write('\n]');
      }
      await out.write('\n}\n');
      await out.sync();
    } finally {
      await out.close();
    }
    return path;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.close()));
    this.#files.clear();
  }

  async #fileOf(list: string): Promise<FileHandle> {
    const known = this.#files.get(list);
    if (known) return known;
    const file = await open(join(this.#folder, list), 'wx+', ownerOnly);
    this.#files.set(list, file);
    return file;
  }

  async #write(list: string): Promise<void> {
    const file = await this.#fileOf(list);
    await file.appendFile(this.#held.get(list) ?? '');
    this.#held.set(list, '');
  }

  async #copy(list: string, out: FileHandle): Promise<void> {
    const file = await this.#fileOf(list);
    const buffer = Buffer.alloc(copiedAtOnceInBytes);
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      await out.write(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  }
}
