import { link, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { type Attributes, parseStored, type Table } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import { listAppKeys } from '../projects/manage-app-keys.ts';
import { listManagementKeys } from '../projects/management-key.ts';
import { projectItem } from '../projects/project.ts';
import { itemsOfProject, type Key, keyOf, keys, keyText, kindsOf, ownerOf } from '../table.ts';
import { checkFile } from './check.ts';
import type { ListKey } from './entries.ts';
import { UnwritableFileError } from './faults.ts';
import { storedCategories, storedEvents } from './folded.ts';
import { Spool } from './spool.ts';
import {
  activityEntry,
  assignmentEntries,
  campaignEntry,
  customerEntry,
  type Draft,
  pendingPointsEntry,
  plainEntry,
  voucherEntry,
  vouchersOfCustomer,
} from './to-entries.ts';

export interface ExportOptions {
  /** Whether a file that is there already may go. */
  replace?: boolean;
  /** Called now and then with the entries found so far. */
  onProgress?: (entries: number) => void;
}

export interface ExportReport {
  project: { id: string; name: string };
  /** Entries by list. */
  counts: Record<string, number>;
  /** Campaigns whose codes were still being generated: the file has what was there. */
  unfinished: string[];
}

const progressEvery = 5_000;

/** Kinds of item of which each is an entry as it stands. */
const plainKinds: ReadonlyMap<string, ListKey> = new Map([
  ['ROLE', 'roles'],
  ['USER', 'users'],
  ['BRAND', 'brands'],
  ['VALIDATION_RULE', 'validation_rules'],
  ['LOYALTY_TIER', 'loyalty_tiers'],
  ['EARNING_RULE', 'earning_rules'],
  ['REWARD', 'rewards'],
  ['REWARD_ASSIGNMENT', 'reward_assignments'],
]);

/**
 * Writes a project to a file that loads again. It reads the whole table, a page at a time: what is changed meanwhile may be
 * in the file or not, and what doesn't fit together for that is found by the loader's own check before the file is there.
 * Not in it, since a project file has no place for it: the ledgers of cards with the activities that stand for their
 * entries, bearer tokens, invitations. Tokens of keys are in it as their hashes.
 */
export async function exportProject(
  table: Table,
  projectId: string,
  path: string,
  options: ExportOptions = {},
): Promise<ExportReport> {
  const item = await table.get(keys.project(projectId), projectItem);
  if (!item) throw notFound('project', projectId);
  const { id, name, features } = item;
  const folder = await mkdtemp(join(dirname(path), '.tessera-export-')).catch((error: unknown) => {
    throw new UnwritableFileError(path, error);
  });
  const spool = new Spool(folder);
  try {
    const unfinished = await collect(table, id, spool, options);
    const written = await spool.finish({ id, name, ...(Object.keys(features).length > 0 ? { features } : {}) });
    await checkFile(written, async () => undefined);
    // Unlike a rename, a link leaves alone what is there.
    await (options.replace ? rename(written, path) : link(written, path)).catch((error: unknown) => {
      throw new UnwritableFileError(path, error);
    });
    return { project: { id, name }, counts: Object.fromEntries(spool.counts), unfinished };
  } finally {
    await spool.close();
    await rm(folder, { recursive: true });
  }
}

async function collect(table: Table, projectId: string, spool: Spool, options: ExportOptions): Promise<string[]> {
  for (const { app_id, token_hash, name, active } of await listAppKeys(table, projectId)) {
    await spool.add('app_keys', { app_id, app_token_hash: token_hash, name, ...(active ? {} : { active }) });
  }
  for (const { management_id, token_hash } of await listManagementKeys(table, projectId)) {
    await spool.add('management_keys', { management_id, management_token_hash: token_hash });
  }
  const categories = Object.values(await storedCategories(table, projectId));
  for (const category of categories) await spool.add('categories', category);
  for (const [name, metadata] of Object.entries(await storedEvents(table, projectId))) {
    await spool.add('event_schema', { name, metadata });
  }

  const categoryNames = new Set(categories.flatMap(({ id, name }) => [id, name]));
  const unfinished: string[] = [];
  let reported = 0;
  for await (const page of table.scan(itemsOfProject(projectId))) {
    const codes = await codesOf(table, projectId, page);
    const around: Surroundings = {
      codeOf: (voucher) => codes.get(keyText(voucher)),
      voucherKey: (id) => keys.voucher(projectId, id),
      isCategory: (name) => categoryNames.has(name),
      onUnfinished: (id) => unfinished.push(id),
    };
    for (const item of page) {
      for (const { list, entry } of entriesOf(item, around)) await spool.add(list, entry);
    }
    const found = [...spool.counts.values()].reduce((sum, some) => sum + some, 0);
    if (found - reported < progressEvery) continue;
    reported = found;
    options.onProgress?.(found);
  }
  return unfinished;
}

const codedItem = v.object({ code: v.string() });

/** Of the vouchers that items of the page tell of by their ids, the codes; by key. */
async function codesOf(
  table: Table,
  projectId: string,
  page: readonly Attributes[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = page.flatMap((item) => {
    const key = keyOf(item);
    const { kind } = kindsOf(key);
    if (kind === 'PENDING_POINTS') return [ownerOf(key)];
    return kind === 'CUSTOMER' ? vouchersOfCustomer(item).map((id) => keys.voucher(projectId, id)) : [];
  });
  const unique = [...new Map(wanted.map((key) => [keyText(key), key])).values()];
  const found = await table.getMany(unique);
  return new Map(
    unique.flatMap((key, index) => {
      const voucher = found[index];
      return voucher ? [[keyText(key), parseStored(codedItem, voucher).code] as const] : [];
    }),
  );
}

interface Surroundings {
  /** By its key. */
  codeOf: (voucher: Key) => string | undefined;
  voucherKey: (id: string) => Key;
  isCategory: (name: string) => boolean;
  onUnfinished: (campaignId: string) => void;
}

/** What the item is in a project file; most kinds of item are the service's own, and are nothing there. */
function entriesOf(item: Attributes, around: Surroundings): { list: ListKey; entry: Draft }[] {
  const key = keyOf(item);
  const { kind, owner } = kindsOf(key);
  const plain = plainKinds.get(kind);
  if (plain) return [{ list: plain, entry: plainEntry(plain, item) }];
  const assignments = () =>
    assignmentEntries(item).map((entry) => ({ list: 'validation_rules_assignments' as const, entry }));
  switch (kind) {
    case 'CAMPAIGN': {
      const { entry, isUnfinished } = campaignEntry(item);
      if (isUnfinished) around.onUnfinished(String(entry.id));
      return [{ list: 'campaigns', entry }, ...assignments()];
    }
    case 'VOUCHER':
      return [{ list: 'vouchers', entry: voucherEntry(item) }, ...assignments()];
    case 'PROMOTION_TIER':
      return [{ list: 'promotion_tiers', entry: plainEntry('promotion_tiers', item) }, ...assignments()];
    case 'CUSTOMER':
      return [{ list: 'customers', entry: customerEntry(item, (id) => around.codeOf(around.voucherKey(id))) }];
    case 'PENDING_POINTS': {
      const code = around.codeOf(ownerOf(key));
      return code === undefined ? [] : [{ list: 'pending_points', entry: pendingPointsEntry(item, code) }];
    }
    case 'ACTIVITY':
      // Those beside a card belong to its ledger.
      return owner === 'CUSTOMER' ? [{ list: 'activities', entry: activityEntry(item, around.isCategory) }] : [];
    default:
      return [];
  }
}
