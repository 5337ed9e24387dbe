import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import type { FactBucket, StoredFile } from '../fact-bucket.ts';
import { factAreas } from '../fact-places.ts';

/** Notes which files a pack works on, and which it has replaced. A cut-off pack is then repeated with the same files. */

const note = v.object({
  /** The pack in progress. Its name is the name of the files that it writes. */
  planned: v.optional(v.object({ name: v.string(), files: v.array(v.string()) })),
  /** Files whose facts other files have. Queries may still read them. */
  replaced: v.optional(v.array(v.object({ at: dateTime, files: v.array(v.string()) })), []),
  /** The last pack that left no fresh file. */
  done_at: v.optional(dateTime),
});

export type PackNote = v.InferOutput<typeof note>;
export type Plan = NonNullable<PackNote['planned']>;

const place = `${factAreas.notes}/packs.json`;

export async function readNote(bucket: FactBucket): Promise<PackNote> {
  // S3 answers 403 for a missing file, because the role lists only some folders.
  const [kept] = await bucket.list(place);
  const found = kept && (await bucket.read(place));
  return v.parse(note, found === undefined ? {} : JSON.parse(new TextDecoder().decode(found)));
}

export async function writeNote(bucket: FactBucket, noted: PackNote): Promise<PackNote> {
  await bucket.write(place, JSON.stringify(noted));
  return noted;
}

/** Packs that leave nothing are an hour apart, so that a day has few files. The schedule is not exact. */
const restInMs = 55 * 60_000;

/** Says whether it is time to pack: an hour after all was packed, and immediately while files are left. */
export async function isPackDue(bucket: FactBucket, now: Date): Promise<boolean> {
  const { planned, done_at } = await readNote(bucket);
  return planned !== undefined || done_at === undefined || Date.parse(done_at) + restInMs <= now.getTime();
}

export function listReplaced({ replaced }: PackNote): ReadonlySet<string> {
  return new Set(replaced.flatMap(({ files }) => files));
}

/** A query may have listed files before they were replaced. Athena ends it after 30 minutes. */
const longestQueryInMs = 45 * 60_000;

/** Removes files that no query reads any longer. */
export async function removeReplaced(bucket: FactBucket, noted: PackNote, now: Date): Promise<PackNote> {
  const isOver = ({ at }: { at: string }) => Date.parse(at) + longestQueryInMs <= now.getTime();
  const over = noted.replaced.filter(isOver);
  if (over.length === 0) return noted;
  await bucket.remove(over.flatMap(({ files }) => files));
  return writeNote(bucket, { ...noted, replaced: noted.replaced.filter((one) => !isOver(one)) });
}

/** The same files have the same name, and no others have. */
const nameLength = 32;

/** Limits the compressed lines that a pack holds in memory, which are some 100,000 facts. */
const usualBytes = 8 * 1024 * 1024;

/** Chooses at least one of the next fresh files. Returns `undefined` if none is left. */
export function planPack(
  fresh: readonly StoredFile[],
  noted: PackNote,
  mostBytes: number = usualBytes,
): Plan | undefined {
  const done = listReplaced(noted);
  const files: string[] = [];
  let bytes = 0;
  for (const { key, bytes: own } of fresh) {
    if (done.has(key)) continue;
    if (files.length > 0 && bytes + own > mostBytes) break;
    files.push(key);
    bytes += own;
  }
  if (files.length === 0) return undefined;
  return { name: createHash('sha256').update(files.join('\n')).digest('hex').slice(0, nameLength), files };
}
