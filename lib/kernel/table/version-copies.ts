import { randomUUID } from 'node:crypto';
import type { Write } from './command.ts';
import type { Key } from './keys.ts';
import { Update } from './update.ts';

/**
 * Spreads the reads of a version over copies, because DynamoDB reads an item 3,000 times a second. Each copy has its
 * own partition key, and requests alternate between the copies. Reads of copies are also consistent, so that a change
 * shows immediately.
 */
const copies = 4;

/** Counts the items that each change writes in addition to the item. */
export const versionItems = copies;

/** Makes a version for an item and its copies. */
export function newVersion(): string {
  return randomUUID();
}

/** Draws the first copy, so that containers begin with different copies. */
export function drawCopy(): number {
  return Math.floor(Math.random() * copies);
}

/** Returns the key of a copy. Copy 0 is in the item's partition. */
export function copyKey({ pk }: Key, copy: number): Key {
  return { pk: copy % copies === 0 ? pk : `${pk}#VERSION#${copy % copies}`, sk: 'VERSION' };
}

export function copyKeys(key: Key): Key[] {
  return Array.from({ length: copies }, (_, copy) => copyKey(key, copy));
}

/** Returns the writes of all copies, for the transaction that writes the item with the same `version`. */
export function versionWrites(key: Key, version: string): Write[] {
  return copyKeys(key).map((copy) => ({ key: copy, change: new Update().set(['version'], version).build() }));
}
