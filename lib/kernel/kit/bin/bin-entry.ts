import * as v from 'valibot';
import { newTimedId } from '#kernel/core/ids.ts';
import { dateTime } from '#kernel/core/schema.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';

/** Kinds that can be in the bin. */
export const binnedType = v.picklist(['campaign', 'voucher', 'product', 'sku']);

export type BinnedType = v.InferOutput<typeof binnedType>;

/** A deleted resource that still holds its name, code or source id. */
export const binEntryItem = v.object({
  id: v.string(),
  created_at: dateTime,
  resource_id: v.string(),
  resource_type: binnedType,
  resource_name: v.string(),
  resource_parent_id: v.nullable(v.string()),
});

export type BinEntryItem = v.InferOutput<typeof binEntryItem>;

export const binEntries = kind(kinds.binEntry, binEntryItem);

/** Entries in the order of their deletion. */
export const bin = listing(listIndexes.first, 'TRASH_BIN');

/** Makes an entry. Its id is also stored on the tombstone of the deleted resource. */
export function makeBinEntry(
  projectId: string,
  about: Omit<BinEntryItem, 'id' | 'created_at'>,
  now: Date,
): { entryId: string; effect: Effect } {
  const id = newTimedId('bin_entry', now);
  const item: BinEntryItem = { ...about, id, created_at: now.toISOString() };
  const places = { ...placeInList(bin, [projectId], [id]), listed: item };
  return { entryId: id, effect: insert(binEntries(projectId, id), { ...item, ...places }) };
}
