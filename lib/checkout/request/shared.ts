import type { Target } from './targets.ts';

/** Codes with at most this number of uses have few users, who meet in the transaction. */
const fewUses = 10;

/** Returns whether redemptions of many customers meet on it: a promotion tier, or a code for everybody. */
export function isShared({ voucher }: Pick<Target, 'voucher'>): boolean {
  if (!voucher) return true;
  const { type, holder_id, redemption_quantity: limit } = voucher;
  return type === 'DISCOUNT_VOUCHER' && !holder_id && (limit === null || limit === undefined || limit > fewUses);
}
