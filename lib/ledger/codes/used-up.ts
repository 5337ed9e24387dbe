interface Uses {
  readonly redemption_quantity?: number | null | undefined;
  readonly redeemed_quantity?: number | undefined;
}

/** Returns whether the voucher has no redemptions left. */
export function isUsedUp({ redemption_quantity: most, redeemed_quantity = 0 }: Uses): boolean {
  return most !== undefined && most !== null && redeemed_quantity >= most;
}
