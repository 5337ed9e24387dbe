import * as v from 'valibot';
import { type LedgerEntry, ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { cardTransaction, presentTransaction, transaction } from '#engine/ledger/transaction.ts';
import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { described } from '#kernel/core/documented.ts';
import { readIdNumber } from '#kernel/core/ids.ts';
import { count, listEnvelope, wrapList } from '#kernel/core/schema.ts';
import type { Reading, Showing } from '#kernel/http/context.ts';
import { computeOffset, cursorQuery, moreEntries, pageQuery, presentMore, unknownCursor } from '#kernel/http/page.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter, filterQuery } from '#kernel/kit/filters/filter.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import type { Range } from '#kernel/table/listing.ts';
import { read, readBetween } from '#kernel/table/read.ts';
import { type MemberPath, memberOr404 } from '../member-path.ts';

/** Ids sort by time. */
export const transactionsOrderWords = '`id` lists the oldest entry first. `-id` lists the newest entry first.';

const transactionsOrder = described(v.optional(v.picklist(['id', '-id']), '-id'), transactionsOrderWords);

export const transactionsQuery = v.object({ ...pageQuery, ...cursorQuery, order: transactionsOrder });

type Query = v.InferOutput<typeof transactionsQuery>;

export const transactionList = v.object({ ...listEnvelope(transaction).entries, ...moreEntries });

/** Returns the number of the row after which the page begins. */
async function cursorOf({ table, project }: Showing, card: VoucherItem, id: string): Promise<number> {
  const number = readIdNumber('voucher_transaction', id) ?? 0;
  const { entry } = await read(table, { entry: number > 0 ? ledgerEntryKey(project.id, card.id, number) : undefined });
  if (entry?.id !== id) throw unknownCursor('transaction');
  return number;
}

/** Reads rows by their numbers, both included. Rows are numbered from 1 without gaps, so the length of the ledger does not matter. */
async function rowsOf(
  { table, project }: Reading,
  card: VoucherItem,
  from: number,
  to: number,
): Promise<LedgerEntry[]> {
  const keyOf = (number: number) => ledgerEntryKey(project.id, card.id, number);
  return to < from ? [] : readBetween(table, keyOf(from), keyOf(to));
}

const walkedAtOnce = 250;

async function* walkRows(context: Reading, card: VoucherItem, { descending = false, behind }: Range) {
  const last = card.ledger_entries;
  const [begin, step] = descending ? [last, -1] : [1, 1];
  const start = behind === undefined ? begin : Number(behind) + step;
  for (let at = start; at >= 1 && at <= last; at += step * walkedAtOnce) {
    const end = at + step * (walkedAtOnce - 1);
    const rows = descending
      ? await rowsOf(context, card, Math.max(1, end), at)
      : await rowsOf(context, card, at, Math.min(last, end));
    yield* descending ? rows.reverse() : rows;
  }
}

function shown(rows: readonly LedgerEntry[], total: number, hasMore: boolean) {
  const data = rows.map(presentTransaction);
  const next = hasMore ? data.at(-1)?.id : undefined;
  return { ...wrapList(data, total), ...presentMore(next) };
}

async function page(context: Showing, card: VoucherItem, query: Query) {
  const { limit, order, starting_after_id } = query;
  const descending = order === '-id';
  const last = card.ledger_entries;
  const cursor = starting_after_id === undefined ? undefined : await cursorOf(context, card, starting_after_id);
  const skipped = cursor === undefined ? computeOffset(query) : descending ? last - cursor + 1 : cursor;
  const [from, to] = descending
    ? [Math.max(1, last - skipped - limit + 1), last - skipped]
    : [1 + skipped, Math.min(last, skipped + limit)];
  const rows = await rowsOf(context, card, from, to);
  const isEnd = descending ? from <= 1 : to >= last;
  return shown(descending ? rows.reverse() : rows, last, !isEnd);
}

/** Lists all changes of a balance since the card was made. Its first points or credit have no row, and a discount voucher has no rows. */
export async function listVoucherTransactions(context: Showing, codeOrId: string, query: Query) {
  return page(context, await voucherOr404(context, codeOrId), query);
}

const filterFields: FilterFields<LedgerEntry> = { id: 'text', created_at: 'date' };

export const memberTransactionsQuery = v.object({
  ...transactionsQuery.entries,
  filters: v.optional(filterQuery(filterFields)),
});

/** Lists the changes of a member's card that match a filter. */
export async function listMemberTransactions(
  context: Showing,
  path: MemberPath,
  query: v.InferOutput<typeof memberTransactionsQuery>,
) {
  const card = await memberOr404(context, path);
  const { filters, limit, order, starting_after_id: id } = query;
  if (!filters) return page(context, card, query);
  const matches = compileFilter(filterFields, filters);
  const cursor = id === undefined ? undefined : await cursorOf(context, card, id);
  const found = await readFilteredPage((range) => walkRows(context, card, range), {
    descending: order === '-id',
    limit,
    offset: cursor === undefined ? computeOffset(query) : 0,
    behind: cursor?.toString(),
    matches: (batch) => batch.map((entry) => matches(entry, context.now)),
  });
  const { data, ...others } = shown(found.page, found.total, false);
  return { data, ...others, ...presentMore(found.next?.id) };
}

const { page: pageNumber } = pageQuery;

/** Lists by cursor unless the query names a page. */
export const cardTransactionsQuery = v.object({
  ...memberTransactionsQuery.entries,
  page: described(v.optional(pageNumber.wrapped), 'The number of the page, from 1. A page after the last is empty.'),
});

export const cardTransactionList = v.object({
  ...listEnvelope(cardTransaction).entries,
  total: v.optional(count),
  ...moreEntries,
});

/** Lists by the card alone, with a total if the query names a page. */
export async function listCardTransactions(
  context: Showing,
  path: MemberPath,
  { page: number, ...query }: v.InferOutput<typeof cardTransactionsQuery>,
) {
  const { total, ...found } = await listMemberTransactions(context, path, { ...query, page: number ?? 1 });
  return number === undefined ? found : { ...found, total };
}
