import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { count, dateTime, integer } from '#kernel/core/schema.ts';
import { earnedBy, earnedWith, earningEvent, showEarningEvent, showEarningRule } from './earning-cause.ts';
import { isAutomatic, showBalance } from './entry-balance.ts';
import { type LedgerEntry, ledgerEntryType, showChange } from './ledger-entry.ts';

/** The change of the balance, of a loyalty card or a gift card. */
const change = { points: v.optional(integer), amount: v.optional(integer) };

/** The other card of a transfer. */
const otherCard = v.object({
  id: v.string(),
  code: v.string(),
  type: v.literal('LOYALTY_CARD'),
  campaign: v.optional(v.string()),
  campaign_id: v.nullable(v.string()),
  object: v.literal('voucher'),
});

/** An entry of a card's ledger, in the terms of clients. `balance` is the rest at that time. */
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
        /** All points that were credited up to that time. */
        total: count,
        balance: count,
        type: v.picklist(['gift_voucher', 'loyalty_card']),
        operation_type: v.picklist(['MANUAL', 'AUTOMATIC']),
        object: v.literal('balance'),
        related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
      }),
      ...earningEvent,
      ...earnedWith,
      earning_rule: v.optional(earnedBy),
      pending_points: v.optional(v.object({ id: v.string() })),
      /** The giving card, if only a single card gives points. `from` lists all. */
      source_voucher: v.optional(otherCard),
      destination_voucher: v.optional(otherCard),
    }),
    related_transaction_id: v.nullable(v.string()),
    created_at: dateTime,
  }),
);

const { object, points, amount, balance, ...cardEntries } = transaction.entries;

/** An entry in the list of a card. Its figures are in `details.balance` alone. */
export const cardTransaction = named('CardTransaction', v.object(cardEntries));

type About = LedgerEntry['about'];

function shownCard(card: About['to']): v.InferOutput<typeof otherCard> | undefined {
  if (!card) return undefined;
  const { id, code, campaign, campaign_id = null } = card;
  return {
    id,
    code,
    type: 'LOYALTY_CARD',
    ...(campaign === undefined ? {} : { campaign }),
    campaign_id,
    object: 'voucher',
  };
}

/** Returns the group of the activities that earned the points. Pending points keep the group of their origin. */
function eventGroupOf({ type, about, group_id }: LedgerEntry): string | undefined {
  return about.event_group_id ?? (type === 'PENDING_POINTS_ACTIVATION' ? undefined : group_id);
}

function shownAbout(entry: LedgerEntry) {
  const { about } = entry;
  const { banner, event, event_group_id, to, from, pending_points_id, ...shown } = about;
  const source = from?.length === 1 ? shownCard(from[0]) : undefined;
  const destination = shownCard(to);
  return {
    ...shown,
    ...showEarningEvent(event, eventGroupOf(entry)),
    ...showEarningRule(about),
    ...(pending_points_id === undefined ? {} : { pending_points: { id: pending_points_id } }),
    ...(from ? { from } : {}),
    ...(source ? { source_voucher: source } : {}),
    ...(destination ? { destination_voucher: destination } : {}),
  };
}

/** Returns the source that clients of this interface expect: `null` for spent and returned balances, and for manual activations. */
function sourceOf(entry: LedgerEntry): string | null {
  const { type, event_source } = entry;
  const { channel = null, via } = event_source;
  if (type.endsWith('_REDEMPTION') || type.endsWith('_REFUND')) return null;
  if (channel !== null && isAutomatic(entry)) return 'Automation';
  return type === 'PENDING_POINTS_ACTIVATION' ? null : (via ?? channel);
}

export function presentTransaction(entry: LedgerEntry): v.InferOutput<typeof transaction> {
  const { id, type, balance, voucher_id, campaign_id, source_id, reason, related_id, created_at } = entry;
  return {
    id,
    object: 'voucher_transaction',
    type,
    ...showChange(entry),
    balance,
    voucher_id,
    campaign_id: campaign_id ?? null,
    source_id: source_id ?? null,
    source: sourceOf(entry),
    reason: reason ?? null,
    details: { balance: showBalance(entry), ...shownAbout(entry) },
    related_transaction_id: related_id ?? null,
    created_at,
  };
}
