import { addUp } from '#kernel/core/sum.ts';
import { type Cart, type CartLine, computeSubtotal } from '../engine/cart.ts';
import type { Effects } from '../engine/redeemable.ts';
import { shareWithin } from '../engine/units.ts';

/** Calculates the part of each discount that each line bears. */

/** The parts of one discount, by the index of the line. */
export type Parts = ReadonlyMap<number, number>;

type Applied = Pick<Effects, 'applied'>;

function add(parts: Map<number, number>, line: number, amount: number): void {
  if (amount > 0) parts.set(line, (parts.get(line) ?? 0) + amount);
}

/**
 * Spreads the discounts of lines. A later discount may have replaced units of a line, and moved its discount to another
 * line. The lines' final discounts therefore decide, and a discount that lost a part gets it back on the line that has
 * it now.
 */
function allocateLines(applied: readonly Applied[], lines: readonly CartLine[]): Map<number, number>[] {
  const left = lines.map(({ discount_amount = 0 }) => discount_amount);
  const lost: number[] = [];
  const all = applied.map(({ applied: { lines: changes } }) => {
    const parts = new Map<number, number>();
    let missing = 0;
    for (const [line, { applied_discount_amount: wanted = 0 }] of changes) {
      const part = Math.min(wanted, left[line] ?? 0);
      add(parts, line, part);
      left[line] = (left[line] ?? 0) - part;
      missing += wanted - part;
    }
    lost.push(missing);
    return parts;
  });
  for (const [line, open] of left.entries()) {
    let rest = open;
    for (const [index, parts] of all.entries()) {
      const part = index === all.length - 1 ? rest : Math.min(rest, lost[index] ?? 0);
      add(parts, line, part);
      lost[index] = (lost[index] ?? 0) - part;
      rest -= part;
    }
  }
  return all;
}

/**
 * Returns the parts of each discount. Discounts on the whole order are shared by what the lines cost after their own discounts, so that no
 * line bears more than it costs.
 */
export function allocateDiscounts(applied: readonly Applied[], { lines, discount_amount }: Cart): Parts[] {
  const all = allocateLines(applied, lines);
  const rooms = lines.map(computeSubtotal);
  let left = discount_amount;
  for (const [index, parts] of all.entries()) {
    const wanted = Math.min(applied[index]?.applied.order ?? 0, left);
    const shares = shareWithin(
      wanted,
      rooms.map((room) => ({ weight: room, limit: room })),
    );
    for (const [line, part] of shares.entries()) {
      add(parts, line, part);
      rooms[line] = (rooms[line] ?? 0) - part;
    }
    left -= wanted;
  }
  return all;
}

export function sumParts(parts: Parts): number {
  return addUp(parts.values(), (part) => part);
}
