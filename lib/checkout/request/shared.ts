import type { Target } from './targets.ts';

/** Up to so many uses a code is one that few have: they meet in the transaction. */
const fewUses = 10;

/** A promotion tier, or a code that everybody may have: redemptions of many customers meet on it. */
export function isShared({ voucher }: Pick<Target, 'voucher'>): boolean {
  if (!voucher) return true;
  const { type, holder_id, redemption_quantity: limit } = voucher;
  return type === 'DISCOUNT_VOUCHER' && !holder_id && (limit === null || limit === undefined || limit > fewUses);
}
