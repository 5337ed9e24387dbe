import type * as v from 'valibot';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import type { ItemWrite } from './item-write.ts';

/** The terms of a list's description, and the arguments of its functions. */

export type EntryFields = Readonly<Record<string, unknown>>;

/** An entry to be written into a file. */
export type Draft = Record<string, unknown>;

/** A value that no two entries of a list may share. */
export interface Name {
  readonly field: string;
  readonly value: string;
}

/** A value by which an entry names another list's entry. */
export interface Reference extends Name {
  readonly list: string;
  /** The fields that may match, of which the first match wins. The default is the `names` of the list. */
  readonly by?: readonly string[];
}

/** An amount of a sum, with its place in the entry. */
export interface Addend {
  readonly sum: string;
  readonly place: string;
  readonly amount: number;
}

/** The entries of lists with `few`, which are held in memory. */
export interface HeldEntries {
  all(list: string): readonly EntryFields[];
  /** Finds an entry by any of its names. An id wins over other names. */
  find(list: string, name: string | null | undefined): EntryFields | undefined;
}

/** The input for making items, besides the entry. */
export interface LoadContext {
  readonly projectId: string;
  readonly now: string;
  /** The time of the project's first load. It dates entries without a date, equally at every load. */
  readonly firstLoadedAt: string;
  readonly file: HeldEntries;
  /** Returns the id of a held entry by the first given name. */
  idOf(list: string, ...names: (string | null | undefined)[]): string | undefined;
  /** Returns a voucher's id from its code, or from its id in the file. */
  voucherId(code: string): string;
  /** Returns the stored item under a key of `lookups`. */
  at(key: ItemKey): EntryFields | undefined;
  /** Puts parts, such as assignments, into an attribute of the owner's item. `once` applies as for items. */
  parts(owner: string, id: string): { readonly item: Attributes; readonly once: readonly string[] };
  /** Notes an entry whose subject is missing in the table. */
  missing(fault: string): void;
}

export interface Making extends LoadContext {
  readonly id: string;
  /** `campaigns[3]` */
  readonly place: string;
}

/** The input for making entries, besides the item. */
export interface Exporting {
  readonly projectId: string;
  /** Returns the stored item under a key of `needs`. */
  at(key: ItemKey): EntryFields | undefined;
  /** Notes a campaign whose codes are being generated. */
  unfinished(id: string): void;
}

/** A field that no two entries share, by a claim in the table. */
interface Unique {
  readonly field: string;
  readonly claim: (projectId: string, value: string) => ItemKey;
  /** The attribute of the claim with the id of the entry. */
  readonly holds: string;
  /** An attribute of the claim with a field of the entry that cannot change. */
  readonly also?: { readonly attribute: string; readonly field: string } | undefined;
  /** Entries of a file may exchange their values. */
  readonly passes?: boolean;
}

/** The part of a description that is the same for every entry. */
export interface ListFacts {
  /** The noun for one entry. */
  readonly called: string;
  /** `few` entries are held in memory, `many` are read one at a time. */
  readonly number: 'few' | 'many';
  /** Limits the entries of a project. */
  readonly most: number | undefined;
  /**
   * The stage in which the list is written. Referenced lists (default for few) have stage 1, and long lists (default for many) have stage
   * 2. Lists that need items of stage 2 have stage 3. Keys of operators and pages have stage 4, and app keys stage 5.
   */
  readonly stage: 1 | 2 | 3 | 4 | 5;
  /** The schema of replies. Fields that only replies have are ignored. */
  readonly shown: v.GenericSchema | undefined;
  /** Unique fields, by which other entries may name an entry. */
  readonly names: readonly string[];
  /** A field whose value no other entry may have in the other field. */
  readonly apart: readonly [field: string, other: string] | undefined;
  /** The prefix of the ids that are made for entries without an id. */
  readonly prefix: string | undefined;
  readonly unique: readonly Unique[];
  /** The name under which entries own parts, such as assignments. */
  readonly owner: string | undefined;
  /** The kinds of items that are exported as entries. */
  readonly kinds: readonly string[];
  /** The kind of the partition that such an item must be in. */
  readonly inside: string | undefined;
  /** Keys of other items that `entries` needs. */
  readonly needs: ((item: Attributes, projectId: string) => ItemKey[]) | undefined;
  /** Reads entries outside of the project's partitions. */
  readonly elsewhere: ((table: Table, projectId: string) => Promise<Draft[]>) | undefined;
}

type Faults = Iterable<string>;

interface Rules<E> {
  /** Turns a reply, whose fields may have other names, into the form of an entry. */
  readonly fromReply?: (reply: EntryFields) => EntryFields;
  /** Normalises names before they are compared. */
  readonly spelt?: (value: string) => string;
  /** References in groups. The references of one group must lead to the same entry. */
  readonly references?: (entry: E) => readonly (readonly Reference[])[];
  /** Yields faults that the schema does not find. Each begins with its place in the entry. */
  readonly rules?: (entry: E) => Faults;
  /** Yields faults between an entry and held entries. For long lists, `file` is the result of `alike`. */
  readonly against?: (entry: E, file: HeldEntries) => Faults;
  /** Reduces an entry to the part that `against` examines, so that few parts differ. `undefined` means that there is nothing to check. */
  readonly alike?: (entry: E) => E | undefined;
  readonly addends?: (entry: E) => readonly Addend[];
  /** Keys of other items that `items` needs. */
  readonly lookups?: (entry: E, projectId: string, voucherId: LoadContext['voucherId']) => ItemKey[];
  readonly items?: (entry: E, making: Making) => readonly ItemWrite[];
  /** Makes one item of all entries. */
  readonly together?: (entries: readonly E[], around: LoadContext) => ItemWrite;
  /** The part of the owner's item that the entry becomes. `named` names the owner as the entry does. */
  readonly part?: {
    readonly named: (entry: E) => readonly [owner: string, name: string];
    readonly of: (entry: E, making: Making) => { owner: string; id: string; value: EntryFields };
  };
  /** Fields that are exported as `null` if they are empty, like in replies. */
  readonly nulls?: readonly string[];
  /** Returns the entries of an item. By default it returns only `plain`, with the schema's fields that the item has. */
  readonly entries?: (item: Attributes, plain: Draft, exporting: Exporting) => readonly Draft[];
}

export type Traits<E> = Rules<E> & Partial<ListFacts> & Pick<ListFacts, 'called' | 'names'>;
