import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { ServiceError } from '#kernel/core/errors.ts';
import type { FilePlace, Files } from '#kernel/core/files/files.ts';
import { count } from '#kernel/core/schema.ts';

/** Finds rows that repeat the name of an earlier row of their file. Two vouchers cannot share a code, so that one of the rows is a mistake. */

/** Maps the numbers of such rows to the number of the first row with their name. */
export type Repeats = ReadonlyMap<number, number>;

type Named = readonly [row: number, name: string | undefined];

/** Returns the rows that repeat a name of earlier rows. */
export function findRepeats(rows: Iterable<Named>): Map<number, number> {
  const firsts = new Map<string, number>();
  const repeats = new Map<number, number>();
  for (const [row, name] of rows) {
    if (name === undefined) continue;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, row);
    else repeats.set(row, first);
  }
  return repeats;
}

/** Returns 53 bits of a hash. A file has up to a million names, which would not fit the memory as texts. */
function hashOf(name: string): number {
  const bytes = createHash('sha256').update(name).digest();
  return bytes.readUInt32BE(0) * 2 ** 21 + (bytes.readUInt32BE(4) >>> 11);
}

/** Narrows a file down to the names that may be repeated, by their hashes. */
export class NameHashes {
  readonly #seen = new Set<number>();
  readonly #repeated = new Set<number>();

  add(name: string | undefined): void {
    if (name === undefined) return;
    const hash = hashOf(name);
    if (this.#seen.has(hash)) this.#repeated.add(hash);
    else this.#seen.add(hash);
  }

  get isRepeated(): boolean {
    return this.#repeated.size > 0;
  }

  mayRepeat(name: string): boolean {
    return this.#repeated.has(hashOf(name));
  }
}

export function refuseRepeat(field: string, first: number): ServiceError {
  const details = `${field} repeats the ${field} of row ${first}: remove one of the two rows`;
  return new ServiceError('duplicate_key', { details });
}

const stored = v.array(v.tuple([count, count]));

function repeatsFile(projectId: string, actionId: string): FilePlace {
  return { area: 'rows', projectId, place: `${actionId}.repeats.json` };
}

/** Stores the repeats of a file that is done in several runs. */
export async function storeRepeats(files: Files, projectId: string, actionId: string, repeats: Repeats) {
  const file = repeatsFile(projectId, actionId);
  const content = JSON.stringify([...repeats]);
  await files.put({ ...file, name: file.place, type: 'application/json', content });
}

export async function readRepeats(files: Files, projectId: string, actionId: string): Promise<Repeats> {
  return new Map(v.parse(stored, JSON.parse(await files.read(repeatsFile(projectId, actionId)))));
}
