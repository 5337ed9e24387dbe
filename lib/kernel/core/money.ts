/** Calculates with amounts: integers of minor currency units, or counts, from 0 to `maxAmount`. */

export const maxAmount = Number.MAX_SAFE_INTEGER;

/** Quotients of smaller integers are exact enough to be rounded down. */
const exactInFloat = 2 ** 50;

/**
 * Returns `amount` × `numerator` ÷ `denominator`, rounded half up, at most `maxAmount`. Exact for all integers with a denominator above 0.
 */
export function scaleAmount(amount: number, numerator: number, denominator: number): number {
  const doubled = 2 * amount * numerator + denominator;
  if (doubled < exactInFloat && denominator < exactInFloat) return Math.floor(doubled / (2 * denominator));
  return capAmount((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
}

/** Returns the amount, at most `maxAmount`. */
export function capAmount(amount: bigint | number): number {
  return amount > maxAmount ? maxAmount : Number(amount);
}

/** Returns the product, at most `maxAmount`. */
export function multiply(amount: number, factor: number): number {
  return Math.min(maxAmount, amount * factor);
}

/** Percentages and ratios have fractions, so they are counted in billionths. */
export const billion = 1_000_000_000;

export function toBillionths(ratio: number): number {
  return Math.min(maxAmount, Math.round(ratio * billion));
}

/** 100 percent in billionths. */
const wholeInBillionths = 100 * billion;

/** Returns a percentage of the amount, or of `part` ÷ `whole` of the amount, rounded once. */
export function computePercent(amount: number, percent: number, part = 1, whole = 1): number {
  const rate = toBillionths(percent);
  const numerator = rate * part;
  const denominator = wholeInBillionths * whole;
  if (numerator <= maxAmount && denominator <= maxAmount) return scaleAmount(amount, numerator, denominator);
  const [over, under] = [BigInt(rate) * BigInt(part), BigInt(wholeInBillionths) * BigInt(whole)];
  return capAmount((2n * BigInt(amount) * over + under) / (2n * under));
}

/**
 * Shares by weight: each share is rounded down, and the remaining units go to the largest remainders, ties to the earlier line. Without
 * weights nothing is shared.
 */
export function share(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = exact.map((product) => Number(product / sum));
  const remainders = exact.map((product) => product % sum);
  const left = parts.reduce((rest, part) => rest - part, total);
  const byRemainder = remainders
    .map((remainder, index) => ({ remainder, index }))
    .toSorted((one, other) => (one.remainder === other.remainder ? 0 : one.remainder < other.remainder ? 1 : -1));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
