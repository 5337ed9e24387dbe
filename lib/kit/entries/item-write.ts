import type { Attributes } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import type { ItemKey } from '../../table/kind.ts';
import type { Table } from '../../table/table.ts';
import type { Noted } from '../offered/noted.ts';

/** An item as a project file has it. An attribute that is `undefined` is removed from a stored item. */
export interface ItemWrite {
  key: Key | ItemKey;
  item: Attributes;
  /** Attributes that only a new item takes from the file: figures that move, and when it was made. */
  once?: readonly string[];
  /** Attributes that a stored item, where it has them, must have as in the file; each with its fault. */
  fixed?: Readonly<Record<string, string>>;
  /** Attributes that a stored item must have as in the file, also where either has none; each with its fault. */
  kept?: Readonly<Record<string, string>>;
  /** Further faults of a stored item. */
  faults?: (stored: Attributes) => readonly string[];
  /** Attributes that follow from the whole item, such as its places in lists. */
  places?: (item: Attributes) => Attributes;
  /** Attributes that must still be as read when the item is changed. */
  guards?: readonly string[];
  /** The attribute that counts changes of the item, and must still be as read. */
  counts?: string;
  /** Requests read the item by its version (`lib/table/versioned.ts`): a new one goes with every change. */
  versioned?: true;
  /** What qualifications find by its version (`lib/candidates`): a new one goes with every change. */
  noted?: { projectId: string; what: Noted; id: string };
  /** Names that lead to the item, written with it. */
  claims?: readonly Claim[];
  /** Those that a stored item has. */
  claimsOf?: (stored: Attributes) => readonly Claim[];
  /** Keys under which there must be nothing, each with its fault. */
  apart?: readonly { key: Key; fault: string }[];
  /** Counters that go up with a new item. */
  counted?: readonly Counter[];
  /** Recognises a stored item that can't be served, and repairs it. */
  mend?: { isBroken: (stored: Attributes) => boolean; repair: (table: Table) => Promise<void> };
}

/** A name that leads to an item; its `fixed` attributes say to which. */
export interface Claim extends Pick<ItemWrite, 'key' | 'item' | 'fixed'> {
  /** Whether the item may take it over from its holder. */
  passes?: (stored: Attributes) => boolean;
}

export interface Counter {
  key: Key;
  attribute: string;
  /** 1 unless it counts something else than items. */
  by?: number;
  /** Whether it is part of an item that must be there; a counter of its own begins at 0. */
  ofItem?: boolean;
}

/** An item that never changes, such as a name that leads to another. */
export function pointer(key: Key | ItemKey, item: Attributes): ItemWrite {
  return { key, item, once: Object.keys(item) };
}

/** The fault of what differs and can't be changed. */
export function differs(place: string): string {
  return `${place} differs from the stored one, which can't be changed`;
}
