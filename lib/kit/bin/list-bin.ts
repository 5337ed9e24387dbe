import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { timeOfId } from '../../core/ids.ts';
import { list, listOf } from '../../core/schema.ts';
import type { Reading } from '../../http/context.ts';
import { cursorQuery, limitQuery, more, moreEntries, unknownCursor } from '../../http/page.ts';
import { sortKey } from '../../table/listing.ts';
import type { Fields } from '../filters/fields.ts';
import { filterQuery } from '../filters/filter.ts';
import { pageById } from '../filters/page-by-id.ts';
import { type BinEntryItem, bin, binEntryItem, binnedType } from './bin-entry.ts';

const filterFields: Fields<BinEntryItem> = {
  id: { type: 'text', at: ({ id }: BinEntryItem) => id },
  resource_type: { type: 'text', at: ({ resource_type }: BinEntryItem) => resource_type },
  resource_name: { type: 'text', at: ({ resource_name }: BinEntryItem) => resource_name },
  resource_id: { type: 'text', at: ({ resource_id }: BinEntryItem) => resource_id },
};

export const listBinQuery = v.object({
  ...limitQuery,
  ...cursorQuery,
  order: described(
    v.optional(v.picklist(['id', '-id']), '-id'),
    'As they came into the bin; with a dash, the last first.',
  ),
  filters: v.optional(filterQuery(filterFields)),
});

const shown = v.object({ ...binEntryItem.entries, deleted_by_user_id: v.nullable(v.string()), object: binnedType });

/** The total counts the page only. */
export const binList = v.object({ ...listOf(shown).entries, ...moreEntries });

/** Returns a page of the bin. Ids sort by time, so a page can begin behind a deleted entry. */
export async function listBin(
  context: Reading,
  { starting_after_id: id, ...wanted }: v.InferOutput<typeof listBinQuery>,
): Promise<v.InferOutput<typeof binList>> {
  if (id !== undefined && !timeOfId('bin_entry', id)) throw unknownCursor('bin entry');
  const { listed, next } = await pageById(
    context,
    { list: bin, owner: [context.project.id] },
    { ...wanted, behind: id && sortKey(id) },
    { known: binEntryItem, fields: filterFields },
  );
  const data = listed.map((one) => ({ ...one, deleted_by_user_id: null, object: one.resource_type }));
  return { ...list(data), ...more(next) };
}
