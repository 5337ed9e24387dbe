import * as v from 'valibot';
import type { Showing } from '../context.ts';
import { described } from '../documented.ts';
import { cursorQuery, more, moreEntries, offsetOf, pageQuery, unknownCursor } from '../http/page.ts';
import { numberOfId } from '../ids.ts';
import { type LedgerEntry, ledgerEntryKey } from '../ledger/ledger-entry.ts';
import { findCard } from '../loyalty/find-card.ts';
import { listOf } from '../schema.ts';
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

/** Rows are numbered without gaps, so that a page is read by its numbers, however long the ledger is. */
async function page(context: Showing, card: VoucherItem, query: Query) {
  const { table, project } = context;
  const { limit, order, starting_after_id } = query;
  const descending = order === '-id';
  const [first, last] = [card.opening_balance > 0 ? openingNumber : 1, card.ledger_entries];
  const cursor = starting_after_id === undefined ? undefined : await cursorOf(context, card, starting_after_id);
  const skipped = cursor === undefined ? offsetOf(query) : descending ? last - cursor + 1 : cursor - first + 1;
  const [from, to] = descending
    ? [Math.max(first, last - skipped - limit + 1), last - skipped]
    : [first + skipped, Math.min(last, first + skipped + limit - 1)];
  const keyOf = (number: number) => ledgerEntryKey(project.id, card.id, number);
  const rows = to < Math.max(1, from) ? [] : await readBetween(table, keyOf(Math.max(1, from)), keyOf(to));
  if (from === openingNumber && to >= from) {
    const [next] = rows.length > 0 || last === 0 ? rows : await readBetween(table, keyOf(1), keyOf(1));
    rows.unshift(openingEntry(card, next));
  }
  const data = (descending ? rows.reverse() : rows).map(presentTransaction);
  const isEnd = descending ? from <= first : to >= last;
  return {
    object: 'list' as const,
    data_ref: 'data' as const,
    data,
    total: last - first + 1,
    ...more(isEnd ? undefined : data.at(-1)?.id),
  };
}

/** Why a balance is what it is. A discount voucher has none. */
export async function listVoucherTransactions(context: Showing, codeOrId: string, query: Query) {
  return page(context, await voucherOr404(context, codeOrId), query);
}

/** The same for the member of a loyalty programme; 404 for a voucher that is no loyalty card. */
export async function listMemberTransactions(context: Showing, memberId: string, query: Query) {
  return page(context, await findCard(context, memberId), query);
}
