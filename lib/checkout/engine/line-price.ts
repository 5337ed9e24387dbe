import { unitPrice as unitPriceOf } from '../../rules/lines.ts';
import { type CartLine, subtotalOf } from './cart.ts';

/** Of one unit, in minor currency units, with a fraction where the amount is no multiple of the quantity. */
export function unitPrice(line: CartLine): number {
  return unitPriceOf(line) ?? line.amount ?? 0;
}

/** By unit price, of equal ones that with the lowest subtotal, then the first. `sign` of -1: the highest price first. */
function byPrice(indices: readonly number[], lines: readonly CartLine[], sign: 1 | -1): number[] {
  const priced = indices.flatMap((index) => {
    const line = lines[index];
    return line?.amount === undefined ? [] : [{ index, price: sign * unitPrice(line), subtotal: subtotalOf(line) }];
  });
  return priced
    .toSorted((one, other) => one.price - other.price || one.subtotal - other.subtotal)
    .map(({ index }) => index);
}

/** Lines without money are left out. */
export function fromCheapest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  return byPrice(indices, lines, 1);
}

export function fromDearest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  return byPrice(indices, lines, -1);
}
