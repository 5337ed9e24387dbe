import { changeIn, isOfGift, type LedgerEntry } from './ledger-entry.ts';

/** The balance as an entry of the ledger left it. */
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

/** What rules give for what somebody did, and what a referral programme does, nobody has asked for by hand; whatever the request. */
export function cameByItself({ type, event_source, about }: LedgerEntry): boolean {
  const isAsked = event_source.channel === 'API' || event_source.channel === 'CLIENT_API';
  return !isAsked || type === 'POINTS_ACCRUAL' || about.referral_code !== undefined;
}

/** The balance with the change that led to it, as transactions and activities show it. */
export function shownBalance(entry: LedgerEntry) {
  const operation_type = cameByItself(entry) ? ('AUTOMATIC' as const) : ('MANUAL' as const);
  return { ...changeIn(entry), ...balanceBy(entry), operation_type };
}
