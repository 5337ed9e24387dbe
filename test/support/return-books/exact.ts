/** Exact arithmetic of the books. Every figure is a whole number of minor units or points, of any size. */

/** Returns `whole × part / of`, rounded half up. A part of nothing is 0. */
export function portion(whole: bigint, part: bigint, of: bigint): bigint {
  if (of === 0n) return 0n;
  const times = whole * part;
  const rest = times % of;
  return (times - rest) / of + (rest * 2n >= of ? 1n : 0n);
}

export function total(all: readonly bigint[]): bigint {
  let sum = 0n;
  for (const one of all) sum += one;
  return sum;
}

export const least = (a: bigint, b: bigint) => (a < b ? a : b);
export const most = (a: bigint, b: bigint) => (a > b ? a : b);

/** Returns the element at this place. The books never look beyond a list. */
export function at<T>(all: readonly T[], place: number): T {
  const found = all[place];
  if (found === undefined) throw new Error(`the books have no place ${place}`);
  return found;
}

/**
 * Shares an amount by weights, by largest remainder. Units that are left over go to the places with the largest remainders, and among equal
 * ones to the earlier. Each place counts the places before it, so nothing is sorted.
 */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const all = total(weights);
  if (all === 0n) return weights.map(() => 0n);
  const whole = weights.map((weight) => (amount * weight) / all);
  const over = weights.map((weight) => (amount * weight) % all);
  const left = amount - total(whole);
  return whole.map((share, place) => {
    const own = at(over, place);
    const before = over.filter((other, where) => other > own || (other === own && where < place)).length;
    return share + (BigInt(before) < left ? 1n : 0n);
  });
}
