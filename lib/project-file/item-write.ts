import type { Attributes } from '../dynamodb.ts';
import type { Listing } from '../lists/counted-list.ts';
import type { Key } from '../table.ts';

/** An item as the file has it. An attribute that is `undefined` is removed from an item that is there already. */
export interface ItemWrite {
  key: Key;
  item: Attributes;
  /** Attributes that only a new item takes from the file: figures that move, and when it was made. */
  once: readonly string[];
  /** Attributes that an item which has them already must have as the file has them, each with the fault if it has not. */
  fixed?: Readonly<Record<string, string>>;
  /** Attributes that an item which is there must have as the file has them, also where either has none. */
  kept?: Readonly<Record<string, string>>;
  /** Counters that go up by one with a new item, in its transaction. */
  counted?: readonly Counter[];
  /** A name that leads to the item: written before it, and the item only if the name is its own. */
  claim?: ItemWrite;
  /** Where the item stands in ordered lists: it is written together with its places there. */
  listing?: Listing;
}

export interface Counter {
  key: Key;
  attribute: string;
  /** 1 unless it counts something else than items. */
  by?: number;
  /** An item that must be there: a counter by itself begins at 0. */
  ofItem?: boolean;
}

/** Why the file's item and the one that is there can't be the same. */
export function conflictsOf({ item, fixed = {}, kept = {} }: ItemWrite, stored: Attributes): string[] {
  const differing = ([name]: [string, string]) => stored[name] !== item[name];
  const faults = [
    ...Object.entries(fixed).filter(([name]) => stored[name] !== undefined),
    ...Object.entries(kept),
  ].filter(differing);
  return faults.map(([, fault]) => fault);
}
