import { link, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { type Attributes, parseStored, type Table } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import { listAppKeys } from '../projects/manage-app-keys.ts';
import { listManagementKeys } from '../projects/management-key.ts';
import { projectItem } from '../projects/project.ts';
import { itemsOfProject, keyOf, keys, keyText, kindsOf, ownerOf } from '../table.ts';
import { checkFile } from './check.ts';
import type { ListKey } from './entries.ts';
import { UnwritableFileError } from './faults.ts';
import { storedCategories, storedEvents } from './folded.ts';
import { Spool } from './spool.ts';
import {
  activityEntry,
  assignmentEntries,
  campaignEntry,
  customerOfActivity,
  pendingPointsEntry,
  plainEntry,
  voucherEntry,
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
  ['CUSTOMER', 'customers'],
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
    const owners = await ownersOf(table, page);
    for (const item of page) await addItem(spool, item, { owners, categoryNames, unfinished });
    const found = [...spool.counts.values()].reduce((sum, some) => sum + some, 0);
    if (found - reported < progressEvery) continue;
    reported = found;
    options.onProgress?.(found);
  }
  return unfinished;
}

const named = v.object({ id: v.string(), code: v.optional(v.string()) });

type Owner = v.InferOutput<typeof named>;

/** Cards and customers of what says itself not whose it is, by key. */
async function ownersOf(table: Table, page: readonly Attributes[]): Promise<ReadonlyMap<string, Owner>> {
  const wanted = page
    .filter((item) => {
      const { kind, owner } = kindsOf(keyOf(item));
      return kind === 'PENDING_POINTS' || isOwnActivity(kind, owner);
    })
    .map((item) => ownerOf(keyOf(item)));
  const unique = [...new Map(wanted.map((key) => [keyText(key), key])).values()];
  const found = await table.getMany(unique);
  return new Map(
    unique.flatMap((key, index) => {
      const owner = found[index];
      return owner ? [[keyText(key), parseStored(named, owner)] as const] : [];
    }),
  );
}

/** Activities beside a card belong to its ledger. */
function isOwnActivity(kind: string, owner: string): boolean {
  return kind === 'ACTIVITY' && owner === 'CUSTOMER';
}

interface Surroundings {
  owners: ReadonlyMap<string, Owner>;
  categoryNames: ReadonlySet<string>;
  /** Grows by the campaigns that are. */
  unfinished: string[];
}

async function addItem(spool: Spool, item: Attributes, around: Surroundings): Promise<void> {
  const { kind, owner: ownerKind } = kindsOf(keyOf(item));
  const owner = () => around.owners.get(keyText(ownerOf(keyOf(item))));
  const plain = plainKinds.get(kind);
  if (plain) {
    await spool.add(plain, plainEntry(plain, item));
  } else if (kind === 'CAMPAIGN') {
    const { entry, isUnfinished } = campaignEntry(item);
    await spool.add('campaigns', entry);
    if (isUnfinished) around.unfinished.push(String(entry.id));
  } else if (kind === 'VOUCHER') {
    await spool.add('vouchers', voucherEntry(item));
  } else if (kind === 'PROMOTION_TIER') {
    await spool.add('promotion_tiers', plainEntry('promotion_tiers', item));
  } else if (kind === 'PENDING_POINTS') {
    const code = owner()?.code;
    if (code !== undefined) await spool.add('pending_points', pendingPointsEntry(item, code));
  } else if (isOwnActivity(kind, ownerKind)) {
    const customerId = customerOfActivity(item) ?? owner()?.id;
    if (customerId !== undefined) {
      await spool.add(
        'activities',
        activityEntry(item, customerId, (name) => around.categoryNames.has(name)),
      );
    }
  }
  if (kind === 'CAMPAIGN' || kind === 'VOUCHER' || kind === 'PROMOTION_TIER') {
    for (const assignment of assignmentEntries(item)) await spool.add('validation_rules_assignments', assignment);
  }
}
