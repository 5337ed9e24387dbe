import * as v from 'valibot';
import { named } from '../documented.ts';
import { shownRule } from '../ledger/earned-by.ts';
import { changeIn, type LedgerEntry, ledgerEntryType } from '../ledger/ledger-entry.ts';
import { count, dateTime, integer } from '../schema.ts';
import { balanceBy } from './balance.ts';

/** By how much the balance changed: the one of a loyalty card, the other of a gift card. */
const change = { points: v.optional(integer), amount: v.optional(integer) };

/** An entry of a card's ledger, in the words of clients of this interface. `balance`: what was left by then. */
export const transaction = named(
  'VoucherTransaction',
  v.object({
    id: v.string(),
    object: v.literal('voucher_transaction'),
    type: ledgerEntryType,
    ...change,
    balance: count,
    voucher_id: v.string(),
    campaign_id: v.nullable(v.string()),
    source_id: v.nullable(v.string()),
    source: v.nullable(v.string()),
    reason: v.nullable(v.string()),
    details: v.looseObject({
      balance: v.object({
        ...change,
        /** All that had been credited by then. */
        total: count,
        balance: count,
        type: v.picklist(['gift_voucher', 'loyalty_card']),
        operation_type: v.picklist(['MANUAL', 'AUTOMATIC']),
        object: v.literal('balance'),
        related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
      }),
    }),
    related_transaction_id: v.nullable(v.string()),
    created_at: dateTime,
  }),
);

export function presentTransaction(entry: LedgerEntry): v.InferOutput<typeof transaction> {
  const { id, type, balance, voucher_id, campaign_id, source_id, reason, about, related_id, created_at } = entry;
  const { channel = null } = entry.event_source;
  const { banner, ...details } = about;
  const operation_type = channel === 'API' ? 'MANUAL' : 'AUTOMATIC';
  return {
    id,
    object: 'voucher_transaction',
    type,
    ...changeIn(entry),
    balance,
    voucher_id,
    campaign_id: campaign_id ?? null,
    source_id: source_id ?? null,
    source: channel,
    reason: reason ?? null,
    details: { balance: { ...changeIn(entry), ...balanceBy(entry), operation_type }, ...details, ...shownRule(about) },
    related_transaction_id: related_id ?? null,
    created_at,
  };
}
