import * as v from 'valibot';
import { again, retryOptimistically } from './conflicts.ts';
import { change, commitApart, type Effect } from './effects.ts';
import type { Attributes } from './item.ts';
import { tableShape } from './keys.ts';
import type { ItemKey } from './kind.ts';
import { kinds } from './kind-names.ts';
import { findCountedList } from './listing.ts';
import { type Consumer, consume, type ItemChange } from './stream.ts';
import type { Table } from './table.ts';
import { totalKey } from './totals.ts';
import type { Update } from './update.ts';

/** Stores the position up to which an item has counted one shard, in the item's partition. */
const position = v.object({ sequence: v.string(), expiresAt: v.number() });

/** A pattern of IAM for the partition keys of all totals. */
export const totalKeys = `*#${kinds.total}#*`;

/** A stream delivers a record for 24 hours. Its position is useless afterwards. */
const positionKeptForInS = 48 * 3_600;

function positionKey(key: ItemKey, shardId: string): ItemKey<typeof position> {
  return {
    pk: key.pk,
    sk: `COUNTED#${key.sk}#${shardId}`,
    kind: kinds.counted,
    project: key.project,
    schema: position,
  };
}

const listPartitions = Object.values(tableShape.indexes).flatMap((index) =>
  'partitionKey' in index && /^gsi\d+pk$/.test(index.partitionKey) ? [index.partitionKey] : [],
);

function listsOf(item: Attributes | undefined): string[] {
  return listPartitions.flatMap((name) => findCountedList(String(item?.[name] ?? '')) ?? []);
}

/** The counted part of a change. */
export interface CountedRecord {
  /** The number of its record, which grows within its shard. */
  readonly sequence: bigint;
}

interface Move extends CountedRecord {
  list: string;
  by: 1 | -1;
}

/**
 * Returns the lists that the change adds an element to, or removes one from. An element that stays does not count as a
 * change.
 */
function readMoves({ before: old, after: now, sequence: number }: ItemChange): Move[] {
  const [before, after] = [listsOf(old), listsOf(now)];
  const sequence = BigInt(number);
  return [
    ...before.filter((list) => !after.includes(list)).map((list) => ({ list, sequence, by: -1 as const })),
    ...after.filter((list) => !before.includes(list)).map((list) => ({ list, sequence, by: 1 as const })),
  ];
}

/** A consumer whose findings are counted, once for each change of a shard. */
interface Counter<M> extends Consumer<M> {
  readonly count: (table: Table, shardId: string, changes: readonly ItemChange[]) => Promise<void>;
}

/** Counts lists. The kinds are those whose items are in counted lists. */
export const totalsConsumer: Counter<Move> = {
  name: 'totals',
  kinds: [
    ...[kinds.campaign, kinds.customer, kinds.heldCard, kinds.heldVoucher, kinds.job, kinds.order, 'PRODUCT'],
    ...[kinds.promotionTier, kinds.publication, kinds.redemption, kinds.referee, kinds.rewardAssignment],
    ...[kinds.segmentMember, kinds.validationRulesAssignment, kinds.voucher],
  ],
  read: readMoves,
  count: countChanges,
};

/**
 * Counts the elements that changes of one shard add to lists and remove. Each record counts once, because a total changes together
 * with its position in the shard. A list that cannot be counted does not stop other lists. Its records are then delivered again.
 */
export async function countChanges(table: Table, shardId: string, changes: readonly ItemChange[]): Promise<void> {
  const byList = Map.groupBy(consume(totalsConsumer, changes), (move) => move.list);
  const alone = await countTogether(table, shardId, byList);
  await countEach(alone, 'lists', (list, moves) => countInList(table, list, shardId, moves));
}

/** A transaction accepts 99 items, and each list has a total and a position. */
const listsAtOnce = 45;

/**
 * A load changes many lists of parents, such as a list for each customer. All shards count the few lists of the
 * project, so these conflict.
 */
const isOfParent = (list: string) => list.split('#').length > 3;

