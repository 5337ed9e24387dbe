import * as v from 'valibot';
import { readIdTime } from '#kernel/core/ids.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, unknownCursor } from '#kernel/http/page.ts';
import { sortKey } from '#kernel/table/listing.ts';
import type { FilterFields } from '../filters/fields.ts';
import { readPageById } from '../filters/page-by-id.ts';
import { listed } from '../lists/listed.ts';
import { type BinEntryItem, bin, binEntryItem, binnedType } from './bin-entry.ts';

const filterFields: FilterFields<BinEntryItem> = {
  id: { type: 'text', at: ({ id }: BinEntryItem) => id },
  resource_type: { type: 'text', at: ({ resource_type }: BinEntryItem) => resource_type },
  resource_name: { type: 'text', at: ({ resource_name }: BinEntryItem) => resource_name },
  resource_id: { type: 'text', at: ({ resource_id }: BinEntryItem) => resource_id },
};

const shown = v.object({ ...binEntryItem.entries, deleted_by_user_id: v.nullable(v.string()), object: binnedType });

/** The total counts the page only. */
export const binListed = listed({
  key: 'data',
  element: shown,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: '-id',
  orderWords: '`id` lists the entry that was deleted first at the top. `-id` lists the last one first.',
  filters: filterFields,
  place: { total: count, ...moreEntries },
});

/** Returns a page of the bin. Ids sort by time, so a page can begin after a deleted entry. */
export async function listBin(
  context: Reading,
  { starting_after_id: id, ...wanted }: v.InferOutput<typeof binListed.query>,
) {
  if (id !== undefined && !readIdTime('bin_entry', id)) throw unknownCursor('bin entry');
  const { listed: entries, next } = await readPageById(
    context,
    { list: bin, owner: [context.project.id] },
    { ...wanted, behind: id && sortKey(id) },
    { known: binEntryItem, fields: filterFields },
  );
  const data = entries.map((one) => ({ ...one, deleted_by_user_id: null, object: one.resource_type }));
  return binListed.show(data, { total: data.length, ...presentMore(next) });
}
