import { gunzipSync } from 'node:zlib';
import { formatDay } from '#kernel/core/calendar.ts';
import type { FactBucket } from '../fact-bucket.ts';
import { readFactLines } from '../fact-lines.ts';
import { factAreas, findPartitionDay, partitionFolder, projectFolder } from '../fact-places.ts';
import { type Fact, factTableNames } from '../fact-tables.ts';
import { listFactColumns, readParquet, writeParquet } from '../parquet.ts';
import { listReplaced, type PackNote, type Plan, planPack, readNote, removeReplaced, writeNote } from './pack-note.ts';

export interface Packing {
  readonly bucket: FactBucket;
  readonly clock: () => Date;
  readonly isTimeUp: () => boolean;
  /** Limits the compressed lines of one pack. */
  readonly mostBytes?: number | undefined;
  /** Returns the projects of these that were deleted. */
  readonly findDeleted: (projectIds: readonly string[]) => Promise<string[]>;
}

export interface Packed {
  /** Facts of fresh files. A fact that came twice counts twice here. */
  facts: number;
  /** Lines that are not facts. */
  malformed: number;
  written: number;
  /** Says whether no fresh file is left. */
  isDone: boolean;
}

/** A larger file is left alone. A smaller one joins the next file of its partition, so that a day has few files. */
const largeBytes = 4 * 1024 * 1024;

type Rows = Map<unknown, Fact['row']>;

interface Group extends Pick<Fact, 'table' | 'project' | 'day'> {
  readonly rows: Rows;
}

function decode(content: Uint8Array): string {
  const isCompressed = content[0] === 0x1f && content[1] === 0x8b;
  return new TextDecoder().decode(isCompressed ? gunzipSync(content) : content);
}

/** Divides the facts of fresh files by partition, each fact once. */
async function readGroups({ bucket, clock }: Packing, { files }: Plan, packed: Packed): Promise<Group[]> {
  const today = formatDay(clock());
  const groups = new Map<string, Group>();
  for (const key of files) {
    const content = await bucket.read(key);
    if (content === undefined) continue;
    const { facts, malformed } = readFactLines(decode(content));
    packed.facts += facts.length;
    packed.malformed += malformed;
    for (const { table, project, day, row } of facts) {
      const own = { table, project, day: findPartitionDay(day, today) };
      const folder = partitionFolder(table, project, own.day);
      const group = groups.get(folder) ?? { ...own, rows: new Map() };
      groups.set(folder, group);
      group.rows.set(row.fact_id, row);
    }
  }
  return [...groups.values()];
}

/** Writes facts of a partition into a new file, with the facts of its small files. Returns the small files. */
async function writeGroup(bucket: FactBucket, group: Group, { name }: Plan, done: ReadonlySet<string>) {
  const folder = partitionFolder(group.table, group.project, group.day);
  const place = `${folder}${name}.parquet`;
  // An earlier attempt may have written this file, also from files that no longer exist.
  const joined = (await bucket.list(folder)).filter(
    ({ key, bytes }) => key === place || (bytes < largeBytes && !done.has(key)),
  );
  for (const { key } of joined) {
    const content = await bucket.read(key);
    for (const row of content === undefined ? [] : await readParquet(content)) {
      if (!group.rows.has(row.fact_id)) group.rows.set(row.fact_id, row);
    }
  }
  await bucket.write(place, writeParquet(listFactColumns(group.table), [...group.rows.values()]));
  return joined.map(({ key }) => key).filter((key) => key !== place);
}

/** Removes the facts of deleted projects. The deletion itself makes the last facts, so each pack looks again. */
async function removeDeleted({ bucket, findDeleted }: Packing): Promise<void> {
  const folders = await Promise.all(factTableNames.map((table) => bucket.listFolders(`${factAreas.packed}/${table}/`)));
  const found = folders.flat().flatMap((folder) => /\/project=([^/]+)\/$/.exec(folder)?.[1] ?? []);
  for (const project of await findDeleted([...new Set(found)])) {
    for (const table of factTableNames) {
      const files = await bucket.list(projectFolder(table, project));
      await bucket.remove(files.map(({ key }) => key));
    }
  }
}

/**
 * Moves fresh facts into one Parquet file for each partition and pack. A kill at any point leaves each fact in a file.
 * Facts may then be in two files, and queries count each fact id once.
 */
export async function packFacts(packing: Packing): Promise<Packed> {
  const { bucket, clock, isTimeUp, mostBytes } = packing;
  const packed: Packed = { facts: 0, malformed: 0, written: 0, isDone: false };
  // A pack that is cut off is not done, so the next call continues.
  const { done_at: _, ...noted } = await readNote(bucket);
  let note: PackNote = await removeReplaced(bucket, noted, clock());
  const fresh = await bucket.list(`${factAreas.fresh}/`);
  while (!isTimeUp()) {
    const plan = note.planned ?? planPack(fresh, note, mostBytes);
    packed.isDone = plan === undefined;
    if (plan === undefined) break;
    note = await writeNote(bucket, { ...note, planned: plan });
    const replaced = [...plan.files];
    for (const group of await readGroups(packing, plan, packed)) {
      replaced.push(...(await writeGroup(bucket, group, plan, listReplaced(note))));
      packed.written += 1;
    }
    const ended = { at: clock().toISOString(), files: replaced };
    note = await writeNote(bucket, { replaced: [...note.replaced, ended] });
  }
  await removeDeleted(packing);
  if (packed.isDone) await writeNote(bucket, { ...note, done_at: clock().toISOString() });
  return packed;
}
