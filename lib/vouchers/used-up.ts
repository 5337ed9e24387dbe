import type { VoucherItem } from './voucher.ts';

/** Whether it was redeemed as often as it may be. */
export function isUsedUp({
  redemption_quantity: most,
  redeemed_quantity,
}: Pick<VoucherItem, 'redemption_quantity' | 'redeemed_quantity'>): boolean {
  return most !== undefined && most !== null && redeemed_quantity >= most;
}
