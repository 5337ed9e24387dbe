import { type Reader, sumOfLocks } from '../../http/holds/locks.ts';
import type { Target } from './targets.ts';

/** What sessions keep of redeemables: see docs/checkout.md#sessions. */

/** Of which figure a session keeps something, and by what else it is judged that there is enough. */
export const kept = {
  DISCOUNT_VOUCHER: { of: 'quantity', judgedBy: ['redeemed_quantity', 'redemption_quantity'] },
  GIFT_VOUCHER: { of: 'credits', judgedBy: ['revision'] },
  LOYALTY_CARD: { of: 'points', judgedBy: ['revision'] },
} as const;

/** What sessions of others keep of a voucher: uses, credits or points. */
export function lockedOf({ voucher, stored }: Target, reader: Reader): number {
  return voucher ? (sumOfLocks(stored, reader)[kept[voucher.type].of] ?? 0) : 0;
}
