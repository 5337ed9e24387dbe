import { type Reader, sumOfLocks } from '../../http/holds/locks.ts';
import type { Target } from './targets.ts';

/** Reads the locks of sessions on redeemables (docs/checkout.md#sessions). */

/** The locked figure of a redeemable, and the figures on which a lock depends. */
export const kept = {
  DISCOUNT_VOUCHER: { of: 'quantity', judgedBy: ['redeemed_quantity', 'redemption_quantity'] },
  GIFT_VOUCHER: { of: 'credits', judgedBy: ['revision'] },
  LOYALTY_CARD: { of: 'points', judgedBy: ['revision'] },
} as const;

/** Returns the uses, credits or points of a voucher that other sessions lock. */
export function lockedOf({ voucher, stored }: Target, reader: Reader): number {
  return voucher ? (sumOfLocks(stored, reader)[kept[voucher.type].of] ?? 0) : 0;
}
