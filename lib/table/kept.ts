import { begun } from '../core/begun.ts';
import { type Family, familyKey } from './families.ts';
import { keyText, part } from './keys.ts';
import type { Table } from './table.ts';
import { copyKey, someCopy } from './version-copies.ts';

/**
 * What containers keep of a project's items of one family while its version stands. Requests read the version, a copy in turn, and
 * nothing else. So a change shows at once, and a hundred rules cost what one costs.
 */

interface Memory {
  readonly version: unknown;
  readonly since: number;
  /** What is kept by it, as characters of JSON. */
  size: number;
}

/** Of one container, by family and project: the memories, and the copy that the last request has read. */
interface Container {
  readonly memories: Map<string, Memory>;
  readonly turns: Map<string, number>;
}

const containers = new WeakMap<object, Container>();

/** Of how many projects and families a container remembers which copy comes next. */
const maxTurns = 5_000;

/** Of all projects and families, as characters of JSON. */
const maxKept = 32_000_000;

/**
 * Ends what a version can't: a release before this one, which an upgrade is replacing, writes items without renewing versions.
 */
const lifeInMs = 60_000;

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
  readonly now: Date;
}

/** One family of one project, as one request sees it. */
export class Kept {
  readonly #container: Container;
  readonly #name: string;
  readonly #tooOld: Memory | undefined;
  /** What the container had when the request began. */
  readonly before: Memory | undefined;
  /** Whether that still stands. */
  readonly stands: Promise<boolean>;

  constructor({ table, project, now }: Place, family: Family) {
    const key = familyKey(part(project.id), family);
    this.#container = containerOf(table);
    this.#name = `${table.name}\n${keyText(key)}`;
    const known = this.#container.memories.get(this.#name);
    const age = known ? now.getTime() - known.since : 0;
    const isYoung = age >= 0 && age < lifeInMs;
    this.before = isYoung ? known : undefined;
    this.#tooOld = isYoung ? undefined : known;
    const { turns } = this.#container;
    const turn = (turns.get(this.#name) ?? someCopy()) + 1;
    if (turns.size >= maxTurns) turns.clear();
    turns.set(this.#name, turn);
    const reading = table.getMany([copyKey(key, turn)]);
    this.stands = begun(reading.then(([copy]) => this.#isStill(copy?.version, now.getTime())));
  }

  #isStill(version: unknown, since: number): boolean {
    const { memories } = this.#container;
    const current = memories.get(this.#name);
    if (this.before && current === this.before && current.version === version) return true;
    if (!current || current.version !== version || current === this.#tooOld) {
      memories.delete(this.#name);
      memories.set(this.#name, { version, since, size: 0 });
    }
    return false;
  }

  /** Counts what the container keeps now. */
  grow(memory: Memory, value: unknown): void {
    memory.size += JSON.stringify(value)?.length ?? 0;
    makeRoom(this.#container, this.#name);
  }
}

const open = new WeakMap<Table, Map<string, Kept>>();

/**
 * Begins to read the version of a family. Whoever asks for it while a request is reading it gets the same, so that it is read once;
 * whoever asks later reads it again.
 */
export function keptOf(place: Place, family: Family): Kept {
  const own = open.get(place.table) ?? new Map<string, Kept>();
  open.set(place.table, own);
  const name = `${place.project.id} ${family}`;
  const known = own.get(name);
  if (known) return known;
  const kept = new Kept(place, family);
  own.set(name, kept);
  const forget = () => own.delete(name);
  kept.stands.then(forget, forget);
  return kept;
}

/** Values of one sort, by their names within a project. Nobody may change them. */
export class KeptValues<T> {
  readonly #values = new WeakMap<Memory, Map<string, T>>();

  /**
   * The value of this name, which `load` reads where the container does not have it. A value is kept only where the version was known
   * before and still stands: what a read has met halfway through a change is read again by the next request.
   */
  async get(kept: Kept, name: string, load: () => Promise<T>): Promise<T> {
    const { before, stands } = kept;
    const known = before && this.#values.get(before)?.get(name);
    if (known !== undefined) return (await stands) ? known : load();
    const [value, isStill] = await Promise.all([load(), stands]);
    if (isStill && before) this.#keep(kept, before, name, value);
    return value;
  }

  #keep(kept: Kept, memory: Memory, name: string, value: T): void {
    const values = this.#values.get(memory) ?? new Map<string, T>();
    this.#values.set(memory, values);
    if (values.has(name)) return;
    values.set(name, value);
    kept.grow(memory, value);
  }
}
