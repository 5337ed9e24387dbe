import { isOfGift, type LedgerEntry, showChange } from './ledger-entry.ts';

/** Returns the balance after an entry of the ledger. */
export function readEntryBalance(entry: LedgerEntry) {
  const { credited_points, balance, voucher_id } = entry;
  return {
    total: credited_points ?? balance,
    balance,
    type: isOfGift(entry) ? ('gift_voucher' as const) : ('loyalty_card' as const),
    object: 'balance' as const,
    related_object: { type: 'voucher' as const, id: voucher_id },
  };
}

/** Returns whether a change was automatic. Earning rules and referral programmes change balances automatically, whatever the request. */
export function isAutomatic({ type, event_source, about }: LedgerEntry): boolean {
  const isAsked = event_source.channel === 'API' || event_source.channel === 'CLIENT_API';
  return !isAsked || type === 'POINTS_ACCRUAL' || about.referral_code !== undefined;
}

/** Shows the balance with its change, as in transactions and activities. */
export function showBalance(entry: LedgerEntry) {
  const operation_type = isAutomatic(entry) ? ('AUTOMATIC' as const) : ('MANUAL' as const);
  return { ...showChange(entry), ...readEntryBalance(entry), operation_type };
}
