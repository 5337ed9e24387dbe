import * as v from 'valibot';
import type { Showing } from '../context.ts';
import { named } from '../documented.ts';
import { notFound } from '../errors.ts';
import { offsetOf, type Page } from '../http/page.ts';
import { type LedgerEntry, ledgerEntryKey, ledgerEntryType } from '../ledger/ledger-entry.ts';
import { count, dateTime, integer, listOf } from '../schema.ts';
import { readBetween } from '../table/read.ts';
import { findVoucher } from '../vouchers/find-voucher.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { findCard } from './find-card.ts';

/**
 * An entry of a card's ledger, in the words of clients of this interface. `points`: by how many the balance changed;
 * `balance`: what it was then; `details.balance.total`: all that had been credited by then.
 */
const transaction = named(
  'PointsTransaction',
  v.object({
    id: v.string(),
    object: v.literal('voucher_transaction'),
    type: ledgerEntryType,
    points: integer,
    balance: count,
    voucher_id: v.string(),
    campaign_id: v.nullable(v.string()),
    source_id: v.nullable(v.string()),
    source: v.nullable(v.string()),
    reason: v.nullable(v.string()),
    details: v.looseObject({
      balance: v.object({
        type: v.literal('loyalty_card'),
        object: v.literal('balance'),
        operation_type: v.picklist(['MANUAL', 'AUTOMATIC']),
        points: integer,
        total: count,
        balance: count,
        related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
      }),
    }),
    related_transaction_id: v.nullable(v.string()),
    created_at: dateTime,
  }),
);

type Transaction = v.InferOutput<typeof transaction>;

export const transactionList = v.object({ ...listOf(transaction).entries, has_more: v.boolean() });

export type TransactionList = v.InferOutput<typeof transactionList>;

function present(entry: LedgerEntry): Transaction {
  const { id, type, points, balance, credited_points, voucher_id, campaign_id, source_id, reason, about, created_at } =
    entry;
  const { channel = null } = entry.event_source;
  return {
    id,
    object: 'voucher_transaction',
    type,
    points,
    balance,
    voucher_id,
    campaign_id: campaign_id ?? null,
    source_id: source_id ?? null,
    source: channel,
    reason: reason ?? null,
    details: {
      balance: {
        type: 'loyalty_card',
        object: 'balance',
        operation_type: channel === 'API' ? 'MANUAL' : 'AUTOMATIC',
        points,
        total: credited_points ?? balance,
        balance,
        related_object: { type: 'voucher', id: voucher_id },
      },
      ...about,
    },
    related_transaction_id: null,
    created_at,
  };
}

/** What the card came with is the first row, and stands on the card itself. `first`: the entry after it, if there is one. */
function openingEntry(card: VoucherItem, first: LedgerEntry | undefined): LedgerEntry {
  return {
    id: card.id.replace(/^v_/, 'vtx_'),
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

/** By their numbers, newest first. */
async function readEntries(
  { table, project }: Showing,
  { id }: VoucherItem,
  from: number,
  to: number,
): Promise<LedgerEntry[]> {
  const keyOf = (number: number) => ledgerEntryKey(project.id, id, number);
  return to < from ? [] : readBetween(table, keyOf(from), keyOf(to), { descending: true });
}

/** Newest first; entries are numbered without gaps, so that a page is read by its numbers, however long the ledger is. */
async function page(context: Showing, card: VoucherItem, wanted: Page): Promise<TransactionList> {
  const hasOpening = card.opening_balance > 0;
  const total = card.ledger_entries + (hasOpening ? 1 : 0);
  const offset = offsetOf(wanted);
  const to = card.ledger_entries - offset;
  const from = Math.max(1, to - wanted.limit + 1);
  const entries = await readEntries(context, card, from, to);
  if (hasOpening && offset < total && offset + wanted.limit >= total) {
    const [first] = entries.length > 0 ? entries.slice(-1) : await readEntries(context, card, 1, 1);
    entries.push(openingEntry(card, first));
  }
  return {
    object: 'list',
    data_ref: 'data',
    data: entries.map(present),
    total,
    has_more: offset + wanted.limit < total,
  };
}

/** Not in the contract: why a balance is what it is. Vouchers that are no loyalty cards have no entries. */
export async function listVoucherTransactions(context: Showing, codeOrId: string, wanted: Page) {
  const voucher = await findVoucher(context, codeOrId);
  if (!voucher) throw notFound('voucher', codeOrId);
  return page(context, voucher, wanted);
}

/** The same for the member of a loyalty programme; 404 for a voucher that is no loyalty card. */
export async function listMemberTransactions(context: Showing, memberId: string, wanted: Page) {
  return page(context, await findCard(context, memberId), wanted);
}
