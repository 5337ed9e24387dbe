import type { Reading } from '#kernel/http/context.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Block } from './block-item.ts';
import { nameTableItem } from './lapsed-holds.ts';

/** Remembers in the container which items are crowded. */

const rushLastsInMs = 10_000;
const maxItems = 1_000;
/** Limits the age of a remembered item. DynamoDB reads one item 3,000 times a second, and 450 containers redeem 5,000 times. */
const seenLastsInMs = 500;

export interface Crowd {
  /** The time when the container last met the crowd, or `-Infinity` if it only knows the item's mark. */
  metAt: number;
  /** The uses of the next block. */
  uses: number;
  /** Blocks that no request of the container uses now. */
  readonly free: Block[];
  seen?: { readonly item: Attributes; readonly at: number; isServed: boolean } | undefined;
}

/** The memory by the container's client of the table. */
const memories = new WeakMap<object, Map<string, Crowd>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, Crowd> {
  const memory = memories.get(container) ?? new Map<string, Crowd>();
  memories.set(container, memory);
  return memory;
}

export function findCrowd(table: Table, key: Key): Crowd | undefined {
  return memoryOf(table).get(nameTableItem(table, key));
}

export function rememberCrowd(table: Table, key: Key, uses: number): Crowd {
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const crowd = memory.get(name) ?? { metAt: Number.NEGATIVE_INFINITY, uses, free: [] };
  memory.delete(name);
  memory.set(name, crowd);
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
  return crowd;
}

export const isCrowdMet = ({ metAt }: Crowd, now: Date) => now.getTime() - metAt < rushLastsInMs;

type Place = Pick<Reading, 'table' | 'now'>;

/** Remembers the item that a request of a crowd has read. */
export function noteSeen({ table, now }: Place, key: Key, item: Attributes): void {
  const crowd = findCrowd(table, key);
  if (crowd) crowd.seen = { item, at: now.getTime(), isServed: false };
}

/**
 * Returns the item as the container read it less than half a second ago, if the container has a block. The item has counted the block
 * already. Without a block the item must be read.
 */
export function recallSeen({ table, now }: Place, key: Key): Attributes | undefined {
  const crowd = findCrowd(table, key);
  const seen = crowd?.seen;
  if (!seen || now.getTime() - seen.at >= seenLastsInMs) return undefined;
  if (!crowd.free.some(({ left, isOver }) => left > 0 && !isOver)) return undefined;
  seen.isServed = true;
  return seen.item;
}

/** Forgets the remembered item, so that the next request reads it. Returns whether a request has used the memory. */
export function forgetSeen(table: Table, key: Key): boolean {
  const crowd = findCrowd(table, key);
  const isServed = crowd?.seen?.isServed ?? false;
  if (crowd) crowd.seen = undefined;
  return isServed;
}
