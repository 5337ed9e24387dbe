import type * as v from 'valibot';
import type { Attributes } from '../../table/item.ts';
import type { ItemKey } from '../../table/kind.ts';
import type { Table } from '../../table/table.ts';
import type { ItemWrite } from './item-write.ts';

/** The words of a list's description, and what its functions are given. */

export type Fields = Readonly<Record<string, unknown>>;

/** An entry of a file that is to be written. */
export type Draft = Record<string, unknown>;

/** A value that no two entries of a list may share. */
export interface Name {
  readonly field: string;
  readonly value: string;
}

/** A value by which an entry names one of another list. */
export interface Reference extends Name {
  readonly list: string;
  /** The fields by which it may name it, the first one winning; by default the `names` of the list. */
  readonly by?: readonly string[];
}

/** An amount that is added up with others: of which sum, and where in its entry. */
export interface Addend {
  readonly sum: string;
  readonly place: string;
  readonly amount: number;
}

/** Entries of lists with `few`, which are held whole. */
export interface Held {
  all(list: string): readonly Fields[];
  /** By any of its names, an id winning over others. */
  find(list: string, name: string | null | undefined): Fields | undefined;
}

/** What items are made with, beside the entry. */
export interface Around {
  readonly projectId: string;
  readonly now: string;
  /** When the project was first loaded: the date of what has no date, and needs the same one at every load. */
  readonly firstLoadedAt: string;
  readonly file: Held;
  /** The id of a held entry, by the first of these names that is given. */
  idOf(list: string, ...names: (string | null | undefined)[]): string | undefined;
  /** Takes a code, or the id by which the file names a voucher. */
  voucherId(code: string): string;
  /** What the table has under a key of `lookups`. */
  at(key: ItemKey): Fields | undefined;
  /** The attribute of an owner's item that holds its parts, such as assignments; `once` as of items. */
  parts(owner: string, id: string): { readonly item: Attributes; readonly once: readonly string[] };
  /** Called for an entry whose subject is not in the table. */
  missing(fault: string): void;
}

export interface Making extends Around {
  readonly id: string;
  /** `campaigns[3]` */
  readonly place: string;
}

/** What entries are made with, beside the item. */
export interface Exporting {
  readonly projectId: string;
  /** What the table has under a key of `needs`. */
  at(key: ItemKey): Fields | undefined;
  /** Called for a campaign whose codes are being generated. */
  unfinished(id: string): void;
}

/** A field of which no two entries have the same value, by a claim in the table. */
export interface Unique {
  readonly field: string;
  readonly claim: (projectId: string, value: string) => ItemKey;
  /** The attribute of the claim that has the id of the entry. */
  readonly holds: string;
  /** An attribute of the claim that has a field of the entry, which can't change. */
  readonly also?: { readonly attribute: string; readonly field: string } | undefined;
  /** Whether entries of a file may exchange their values. */
  readonly passes?: boolean;
}

/** The part of a description that is the same for every entry. */
export interface Facts {
  /** What one entry is called. */
  readonly called: string;
  /** `few` are held whole, `many` read entry by entry. */
  readonly number: 'few' | 'many';
  /**
   * Lists are written stage by stage: 1 what others refer to (default for few), 2 long lists (default for many), 3 what needs
   * items of stage 2, 4 keys of operators and pages, 5 app keys.
   */
  readonly stage: 1 | 2 | 3 | 4 | 5;
  /** How replies show an entry: fields that only they have are passed over. */
  readonly shown: v.GenericSchema | undefined;
  /** Fields of which no two entries have the same value, and by which others may name one. */
  readonly names: readonly string[];
  /** A field whose value no other entry may have in the other field. */
  readonly apart: readonly [field: string, other: string] | undefined;
  /** What the ids begin with that are given to entries without one. */
  readonly prefix: string | undefined;
  readonly unique: readonly Unique[];
  /** The name under which its entries own parts, such as assignments. */
  readonly owner: string | undefined;
  /** Kinds of item from which entries are exported. */
  readonly kinds: readonly string[];
  /** The kind in whose partition such an item must stand. */
  readonly inside: string | undefined;
  /** Keys of other items that `entries` needs. */
  readonly needs: ((item: Attributes, projectId: string) => ItemKey[]) | undefined;
  /** Reads entries that don't stand in the project's partitions. */
  readonly elsewhere: ((table: Table, projectId: string) => Promise<Draft[]>) | undefined;
}

type Faults = Iterable<string>;

interface Rules<E> {
  /** Normalises names before they are compared. */
  readonly spelt?: (value: string) => string;
  /** In groups: those of one group must lead to the same entry. */
  readonly references?: (entry: E) => readonly (readonly Reference[])[];
  /** Faults that the schema does not find; each begins with its place in the entry. */
  readonly rules?: (entry: E) => Faults;
  /** Faults between an entry and held ones. Of long lists it sees what `alike` keeps. */
  readonly against?: (entry: E, file: Held) => Faults;
  /** Reduces an entry to what `against` looks at, so that few differ; `undefined` where there is nothing to check. */
  readonly alike?: (entry: E) => E | undefined;
  readonly addends?: (entry: E) => readonly Addend[];
  /** Keys of other items that `items` needs. */
  readonly lookups?: (entry: E, projectId: string, voucherId: Around['voucherId']) => ItemKey[];
  readonly items?: (entry: E, making: Making) => readonly ItemWrite[];
  /** Makes one item of all entries. */
  readonly together?: (entries: readonly E[], around: Around) => ItemWrite;
  /** What its owner's item holds of it; `named`: the owner as the entry names it. */
  readonly part?: {
    readonly named: (entry: E) => readonly [owner: string, name: string];
    readonly of: (entry: E, making: Making) => { owner: string; id: string; value: Fields };
  };
  /** Fields that are exported as `null` where there is nothing, as replies show them. */
  readonly nulls?: readonly string[];
  /** Entries that the item has; by default one, `plain`: the fields of the schema that the item has. */
  readonly entries?: (item: Attributes, plain: Draft, exporting: Exporting) => readonly Draft[];
}

export type Traits<E> = Rules<E> & Partial<Facts> & Pick<Facts, 'called' | 'names'>;
