import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { type ItemKey, type Kind, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Update } from '#kernel/table/update.ts';
import { blockItem, blockKey, blockRanges, blocksTaken, isBlockId, readBlockUnit } from './block-item.ts';

/** A hold on a shared item, taken ahead of the transaction that makes it final. */
export interface Hold {
  readonly key: ItemKey;
  /** The counted attributes, with the amount that each grows by. */
  readonly by: Readonly<Record<string, number>>;
  /** Requires that the attribute is at most `value` afterwards. */
  readonly max?: { readonly attribute: string; readonly value: number };
  /** Returns whether the item that was read has room for more uses. Without it there is no limit. */
  readonly hasRoom?: (uses: number) => boolean;
  /** Attributes that the hold removes if they are unchanged since the read. A release restores them. */
  readonly takes?: Attributes;
  /** Counts how often all sessions of the item's parent were ended (`lib/engine/holds/locks.ts`). */
  readonly endedAround?: number;
  /** The item that was read, which shows how crowded it is. */
  readonly read?: Attributes | undefined;
  /** Adds further conditions. */
  readonly when?: (update: Update) => Update;
}

/** The part of the context that cleaning up after holds needs. */
export type HoldContext = Pick<Reading, 'table' | 'now'> & { readonly project: Pick<Project, 'id'> };

/** Builds the keys of the records under whose ids holds are taken. A record exists once its transaction is committed. */
export type Records = Kind<v.GenericSchema>;

/** Redemptions, for code that only needs to know whether one exists. */
export const redemptionRecords = kind(kinds.redemption, v.looseObject({}));

/** A function ends within 20 s, so an older hold has no holder. Correctness does not depend on it: a later transaction is refused. */
export const holdLifeInMs = 60_000;

/**
 * Counts the holds on an item. A hold takes a tenth of a KB, and a write costs a unit a KB, so an item has few holds. Further uses are
 * items of their own (`block.ts`).
 */
export const holdsStanding = 'holds_standing';

const prefix = 'hold ';

export const holdName = (id: string) => prefix + id;

/** Counts all holds that were ever taken on an item. Each hold keeps its number, because a repeated update gets another one. */
export const holdsTaken = 'holds_taken';

const numberPrefix = '#';

const shortDigest = (text: string) => hash('sha256', text, 'base64url').slice(0, 6);

/** Names the attribute with a hold's number. A digest of the id is enough for the few holds of an item, and keeps the item small. */
export const holdNumberName = (id: string) => numberPrefix + shortDigest(id);

/** A hold on an item. A late repetition of its update makes a hold of the same id with another number. */
export interface HoldRef {
  readonly id: string;
  readonly no: number | undefined;
}

export function findHold(item: Attributes | undefined, id: string): HoldRef {
  const no = item?.[holdNumberName(id)];
  return { id, no: no === undefined ? undefined : Number(no) };
}

const nameHeld = (key: Key) => shortDigest(keyText(key));

/** The numbers of a record's holds, by their items. They tell a hold from its late repetition, when the hold has been settled. */
export const recordedHolds = v.optional(v.record(v.string(), v.number()));

export const isHoldNumber = (name: string) => name.startsWith(numberPrefix);

/** Returns the numbers for the record, from the items after their holds. */
export function recordHolds(
  id: string,
  items: readonly { readonly key: Key; readonly item: Attributes }[],
): v.InferOutput<typeof recordedHolds> {
  const numbers = items.flatMap(({ key, item }) => {
    const { no } = findHold(item, id);
    return no === undefined ? [] : [[nameHeld(key), no]];
  });
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}

/** Returns whether the committed record belongs to another hold on the item than this one, which then is a late repetition. */
export function isRepetition(record: Attributes, key: Key, no: number | undefined): boolean {
  const recorded = v.parse(recordedHolds, record.held)?.[nameHeld(key)];
  return recorded !== undefined && recorded !== no;
}

const storedHold = v.object({
  by: v.record(v.string(), v.number()),
  /** Unix time in milliseconds, which takes a third of a text's bytes. */
  until: v.number(),
  took: v.optional(v.record(v.string(), v.unknown())),
});

