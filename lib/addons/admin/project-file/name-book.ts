import { hash } from 'node:crypto';
import type { ListEntry } from '#kernel/kit/entries/list.ts';
import type { Reference } from '#kernel/kit/entries/traits.ts';
import { findFileList } from './lists.ts';

/**
 * Represents a name by 96 bits, so that a small heap holds a million names. Two names share a digest with a chance
 * below 1 in 10^17. It encodes a part of the buffer, because a slice of a string would keep the whole string.
 */
function digestOf(value: string): string {
  return hash('sha256', value, 'buffer').toString('base64url', 0, 12);
}

interface Pointer {
  list: string;
  /** The fields that may match, of which the first match wins. */
  by: readonly string[];
  digest: string;
}

function pointerOf({ list, by = findFileList(list).names, value }: Omit<Reference, 'field'>): Pointer {
  return { list, by, digest: digestOf(value) };
}

/** Holds every name of a file and all unresolved references, as digests. */
export class NameBook {
  /** The index of the entry with a name, by list and field. */
  readonly #indexes = new Map<string, Map<string, number>>();
  /** Groups of references, each once. */
  readonly #open = new Set<string>();

  /** Adds a name. Returns the index of an earlier entry with the name. */
  give(list: string, field: string, value: string, index: number): number | undefined {
    const key = `${list}.${field}`;
    const indexes = this.#indexes.get(key) ?? new Map<string, number>();
    this.#indexes.set(key, indexes);
    const digest = digestOf(value);
    const first = indexes.get(digest);
    if (first === undefined) indexes.set(digest, index);
    return first;
  }

  see({ references }: ListEntry): void {
    for (const group of references) this.#refer(group);
  }

  /** Returns, after all names were added, whether a reference leads nowhere or two contradict each other. */
  get mayBeWrong(): boolean {
    return !this.#isSettled;
  }

  /** Yields faults. Each begins with its place in the entry. */
  *faultsOf({ references }: ListEntry): Generator<string> {
    for (const group of references) yield* this.#faultsOfGroup(group);
  }

  #faultsOfGroup(group: readonly Reference[]): string[] {
    const found = group.map((reference) => ({ ...reference, index: this.find(reference) }));
    const dangling = found.filter(({ index }) => index === undefined);
    if (dangling.length > 0) {
      return dangling.map(({ field, list }) => `${field} names no ${findFileList(list).called} of this file`);
    }
    const [first, ...others] = found;
    return others
      .filter(({ index }) => index !== first?.index)
      .map(({ field, list }) => `${field} names another ${findFileList(list).called} than its ${first?.field}`);
  }

  /** Adds references that must all lead to the same entry. */
  #refer(group: readonly Reference[]): void {
    const pointers = group.map(pointerOf);
    // If two references must agree, a later name can still resolve either of them.
    if (pointers.length === 1 && pointers.every((pointer) => this.#find(pointer) !== undefined)) return;
    if (pointers.length > 0) this.#open.add(pointers.map(textOf).join(' '));
  }

  get #isSettled(): boolean {
    for (const group of this.#open) {
      const [first, ...others] = group.split(' ').map((text) => this.#find(fromText(text)));
      if (first === undefined || others.some((index) => index !== first)) return false;
    }
    return true;
  }

  /** Returns the index of the entry with the name. */
  indexOf(list: string, field: string, value: string): number | undefined {
    return this.#indexes.get(`${list}.${field}`)?.get(digestOf(value));
  }

  /** Forgets the names of all other lists, once references are resolved. */
  keepOnly(lists: Iterable<string>): void {
    const kept = new Set(lists);
    for (const key of this.#indexes.keys()) if (!kept.has(key.split('.')[0] ?? '')) this.#indexes.delete(key);
  }

  /** Yields entries whose name in one field is another entry's name in the other field, by their indexes. */
  *clashes(list: string, field: string, otherField: string): Generator<[index: number, other: number]> {
    const others = this.#indexes.get(`${list}.${otherField}`);
    for (const [digest, index] of this.#indexes.get(`${list}.${field}`) ?? []) {
      const other = others?.get(digest);
      if (other !== undefined && other !== index) yield [index, other];
    }
  }

  /** Returns the index of the entry that the reference leads to. */
  find(reference: Omit<Reference, 'field'>): number | undefined {
    return this.#find(pointerOf(reference));
  }

  #find({ list, by, digest }: Pointer): number | undefined {
    for (const field of by) {
      const index = this.#indexes.get(`${list}.${field}`)?.get(digest);
      if (index !== undefined) return index;
    }
    return undefined;
  }
}

function textOf({ list, by, digest }: Pointer): string {
  return `${list}:${by.join('|')}:${digest}`;
}

function fromText(text: string): Pointer {
  const [list = '', by = '', digest = ''] = text.split(':');
  return { list, by: by.split('|'), digest };
}
