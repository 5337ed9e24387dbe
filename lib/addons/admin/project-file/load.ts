import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { toProject } from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import { placeFault } from '#kernel/kit/entries/list.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { Table } from '#kernel/table/table.ts';
import { appKeyEntries } from '../keys/entries.ts';
import { type CheckedFile, checkFile } from './check.ts';
import { ProjectFileError } from './faults.ts';
import { ItemMaker } from './items.ts';
import { findTooMany, listLimitKeys } from './limits.ts';
import { firstStageOfKeys, lists, stages } from './lists.ts';
import { findStoredConflicts, listWriteKeys, readStored, settle } from './settle.ts';
import { beginLoad, endLoad, findStoredProject, type StoredProject } from './stored-project.ts';
import { Upserts } from './upsert.ts';

export interface LoadTarget {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  now: Date;
  /** Skips a file that equals the last loaded file byte for byte, so that later changes stay. */
  unlessLoaded?: boolean;
  /**
   * The file has the state of another service, which counts until the switch. Its figures therefore replace stored
   * figures, and new campaigns are off until everything is written.
   */
  follows?: boolean;
  /** Checks everything and writes nothing. */
  dryRun?: boolean;
  /** The result of an earlier check of the file, which knew the stored project. Without it, the load checks the file. */
  checked?: CheckedFile | undefined;
  /** Returns why the deployment would refuse this entry of a short list in a request. */
  refuse?: (list: string, entry: object) => string | undefined;
  /** Reports now and then the items that are as in the file, and the entries of the file. */
  onProgress?: (done: number, entries: number) => void;
}

export interface LoadReport {
  project: { id: string; name: string };
  /** Is false if the table had the project before. */
  isNew: boolean;
  /** The first active key of the file with its plain token. */
  appKey: { app_id: string; app_token: string } | undefined;
  /** The first voucher of the file. */
  voucherCode: string | undefined;
  /** The number of entries by list. */
  counts: Record<string, number>;
  /** Formulas of the file that have no value. */
  notes: readonly string[];
  /** The number of items that were new or differed. */
  written: number;
}

const progressEvery = 5_000;

/** These entries with a claim each make up the 100 keys of one BatchGetItem. */
const checkedAtOnce = 50;

/**
 * Loads a project file. The upsert leaves figures unchanged that have moved since an earlier load (balances, redemption
 * figures, statuses). Checks the whole file first, against itself and the table, and writes nothing if it has a fault.
 * Writes app keys last, so that an interrupted load opens nothing. A repeated load completes it.
 */
export async function loadProjectFile(path: string, target: LoadTarget): Promise<LoadReport> {
  const table = new Table(target.dynamodb, target.tableName, target.now);
  const file = target.checked ?? (await checkFile(path, (id) => findStoredProject(table, id)));
  let written = 0;
  if (!target.unlessLoaded || file.stored?.loadedFile !== file.hash) {
    const faults = [...refusedEntries(file, target), ...(await storedFaults(table, file, target))];
    if (faults.length > 0) throw new ProjectFileError(faults);
    if (!target.dryRun) written = await write(table, file, target);
  }
  const { project, held, counts, firstVoucherCode } = file;
  const [appKey] = held.all(appKeyEntries.key).flatMap((entry) => {
    if (!appKeyEntries.isEntry(entry)) return [];
    const { app_id, app_token, active } = entry;
    return active === false || app_token === undefined ? [] : [{ app_id, app_token }];
  });
  return {
    project: { id: project.id, name: project.name },
    isNew: file.stored === undefined,
    appKey,
    voucherCode: firstVoucherCode,
    counts: Object.fromEntries(counts),
    notes: file.notes,
    written,
  };
}

/** Represents the project at its first load, which can only conflict by the ids of its keys. */
function newProject({ project }: CheckedFile, now: string): StoredProject {
  const made = { ...project, features: {}, secret: newSecret(), created_at: now };
  return { project: toProject(made), createdAt: now, loadedFile: undefined, schemas: {} };
}

