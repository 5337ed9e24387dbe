import { addUp } from '../../core/sum.ts';

/** Shares an amount over lines in whole units. The parts always sum to the amount. */

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
  const left = total - addUp(parts, (part) => part);
  const byRemainder = remainders
    .map((remainder, index) => ({ remainder, index }))
    .toSorted((one, other) => (one.remainder === other.remainder ? 0 : one.remainder < other.remainder ? 1 : -1));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

export interface Sharer {
  readonly weight: number;
  /** The limit of a part. */
  readonly limit: number;
}

/** Shares with limits. The rest of a full part goes to the others. */
export function shareWithin(total: number, sharers: readonly Sharer[]): number[] {
  const parts = sharers.map(() => 0);
  let open = sharers.map((sharer, index) => ({ ...sharer, index })).filter(({ weight }) => weight > 0);
  let left = Math.min(
    total,
    addUp(open, ({ limit }) => limit),
  );
  while (open.length > 0) {
    const shares = share(
      left,
      open.map(({ weight }) => weight),
    );
    const full = open.filter(({ limit }, place) => (shares[place] ?? 0) > limit);
    for (const [place, { index, limit }] of open.entries()) parts[index] = Math.min(shares[place] ?? 0, limit);
    if (full.length === 0) return parts;
    left -= addUp(full, ({ limit }) => limit);
    open = open.filter((sharer) => !full.includes(sharer));
  }
  return parts;
}
