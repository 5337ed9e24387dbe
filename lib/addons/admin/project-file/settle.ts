import { isDeepStrictEqual } from 'node:util';
import type { Claim, CounterWrite, ItemWrite } from '#kernel/kit/entries/item-write.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { type Write, whenNotThere } from '#kernel/table/command.ts';
import { type Effect, mergeEffects } from '#kernel/table/effects.ts';
import { familyItems, renewFamilies } from '#kernel/table/families.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { newVersion, versionItems, versionWrites } from '#kernel/table/version-copies.ts';
import { ProjectFileError } from './faults.ts';
import { findTooMany, listLimitKeys } from './limits.ts';
import { countJsonBytes } from './sizes.ts';
import { taken } from './taken.ts';

/**
 * Limits a transaction. DynamoDB accepts 100 items and 4 MB. One item with its versions notes the changes, and others
 * renew families.
 */
const maxParts = 100 - 1 - versionItems - familyItems;
const maxBytes = 3_000_000;

/** Gives up on items that change too often. Another load continues. */
const maxRounds = 100;

type Stored = (key: Key) => Attributes | undefined;

/** Lists why the stored item cannot become the file's. */
function findConflicts(
  { item, fixed = {}, kept = {}, faults }: Pick<ItemWrite, 'item' | 'fixed' | 'kept' | 'faults'>,
  stored: Attributes,
): string[] {
  const there = Object.entries(fixed).filter(([name]) => stored[name] !== undefined);
  const differing = [...there, ...Object.entries(kept)].filter(([name]) => stored[name] !== item[name]);
  return [...differing.map(([, fault]) => fault), ...(faults?.(stored) ?? [])];
}

/** Returns the item to insert. */
export function newItem({ key, item, places }: Pick<ItemWrite, 'key' | 'item' | 'places'>): Attributes {
  return { ...item, ...places?.(item), ...('schema' in key ? itemMarks(key) : {}) };
}

/** Throws for conflicts that arose after the check. */
function refuse(conflicts: readonly string[]): void {
  if (conflicts.length === 0) return;
  throw new ProjectFileError(
    conflicts.map((fault) => `${fault}: another load took it in between; run again`),
    { partly: true },
  );
}

/** Returns whether the claim already leads to the file's item. */
function isOwn(claim: Claim, stored: Attributes): boolean {
  return findConflicts(claim, stored).length === 0;
}

/** Returns the keys to read before the item is written. */
export function listWriteKeys(write: ItemWrite): Key[] {
  const { key, claims = [], apart = [] } = write;
  return [key, ...claims.map((claim) => claim.key), ...apart.map((other) => other.key), ...listLimitKeys(write)];
}

/** Lists the conflicts between the file and the table for the item and its claims. */
export function findStoredConflicts(write: ItemWrite, at: Stored): string[] {
  const { claims = [], apart = [] } = write;
  const taken = claims.filter((claim) => !claim.passes?.(at(claim.key) ?? {}));
  return [
    ...[...taken, write].flatMap((one) => {
      const stored = at(one.key);
      return stored ? findConflicts(one, stored) : [];
    }),
    ...apart.flatMap(({ key, fault }) => (at(key) ? [fault] : [])),
  ];
}

export async function readStored(table: Table, keys: readonly Key[]): Promise<Stored> {
  const items = await table.getMany(keys, { deletedToo: true });
  const found = new Map(keys.map((key, index) => [keyText(key), items[index]]));
  return (key) => found.get(keyText(key));
}

/** Makes a claim, or moves it from its holder. */
function claiming(claim: Claim, stored: Attributes | undefined): Write[] {
  const { key, item, fixed = {} } = claim;
  if (!stored) return [{ key, insert: newItem(claim) }];
  if (isOwn(claim, stored)) return [];
  const update = new Update();
  for (const name of Object.keys(fixed)) update.set([name], item[name]).whenStill(name, stored[name]);
  return [{ key, change: update.build() }];
}

function releasing({ key, item, fixed = {} }: Claim): Write {
  const update = new Update();
  for (const name of Object.keys(fixed)) update.whenStill(name, item[name]);
  const { set, ...condition } = update.build();
  return { key, remove: condition };
}

/** Changes a stored item, under the file's conditions and if it is unchanged since the read. */
function changing(
  write: ItemWrite,
  stored: Attributes,
  attributes: readonly [string, unknown][],
  version: string,
): Write[] {
  const { key, item, fixed = {}, kept = {}, guards = [], counts, versioned, noted } = write;
  const update = new Update().whenThere();
  for (const name of Object.keys(fixed)) update.whenUnsetOr(name, item[name]);
  for (const name of Object.keys(kept)) update.whenStill(name, item[name]);
  const read = [...guards, ...(counts ? [counts] : []), ...(versioned ? ['version'] : [])];
  for (const name of new Set(read)) update.whenStill(name, stored[name]);
  for (const [name, value] of attributes) {
    if (value === undefined) update.remove([name]);
    else update.set([name], value);
  }
  if (counts) update.add(counts, 1);
  if (!versioned && !noted) return [{ key, change: update.build() }];
  const change = update.set(['version'], version).build();
  return [{ key, change }, ...(versioned ? versionWrites(key, version) : [])];
}

function inserting(write: ItemWrite, version: string): Write[] {
  const { key, versioned, noted } = write;
  if (!versioned && !noted) return [{ key, insert: newItem(write) }];
  return [{ key, insert: { ...newItem(write), version } }, ...(versioned ? versionWrites(key, version) : [])];
}

