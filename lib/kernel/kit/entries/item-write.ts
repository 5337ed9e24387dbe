import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { NotedKind } from '../offers/offer-notes.ts';

/** An item of a project file. An attribute that is `undefined` is removed from a stored item. */
export interface ItemWrite {
  key: Key | ItemKey;
  item: Attributes;
  /** Attributes that the file sets only on a new item, such as moving figures and the time of creation. */
  once?: readonly string[];
  /**
   * Returns further attributes of a stored item that follow from moved figures, when a file repeats the state of
   * another service.
   */
  moved?: (stored: Attributes) => Attributes;
  /** Attributes that must equal a stored item's if it has them, each with its fault. */
  fixed?: Readonly<Record<string, string>>;
  /** Attributes that must equal a stored item's even if either is missing, each with its fault. */
  kept?: Readonly<Record<string, string>>;
  /** Returns further faults of a stored item. */
  faults?: (stored: Attributes) => readonly string[];
  /** Derives attributes from the whole item, such as its places in lists. */
  places?: (item: Attributes) => Attributes;
  /** Attributes that must be unchanged since the read when the item is changed. */
  guards?: readonly string[];
  /** The attribute that counts changes of the item. It must be unchanged since the read. */
  counts?: string;
  /** Requests read the item by its version (`lib/kernel/table/kept.ts`), so each change needs a new version. */
  versioned?: true;
  /** Qualifications find the item by its version (`lib/kernel/kit/offers`), so each change needs a new version. */
  noted?: { projectId: string; what: NotedKind; id: string };
  /** Names that lead to the item, written with it. */
  claims?: readonly Claim[];
  /** Returns the names of a stored item. */
  claimsOf?: (stored: Attributes) => readonly Claim[];
  /** Keys that no item may have, each with its fault. */
  apart?: readonly { key: Key; fault: string }[];
  /** Counters that grow with a new item. */
  counted?: readonly CounterWrite[];
  /** Returns counters that move with a change of the stored item, when a file repeats the state of another service. */
  recounted?: (stored: Attributes) => readonly CounterWrite[];
  /** Changes only an existing item. */
  ifThere?: true;
}

/** A name that leads to an item. Its `fixed` attributes name the item. */
export interface Claim extends Pick<ItemWrite, 'key' | 'item' | 'fixed'> {
  /** Returns whether the item may claim the name from its holder. */
  passes?: (stored: Attributes) => boolean;
}

export interface CounterWrite {
  key: Key;
  attribute: string;
  /** The amount by which the counter grows. The default is 1, for counters of items. */
  by?: number;
  /** The counter is part of an existing item. A separate counter begins at 0. */
  ofItem?: boolean;
  /** Limits the counter. `name` is what operators call an item of this list. */
  limit?: { readonly most: number; readonly list: string; readonly name: string };
}

/** Makes an item that never changes, such as a name that leads to another. */
export function makePointer(key: Key | ItemKey, item: Attributes): ItemWrite {
  return { key, item, once: Object.keys(item) };
}

/** Returns the fault of a difference that cannot be changed. */
export function explainDifference(place: string): string {
  return `${place} differs from the stored value, which can't be changed`;
}
