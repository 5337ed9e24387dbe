import { wholeRate } from './allocation.ts';
import { computeShare } from './share.ts';

/**
 * All points of a programme since its first close, as one portfolio (IFRS 15.4, ASC 606-10-10-4). Amounts are minor currency units.
 */
export interface Pool {
  /** Points that the programme owed at first or issued since, without those that were taken back. */
  readonly issued_points: number;
  /** Points that members have redeemed, without those that a rollback returned. */
  readonly redeemed_points: number;
  /** The part of transaction prices that was deferred. */
  readonly deferred_amount: number;
  /** The part of the deferred amount that is revenue by now. */
  readonly recognised_amount: number;
}

export const emptyPool: Pool = { issued_points: 0, redeemed_points: 0, deferred_amount: 0, recognised_amount: 0 };

/**
 * Returns the points that members will have redeemed in the end. They are at least the redeemed points, and at most
 * these plus all outstanding points.
 */
function expectRedemptions({ issued_points, redeemed_points }: Pool, outstanding: number, rate: number): number {
  const estimated = computeShare(Math.max(0, issued_points), rate, wholeRate);
  return Math.min(Math.max(estimated, redeemed_points), redeemed_points + outstanding);
}

/**
 * Returns the revenue up to now: the deferred amount in proportion to the redeemed points of those that are expected (IFRS 15.B46,
 * ASC 606-10-55-48). Everything is revenue if no more redemptions are expected.
 */
function computeRevenue(pool: Pool, outstanding: number, rate: number): number {
  const expected = expectRedemptions(pool, outstanding, rate);
  return expected === 0
    ? pool.deferred_amount
    : computeShare(pool.deferred_amount, Math.max(0, pool.redeemed_points), expected);
}

/** The points of a period. */
export interface PoolPeriod {
  /** The points that are outstanding when the period begins, and when it ends. */
  readonly opening: number;
  readonly closing: number;
  /** Points that the programme newly owes. It is negative if more were taken back. */
  readonly issued: number;
  /** Redeemed points, without returned points. It is negative if more were returned. */
  readonly redeemed: number;
}

export interface Booking {
  readonly pool: Pool;
  /** The amount that is deferred. It is negative if points were taken back. */
  readonly deferred: number;
  /** The revenue of the period by redemptions. */
  readonly redeemed: number;
  /** The revenue that a changed estimate moves, for redemptions of earlier periods (IFRS 15.88, ASC 606-10-32-43). */
  readonly caught_up: number;
}

/** Returns the pool after a period, with the amounts to be booked. `allocate` returns the amount that issued points defer. */
export function bookPeriod(
  pool: Pool,
  { opening, closing, issued, redeemed }: PoolPeriod,
  rate: number,
  allocate: (points: number) => number,
): Booking {
  const caught_up = computeRevenue(pool, opening, rate) - pool.recognised_amount;
  const owed = Math.max(0, pool.issued_points);
  // Points that are taken back reduce the pool by their part.
  const returned = owed === 0 ? 0 : computeShare(pool.deferred_amount, Math.min(-issued, owed), owed);
  const deferred = issued >= 0 ? allocate(issued) : 0 - returned;
  const moved = {
    issued_points: pool.issued_points + issued,
    redeemed_points: pool.redeemed_points + redeemed,
    deferred_amount: pool.deferred_amount + deferred,
  };
  const recognised_amount = computeRevenue({ ...pool, ...moved }, closing, rate);
  return {
    pool: { ...moved, recognised_amount },
    deferred,
    redeemed: recognised_amount - pool.recognised_amount - caught_up,
    caught_up,
  };
}

/** Returns the contract liability: the deferred amount that is not revenue yet. */
export function computeLiability({ deferred_amount, recognised_amount }: Pool): number {
  return deferred_amount - recognised_amount;
}
