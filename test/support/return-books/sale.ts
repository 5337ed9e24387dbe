import { at, spread, total } from './exact.ts';

/** A sold order, and what each line was worth. */

export interface SoldLine {
  id: string;
  quantity: bigint;
  amount: bigint;
  /** The line's own discounts. */
  discount: bigint;
}

export interface Payment {
  kind: 'credits' | 'points';
  /** The id of the redemption. */
  redemption: string;
  code: string;
  /** The sum in minor units that it took off the order. */
  worth: bigint;
  /** The points that were charged, or the credits. */
  charged: bigint;
  /** The reward by which points pay. */
  reward?: string;
}

export interface Coupon {
  kind: 'coupon';
  redemption: string;
  /** The discount on the order as a whole. */
  discount: bigint;
}

export interface Sale {
  lines: readonly SoldLine[];
  /** The amount that the caller sent. Without it, the order costs what its lines cost. */
  amount?: bigint;
  /** In the order of redemption. */
  redeemed: readonly (Coupon | Payment)[];
}

export interface ValuedLine extends SoldLine {
  /** The line's share of each coupon's discount, in the order of redemption. */
  shares: readonly bigint[];
  net: bigint;
  /** The part of each payment that paid this line, in the order of redemption. */
  paid: readonly bigint[];
}

const isCoupon = (one: Coupon | Payment): one is Coupon => one.kind === 'coupon';
export const paymentsOf = ({ redeemed }: Sale) => redeemed.flatMap((one) => (isCoupon(one) ? [] : [one]));

/** Returns the lines, including the line for shipping and fees. An order without lines is one line of the whole amount. */
function completeLines({ lines, amount }: Sale): SoldLine[] {
  const ofLines = total(lines.map((line) => line.amount));
  const rest = (amount ?? ofLines) - ofLines;
  if (rest < 0n) throw new Error('the books know no order that costs less than its lines');
  return rest === 0n ? [...lines] : [...lines, { id: 'rest', quantity: 1n, amount: rest, discount: 0n }];
}

/** Shares sums one after the other, each by what those before it left. */
function inTurn(worth: readonly bigint[], sums: readonly bigint[]) {
  let left = [...worth];
  const given = sums.map((sum) => {
    const shares = spread(sum, left);
    left = left.map((one, place) => one - at(shares, place));
    if (total(shares) !== sum || left.some((one) => one < 0n)) throw new Error('more is taken off than there is');
    return shares;
  });
  return { given, left };
}

const ofLine = (given: readonly bigint[][], place: number) => given.map((shares) => at(shares, place));

export function valueLines(sale: Sale): ValuedLine[] {
  const lines = completeLines(sale);
  const discounts = sale.redeemed.filter(isCoupon).map(({ discount }) => discount);
  const coupons = inTurn(
    lines.map(({ amount, discount }) => amount - discount),
    discounts,
  );
  const payments = inTurn(
    coupons.left,
    paymentsOf(sale).map(({ worth }) => worth),
  );
  return lines.map((line, place) => ({
    ...line,
    shares: ofLine(coupons.given, place),
    net: at(coupons.left, place),
    paid: ofLine(payments.given, place),
  }));
}
