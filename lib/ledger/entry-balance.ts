import { changeIn, isOfGift, type LedgerEntry } from './ledger-entry.ts';

/** Returns the balance after an entry of the ledger. */
export function balanceBy(entry: LedgerEntry) {
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
export function cameByItself({ type, event_source, about }: LedgerEntry): boolean {
  const isAsked = event_source.channel === 'API' || event_source.channel === 'CLIENT_API';
  return !isAsked || type === 'POINTS_ACCRUAL' || about.referral_code !== undefined;
}

/** Shows the balance with its change, as in transactions and activities. */
export function shownBalance(entry: LedgerEntry) {
  const operation_type = cameByItself(entry) ? ('AUTOMATIC' as const) : ('MANUAL' as const);
  return { ...changeIn(entry), ...balanceBy(entry), operation_type };
}
