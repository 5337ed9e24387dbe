import * as v from 'valibot';
import { listedVoucher, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import type { Showing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { type BatchFilter, type ListPage, maxWalked, readFilteredPage, readListPage } from '#kernel/table/list-page.ts';
import { type Entry, type Owner, readPage, sortKey, toRange, walkList } from '#kernel/table/listing.ts';
import { readTotal } from '#kernel/table/totals.ts';
import { readVoucherEntries, type VoucherSource } from './sources.ts';

export interface VoucherOrder {
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
  matches: BatchFilter | undefined;
}

const listed = v.object({ ...listedVoucher.entries, updated_at: v.optional(v.string()) });

export const parseListedVoucher = (entry: Entry) => parseStored(listed, entry.listed);

/** Sorts the first 10,000 entries in an order without an index. Entries without a value come last in either direction. */
async function* sortEntries(all: AsyncIterable<Entry> | Iterable<Entry>, { field, descending }: VoucherOrder) {
  const found: { entry: Entry; place: string | undefined }[] = [];
  for await (const entry of all) {
    const { id, [field]: value } = parseListedVoucher(entry);
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
  for await (const entry of walkList(table, voucherLists.updated_at, owner, { descending, atOnce: maxPage })) {
    changed.add(parseListedVoucher(entry).id);
    yield entry;
  }
  for await (const entry of walkList(table, voucherLists.created_at, owner, { descending, atOnce: maxPage })) {
    if (!changed.has(parseListedVoucher(entry).id)) yield entry;
  }
}

/** One call reads at most this many entries of a partition. */
const maxPage = 250;

async function readPageByChange(
  context: Showing,
  owner: Owner,
  { descending }: VoucherOrder,
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
  const total = await readTotal(table, counted, owner, { length });
  return { page, total, next: undefined };
}

/**
 * Reads a page. By creation, a page costs itself and the keys before it, whatever the size of the project or campaign. The
 * order of changes of a whole project costs the same. Other orders sort up to 10,000 vouchers.
 */
export function readVoucherPage(
  context: Showing,
  source: VoucherSource,
  order: VoucherOrder,
  wanted: WantedVouchers,
): Promise<ListPage> {
  const { table } = context;
  const { created, updated, ...rest } = wanted;
  const { field, descending } = order;
  if ('few' in source) return readFilteredPage(() => sortEntries(source.few(), order), rest);
  const { list, owner } = source;
  if (field === 'created_at') {
    return readListPage(table, { list, owner }, { ...rest, ...(created ? toRange(created) : {}), descending });
  }
  const newest = () => walkList(table, list, owner, { descending: true, atOnce: maxPage });
  if (field === 'code') return readFilteredPage(() => sortEntries(newest(), order), rest);
  if (list !== voucherLists.created_at) {
    return readFilteredPage(() => sortEntries(readVoucherEntries(context, yieldKeys(newest())), order), rest);
  }
  if (updated) {
    const changed = { list: voucherLists.updated_at, owner };
    return readListPage(table, changed, { ...rest, ...toRange(updated), descending });
  }
  if (rest.matches) return readFilteredPage(() => walkByChange(context, owner, descending), rest);
  return readPageByChange(context, owner, order, wanted);
}