/**
 * Counts lists of parents, many in a transaction. Returns the lists to count alone: lists of the project, and lists
 * whose transaction failed, because a single list must not stop the others.
 */
async function countTogether(
  table: Table,
  shardId: string,
  byList: ReadonlyMap<string, readonly Move[]>,
): Promise<ReadonlyMap<string, readonly Move[]>> {
  const ofParents = [...byList].filter(([list]) => isOfParent(list));
  const alone = new Map(byList);
  for (let from = 0; from < ofParents.length; from += listsAtOnce) {
    const some = ofParents.slice(from, from + listsAtOnce);
    if (some.length === 1) continue;
    const isCounted = await countAtOnce(table, shardId, some).catch(() => false);
    if (isCounted) for (const [list] of some) alone.delete(list);
  }
  return alone;
}

async function countAtOnce(
  table: Table,
  shardId: string,
  lists: readonly (readonly [string, readonly Move[]])[],
): Promise<boolean> {
  const places = lists.map(([list, moves]) => ({ ...placeOf(totalKey(list), shardId), moves }));
  const stored = await table.getMany(places.map(({ own }) => own));
  const effects = places.flatMap(({ key, own, moves }, at) => adding(table, { key, own }, stored[at], moves, addMoves));
  return effects.length === 0 || (await commitApart(table, effects));
}

/** Counts one list after another. Throws at the end if any could not be counted. */
export async function countEach<M>(
  groups: ReadonlyMap<string, readonly M[]>,
  called: string,
  count: (name: string, moves: readonly M[]) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const [name, moves] of groups) await count(name, moves).catch((error: unknown) => failures.push(error));
  const [failure] = failures;
  if (failure !== undefined) throw new Error(`${failures.length} ${called} were not counted`, { cause: failure });
}

function countInList(table: Table, list: string, shardId: string, moves: readonly Move[]): Promise<true> {
  return countOnce(table, totalKey(list), shardId, moves, addMoves);
}

function addMoves(update: Update, open: readonly Move[]): Update {
  const sum = open.reduce((before, { by }) => before + by, 0);
  return update.add('total', sum);
}

/** The item that counts, and its position in the shard. */
interface Place {
  readonly key: ItemKey;
  readonly own: ItemKey<typeof position>;
}

const placeOf = (key: ItemKey, shardId: string): Place => ({ key, own: positionKey(key, shardId) });

/** Returns the effects that add uncounted records to an item and move its position, or none if all are counted. */
function adding<M extends CountedRecord>(
  table: Table,
  { key, own }: Place,
  at: Attributes | undefined,
  moves: readonly M[],
  add: (update: Update, open: readonly M[]) => Update,
): Effect[] {
  const known = at && v.parse(position, at).sequence;
  const counted = BigInt(known ?? 0);
  const open = moves.filter(({ sequence }) => sequence > counted);
  const last = open.at(-1);
  if (!last) return [];
  return [
    change(key, (update) => add(update, open)),
    change(own, (update) => {
      update.set(['sequence'], String(last.sequence));
      update.set([tableShape.timeToLive], table.expiringIn(positionKeptForInS));
      // TTL removes items late. An expired position is still stored, but hidden from reads.
      if (known === undefined) return update.whenBelow(tableShape.timeToLive, table.expiringIn(1));
      return update.whenStill('sequence', known);
    }),
  ];
}

/**
 * Adds uncounted records to an item, and moves its position in the shard, in one transaction. With `exists` a missing item stays
 * missing.
 */
export function countOnce<M extends CountedRecord>(
  table: Table,
  key: ItemKey,
  shardId: string,
  moves: readonly M[],
  add: (update: Update, open: readonly M[]) => Update,
  { exists = false } = {},
): Promise<true> {
  const place = placeOf(key, shardId);
  return retryOptimistically(table, async () => {
    const [at, found] = await table.getMany(exists ? [place.own, place.key] : [place.own]);
    if (exists && !found) return true;
    const effects = adding(table, place, at, moves, add);
    const done = effects.length === 0 || (await commitApart(table, effects));
    return done || again;
  });
}
