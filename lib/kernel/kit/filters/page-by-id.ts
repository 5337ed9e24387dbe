import type * as v from 'valibot';
import type { Reading } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { readListPage } from '#kernel/table/list-page.ts';
import type { Entry, Listing, Owner } from '#kernel/table/listing.ts';
import type { FilterFields } from './fields.ts';
import { compileFilter, type Filter } from './filter.ts';

interface Wanted {
  readonly limit: number;
  readonly order: 'id' | '-id';
  readonly filters?: Filter | undefined;
  /** The place after which the page begins. */
  readonly behind: string | undefined;
}

/** Returns a page of a list that is ordered by id, filtered by the fields that the list itself has: `known`. */
export async function readPageById<T extends { id: string }>(
  { table, now }: Reading,
  of: { list: Listing; owner: Owner },
  { limit, order, filters, behind }: Wanted,
  { known, fields }: { known: v.GenericSchema<unknown, T>; fields: FilterFields<T> },
) {
  const listedOf = ({ listed }: Entry) => parseStored(known, listed);
  const matches = filters && compileFilter(fields, filters);
  const { page, next } = await readListPage(table, of, {
    descending: order === '-id',
    limit,
    offset: 0,
    behind,
    matches: matches && ((batch) => batch.map((entry) => matches(listedOf(entry), now))),
  });
  return { keys: page.map(({ key }) => key), listed: page.map(listedOf), next: next && listedOf(next).id };
}
