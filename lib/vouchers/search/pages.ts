import * as v from 'valibot';
import type { Showing } from '../../http/context.ts';
import { listedVoucher, voucherLists } from '../../ledger/codes/voucher-lists.ts';
import { parseStored } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { filteredPage, type ListPage, type Matches, maxWalked, readListPage } from '../../table/list-page.ts';
import { between, type Entry, entries, type Owner, readPage, sortKey } from '../../table/listing.ts';
import { totalOf } from '../../table/totals.ts';
import { readEntries, type Source } from './sources.ts';

export interface Order {
  field: 'created_at' | 'updated_at' | 'code';
  descending: boolean;
}

interface Dates {
  before?: string | undefined;
  after?: string | undefined;
}

interface WantedVouchers {
  limit: number;
  offset: number;
  /** Holds a place in the order of creation. */
  behind?: string | undefined;
  created?: Dates | undefined;
  updated?: Dates | undefined;
  matches: Matches | undefined;
}

const listed = v.object({ ...listedVoucher.entries, updated_at: v.optional(v.string()) });

export const listedOf = (entry: Entry) => parseStored(listed, entry.listed);

/** Sorts the first 10,000 entries in an order without an index. Entries without a value come last in either direction. */
async function* sortEntries(all: AsyncIterable<Entry> | Iterable<Entry>, { field, descending }: Order) {
  const found: { entry: Entry; place: string | undefined }[] = [];
  for await (const entry of all) {
    const { id, [field]: value } = listedOf(entry);
    found.push({ entry, place: value === undefined ? undefined : sortKey(value, id) });
    if (found.length === maxWalked) break;
  }
  const placed = found.flatMap(({ entry, place }) =>
    place === undefined ? [] : [{ entry, bytes: Buffer.from(place) }],
  );
  const ascending = placed.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  for (const { entry } of descending ? ascending.reverse() : ascending) yield entry;
  for (const { entry, place } of found) if (place === undefined) yield entry;
}

async function* yieldKeys(all: AsyncIterable<Entry>): AsyncGenerator<Key> {
  for await (const { key } of all) yield key;
}

/** Yields all vouchers of a project by their last change, then unchanged vouchers by their creation. */
async function* walkByChange({ table }: Showing, owner: Owner, descending: boolean): AsyncGenerator<Entry> {
  const changed = new Set<string>();
  for await (const entry of entries(table, voucherLists.updated_at, owner, { descending, atOnce: maxPage })) {
    changed.add(listedOf(entry).id);
    yield entry;
  }
  for await (const entry of entries(table, voucherLists.created_at, owner, { descending, atOnce: maxPage })) {
    if (!changed.has(listedOf(entry).id)) yield entry;
  }
}

/** One call reads at most so many entries of a partition. */
const maxPage = 250;

async function readPageByChange(
  context: Showing,
  owner: Owner,
  { descending }: Order,
  { limit, offset }: WantedVouchers,
): Promise<ListPage> {
  const { table } = context;
  const page: Entry[] = [];
  let place = 0;
  for await (const entry of walkByChange(context, owner, descending)) {
    if (place >= offset) page.push(entry);
    place += 1;
    if (place === offset + limit) break;
  }
  const counted = voucherLists.created_at;
  const { length } = await readPage(table, counted, owner, { offset: 0, limit: 0 });
  const total = await totalOf(table, counted, owner, { length });
  return { page, total, next: undefined };
}

/**
 * Reads a page. By creation, a page costs itself and the keys before it, whatever the size of the project or campaign. The
 * order of changes of a whole project costs the same. Other orders sort up to 10,000 vouchers.
 */
export function pageOf(context: Showing, source: Source, order: Order, wanted: WantedVouchers): Promise<ListPage> {
  const { table } = context;
  const { created, updated, ...rest } = wanted;
  const { field, descending } = order;
  if ('few' in source) return filteredPage(() => sortEntries(source.few(), order), rest);
  const { list, owner } = source;
  if (field === 'created_at') {
    return readListPage(table, { list, owner }, { ...rest, ...(created ? between(created) : {}), descending });
  }
  const newest = () => entries(table, list, owner, { descending: true, atOnce: maxPage });
  if (field === 'code') return filteredPage(() => sortEntries(newest(), order), rest);
  if (list !== voucherLists.created_at) {
    return filteredPage(() => sortEntries(readEntries(context, yieldKeys(newest())), order), rest);
  }
  if (updated) {
    const changed = { list: voucherLists.updated_at, owner };
    return readListPage(table, changed, { ...rest, ...between(updated), descending });
  }
  if (rest.matches) return filteredPage(() => walkByChange(context, owner, descending), rest);
  return readPageByChange(context, owner, order, wanted);
}
