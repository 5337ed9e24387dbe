import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { type Kind, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Update } from '#kernel/table/update.ts';
import type { Hold } from '../hold.ts';
import { heldNumbers } from '../stored.ts';

/** The part of the context that cleaning up after holds needs. */
export type HoldContext = Pick<Reading, 'table' | 'now'> & { readonly project: Pick<Project, 'id'> };

/** Builds the keys of the records under whose ids holds are taken. A record exists once its transaction is committed. */
export type Records = Kind<v.GenericSchema>;

/** Redemptions, for code that only needs to know whether one exists. */
export const redemptionRecords = kind(kinds.redemption, v.looseObject({}));

/** A function ends within 20 s, so an older hold has no holder. Correctness does not depend on it: a later transaction is refused. */
export const holdLifeInMs = 60_000;

/**
 * Counts the holds on an item. A hold adds a tenth of a KB, and a write costs a unit per KB, so an item has few holds.
 * Further uses are separate items (`block.ts`).
 */
export const holdsStanding = 'holds_standing';

const prefix = 'hold ';

export const holdName = (id: string) => prefix + id;

/**
 * Counts all holds that were ever made on an item. Each hold keeps its number, because a repeated update gets a new
 * number.
 */
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

export const isHoldNumber = (name: string) => name.startsWith(numberPrefix);

/** Returns the numbers for the record, from the items after their holds. */
export function recordHolds(
  id: string,
  items: readonly { readonly key: Key; readonly item: Attributes }[],
): v.InferOutput<typeof heldNumbers> {
  const numbers = items.flatMap(({ key, item }) => {
    const { no } = findHold(item, id);
    return no === undefined ? [] : [[nameHeld(key), no]];
  });
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}

/**
 * Returns whether the committed record belongs to a different hold on the item, so that this hold is a late repetition.
 */
export function isRepetition(record: Attributes, key: Key, no: number | undefined): boolean {
  const recorded = v.parse(heldNumbers, record.held)?.[nameHeld(key)];
  return recorded !== undefined && recorded !== no;
}

const storedHold = v.object({
  by: v.record(v.string(), v.number()),
  /** Unix time in milliseconds, which needs a third of the bytes of a text. */
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
