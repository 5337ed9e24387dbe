import { hash } from 'node:crypto';
import type { ListKey } from './entries.ts';
import { type Reference, type Target, targets } from './references.ts';

/**
 * 96 bits stand for a name: a file has 100,000s of them, and the heap is small. Among a million names, the chance that
 * two share a digest is below one in 10^17. (From the buffer, for a slice of a string would keep the whole string.)
 */
function digestOf(value: string): string {
  return hash('sha256', value, 'buffer').toString('base64url', 0, 12);
}

interface Pointer {
  target: Target;
  digest: string;
}

/** Every name that a file gives, and the references that no name has settled yet: digests only. */
export class NameBook {
  /** By list and field: the index of the entry that has the name. */
  readonly #indexes = new Map<string, Map<string, number>>();
  /** Groups of references, one text each however often they stand in the file. */
  readonly #open = new Set<string>();

  /** The index of the entry that has the name already, if one has. */
  give(list: ListKey, field: string, value: string, index: number): number | undefined {
    const key = `${list}.${field}`;
    const indexes = this.#indexes.get(key) ?? new Map<string, number>();
    this.#indexes.set(key, indexes);
    const digest = digestOf(value);
    const first = indexes.get(digest);
    if (first === undefined) indexes.set(digest, index);
    return first;
  }

  /** Takes references that must all lead to the same entry. */
  refer(group: readonly Reference[]): void {
    const pointers = group.map(({ target, value }) => ({ target, digest: digestOf(value) }));
    // Of two that must agree, a later name may still decide what one of them leads to.
    if (pointers.length === 1 && pointers.every((pointer) => this.#find(pointer) !== undefined)) return;
    if (pointers.length > 0) this.#open.add(pointers.map(({ target, digest }) => `${target}:${digest}`).join(' '));
  }

  /** Whether every reference of the file leads to an entry, and those that must agree do; once all names are given. */
  get settled(): boolean {
    for (const group of this.#open) {
      const [first, ...others] = group.split(' ').map((text) => this.#find(pointerOf(text)));
      if (first === undefined || others.some((index) => index !== first)) return false;
    }
    return true;
  }

  /** The index of the entry that the reference leads to. */
  find({ target, value }: Omit<Reference, 'field'>): number | undefined {
    return this.#find({ target, digest: digestOf(value) });
  }

  #find({ target, digest }: Pointer): number | undefined {
    const { list, fields } = targets[target];
    for (const field of fields) {
      const index = this.#indexes.get(`${list}.${field}`)?.get(digest);
      if (index !== undefined) return index;
    }
    return undefined;
  }
}

function isTarget(text: string): text is Target {
  return Object.hasOwn(targets, text);
}

function pointerOf(text: string): Pointer {
  const [target = '', digest = ''] = text.split(':');
  if (!isTarget(target)) throw new Error(`no target: ${target}`);
  return { target, digest };
}
