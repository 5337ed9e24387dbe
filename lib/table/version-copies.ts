import { randomUUID } from 'node:crypto';
import type { Write } from './command.ts';
import type { Key } from './keys.ts';
import { Update } from './update.ts';

/**
 * DynamoDB reads one item 3,000 times a second. Each copy of a version has a partition key of its own, and requests take turns: 12,000
 * requests a second find the version. A read of a copy is as consistent as one of the item, so that a change shows at once.
 */
const copies = 4;

/** Says that every change writes so many items beside the item. */
export const versionItems = copies;

/** What the item and its version's items are written with. */
export function newVersion(): string {
  return randomUUID();
}

/** Containers begin with different copies. */
export function someCopy(): number {
  return Math.floor(Math.random() * copies);
}

/** The first copy stands with the item: it is the only one of what no release with copies has written yet. */
export function copyKey({ pk }: Key, copy: number): Key {
  return { pk: copy % copies === 0 ? pk : `${pk}#VERSION#${copy % copies}`, sk: 'VERSION' };
}

export function copyKeys(key: Key): Key[] {
  return Array.from({ length: copies }, (_, copy) => copyKey(key, copy));
}

/** Goes into the transaction that writes the item, which has the same `version`. */
export function versionWrites(key: Key, version: string): Write[] {
  return copyKeys(key).map((copy) => ({ key: copy, change: new Update().set(['version'], version).build() }));
}
