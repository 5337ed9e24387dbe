import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { choosePart, notedParts, versionPrefix } from './offer-notes.ts';

/** Keeps a project's noted resources in the container, and updates them. */

interface Part {
  readonly version: unknown;
  /** The versions of the part's resources, by their names. */
  readonly versions: ReadonlyMap<string, unknown>;
}

interface Thing<T> {
  readonly version: unknown;
  readonly value: T;
}

/** The offer as one request has read it. Callers must not change it. */
export interface Offer<T> {
  readonly parts: ReadonlyMap<string, Part>;
  readonly things: ReadonlyMap<string, Thing<T>>;
  /** Resources that a read met halfway through their transaction. */
  readonly unsettled: ReadonlySet<string>;
}

/**
 * Limits the parts that are read before they are kept, so that the request after one that runs out of time has less
 * work.
 */
const partsAtOnce = 16;

/** Limits the resources that a container keeps for all projects. The project that was updated longest ago is dropped first. */
const maxKept = 60_000;

const nothing = { parts: new Map(), things: new Map(), unsettled: new Set<string>() };

function partFrom(item: Attributes | undefined): Part {
  const { version, ...others } = item ?? {};
  return { version, versions: new Map(Object.entries(others).filter(([name]) => name.includes(' '))) };
}

/** Keeps offers in the containers that read them. `read` returns the kept value of a resource. */
export class Offers<T> {
  readonly #keyOf: (projectId: string, name: string) => Key;
  readonly #read: (name: string, item: Attributes) => T;
  /** The memory by the container's client of the table. */
  readonly #memories = new WeakMap<object, Map<string, Offer<T>>>();

  constructor(keyOf: (projectId: string, name: string) => Key, read: (name: string, item: Attributes) => T) {
    this.#keyOf = keyOf;
    this.#read = read;
  }

  /** Returns the kept offer, possibly outdated. */
  guess(table: Table, projectId: string): Offer<T> | undefined {
    return this.#memoryOf(table).get(placeOf(table, projectId));
  }

  /** Returns the current offer by the versions that were just read. A change costs two more calls. */
  async current(table: Table, projectId: string, versions: Attributes | undefined): Promise<Offer<T>> {
    const before = this.guess(table, projectId) ?? nothing;
    const outdated = Object.entries(versions ?? {})
      .filter(([name]) => name.startsWith(versionPrefix) && name !== 'version')
      .map(([name, version]) => ({ part: name.slice(versionPrefix.length), version }))
      .filter(({ part, version }) => before.parts.get(part)?.version !== version)
      .map(({ part }) => part);
    if (outdated.length + before.unsettled.size === 0) return before;
    let after = before;
    for (let at = 0; at === 0 || at < outdated.length; at += partsAtOnce) {
      after = await this.#refreshed(table, projectId, after, outdated.slice(at, at + partsAtOnce));
      this.#keep(table, projectId, after);
    }
    return after;
  }

  async #refreshed(table: Table, projectId: string, before: Offer<T>, outdated: readonly string[]): Promise<Offer<T>> {
    const parts = new Map(before.parts);
    const things = new Map(before.things);
    const wanted = new Map<string, unknown>();
    const read = await table.getMany(outdated.map((part) => notedParts(projectId, part)));
    for (const [index, part] of outdated.entries()) {
      const now = partFrom(read[index]);
      for (const name of parts.get(part)?.versions.keys() ?? []) if (!now.versions.has(name)) things.delete(name);
      for (const [name, version] of now.versions) if (things.get(name)?.version !== version) wanted.set(name, version);
      parts.set(part, now);
    }
    const versionNow = (name: string) => parts.get(choosePart(name))?.versions.get(name);
    for (const name of before.unsettled) {
      const version = versionNow(name);
      if (version !== undefined) wanted.set(name, version);
    }
    const names = [...wanted.keys()];
    const items = await table.getMany(names.map((name) => this.#keyOf(projectId, name)));
    const unsettled = new Set<string>();
    for (const [index, name] of names.entries()) {
      const item = items[index];
      if (item) things.set(name, { version: item.version, value: this.#read(name, item) });
      else things.delete(name);
      if (item?.version !== wanted.get(name)) unsettled.add(name);
    }
    return { parts, things, unsettled };
  }

  #keep(table: Table, projectId: string, offer: Offer<T>): void {
    const memory = this.#memoryOf(table);
    const own = placeOf(table, projectId);
    memory.delete(own);
    memory.set(own, offer);
    let size = [...memory.values()].reduce((sum, { things }) => sum + things.size, 0);
    for (const [oldest, { things }] of memory) {
      if (size <= maxKept || oldest === own) return;
      memory.delete(oldest);
      size -= things.size;
    }
  }

  #memoryOf({ container }: Table): Map<string, Offer<T>> {
    const memory = this.#memories.get(container) ?? new Map<string, Offer<T>>();
    this.#memories.set(container, memory);
    return memory;
  }
}

function placeOf({ name }: Table, projectId: string): string {
  return `${name}\n${projectId}`;
}
