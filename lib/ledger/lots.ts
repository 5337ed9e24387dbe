import * as v from 'valibot';
import { formatDay } from '../core/calendar.ts';
import { count, date } from '../core/schema.ts';

/** Points that expire together after their day (UTC). `null` means never. */
export const lot = v.object({ points: count, expires: v.nullable(date) });

export type Lot = v.InferOutput<typeof lot>;

/** Returns the lots that have not expired. Points are valid through the whole day (UTC) of their expiration. */
export function findLiveLots(lots: readonly Lot[], day: string): Lot[] {
  return lots.filter((lot) => lot.points > 0 && (lot.expires === null || lot.expires >= day));
}

/** Returns the id of a card's lot. A card has one lot per day. */
export function lotId(cardId: string, { expires }: Lot): string {
  return `${cardId.replace(/^v_/, 'lopb_')}_${expires ?? 'never'}`;
}

export function sumPoints(lots: readonly Lot[]): number {
  return lots.reduce((points, lot) => points + lot.points, 0);
}

/** Returns the earliest day of expiration, on which the points are still valid. */
export function findFirstLapse(lots: readonly Lot[]): string | undefined {
  return lots.flatMap((lot) => lot.expires ?? []).sort()[0];
}

/** Merges points with the same last day into one lot, so that a card has few lots. */
export function addLot(lots: readonly Lot[], { points, expires }: Lot): Lot[] {
  const known = lots.find((lot) => lot.expires === expires);
  if (!known) return [...lots, { points, expires }];
  return lots.map((lot) => (lot === known ? { points: lot.points + points, expires } : lot));
}

/** Orders lots by the time at which they are spent. */
export function compareLots({ expires: one }: Lot, { expires: other }: Lot): number {
  if (one === other) return 0;
  return one !== null && (other === null || one < other) ? -1 : 1;
}

/** Spends points, those that expire first. Returns the remaining lots, or `undefined` if the points do not suffice. */
export function spendPoints(lots: readonly Lot[], points: number): Lot[] | undefined {
  let open = points;
  const left = [...lots].sort(compareLots).flatMap((lot) => {
    const spent = Math.min(open, lot.points);
    open -= spent;
    return lot.points > spent ? [{ points: lot.points - spent, expires: lot.expires }] : [];
  });
  return open === 0 ? left : undefined;
}

/** Returns the lots that were spent between two states. */
export function findSpentLots(before: readonly Lot[], after: readonly Lot[]): Lot[] {
  const left = (day: Lot['expires']) => sumPoints(after.filter(({ expires }) => expires === day));
  return before.reduce<Lot[]>(addLot, []).flatMap(({ points, expires }) => {
    const spent = points - left(expires);
    return spent > 0 ? [{ points: spent, expires }] : [];
  });
}

/** Returns spent lots on a later day. Points that would have expired meanwhile expire at the end of that day. */
export function returnLots(spent: readonly Lot[], day: string): Lot[] {
  return spent.map(({ points, expires }) => ({ points, expires: expires !== null && expires < day ? day : expires }));
}

export interface CardFigures {
  points: number;
  balance: number;
  /** Absent if no points expire. */
  next_expiration_date?: string;
  next_expiration_points?: number;
}

/** Returns the figures of a card at `now`. Lots of one day count as one expiration. */
export function readCardFigures(creditedPoints: number, lots: readonly Lot[], now: Date): CardFigures {
  const live = findLiveLots(lots, formatDay(now));
  const next = findFirstLapse(live);
  const figures = { points: creditedPoints, balance: sumPoints(live) };
  if (next === undefined) return figures;
  const expiring = sumPoints(live.filter((lot) => lot.expires === next));
  return { ...figures, next_expiration_date: next, next_expiration_points: expiring };
}
