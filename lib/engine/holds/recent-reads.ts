import type { Reading } from '#kernel/http/context.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { findCrowd } from './blocks/crowd-memory.ts';

/** Remembers contended items for a moment, so that a container need not read them for every redemption. */

/** Limits the age of a remembered item. DynamoDB reads one item 3,000 times a second, and 450 containers redeem 5,000 times. */
const seenLastsInMs = 500;

type Place = Pick<Reading, 'table' | 'now'>;

/** Notes an item that was read. Only contended items are remembered. */
export function noteRead({ table, now }: Place, key: Key, item: Attributes): void {
  const crowd = findCrowd(table, key);
  if (crowd) crowd.seen = { item, at: now.getTime(), isServed: false };
}

/**
 * Returns the item as the container read it less than half a second ago, if the container has a block. The item has counted the block
 * already. Without a block the item must be read.
 */
export function findRecentRead({ table, now }: Place, key: Key): Attributes | undefined {
  const crowd = findCrowd(table, key);
  const seen = crowd?.seen;
  if (!seen || now.getTime() - seen.at >= seenLastsInMs) return undefined;
  if (!crowd.free.some(({ left, isOver }) => left > 0 && !isOver)) return undefined;
  seen.isServed = true;
  return seen.item;
}

/** Forgets the remembered item, so that the next request reads it. Returns whether a request has used the memory. */
export function forgetRead(table: Table, key: Key): boolean {
  const crowd = findCrowd(table, key);
  const isServed = crowd?.seen?.isServed ?? false;
  if (crowd) crowd.seen = undefined;
  return isServed;
}
