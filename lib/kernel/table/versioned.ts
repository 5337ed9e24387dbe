import { change, type Effect, remove } from './effects.ts';
import type { Attributes } from './item.ts';
import { type Key, keyText } from './keys.ts';
import type { ItemKey } from './kind.ts';
import { kinds } from './kind-names.ts';
import type { Table } from './table.ts';
import { copyKey, copyKeys, drawCopy } from './version-copies.ts';

/**
 * Keeps items in the container that many requests read and few change. A single transaction writes the item and small
 * copies of its version. Requests read a copy, and the item only if the container has another version. The container
 * files the item under the item's own version, so that the next request repeats a read that saw half of a transaction.
 */

/** Limits the memory for one kind in one container, as characters of JSON. The oldest reads are dropped first. */
const defaultMaxKept = 16_000_000;

/** Returns the writes of `versionWrites` as effects. */
export function versionChanges(key: ItemKey, version: string | undefined): Effect[] {
  return copyKeys(key).map((copy) =>
    change({ ...key, ...copy, kind: kinds.version }, (update) => update.set(['version'], version)),
  );
}

/** Removes the version together with its item. */
export function versionRemovals(key: ItemKey): Effect[] {
  return copyKeys(key).map((copy) => remove({ ...key, ...copy, kind: kinds.version }, (update) => update));
}

interface Kept<T> {
  version: unknown;
  /** `undefined` if the container knows that the item does not exist. */
  value: T | undefined;
  size: number;
  /** The copy for the next request. */
  copy: number;
}

/** Counts an item that does not exist, in characters, against the container's memory. */
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
    this.#kept.set(name, { version, value, size, copy: drawCopy() });
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
  /** Many projects do not have this item, so containers also keep its absence. */
  readonly keepsNothing?: boolean;
}

interface Asked<T> {
  readonly key: Key;
  readonly kept: Kept<T> | undefined;
  /** The copy that the request reads, for a kept item. */
  readonly copy: Key;
}

/** Keeps one kind of items. `parse` returns the kept value, which callers must not change. */
export class Versioned<T> {
  readonly #parse: (item: Attributes) => T;
  readonly #maxKept: number;
  readonly #keepsNothing: boolean;
  /** The memory by the container's client of the table. */
  readonly #memories = new WeakMap<object, Memory<T>>();

  constructor(parse: (item: Attributes) => T, { maxKept = defaultMaxKept, keepsNothing = false }: Options = {}) {
    this.#parse = parse;
    this.#maxKept = maxKept;
    this.#keepsNothing = keepsNothing;
  }

  /** Returns the kept value, possibly outdated. It serves as a guess at further keys to read. */
  guess(table: Table, key: Key): T | undefined {
    return this.#memoryOf(table).get(nameOf(table, key))?.value;
  }

  /**
   * Returns the current items in the order of the keys, and the items `beside` them, from a single call. A kept item
   * costs a read unit, and a second call if it has changed.
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
    const outdated = asked.filter(({ kept }, index) => kept && kept.version !== stored[index]?.version);
    const reread = await table.getMany(outdated.map(({ key }) => key));
    const found = asked.map((one, index) => {
      const place = outdated.indexOf(one);
      if (place < 0 && one.kept) return one.kept.value;
      return this.#keep(table, one.key, place < 0 ? stored[index] : reread[place]);
    });
    return { found, beside: stored.slice(keys.length) };
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

/** Returns the next copy after the copy that the previous request has read. */
function turn(key: Key, kept: Kept<unknown>): Key {
  kept.copy += 1;
  return copyKey(key, kept.copy);
}

/** Returns the text of the key, which contains the project. */
function nameOf({ name }: Table, key: Key): string {
  return `${name}\n${keyText(key)}`;
}
