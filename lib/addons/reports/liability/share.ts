/** Returns the quotient as an integer. A half is rounded away from zero. A result beyond safe integers is an error. The divisor is positive. */
export function divideRounded(dividend: bigint, divisor: bigint): number {
  const [sign, size] = dividend < 0n ? [-1n, -dividend] : [1n, dividend];
  const quotient = Number((sign * (2n * size + divisor)) / (2n * divisor));
  if (!Number.isSafeInteger(quotient)) throw new RangeError('an amount exceeds the largest safe integer');
  return quotient;
}

/** Returns `amount × part / whole` as `divideRounded` does. The product may have any size. */
export function computeShare(amount: number, part: number, whole: number): number {
  return divideRounded(BigInt(amount) * BigInt(part), BigInt(whole));
}