export type StoredHold = Omit<v.InferOutput<typeof storedHold>, 'until'> &
  Pick<HoldRef, 'no'> & { readonly until: string };

export function newHold({ by, takes = {} }: Hold, now: Date, lifeInMs: number): v.InferOutput<typeof storedHold> {
  return { by: { ...by }, until: now.getTime() + lifeInMs, ...(Object.keys(takes).length > 0 ? { took: takes } : {}) };
}

/** Returns the holds of a stored item, by their ids. */
export function readHolds(item: Attributes | undefined): Map<string, StoredHold> {
  const holds = Object.entries(item ?? {}).filter(([name]) => name.startsWith(prefix));
  return new Map(
    holds.map(([name, value]) => {
      const id = name.slice(prefix.length);
      const { until, ...stored } = v.parse(storedHold, value);
      return [id, { ...stored, until: new Date(until).toISOString(), no: findHold(item, id).no }];
    }),
  );
}

/** Removes a hold and subtracts its counts. Requires that the hold exists, so that it is given back once. */
export function revertHold(
  update: Update,
  { id, no }: HoldRef,
  { by, took = {} }: Pick<Hold, 'by'> & { took?: Attributes | undefined },
): Update {
  for (const [attribute, amount] of Object.entries(by)) update.add(attribute, -amount);
  for (const [name, value] of Object.entries(took)) update.set([name], value);
  return finishHold(update, { id, no });
}

/** Removes a hold and keeps its counts. */
export function finishHold(update: Update, { id, no }: HoldRef): Update {
  return update
    .whenHas(holdName(id))
    .whenStill(holdNumberName(id), no)
    .remove([holdName(id)])
    .remove([holdNumberName(id)])
    .add(holdsStanding, -1);
}

/** Calculates the true uses of a shared item. Its count includes held uses that are not committed yet. */

type Context = Omit<HoldContext, 'now'>;

/** Other requests may write the item between two reads. A later read is closer to the truth. */
const maxRounds = 4;

/** Sums the rest of open blocks. */
async function readBlocks({ table, project }: Context, key: Key, attribute: string) {
  const pages = await Promise.all(blockRanges(project.id, key).map((all) => table.query(all)));
  const open = pages.flat().filter((one) => one.deleted_at === undefined);
  const blocks = open.map((one) => parseStored(blockItem, one));
  return blocks.reduce((left, block) => left + (block.size - block.used) * (readBlockUnit(block)[attribute] ?? 0), 0);
}

/** Sums the holds without a committed record, and late repetitions of settled holds. */
async function readUnused(
  { table, project }: Context,
  records: Records,
  { key, item, attribute }: { key: Key; item: Attributes | undefined; attribute: string },
): Promise<number> {
  const holds = [...readHolds(item)];
  const places = holds.map(([id]) => (isBlockId(id) ? blockKey(project.id, key, id) : records(project.id, id)));
  const found = await table.getMany(places);
  return holds.reduce((sum, [, { by, no }], index) => {
    const record = found[index];
    return sum + (record && !isRepetition(record, key, no) ? 0 : (by[attribute] ?? 0));
  }, 0);
}

const isAsBefore = (before: Attributes | undefined, after: Attributes | undefined, attribute: string) =>
  before?.[attribute] === after?.[attribute] &&
  before?.[blocksTaken] === after?.[blocksTaken] &&
  [...readHolds(before).keys()].sort().join() === [...readHolds(after).keys()].sort().join();

/** Returns the committed uses, without those that containers and dead holders only hold. Writes nothing. */
export async function countExactly(
  context: Context,
  records: Records,
  { key, attribute }: { readonly key: Key; readonly attribute: string },
): Promise<number> {
  const { table } = context;
  let [item] = await table.getMany([key]);
  for (let round = 1; ; round++) {
    const [left, unused] = await Promise.all([
      readBlocks(context, key, attribute),
      readUnused(context, records, { key, item, attribute }),
    ]);
    const [again] = await table.getMany([key]);
    if (round === maxRounds || isAsBefore(item, again, attribute)) {
      return Math.max(0, Number(item?.[attribute] ?? 0) - left - unused);
    }
    item = again;
  }
}
