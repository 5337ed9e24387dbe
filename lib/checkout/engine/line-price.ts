import { readUnitPrice as unitPriceOf } from '../../rules/lines.ts';
import { type CartLine, computeSubtotal } from './cart.ts';

/** Returns the price of one unit in minor currency units, with a fraction if necessary. */
export function computeUnitPrice(line: CartLine): number {
  return unitPriceOf(line) ?? line.amount ?? 0;
}

/** Sorts lines by unit price, then by the lower subtotal, then by place. A `sign` of -1 puts the highest price first. */
function byPrice(indices: readonly number[], lines: readonly CartLine[], sign: 1 | -1): number[] {
  const priced = indices.flatMap((index) => {
    const line = lines[index];
    return line?.amount === undefined
      ? []
      : [{ index, price: sign * computeUnitPrice(line), subtotal: computeSubtotal(line) }];
  });
  return priced
    .toSorted((one, other) => one.price - other.price || one.subtotal - other.subtotal)
    .map(({ index }) => index);
}

/** Sorts lines by price. Lines without money are left out. */
export function sortFromCheapest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  return byPrice(indices, lines, 1);
}

export function sortFromDearest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  return byPrice(indices, lines, -1);
}
