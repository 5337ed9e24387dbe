import { type BatchFilter, type ListPage, maxWalked, readFilteredPage, readListPage } from './list-page.ts';
import { type Entry, isInRange, type Listing, type Owner, type Range, sortKey, walkList } from './listing.ts';
import type { Table } from './table.ts';

/** The source of elements: a list in the orders that it has, or a few elements that were read. */
export type Source<O extends string> =
  | {
      readonly list: Listing;
      readonly owner: Owner;
      readonly bounds: Pick<Range, 'from' | 'to'>;
      readonly orders: readonly O[];
      /** The list of the same elements whose length the stream counts. Without it, a walk counts them. */
      readonly counted?: Listing;
    }
  | { readonly few: readonly Entry[] };

export interface SourceOrder<O extends string> {
  readonly field: O;
  readonly descending: boolean;
}

/** Parses the order of a query, with a leading dash if it is descending. */
export function parseOrder<O extends string>(orders: readonly [O, ...O[]], sent: string): SourceOrder<O> {
  return {
    field: orders.find((one) => one === sent.replace('-', '')) ?? orders[0],
    descending: sent.startsWith('-'),
  };
}

/** Returns the place of an element in an order. */
export type PlaceIn<O extends string> = (order: O, entry: Entry) => readonly string[];

/** Sorts the newest elements in an order that no index has. */
export async function* sortEntries<O extends string>(
  all: AsyncIterable<Entry> | Iterable<Entry>,
  { field, descending }: SourceOrder<O>,
  placeIn: PlaceIn<O>,
  range: Range,
) {
  const found: Entry[] = [];
  for await (const entry of all) {
    found.push({ ...entry, at: sortKey(...placeIn(field, entry)) });
    if (found.length === maxWalked) break;
  }
  const ascending = found.sort((one, other) => Buffer.compare(Buffer.from(one.at), Buffer.from(other.at)));
  for (const entry of descending ? ascending.reverse() : ascending) if (isInRange(range, entry.at)) yield entry;
}

interface Wanted {
  limit: number;
  offset: number;
  matches: BatchFilter | undefined;
}

/**
 * Returns a page of a source in any order. An order that the source has costs the keys before the page, or a walk if its length is
 * not counted. Any other order sorts the newest 10,000.
 */
export function readSourcePage<O extends string>(
  table: Pick<Table, 'pages' | 'get'>,
  source: Source<O>,
  order: SourceOrder<O>,
  { placeIn, ...wanted }: Wanted & { placeIn: PlaceIn<O> },
): Promise<ListPage> {
  if ('few' in source) return readFilteredPage((range) => sortEntries(source.few, order, placeIn, range), wanted);
  const { list, owner, bounds, orders, counted } = source;
  const { descending } = order;
  if (!orders.includes(order.field)) {
    const newest = () => walkList(table, list, owner, { ...bounds, descending: true });
    return readFilteredPage((range) => sortEntries(newest(), order, placeIn, range), wanted);
  }
  if (counted) return readListPage(table, { list, counted, owner }, { ...wanted, ...bounds, descending });
  return readFilteredPage((range) => walkList(table, list, owner, range), { ...wanted, ...bounds, descending });
}
