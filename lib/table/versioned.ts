import { randomUUID } from 'node:crypto';
import type { Write } from './command.ts';
import { change, type Effect, remove } from './effects.ts';
import type { Attributes } from './item.ts';
import { type Key, keyText } from './keys.ts';
import type { ItemKey } from './kind.ts';
import type { Table } from './table.ts';
import { Update } from './update.ts';

/**
 * Items that every request needs and few change. An item bears a version, and so does a small item in its partition; both
 * are written in one transaction. Requests read the small one, and the item itself only where the container has it in
 * another version. What is kept goes by the item's own version: a read that meets a transaction halfway finds the two
 * apart, and the next request reads again.
 */

/** Of one kind in one container, as characters of JSON; what was read first goes first. */
const defaultMaxKept = 16_000_000;

/** What the item and its version's item are written with. */
export function newVersion(): string {
  return randomUUID();
}

function versionKey({ pk }: Key): Key {
  return { pk, sk: 'VERSION' };
}

/** Goes into the transaction that writes the item, which has the same `version`. */
export function versionWrite(key: Key, version: string): Write {
  return { key: versionKey(key), change: new Update().set(['version'], version).build() };
}

/** The same as an effect. */
export function versionChange(key: ItemKey, version: string | undefined): Effect {
  return change({ ...key, ...versionKey(key), kind: 'VERSION' }, (update) => update.set(['version'], version));
}

/** With the item, its version goes. */
export function versionRemoved(key: ItemKey): Effect {
  return remove({ ...key, ...versionKey(key), kind: 'VERSION' }, (update) => update);
}

interface Kept<T> {
  version: unknown;
  value: T;
  size: number;
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

  set(name: string, version: unknown, value: T): void {
    this.delete(name);
    const size = JSON.stringify(value).length;
    this.#kept.set(name, { version, value, size });
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

/** One kind of such items. `parse` takes what is kept of an item; nobody may change it. */
export class Versioned<T> {
  readonly #parse: (item: Attributes) => T;
  readonly #maxKept: number;
  /** By the table's client, of which a container has one. */
  readonly #memories = new WeakMap<object, Memory<T>>();

  constructor(parse: (item: Attributes) => T, maxKept = defaultMaxKept) {
    this.#parse = parse;
    this.#maxKept = maxKept;
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
    const asked = keys.map((key) => ({ key, kept: memory.get(nameOf(table, key)) }));
    const stored = await table.getMany([...asked.map(({ key, kept }) => (kept ? versionKey(key) : key)), ...beside]);
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
      memory.delete(name);
      return undefined;
    }
    const value = this.#parse(item);
    if (item.version !== undefined) memory.set(name, item.version, value);
    return value;
  }

  #memoryOf(table: Table): Memory<T> {
    const memory = this.#memories.get(table.container) ?? new Memory<T>(this.#maxKept);
    this.#memories.set(table.container, memory);
    return memory;
  }
}

/** The key has the project in it. */
function nameOf({ name }: Table, key: Key): string {
  return `${name}\n${keyText(key)}`;
}
