import { awaitLater } from '#kernel/core/await-later.ts';
import { type Family, familyKey } from './families.ts';
import type { Attributes } from './item.ts';
import { escapePart, type Key, keyText } from './keys.ts';
import type { Table } from './table.ts';
import { copyKey, drawCopy } from './version-copies.ts';

/**
 * Keeps in the container what many requests read and few change, while its version is current. The version is a small
 * item with copies, which changes in the same transaction. Requests read one copy in turn, in one call with their
 * other reads. A change is therefore visible immediately.
 */

interface Found<T> {
  readonly value: T;
  /** The version that the value certainly has. It is absent if the read may have met half of a change. */
  readonly version?: { readonly of: unknown };
}

/** The version of kept values, as one request sees it. */
export interface KeptVersion {
  readonly table: Table;
  /** Names what has the version, among all tables of the container. */
  readonly name: string;
  readonly isCurrent: (kept: unknown) => Promise<boolean>;
  readonly during: <T>(read: () => Promise<T>) => Promise<Found<T>>;
}

interface Entry<T> {
  readonly version: unknown;
  readonly value: T;
  /** Characters of JSON. */
  readonly size: number;
}

/** Counts a value that does not exist. */
const sizeOfNothing = 100;

/** Limits the characters of JSON that a container keeps of one sort. The oldest reads are dropped first. */
const defaultMaxKept = 4_000_000;
const defaultMaxItems = 16_000_000;

/** Keeps values of one sort. Callers must not change them. */
export class Kept<T> {
  readonly #maxKept: number;
  /** The entries by the container's client of the table. */
  readonly #containers = new WeakMap<object, { readonly entries: Map<string, Entry<T>>; size: number }>();

  constructor({ maxKept = defaultMaxKept } = {}) {
    this.#maxKept = maxKept;
  }

  /** Returns the kept value, possibly outdated. It serves as a guess at further keys to read. */
  guess({ table, name }: Pick<KeptVersion, 'table' | 'name'>, part = ''): T | undefined {
    return this.#of(table).entries.get(`${name}\n${part}`)?.value;
  }

  /** Returns the current value of a part of what has the version. Calls `read` if the container does not have it. */
  async get(version: KeptVersion, part: string, read: () => Promise<T>): Promise<T> {
    const name = `${version.name}\n${part}`;
    const known = this.#of(version.table).entries.get(name);
    if (known && (await version.isCurrent(known.version))) return known.value;
    const { value, version: own } = await version.during(read);
    this.#drop(version.table, name);
    if (own) this.#keep(version.table, name, { version: own.of, value, size: sizeOf(value) });
    return value;
  }

  #of({ container }: Table) {
    const own = this.#containers.get(container) ?? { entries: new Map<string, Entry<T>>(), size: 0 };
    this.#containers.set(container, own);
    return own;
  }

  #keep(table: Table, name: string, entry: Entry<T>): void {
    const own = this.#of(table);
    own.entries.set(name, entry);
    own.size += entry.size;
    for (const oldest of own.entries.keys()) {
      if (own.size <= this.#maxKept) return;
      this.#drop(table, oldest);
    }
  }

  #drop(table: Table, name: string): void {
    const own = this.#of(table);
    own.size -= own.entries.get(name)?.size ?? 0;
    own.entries.delete(name);
  }
}

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? sizeOfNothing;

/** Limits the names for which a container remembers the next copy or the known version. */
const maxNames = 5_000;

interface Container {
  /** The copy that the last request read. */
  readonly turns: Map<string, number>;
  /** The versions of families that the last requests read. */
  readonly families: Map<string, { readonly version: unknown }>;
}

const containers = new WeakMap<object, Container>();

function containerOf({ container }: Table): Container {
  const own = containers.get(container) ?? { turns: new Map(), families: new Map() };
  containers.set(container, own);
  return own;
}

/** Reads a copy of a version. Containers begin with different copies. */
async function readCopy(table: Table, key: Key, name: string): Promise<unknown> {
  const { turns } = containerOf(table);
  const turn = (turns.get(name) ?? drawCopy()) + 1;
  if (turns.size >= maxNames) turns.clear();
  turns.set(name, turn);
  const [copy] = await table.getMany([copyKey(key, turn)]);
  return copy?.version;
}

const nameOf = ({ name }: Table, key: Key) => `${name}\n${keyText(key)}`;

/**
 * Keeps items that have a version each, and keeps an item under its own version. The next request therefore repeats a read
 * that met half of a transaction. With `keepsNothing`, containers also keep an item's absence, because many projects do not have it.
 */
export class KeptItems<T> {
  readonly #kept: Kept<T | undefined>;
  readonly #parse: (item: Attributes) => T;
  readonly #keepsNothing: boolean;

  constructor(
    parse: (item: Attributes) => T,
    { maxKept = defaultMaxItems, keepsNothing = false }: { maxKept?: number; keepsNothing?: boolean } = {},
  ) {
    this.#parse = parse;
    this.#kept = new Kept({ maxKept });
    this.#keepsNothing = keepsNothing;
  }

  guess(table: Table, key: Key): T | undefined {
    return this.#kept.guess({ table, name: nameOf(table, key) });
  }

  /** Returns the current items in the order of the keys. A kept item costs a read unit, and a second call if it has changed. */
  read(table: Table, keys: readonly Key[]): Promise<(T | undefined)[]> {
    return Promise.all(keys.map((key) => this.#read(table, key)));
  }

  #read(table: Table, key: Key): Promise<T | undefined> {
    const name = nameOf(table, key);
    let item: Attributes | undefined;
    const version: KeptVersion = {
      ...{ table, name },
      isCurrent: async (kept) => (await readCopy(table, key, name)) === kept,
      during: async (read) => {
        const value = await read();
        const isKept = item ? item.version !== undefined : this.#keepsNothing;
        return { value, ...(isKept ? { version: { of: item?.version } } : {}) };
      },
    };
    return this.#kept.get(version, '', async () => {
      [item] = await table.getMany([key]);
      return item && this.#parse(item);
    });
  }
}

const open = new WeakMap<Table, Map<string, KeptVersion>>();

/**
 * Begins to read the version of a family of a project. Simultaneous calls of one request share the read. Later calls read again. A value is
 * kept only if the container knew the version before the request and it is still current.
 */
export function readFamily(
  { table, project }: { readonly table: Table; readonly project: { readonly id: string } },
  family: Family,
): KeptVersion {
  const key = familyKey(escapePart(project.id), family);
  const name = nameOf(table, key);
  const own = open.get(table) ?? new Map<string, KeptVersion>();
  open.set(table, own);
  const shared = own.get(name);
  if (shared) return shared;
  const { families } = containerOf(table);
  const before = families.get(name);
  const reading = readCopy(table, key, name).then((version) => {
    const current = families.get(name);
    if (before && current === before && before.version === version) return true;
    if (families.size >= maxNames) families.clear();
    if (!current || current.version !== version) families.set(name, { version });
    return false;
  });
  const stands = awaitLater(reading);
  const version: KeptVersion = {
    ...{ table, name },
    isCurrent: async (kept) => kept === before && (await stands),
    during: async (read) => {
      const [value, isStill] = await Promise.all([read(), stands]);
      return { value, ...(isStill ? { version: { of: before } } : {}) };
    },
  };
  own.set(name, version);
  const forget = () => own.delete(name);
  stands.then(forget, forget);
  return version;
}
