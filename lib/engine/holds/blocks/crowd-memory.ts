import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Block } from '../items/block-item.ts';
import { nameTableItem } from '../standing/lapsed-holds.ts';

/** Remembers in the container which items are contended. */

const rushLastsInMs = 10_000;
const maxItems = 1_000;

export interface Crowd {
  /** The time of the last contention that the container found, or `-Infinity` if it only knows the item's mark. */
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
