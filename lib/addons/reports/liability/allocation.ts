import { divideRounded } from './share.ts';

/** Rates of redemption count in hundredths of a percent. */
export const wholeRate = 10_000;

/** The price of points if they were sold alone, such as 500 minor units for 1,000 points. */
export interface PointPrice {
  readonly amount: number;
  readonly points: number;
}

/** Returns the stand-alone price of points, of which only the expected part counts (IFRS 15.B42, ASC 606-10-55-44). */
export function computeStandAlonePrice(points: number, price: PointPrice, rate: number): number {
  return divideRounded(BigInt(points) * BigInt(rate) * BigInt(price.amount), BigInt(price.points) * BigInt(wholeRate));
}

export interface Allocation {
  /** The part of the price for the sold goods. */
  readonly sold: number;
  /** The part of the price for the points, which is deferred. */
  readonly points: number;
}

/**
 * Allocates a transaction price between the sold goods and the points, by their stand-alone prices (IFRS 15.74, ASC
 * 606-10-32-31). The transaction price is the stand-alone price of the sale. The part of the points is rounded to
 * multiples of `unit`, and the sale has the rest, so that both parts make up the price.
 */
export function allocatePrice(price: number, standAlonePoints: number, unit = 1): Allocation {
  const whole = BigInt(price) + BigInt(standAlonePoints);
  if (whole === 0n) return { sold: 0, points: 0 };
  const units = divideRounded(BigInt(price) * BigInt(standAlonePoints), whole * BigInt(unit));
  const points = Math.min(price, units * unit);
  return { sold: price - points, points };
}
