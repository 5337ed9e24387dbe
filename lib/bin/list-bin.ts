import * as v from 'valibot';
import type { Reading } from '../context.ts';
import { described } from '../documented.ts';
import type { Fields } from '../filters/fields.ts';
import { compileFilter, filterQuery } from '../filters/filter.ts';
import { cursorQuery, limitQuery, more, moreEntries, unknownCursor } from '../http/page.ts';
import { timeOfId } from '../ids.ts';
import { count } from '../schema.ts';
import { parseStored } from '../table/item.ts';
import { readListPage } from '../table/list-page.ts';
import { type Entry, sortKey } from '../table/listing.ts';
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

export const binList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('data'),
  data: v.array(v.object({ ...binEntryItem.entries, deleted_by_user_id: v.nullable(v.string()), object: binnedType })),
  /** Of this page. */
  total: count,
  ...moreEntries,
});

const entryOf = ({ listed }: Entry): BinEntryItem => parseStored(binEntryItem, listed);

/** A page of what is in the bin; ids sort by time, so that a page may begin behind one that is gone. */
export async function listBin(
  { table, project, now }: Reading,
  { limit, order, starting_after_id: id, filters }: v.InferOutput<typeof listBinQuery>,
): Promise<v.InferOutput<typeof binList>> {
  if (id !== undefined && !timeOfId('bin_entry', id)) throw unknownCursor('bin entry');
  const matches = filters && compileFilter(filterFields, filters);
  const { page, next } = await readListPage(
    table,
    { list: bin, owner: [project.id] },
    {
      descending: order === '-id',
      limit,
      offset: 0,
      behind: id && sortKey(id),
      matches: matches && ((batch) => batch.map((entry) => matches(entryOf(entry), now))),
    },
  );
  const data = page.map(entryOf).map((one) => ({ ...one, deleted_by_user_id: null, object: one.resource_type }));
  return { object: 'list', data_ref: 'data', data, total: data.length, ...more(next && entryOf(next).id) };
}
