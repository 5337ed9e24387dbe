import * as v from 'valibot';
import type { Reading, Showing } from '../context.ts';
import { described } from '../documented.ts';
import type { Fields } from '../filters/fields.ts';
import { compileFilter, filterQuery } from '../filters/filter.ts';
import { cursorQuery, more, moreEntries, offsetOf, pageQuery, unknownCursor } from '../http/page.ts';
import { numberOfId } from '../ids.ts';
import { type LedgerEntry, ledgerEntryKey } from '../ledger/ledger-entry.ts';
import { type MemberPath, memberOfPath } from '../loyalty/member-of-path.ts';
import { listOf } from '../schema.ts';
import { filteredPage } from '../table/list-page.ts';
import type { Range } from '../table/listing.ts';
import { read, readBetween } from '../table/read.ts';
import { voucherOr404 } from '../vouchers/find-voucher.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { presentTransaction, transaction } from './transaction.ts';

/** By id is by time. */
export const transactionsOrder = described(
  v.optional(v.picklist(['id', '-id']), '-id'),
  'The oldest first, or with a dash the newest.',
);

export const transactionsQuery = v.object({ ...pageQuery, ...cursorQuery, order: transactionsOrder });

type Query = v.InferOutput<typeof transactionsQuery>;

export const transactionList = v.object({ ...listOf(transaction).entries, ...moreEntries });

/** What a loyalty card came with is the first row: it stands on the card itself, and has the number 0. */
const openingNumber = 0;

function openingId({ id }: VoucherItem): string {
  return id.replace(/^v_/, 'vtx_');
}

/** `first`: the entry after it, if there is one. */
export function openingEntry(card: VoucherItem, first: LedgerEntry | undefined): LedgerEntry {
  return {
    id: openingId(card),
    type: 'POINTS_ADDITION',
    points: card.opening_balance,
    balance: card.opening_balance,
    credited_points:
      first?.credited_points === undefined ? card.credited_points : first.credited_points - Math.max(first.points, 0),
    sequence: 1,
    voucher_id: card.id,
    code: card.code,
    campaign_id: card.campaign_id ?? null,
    source_id: null,
    reason: 'opening balance',
    about: {},
    created_at: card.created_at,
    group_id: card.id,
    event_source: { channel: 'SYSTEM' },
    moves: [],
  };
}

/** The number of the row that the page begins behind. */
async function cursorOf({ table, project }: Showing, card: VoucherItem, id: string): Promise<number> {
  if (card.opening_balance > 0 && id === openingId(card)) return openingNumber;
  const number = numberOfId('voucher_transaction', id) ?? 0;
  const { entry } = await read(table, { entry: number > 0 ? ledgerEntryKey(project.id, card.id, number) : undefined });
  if (entry?.id !== id) throw unknownCursor('transaction');
  return number;
}

/** The numbers of the first row and the last one. */
function numbersOf({ opening_balance, ledger_entries }: VoucherItem): [first: number, last: number] {
  return [opening_balance > 0 ? openingNumber : 1, ledger_entries];
}

/** Rows are numbered without gaps, so that some are read by their numbers, both included, however long the ledger is. */
async function rowsOf(context: Reading, card: VoucherItem, from: number, to: number): Promise<LedgerEntry[]> {
  const { table, project } = context;
  const keyOf = (number: number) => ledgerEntryKey(project.id, card.id, number);
  const rows = to < Math.max(1, from) ? [] : await readBetween(table, keyOf(Math.max(1, from)), keyOf(to));
  if (from === openingNumber && to >= from) {
    const [next] = rows.length > 0 || card.ledger_entries === 0 ? rows : await readBetween(table, keyOf(1), keyOf(1));
    rows.unshift(openingEntry(card, next));
  }
  return rows;
}

const walkedAtOnce = 250;

async function* walkRows(context: Reading, card: VoucherItem, { descending = false, behind }: Range) {
  const [first, last] = numbersOf(card);
  const [begin, step] = descending ? [last, -1] : [first, 1];
  const start = behind === undefined ? begin : Number(behind) + step;
  for (let at = start; at >= first && at <= last; at += step * walkedAtOnce) {
    const end = at + step * (walkedAtOnce - 1);
    const rows = descending
      ? await rowsOf(context, card, Math.max(first, end), at)
      : await rowsOf(context, card, at, Math.min(last, end));
    yield* descending ? rows.reverse() : rows;
  }
}

function shown(rows: readonly LedgerEntry[], total: number, hasMore: boolean) {
  const data = rows.map(presentTransaction);
  const next = hasMore ? data.at(-1)?.id : undefined;
  return { object: 'list' as const, data_ref: 'data' as const, data, total, ...more(next) };
}

async function page(context: Showing, card: VoucherItem, query: Query) {
  const { limit, order, starting_after_id } = query;
  const descending = order === '-id';
  const [first, last] = numbersOf(card);
  const cursor = starting_after_id === undefined ? undefined : await cursorOf(context, card, starting_after_id);
  const skipped = cursor === undefined ? offsetOf(query) : descending ? last - cursor + 1 : cursor - first + 1;
  const [from, to] = descending
    ? [Math.max(first, last - skipped - limit + 1), last - skipped]
    : [first + skipped, Math.min(last, first + skipped + limit - 1)];
  const rows = await rowsOf(context, card, from, to);
  const isEnd = descending ? from <= first : to >= last;
  return shown(descending ? rows.reverse() : rows, last - first + 1, !isEnd);
}

/** Why a balance is what it is. A discount voucher has none. */
export async function listVoucherTransactions(context: Showing, codeOrId: string, query: Query) {
  return page(context, await voucherOr404(context, codeOrId), query);
}

const filterFields: Fields<LedgerEntry> = { id: 'text', created_at: 'date' };

export const memberTransactionsQuery = v.object({
  ...transactionsQuery.entries,
  filters: v.optional(filterQuery(filterFields)),
});

/** The same for the member of a loyalty programme, of those that a filter asks for. */
export async function listMemberTransactions(
  context: Showing,
  path: MemberPath,
  query: v.InferOutput<typeof memberTransactionsQuery>,
) {
  const card = await memberOfPath(context, path);
  const { filters, limit, order, starting_after_id: id } = query;
  if (!filters) return page(context, card, query);
  const matches = compileFilter(filterFields, filters);
  const cursor = id === undefined ? undefined : await cursorOf(context, card, id);
  const found = await filteredPage((range) => walkRows(context, card, range), {
    descending: order === '-id',
    limit,
    offset: cursor === undefined ? offsetOf(query) : 0,
    behind: cursor?.toString(),
    matches: (batch) => batch.map((entry) => matches(entry, context.now)),
  });
  const { data, ...others } = shown(found.page, found.total, false);
  return { data, ...others, ...more(found.next?.id) };
}
