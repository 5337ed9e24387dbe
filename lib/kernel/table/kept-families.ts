import { awaitLater } from '#kernel/core/await-later.ts';
import { type Family, familyKey } from './families.ts';
import { escapePart, keyText } from './keys.ts';
import type { Table } from './table.ts';
import { copyKey, drawCopy } from './version-copies.ts';

/**
 * Keeps a project's items of a family in the container while the family's version is current. Requests read only the
 * version, alternating between its copies. A change thus shows immediately, and a hundred rules cost as much as a
 * single rule.
 */

interface Memory {
  readonly version: unknown;
  /** The size of the kept values, as characters of JSON. */
  size: number;
}

/** The memory of one container by family and project, and the copy that the last request read. */
interface Container {
  readonly memories: Map<string, Memory>;
  readonly turns: Map<string, number>;
}

const containers = new WeakMap<object, Container>();

/** Limits the projects and families for which a container remembers the next copy. */
const maxTurns = 5_000;

/** Limits the memory for all projects and families, as characters of JSON. */
const maxKept = 32_000_000;

function containerOf({ container }: Table): Container {
  const known = containers.get(container) ?? { memories: new Map(), turns: new Map() };
  containers.set(container, known);
  return known;
}

function makeRoom({ memories }: Container, name: string): void {
  let size = [...memories.values()].reduce((sum, memory) => sum + memory.size, 0);
  for (const [oldest, memory] of memories) {
    if (size <= maxKept) return;
    if (oldest === name) continue;
    memories.delete(oldest);
    size -= memory.size;
  }
}

interface Place {
  readonly table: Table;
  readonly project: { readonly id: string };
}

/** A family of a project, as one request sees it. */
export class KeptFamily {
  readonly #container: Container;
  readonly #name: string;
  /** The container's memory when the request began. */
  readonly before: Memory | undefined;
  /** Resolves to true if that memory is still current. */
  readonly stands: Promise<boolean>;

  constructor({ table, project }: Place, family: Family) {
    const key = familyKey(escapePart(project.id), family);
    this.#container = containerOf(table);
    this.#name = `${table.name}\n${keyText(key)}`;
    this.before = this.#container.memories.get(this.#name);
    const { turns } = this.#container;
    const turn = (turns.get(this.#name) ?? drawCopy()) + 1;
    if (turns.size >= maxTurns) turns.clear();
    turns.set(this.#name, turn);
    const reading = table.getMany([copyKey(key, turn)]);
    this.stands = awaitLater(reading.then(([copy]) => this.#isStill(copy?.version)));
  }

  #isStill(version: unknown): boolean {
    const { memories } = this.#container;
    const current = memories.get(this.#name);
    if (this.before && current === this.before && current.version === version) return true;
    if (!current || current.version !== version) {
      memories.delete(this.#name);
      memories.set(this.#name, { version, size: 0 });
    }
    return false;
  }

  /** Counts the size of kept values. */
  grow(memory: Memory, value: unknown): void {
    memory.size += JSON.stringify(value)?.length ?? 0;
    makeRoom(this.#container, this.#name);
  }
}

const open = new WeakMap<Table, Map<string, KeptFamily>>();

/** Begins to read the version of a family. Simultaneous calls of one request share the read. Later calls read again. */
export function readKeptFamily(place: Place, family: Family): KeptFamily {
  const own = open.get(place.table) ?? new Map<string, KeptFamily>();
  open.set(place.table, own);
  const name = `${place.project.id} ${family}`;
  const known = own.get(name);
  if (known) return known;
  const kept = new KeptFamily(place, family);
  own.set(name, kept);
  const forget = () => own.delete(name);
  kept.stands.then(forget, forget);
  return kept;
}

/** Keeps values of one sort by their names within a project. Callers must not change the values. */
export class KeptValues<T> {
  readonly #values = new WeakMap<Memory, Map<string, T>>();

  /**
   * Returns the value of this name, and calls `load` if the container does not have it. Keeps the value only if the
   * version was known before the read and is still current. Otherwise the read may have seen half of a change, and the
   * next request reads again.
   */
  async get(kept: KeptFamily, name: string, load: () => Promise<T>): Promise<T> {
    const { before, stands } = kept;
    const known = before && this.#values.get(before)?.get(name);
    if (known !== undefined) return (await stands) ? known : load();
    const [value, isStill] = await Promise.all([load(), stands]);
    if (isStill && before) this.#keep(kept, before, name, value);
    return value;
  }

  #keep(kept: KeptFamily, memory: Memory, name: string, value: T): void {
    const values = this.#values.get(memory) ?? new Map<string, T>();
    this.#values.set(memory, values);
    if (values.has(name)) return;
    values.set(name, value);
    kept.grow(memory, value);
  }
}
