import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { blocksUntil } from './items/block-item.ts';
import { type HoldContext, readHolds, redemptionRecords } from './items/hold-item.ts';
import { countExactly } from './items/true-count.ts';

/**
 * Returns the item with the uses that redemptions have committed, without those that are only held. Reads further items only if
 * this item can have held uses.
 */
export async function readCommittedUses<T extends Attributes>(
  context: Omit<HoldContext, 'now'>,
  { key, item, attribute }: { readonly key: Key; readonly item: T; readonly attribute: keyof T & string },
): Promise<T> {
  if (item[blocksUntil] === undefined && readHolds(item).size === 0) return item;
  const committed = await countExactly(context, redemptionRecords, { key, attribute });
  return { ...item, [attribute]: committed, [blocksUntil]: undefined };
}
