import { link, lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { category } from '#engine/rules/categories/resource.ts';
import { clientSwitches } from '#kernel/access/projects/client-switches.ts';
import { projectItem, projectsById } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { FileList } from '#kernel/kit/entries/list.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf, projectRange, readKinds } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import { isStoredSetting, storedSettings } from '../management/project-settings.ts';
import { checkFile } from './check.ts';
import { UnwritableFileError } from './faults.ts';
import { lookUp } from './items.ts';
import { lists } from './lists.ts';
import { Spool } from './spool.ts';

export interface ExportOptions {
  /** True if an existing file may be replaced. */
  replace?: boolean;
  /** Reports the number of entries now and then. */
  onProgress?: (entries: number) => void;
}

export interface ExportReport {
  project: { id: string; name: string };
  /** The number of entries by list. */
  counts: Record<string, number>;
  /** Campaigns whose codes were still being generated. The file has the codes up to then. */
  unfinished: string[];
}

const progressEvery = 5_000;

/**
 * Writes a project to a file that loads again. Reads the whole table a page at a time
 * (docs/operations.md#export-reads), so a simultaneous change may be in the file or not. If this makes the file
 * contradict itself, the loader's own check refuses it. The file lacks what project files cannot hold: ledgers of cards
 * with their activities, bearer tokens, invitations. Tokens of keys are written as hashes.
 */
export async function exportProject(
  table: Table,
  projectId: string,
  path: string,
  options: ExportOptions = {},
): Promise<ExportReport> {
  if (!options.replace) await refuseExisting(path);
  const item = await table.get(projectsById(projectId), storedProject);
  if (!item) throw notFound('project', projectId);
  const { id, name, features, client, client_metadata, codes, retention, till_rate } = item;
  const isUsual = isDeepStrictEqual(client, v.parse(clientSwitches, {}));
  const folder = await mkdtemp(join(dirname(path), '.tessera-export-')).catch((error: unknown) => {
    throw new UnwritableFileError(path, error);
  });
  const spool = new Spool(folder);
  try {
    const unfinished = await collect(table, id, spool, options);
    const written = await spool.finish({
      id,
      name,
      ...(Object.keys(features).length > 0 ? { features } : {}),
      ...(isUsual ? {} : { client }),
      ...(client_metadata.length > 0 ? { client_metadata } : {}),
      ...(codes.avoid_look_alikes ? { codes } : {}),
      ...(Object.keys(retention).length > 0 ? { retention } : {}),
      ...(till_rate === undefined ? {} : { till_rate }),
      ...settingsOf(item),
    });
    await checkFile(written, async () => undefined);
    // A link does not replace an existing file, unlike a rename.
    await (options.replace ? rename(written, path) : link(written, path)).catch((error: unknown) => {
      throw new UnwritableFileError(path, error);
    });
    return { project: { id, name }, counts: Object.fromEntries(spool.counts), unfinished };
  } finally {
    await spool.close();
    await rm(folder, { recursive: true });
  }
}

const storedProject = v.object({
  ...projectItem.entries,
  ...storedSettings,
  case_sensitive_codes: v.optional(v.boolean()),
});

/** Returns the settings that have a value. */
function settingsOf(item: v.InferOutput<typeof storedProject>): Attributes {
  const { case_sensitive_codes, ...all } = item;
  const settings = Object.entries(all).filter(([name, value]) => isStoredSetting(name) && value !== undefined);
  return { ...Object.fromEntries(settings), ...(case_sensitive_codes === false ? { case_sensitive_codes } : {}) };
}

/** Refuses early what the link at the end would refuse. */
async function refuseExisting(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found) throw new UnwritableFileError(path, Object.assign(new Error(), { code: 'EEXIST' }));
}

async function collect(table: Table, projectId: string, spool: Spool, options: ExportOptions): Promise<string[]> {
  for (const { key, elsewhere } of lists.values()) {
    for (const entry of (await elsewhere?.(table, projectId)) ?? []) await spool.add(key, entry);
  }
  const unfinished: string[] = [];
  let reported = 0;
  for await (const page of table.scan(projectRange(projectId))) {
    const found = page.filter(({ deleted_at }) => deleted_at === undefined).flatMap((item) => toLists(item));
    const at = await lookUp(
      table,
      found.flatMap(({ item, list }) => [...categoryKeys(item, projectId), ...(list.needs?.(item, projectId) ?? [])]),
    );
    const exporting = { projectId, at, unfinished: (id: string) => unfinished.push(id) };
    for (const { item, list } of found) {
      const { category_id, ...others } = item;
      const isLost = categoryKeys(item, projectId).some((key) => !at(key));
      for (const entry of list.entries(isLost ? others : item, exporting)) await spool.add(list.key, entry);
    }
    const count = [...spool.counts.values()].reduce((sum, some) => sum + some, 0);
    if (count - reported < progressEvery) continue;
    reported = count;
    options.onProgress?.(count);
  }
  return unfinished;
}

/** Returns the key of the item's category. An item keeps the id of a deleted category, which no file may have. */
function categoryKeys({ category_id: id }: Attributes, projectId: string): ItemKey[] {
  return typeof id === 'string' ? [category.few(projectId, id)] : [];
}

/** Finds the lists with entries for the item. Most kinds are in no list. */
function toLists(item: Attributes): { item: Attributes; list: FileList }[] {
  const { kind, owner } = readKinds(keyOf(item));
  return [...lists.values()]
    .filter(({ kinds, inside = owner }) => kinds.includes(kind) && inside === owner)
    .map((list) => ({ item, list }));
}
