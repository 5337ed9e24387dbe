import { randomUUID } from 'node:crypto';
import type { Condition, Write } from './command.ts';
import type { Attributes } from './item.ts';
import { nothingThere, tableShape } from './keys.ts';
import type { WriteResults } from './transaction.ts';

/**
 * Builds tombstones. An attempt without an answer may be carried out at any later time (docs/contributing.md#late), and
 * must not find the key of its item free.
 */

const tombstoneLifeInS = 24 * 60 * 60;

function buried(now: Date): Attributes {
  const expiresAt = Math.floor(now.getTime() / 1_000) + tombstoneLifeInS;
  return { deleted_at: now.toISOString(), [tableShape.timeToLive]: expiresAt };
}

/** Returns the attributes of a tombstone for an item that never existed. No insert replaces it. */
export function tombstoneOf(now: Date): Attributes {
  return { has_lapsed: true, ...buried(now) };
}

/** Returns the attributes of a tombstone for an insert that must not be carried out late. Later inserts may replace it. */
export function fenceOf(now: Date): Attributes {
  return { ...tombstoneOf(now), fence: randomUUID() };
}

/** Returns the attributes of a tombstone for a removed item. Later inserts may replace it. */
export function graveOf(now: Date): Attributes {
  return { ...buried(now), fence: randomUUID() };
}

/** Returns whether the item is a tombstone for something that was never committed. */
export function hasLapsed(item: Attributes | undefined): boolean {
  return item?.has_lapsed !== undefined;
}

/** The attributes that show such a tombstone. Indexes have none. */
export const fenceMarks: readonly string[] = ['fence', 'has_lapsed'];

/** Returns whether the item only keeps its key from late inserts. Lists leave such items out. */
export function isFence(item: Attributes | undefined): boolean {
  return item?.fence !== undefined || hasLapsed(item);
}

/** Returns the condition under which a new insert replaces the tombstone. A late insert, which requires a free key, does not. */
export function whenStillBuried(item: Attributes | undefined): Condition | undefined {
  if (item?.fence === undefined) return undefined;
  return { condition: '#fence = :fence', names: { '#fence': 'fence' }, values: { ':fence': item.fence } };
}

/** Holds if the key is free, or has another fence. */
export const whenFreeOrFenced: Condition = {
  condition: `${nothingThere} OR (attribute_exists(#fence) AND attribute_exists(#lapsed))`,
  names: { '#fence': 'fence', '#lapsed': 'has_lapsed' },
  values: {},
};

/** Returns the writes with inserts that replace tombstones, if only tombstones refused them. */
export function replaceBuried(writes: readonly Write[], refused: WriteResults): Write[] | undefined {
  const over = refused.map(({ failed, item }) => (failed ? whenStillBuried(item) : undefined));
  const isInTheWay = refused.every(({ failed }, index) => {
    const write = writes[index];
    return !failed || (over[index] !== undefined && write !== undefined && 'insert' in write);
  });
  if (!isInTheWay) return undefined;
  return writes.map((write, index) => {
    const condition = over[index];
    return condition && 'insert' in write ? { ...write, over: condition } : write;
  });
}
