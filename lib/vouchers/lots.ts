import type { Lot } from './voucher.ts';

/** Calendar day in UTC, YYYY-MM-DD: dates of this form compare as text. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Lots whose day has not passed: points are good through the whole day (UTC) on which they expire. */
export function liveLots(lots: readonly Lot[], now: Date): Lot[] {
  const today = dayOf(now);
  return lots.filter((lot) => lot.points > 0 && (lot.expires === null || lot.expires >= today));
}

export interface CardFigures {
  points: number;
  balance: number;
  next_expiration_date?: string;
  next_expiration_points?: number;
}

/** The figures of a card as its lots have them at `now`; lots of one day count as one expiration. */
export function cardFigures(creditedPoints: number, lots: readonly Lot[], now: Date): CardFigures {
  const live = liveLots(lots, now);
  const sum = (some: readonly Lot[]) => some.reduce((points, lot) => points + lot.points, 0);
  const figures = { points: creditedPoints, balance: sum(live) };
  const [next] = live.flatMap((lot) => lot.expires ?? []).sort();
  if (next === undefined) return figures;
  return {
    ...figures,
    next_expiration_date: next,
    next_expiration_points: sum(live.filter((lot) => lot.expires === next)),
  };
}
