/** Arithmetic on amounts: integers of minor currency units, or counts, from 0 to `maxAmount`. */

export const maxAmount = Number.MAX_SAFE_INTEGER;

/** Below it quotients of integers are exact enough to be rounded down. */
const exactInFloat = 2 ** 50;

/** `amount` × `numerator` ÷ `denominator`, rounded half up; exact whatever the product. Integers, the denominator above 0. */
export function scaled(amount: number, numerator: number, denominator: number): number {
  const doubled = 2 * amount * numerator + denominator;
  if (doubled < exactInFloat && denominator < exactInFloat) return Math.floor(doubled / (2 * denominator));
  return capped((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
}

/** What is more than can be counted counts as the most that can be. */
export function capped(amount: bigint | number): number {
  return amount > maxAmount ? maxAmount : Number(amount);
}

/** The product, at most `maxAmount`. */
export function times(amount: number, factor: number): number {
  return Math.min(maxAmount, amount * factor);
}

/** Percentages and ratios have fractions: they are counted in billionths. */
export const billion = 1_000_000_000;

export function inBillionths(ratio: number): number {
  return Math.min(maxAmount, Math.round(ratio * billion));
}

/** Of all percents that there are, in billionths. */
const wholeInBillionths = 100 * billion;

/** So many percent of the amount. With `part` of `whole`, of that part of it; rounded once. */
export function percentOf(amount: number, percent: number, part = 1, whole = 1): number {
  const rate = inBillionths(percent);
  const numerator = rate * part;
  const denominator = wholeInBillionths * whole;
  if (numerator <= maxAmount && denominator <= maxAmount) return scaled(amount, numerator, denominator);
  const [over, under] = [BigInt(rate) * BigInt(part), BigInt(wholeInBillionths) * BigInt(whole)];
  return capped((2n * BigInt(amount) * over + under) / (2n * under));
}
