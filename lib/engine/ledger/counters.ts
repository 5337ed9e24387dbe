import { formatDay } from '#kernel/core/calendar.ts';
import { findLiveLots, type Lot, sumPoints } from './lots.ts';

/** Counts the points of a card that are neither left nor spent on redemptions. */

interface Counted {
  readonly credited_points: number;
  readonly lots: readonly Lot[];
  readonly redeemed_points: number;
  readonly expired_points: number;
}

/** Returns the points that expired, were subtracted, or were moved to other cards. */
function gone({ credited_points, lots, redeemed_points }: Counted): number {
  return Math.max(0, credited_points - sumPoints(lots) - redeemed_points);
}

export interface CardCounters {
  pending_points: number;
  expired_points: number;
  subtracted_points: number;
}

/** Returns the counters at `now`, so that all figures of a card add up. */
export function readCardCounters(item: Counted & { readonly pending_points: number }, now: Date): CardCounters {
  const { lots, pending_points, expired_points: written } = item;
  const lapsed = sumPoints(lots) - sumPoints(findLiveLots(lots, formatDay(now)));
  return {
    pending_points,
    expired_points: written + lapsed,
    subtracted_points: Math.max(0, gone(item) - written),
  };
}
