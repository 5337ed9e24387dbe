import { scaleAmount, share } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';

/** Calculates what units of a sold line are worth (docs/returns.md#units). */

/** A discount that a kept line lost in an earlier return. It is part of what the units are worth that were kept then. */
interface Lost {
  /** The units, or the net value of an order without lines, that were returned before. */
  readonly after: number;
  readonly amount: number;
}

/** A sold line. The part of an order's amount that no line has is a line with the id `rest`. */
export interface SoldLine {
  readonly id: string;
  readonly quantity: number;
  readonly amount: number;
  /** The discounts on the line, without payments. */
  readonly discount: number;
  /** The part of discounts on the whole order. */
  readonly share: number;
  /** The returned units, or the returned net value if `isByValue`. */
  readonly returned: number;
  /** True for an order without lines, of which any amount can be returned. */
  readonly isByValue: boolean;
  readonly lost: readonly Lost[];
}

/** The figures of units, in minor currency units. */
export interface UnitFigures {
  readonly amount: number;
  readonly discount: number;
  readonly share: number;
  readonly net: number;
}

/** Returns the net value that the line was sold for. */
export function soldNet({ amount, discount, share: ofOrder }: SoldLine): number {
  return amount - discount - ofOrder;
}

/** Returns the measure of the whole line: its units, or its net value. */
export function wholeOf(line: SoldLine): number {
  if (!line.isByValue) return line.quantity;
  return soldNet(line) + addUp(line.lost, ({ amount }) => amount);
}

function part(amount: number, numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : scaleAmount(amount, numerator, denominator);
}

/** Returns how much of the lost discounts the first units have. */
function lostIn(line: SoldLine, first: number): number {
  const whole = wholeOf(line);
  return addUp(line.lost, ({ after, amount }) => part(amount, Math.max(0, first - after), whole - after));
}

/**
 * Returns the figures that the first units were sold for. Each figure is a part of the remainder that the previous
 * figure left.
 */
function soldFigures(line: SoldLine, first: number): UnitFigures {
  const { discount, share: ofOrder } = line;
  if (line.isByValue) {
    const net = first - lostIn(line, first);
    const all = soldNet(line);
    const ofUnits = { discount: part(discount, net, all), share: part(ofOrder, net, all) };
    return { amount: net + ofUnits.discount + ofUnits.share, ...ofUnits, net };
  }
  const amount = part(line.amount, first, line.quantity);
  const own = part(discount, amount, line.amount);
  const shared = part(ofOrder, amount - own, line.amount - discount);
  return { amount, discount: own, share: shared, net: amount - own - shared };
}

/** Returns the figures of the first units. A lost discount lowers the share, and then the discount of the line. */
export function figuresOf(line: SoldLine, first: number): UnitFigures {
  const sold = soldFigures(line, first);
  const lost = lostIn(line, first);
  const ofShare = Math.min(lost, sold.share);
  return { ...sold, share: sold.share - ofShare, discount: sold.discount - (lost - ofShare), net: sold.net + lost };
}

/** Returns the figures of units beyond those that were returned before. */
export function figuresOfMore(line: SoldLine, more: number): UnitFigures {
  const [before, after] = [figuresOf(line, line.returned), figuresOf(line, line.returned + more)];
  return {
    amount: after.amount - before.amount,
    discount: after.discount - before.discount,
    share: after.share - before.share,
    net: after.net - before.net,
  };
}

/** Returns each payment's part of each line, as the order was sold. What is left of a line is money. */
export function sharePayments(lines: readonly SoldLine[], paid: readonly number[]): number[][] {
  let left = lines.map(soldNet);
  return paid.map((sum) => {
    const most = Math.min(
      sum,
      addUp(left, (one) => one),
    );
    const parts = share(most, left);
    left = left.map((one, index) => one - (parts[index] ?? 0));
    return parts;
  });
}

/** Returns the payments' parts of the first units of a line, one after another. `parts` are the parts of the whole line. */
export function paymentsOf(line: SoldLine, parts: readonly number[], first: number): number[] {
  let left = soldFigures(line, first).net;
  let ofLine = soldNet(line);
  return parts.map((whole) => {
    const own = part(whole, left, ofLine);
    left -= own;
    ofLine -= whole;
    return own;
  });
}
