import type { Attributes } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Reading } from '../context.ts';
import type { Block } from './block.ts';
import { nameOf } from './settled.ts';

/** Keeps what a container knows of crowded items. */

const rushLastsInMs = 10_000;
const maxItems = 1_000;
/** One item is read 3,000 times a second at most, and 450 containers redeem 5,000 times. */
const seenLastsInMs = 500;

export interface Crowd {
  /** When the container met it last; never, where it only knows the item's mark. */
  metAt: number;
  /** How many uses it takes at once. */
  uses: number;
  /** Those that no request of the container is using. */
  readonly free: Block[];
  seen?: { readonly item: Attributes; readonly at: number; isServed: boolean } | undefined;
}

/** By the table's client, of which a container has one. */
const memories = new WeakMap<object, Map<string, Crowd>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, Crowd> {
  const memory = memories.get(container) ?? new Map<string, Crowd>();
  memories.set(container, memory);
  return memory;
}

export function crowdAt(table: Table, key: Key): Crowd | undefined {
  return memoryOf(table).get(nameOf(table, key));
}

export function remembered(table: Table, key: Key, uses: number): Crowd {
  const memory = memoryOf(table);
  const name = nameOf(table, key);
  const crowd = memory.get(name) ?? { metAt: Number.NEGATIVE_INFINITY, uses, free: [] };
  memory.delete(name);
  memory.set(name, crowd);
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
  return crowd;
}

export const isMet = ({ metAt }: Crowd, now: Date) => now.getTime() - metAt < rushLastsInMs;

type Place = Pick<Reading, 'table' | 'now'>;

/** Keeps the item of a crowd as it was read. */
export function noteSeen({ table, now }: Place, key: Key, item: Attributes): void {
  const crowd = crowdAt(table, key);
  if (crowd) crowd.seen = { item, at: now.getTime(), isServed: false };
}

/**
 * Returns the item as the container read it less than half a second ago, while it has a block: the block stands for what the item counts.
 * Without a block the item is read.
 */
export function seenInRush({ table, now }: Place, key: Key): Attributes | undefined {
  const crowd = crowdAt(table, key);
  const seen = crowd?.seen;
  if (!seen || now.getTime() - seen.at >= seenLastsInMs) return undefined;
  if (!crowd.free.some(({ left, isOver }) => left > 0 && !isOver)) return undefined;
  seen.isServed = true;
  return seen.item;
}

/** Lets the next request read the item. Returns whether a request was answered by what is forgotten. */
export function forgetSeen(table: Table, key: Key): boolean {
  const crowd = crowdAt(table, key);
  const isServed = crowd?.seen?.isServed ?? false;
  if (crowd) crowd.seen = undefined;
  return isServed;
}
