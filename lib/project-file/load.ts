import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { parseStored, Table } from '../dynamodb.ts';
import { keys } from '../table.ts';
import { type CheckedFile, checkFile } from './check.ts';
import { ProjectFileError } from './faults.ts';
import { foldedFaults, storedCategories, upsertCategories, upsertEventSchema } from './folded.ts';
import type { ItemWrite } from './item-write.ts';
import { longItems } from './long-items.ts';
import { storedFaults } from './stored-faults.ts';
import { beginLoad, endLoad, findStoredProject, type StoredProject } from './stored-project.ts';
import { ItemMaker, keyItems } from './to-items.ts';
import { Upserts } from './upsert.ts';
import { upsertUsers } from './users.ts';

export interface LoadTarget {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  now: Date;
  /** Writes nothing when the file that was loaded last is this one, byte for byte: what has changed since stays. */
  unlessLoaded?: boolean;
  /** Checks all that a load checks, and writes nothing. */
  dryRun?: boolean;
  /** Called now and then with the items written so far and the entries of the file. */
  onProgress?: (written: number, entries: number) => void;
}

export interface LoadReport {
  project: { id: string; name: string };
  /** The first key of the file that is on and has its token there, which is nowhere else in clear. */
  appKey: { app_id: string; app_token: string } | undefined;
  /** The first voucher of the file. */
  voucherCode: string | undefined;
  /** Entries by list. */
  counts: Record<string, number>;
}

const progressEvery = 5_000;
const campaignNameItem = v.object({ campaign_id: v.string() });

/**
 * Loads a project file: an upsert that leaves alone what has moved since an earlier load (balances, redemption figures,
 * statuses). The whole file is checked first, against itself and the table; with a fault, nothing is written. App keys
 * come last, so that a load that was cut off has opened nothing; run again, it goes on to the same end.
 */
export async function loadProjectFile(path: string, target: LoadTarget): Promise<LoadReport> {
  const table = new Table(target.dynamodb, target.tableName, target.now);
  const file = await checkFile(path, (id) => findStoredProject(table, id));
  if (!target.unlessLoaded || file.stored?.loadedFile !== file.hash) {
    const faults = await tableFaults(table, file, target);
    if (faults.length > 0) throw new ProjectFileError(faults);
    if (!target.dryRun) await write(table, file, target);
  }
  const { project, short, counts, firstVoucherCode } = file;
  const appKey = short.app_keys.flatMap(({ app_id, app_token, active }) =>
    active === false || app_token === undefined ? [] : [{ app_id, app_token }],
  )[0];
  return {
    project: { id: project.id, name: project.name },
    appKey,
    voucherCode: firstVoucherCode,
    counts: Object.fromEntries(counts),
  };
}

/** What the file and the table can't both have. */
async function tableFaults(table: Table, file: CheckedFile, target: LoadTarget): Promise<string[]> {
  const faults = await storedFaults(table, keyItems(file));
  if (!file.stored) return faults;
  const maker = await itemMaker(table, file, file.stored, target);
  const source = { path: file.path, table, projectId: file.project.id, maker };
  return [
    ...faults,
    ...(await foldedFaults(table, file, maker.categories())),
    ...(await storedFaults(table, maker.shortItems())),
    ...(await storedFaults(table, longItems(source, ['vouchers', 'customers', 'activities']))),
  ];
}

async function write(table: Table, file: CheckedFile, target: LoadTarget): Promise<void> {
  const stored = await beginLoad(table, file, target.now.toISOString());
  const maker = await itemMaker(table, file, stored, target);
  await upsertCategories(table, file.project.id, maker.categories());
  await upsertEventSchema(table, file);
  await upsertUsers(table, file);

  const entries = [...file.counts.values()].reduce((sum, some) => sum + some, 0);
  let before = 0;
  let reported = 0;
  async function upsert(items: AsyncIterable<ItemWrite> | Iterable<ItemWrite>): Promise<void> {
    const upserts = new Upserts(table);
    for await (const item of items) {
      await upserts.add(item);
      const written = before + upserts.written;
      if (written - reported < progressEvery) continue;
      reported = written;
      target.onProgress?.(written, entries);
    }
    await upserts.finish();
    before += upserts.written;
  }

  const source = { path: file.path, table, projectId: file.project.id, maker };
  await upsert(maker.shortItems());
  await upsert(longItems(source, ['vouchers', 'customers']));
  if (file.counts.has('activities') || file.counts.has('pending_points')) {
    await upsert(
      longItems(source, ['activities', 'pending_points'], (place) => {
        throw new ProjectFileError([`${place} is about a customer that was removed meanwhile; run again`], {
          partly: true,
        });
      }),
    );
  }
  await upsert(keyItems(file));
  await endLoad(table, file);
}

/** For one walk through the file. */
async function itemMaker(
  table: Table,
  file: CheckedFile,
  { project, createdAt }: StoredProject,
  target: LoadTarget,
): Promise<ItemMaker> {
  const categories = await storedCategories(table, project.id);
  return new ItemMaker(file, {
    project,
    firstLoadedAt: createdAt,
    now: target.now.toISOString(),
    categoryIds: new Map(Object.values(categories).map(({ id, name }) => [name, id])),
    campaignIds: await knownCampaignIds(table, file),
  });
}

async function knownCampaignIds(table: Table, { project, short }: CheckedFile): Promise<Map<string, string>> {
  const items = await table.getMany(short.campaigns.map(({ name }) => keys.campaignName(project.id, name)));
  return new Map(
    short.campaigns.flatMap(({ name }, index) => {
      const item = items[index];
      return item ? [[name, parseStored(campaignNameItem, item).campaign_id]] : [];
    }),
  );
}
