import { change, type Effect, remove } from './effects.ts';
import type { Attributes } from './item.ts';
import { type Key, keyText } from './keys.ts';
import type { ItemKey } from './kind.ts';
import type { Table } from './table.ts';
import { copyKey, copyKeys, someCopy } from './version-copies.ts';

/**
 * Items that every request needs and few change. An item bears a version, and so do small copies of it; all are written in one
 * transaction. Requests read one of the copies, and the item itself only where the container has it in another version. What is kept
 * goes by the item's own version: a read that meets a transaction halfway finds the two apart, and the next request reads again.
 */

/** Of one kind in one container, as characters of JSON; what was read first goes first. */
const defaultMaxKept = 16_000_000;

/** What `versionWrites` writes, as effects. */
export function versionChanges(key: ItemKey, version: string | undefined): Effect[] {
  return copyKeys(key).map((copy) =>
    change({ ...key, ...copy, kind: 'VERSION' }, (update) => update.set(['version'], version)),
  );
}

/** With the item, its version goes. */
export function versionRemovals(key: ItemKey): Effect[] {
  return copyKeys(key).map((copy) => remove({ ...key, ...copy, kind: 'VERSION' }, (update) => update));
}

interface Kept<T> {
  version: unknown;
  /** Nothing, where the container knows that the item does not exist. */
  value: T | undefined;
  size: number;
  /** The copy that the next request reads. */
  copy: number;
  /** An older release wrote the item, and one copy. */
  isAlone: boolean;
}

/** Bounds what a container keeps of items that do not exist, in characters. */
const sizeOfNothing = 100;

function sizeOf(value: unknown): number {
  return value === undefined ? sizeOfNothing : JSON.stringify(value).length;
}

class Memory<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #maxKept: number;
  #size = 0;

  constructor(maxKept: number) {
    this.#maxKept = maxKept;
  }

  get(name: string): Kept<T> | undefined {
    return this.#kept.get(name);
  }

  set(name: string, version: unknown, value: T | undefined): void {
    this.delete(name);
    const size = sizeOf(value);
    // Containers begin with different copies.
    this.#kept.set(name, { version, value, size, copy: someCopy(), isAlone: false });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#maxKept) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#size -= this.#kept.get(name)?.size ?? 0;
    this.#kept.delete(name);
  }
}

interface Options {
  readonly maxKept?: number;
  /** The item is one of a project, which many projects do not have: containers keep that it does not exist, too. */
  readonly keepsNothing?: boolean;
}

interface Asked<T> {
  readonly key: Key;
  readonly kept: Kept<T> | undefined;
  /** The copy that is read, of what the container has. */
  readonly copy: Key;
}

/** One kind of such items. `parse` takes what is kept of an item; nobody may change it. */
export class Versioned<T> {
  readonly #parse: (item: Attributes) => T;
  readonly #maxKept: number;
  readonly #keepsNothing: boolean;
  /** By the table's client, of which a container has one. */
  readonly #memories = new WeakMap<object, Memory<T>>();

  constructor(parse: (item: Attributes) => T, { maxKept = defaultMaxKept, keepsNothing = false }: Options = {}) {
    this.#parse = parse;
    this.#maxKept = maxKept;
    this.#keepsNothing = keepsNothing;
  }

  /** What the container has, outdated perhaps: good for a guess at what will be wanted beside it. */
  guess(table: Table, key: Key): T | undefined {
    return this.#memoryOf(table).get(nameOf(table, key))?.value;
  }

  /**
   * The items as they are now, in the order of the keys, and those `beside` them, read in the same call. What the container
   * has costs a read unit, and a second call where it has changed.
   */
  async read(
    table: Table,
    keys: readonly Key[],
    beside: readonly Key[] = [],
  ): Promise<{ found: (T | undefined)[]; beside: (Attributes | undefined)[] }> {
    const memory = this.#memoryOf(table);
    const asked = keys.map((key): Asked<T> => {
      const kept = memory.get(nameOf(table, key));
      return { key, kept, copy: kept ? turn(key, kept) : key };
    });
    const stored = await table.getMany([...asked.map(({ copy }) => copy), ...beside]);
    const versions = await this.#versionsOf(table, asked, stored);
    const outdated = asked.filter(({ kept }, index) => kept && kept.version !== versions[index]);
    const reread = await table.getMany(outdated.map(({ key }) => key));
    const found = asked.map((one, index) => {
      const place = outdated.indexOf(one);
      if (place < 0 && one.kept) return one.kept.value;
      return this.#keep(table, one.key, place < 0 ? stored[index] : reread[place]);
    });
    return { found, beside: stored.slice(keys.length) };
  }

  /** Reads the first copy where another does not exist, of an item that does. */
  async #versionsOf(table: Table, asked: readonly Asked<T>[], stored: readonly (Attributes | undefined)[]) {
    const alone = asked.filter(
      ({ key, kept, copy }, index) => kept?.version !== undefined && !stored[index] && copy.pk !== key.pk,
    );
    const first = await table.getMany(alone.map(({ key }) => copyKey(key, 0)));
    return asked.map((one, index) => {
      const place = alone.indexOf(one);
      const version = (place < 0 ? stored[index] : first[place])?.version;
      if (place >= 0 && one.kept && one.kept.version === version) one.kept.isAlone = true;
      return version;
    });
  }

  #keep(table: Table, key: Key, item: Attributes | undefined): T | undefined {
    const memory = this.#memoryOf(table);
    const name = nameOf(table, key);
    if (item === undefined) {
      if (this.#keepsNothing) memory.set(name, undefined, undefined);
      else memory.delete(name);
      return undefined;
    }
    const value = this.#parse(item);
    if (item.version === undefined) memory.delete(name);
    else memory.set(name, item.version, value);
    return value;
  }

  #memoryOf(table: Table): Memory<T> {
    const memory = this.#memories.get(table.container) ?? new Memory<T>(this.#maxKept);
    this.#memories.set(table.container, memory);
    return memory;
  }
}

/** Each request reads the copy after that of the one before. */
function turn(key: Key, kept: Kept<unknown>): Key {
  if (kept.isAlone) return copyKey(key, 0);
  kept.copy += 1;
  return copyKey(key, kept.copy);
}

/** The key has the project in it. */
function nameOf({ name }: Table, key: Key): string {
  return `${name}\n${keyText(key)}`;
}