function refusedEntries({ held }: CheckedFile, { refuse }: LoadTarget): string[] {
  if (!refuse) return [];
  return [...lists.keys()].flatMap((key) =>
    held.of(key).flatMap(({ entry, index }) => {
      const refusal = refuse(key, entry.value);
      return refusal === undefined ? [] : [placeFault(`${key}[${index}]`, refusal)];
    }),
  );
}

/** Finds conflicts between the file and the table, a batch at a time. */
async function storedFaults(table: Table, file: CheckedFile, target: LoadTarget): Promise<string[]> {
  const stored = file.stored ?? newProject(file, target.now.toISOString());
  const maker = await itemMaker(table, file, stored, target, () => {});
  const faults: string[] = [];
  const limited: ItemWrite[] = [];
  const { case_sensitive_codes = true } = file.project;
  if (file.stored && case_sensitive_codes !== file.stored.project.caseSensitiveCodes) {
    faults.push('project.case_sensitive_codes must not change, because it decides which codes are one code');
  }
  for (const stage of stages.filter((one) => file.stored || one >= firstStageOfKeys)) {
    for await (const batch of splitIntoBatches(maker.itemsOf(stage), checkedAtOnce)) {
      limited.push(...batch.filter((one) => listLimitKeys(one).length > 0));
      const guarded = batch.filter((one) => one.fixed ?? one.kept ?? one.faults ?? one.claims ?? one.apart);
      const at = await readStored(table, guarded.flatMap(listWriteKeys));
      faults.push(...guarded.flatMap((write) => findStoredConflicts(write, at)));
    }
  }
  return [...faults, ...findTooMany(limited, await readStored(table, limited.flatMap(listWriteKeys)))];
}

async function write(table: Table, file: CheckedFile, target: LoadTarget): Promise<number> {
  const stored = await beginLoad(table, file, target.now.toISOString());
  const maker = await itemMaker(table, file, stored, target, (fault) => {
    throw new ProjectFileError([fault], { partly: true });
  });
  const entries = [...file.counts.values()].reduce((sum, some) => sum + some, 0);
  const { follows = false } = target;
  const campaignsOn: ItemWrite[] = [];
  let before = 0;
  let reported = 0;
  let changed = 0;
  for (const stage of stages) {
    const upserts = new Upserts(table, { follows, isLoaded: file.stored?.loadedFile !== undefined });
    const campaignsOff = new Upserts(table);
    for await (const item of maker.itemsOf(stage)) {
      if (follows && isCampaign(item)) {
        campaignsOn.push(item);
        await campaignsOff.add(offAtFirst(item));
      } else {
        await upserts.add(item);
      }
      const done = before + upserts.done;
      if (done - reported < progressEvery) continue;
      reported = done;
      target.onProgress?.(done, entries);
    }
    await campaignsOff.finish();
    await upserts.finish();
    before += upserts.done;
    changed += upserts.written;
  }
  changed += await settle(table, campaignsOn, { follows });
  await endLoad(table, file);
  return changed;
}

function isCampaign({ key }: ItemWrite): boolean {
  return 'kind' in key && key.kind === kinds.campaign;
}

/** Returns the campaign for the time in which its codes and members are written. A stored campaign keeps its switch. */
function offAtFirst({ once = [], ...write }: ItemWrite): ItemWrite {
  return { ...write, item: { ...write.item, active: false }, once: [...once, 'active'] };
}

/** Makes items in one walk through the file. */
function itemMaker(
  table: Table,
  file: CheckedFile,
  { project, createdAt }: StoredProject,
  { now }: LoadTarget,
  onMissing: (fault: string) => void,
): Promise<ItemMaker> {
  return ItemMaker.of(file, { table, project, firstLoadedAt: createdAt, now: now.toISOString(), onMissing });
}