/** Raises a counter of several writes once by their sum, because a transaction accepts each item once. */
function counting(counters: readonly CounterWrite[]): Write[] {
  const byItem = Map.groupBy(counters, ({ key, attribute }) => `${keyText(key)}\n${attribute}`);
  return [...byItem.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const sum = same.reduce((before, { by = 1 }) => before + by, 0);
    const update = new Update().add(first.attribute, sum);
    if (first.ofItem) update.whenThere();
    if (first.limit) update.whenBelow(first.attribute, first.limit.most - sum + 1);
    return [{ key: first.key, change: update.build() }];
  });
}

/** Writes items with their claims and counters. Items that equal the file's are left out, and `items` counts the others. */
function writesOf(batch: readonly ItemWrite[], at: Stored, follows: boolean): { parts: Write[]; items: number } {
  let items = 0;
  const claimed = new Set(batch.flatMap(({ claims = [] }) => claims.map(({ key }) => keyText(key))));
  const counters: CounterWrite[] = [];
  const notes: Effect[] = [];
  const versionOf = ({ noted }: ItemWrite) => {
    const version = newVersion();
    if (noted) notes.push(...noteResource(noted.projectId, noted.what, { id: noted.id, version }));
    return version;
  };
  const writes = batch.flatMap((write): Write[] => {
    const { key, claims = [], apart = [], counted = [], claimsOf } = write;
    const stored = at(key);
    const names = claims.flatMap((claim) => claiming(claim, at(claim.key)));
    const others = apart.map((other): Write => ({ key: other.key, check: whenNotThere }));
    if (!stored && write.ifThere) return [];
    if (!stored) {
      items += 1;
      counters.push(...counted);
      return [...inserting(write, versionOf(write)), ...names, ...others];
    }
    const attributes = taken(write, stored, follows);
    const isAsItIs = attributes.every(([name, value]) => isDeepStrictEqual(stored[name] ?? undefined, value));
    if (isAsItIs && names.length === 0) return [];
    items += 1;
    if (follows) counters.push(...(write.recounted?.(stored) ?? []));
    const left = (claimsOf?.(stored) ?? []).filter((claim) => {
      const old = at(claim.key);
      return old && isOwn(claim, old) && !claimed.has(keyText(claim.key));
    });
    return [...changing(write, stored, attributes, versionOf(write)), ...names, ...left.map(releasing), ...others];
  });
  const all = [...writes, ...counting(counters), ...mergeEffects(notes).map(({ write }) => write)];
  const families = renewFamilies(all.filter((write) => !('check' in write)).map(({ key }) => key));
  return { parts: [...all, ...families], items };
}

/** Returns the most items that a write adds to a transaction: itself, new and old claims, its versions and its note. */
function partsOf({ claims = [], apart = [], counted = [], versioned, noted }: ItemWrite): number {
  return 1 + 2 * claims.length + apart.length + counted.length + (versioned ? versionItems : 0) + (noted ? 1 : 0);
}

/** Splits writes into batches that fit into a transaction. */
function* transactionsOf(writes: readonly ItemWrite[], most: number): Generator<ItemWrite[]> {
  let batch: ItemWrite[] = [];
  let parts = 0;
  let bytes = 0;
  for (const write of writes) {
    const own = { parts: partsOf(write), bytes: countJsonBytes(write.item) };
    const isFull = batch.length >= most || parts + own.parts > maxParts || bytes + own.bytes > maxBytes;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, parts, bytes] = [[], 0, 0];
    }
    batch.push(write);
    parts += own.parts;
    bytes += own.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** Reads the items with their old and new claims. */
async function readAll(table: Table, writes: readonly ItemWrite[]): Promise<Stored> {
  const first = await readStored(table, writes.flatMap(listWriteKeys));
  const left = writes.flatMap(({ key, claimsOf }) => {
    const stored = first(key);
    return stored && claimsOf ? claimsOf(stored).map((claim) => claim.key) : [];
  });
  const others = left.filter((key) => first(key) === undefined);
  const old = others.length > 0 ? await readStored(table, others) : first;
  return (key) => first(key) ?? old(key);
}

/**
 * Writes items that requests may change simultaneously, that hold unique names, or that exclude others. Each write
 * requires an unchanged item, and is repeated from a new read, so that a load and a request never undo each other. With
 * `follows`, figures that moved elsewhere replace the stored figures, unless the item was changed here since. Returns
 * the number of items that were new or differed.
 */
export async function settle(table: Table, writes: readonly ItemWrite[], { follows = false } = {}): Promise<number> {
  let written = 0;
  let open = writes;
  for (let round = 0; open.length > 0; round++) {
    if (round === maxRounds) {
      throw new ProjectFileError(['items of the project kept changing during the load; run again'], { partly: true });
    }
    const at = await readAll(table, open);
    refuse([...open.flatMap((write) => findStoredConflicts(write, at)), ...findTooMany(open, at)]);
    const again: ItemWrite[] = [];
    // After a conflict each item is written alone, so that a conflicting item does not delay the others.
    for (const batch of transactionsOf(open, round === 0 ? maxParts : 1)) {
      const { parts, items } = writesOf(batch, at, follows);
      if (parts.length === 0) continue;
      if ((await table.transact(parts)).done) written += items;
      else again.push(...batch);
    }
    open = again;
  }
  return written;
}
