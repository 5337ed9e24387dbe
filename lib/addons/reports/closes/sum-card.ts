import * as v from 'valibot';
import type { LedgerEntry, LedgerEntryType } from '#engine/ledger/ledger-entry.ts';
import { type Lot, sumPoints } from '#engine/ledger/lots.ts';
import { addDays } from '#kernel/core/calendar.ts';
import { described } from '#kernel/core/documented.ts';
import { findStartOfDay } from '#kernel/core/local-time.ts';
import { count, integer } from '#kernel/core/schema.ts';
import { type ClosePeriod, findClosePeriod } from './periods.ts';

/** The points that moved in a period, by reason. */
export const pointMoves = v.object({
  opened: described(integer, 'The points that cards had when they were made.'),
  earned: described(count, 'The points that members earned.'),
  spent: described(count, 'The points that members spent.'),
  returned: described(count, 'Spent points that rollbacks returned.'),
  expired: described(count, 'The points that expired.'),
  adjusted: described(integer, 'Points that were added by hand, less those that were taken away.'),
  transferred: described(integer, 'Points from other cards, less those to other cards.'),
});

export type PointMoves = v.InferOutput<typeof pointMoves>;

/** The sums of a programme's cards up to a place in the list of cards. */
export const closeSums = v.object({
  /** The cards that existed before the end of the close. */
  cards: count,
  /** The points when the first period begins. */
  opening: integer,
  periods: v.array(pointMoves),
});

export type CloseSums = v.InferOutput<typeof closeSums>;

export function startSums(periods: readonly ClosePeriod[]): CloseSums {
  const nothing = { opened: 0, earned: 0, spent: 0, returned: 0, expired: 0, adjusted: 0, transferred: 0 };
  return { cards: 0, opening: 0, periods: periods.map(() => ({ ...nothing })) };
}

/** Maps a type of entry to the sum in which it counts, and to its sign there. */
const sumOfType: Partial<Record<LedgerEntryType, readonly [sum: keyof PointMoves, sign: 1 | -1]>> = {
  POINTS_ACCRUAL: ['earned', 1],
  PENDING_POINTS_ACTIVATION: ['earned', 1],
  POINTS_REDEMPTION: ['spent', -1],
  POINTS_REFUND: ['returned', 1],
  POINTS_ADDITION: ['adjusted', 1],
  POINTS_REMOVAL: ['adjusted', 1],
  POINTS_TRANSFER_IN: ['transferred', 1],
  POINTS_TRANSFER_OUT: ['transferred', 1],
};

/** The part of a card that a close reads. */
export interface ClosedCard {
  readonly created_at: string;
  readonly lots: readonly Lot[];
}

export type ClosedEntry = Pick<LedgerEntry, 'type' | 'points' | 'created_at'> & {
  readonly lapsed?: readonly Lot[] | undefined;
};

/**
 * Returns a function that returns the last millisecond of a day, in the zone of `zone`. Points that expire with a
 * month's last day expire in that month. Cards share few such days.
 */
export function rememberLapses(zone: Date): (day: string) => number {
  const known = new Map<string, number>();
  return (day) => {
    const moment = known.get(day) ?? findStartOfDay(addDays(day, 1), zone).getTime() - 1;
    known.set(day, moment);
    return moment;
  };
}

interface Move {
  readonly sum: keyof PointMoves;
  readonly sign: 1 | -1;
  readonly points: number;
  readonly at: number;
}

/**
 * Yields the moves of an entry with their times. Points expire when their last day ends, although the entry is written later. An older
 * entry lacks the days, and its points count as expired when the day of the entry began.
 */
function* movesOf(entry: ClosedEntry, lapseOf: (day: string) => number): Generator<Move> {
  const { type, points, created_at, lapsed } = entry;
  const writtenAt = Date.parse(created_at);
  if (type === 'POINTS_EXPIRATION') {
    const lots = lapsed ?? [{ points: -points, expires: addDays(created_at.slice(0, 10), -1) }];
    for (const { points: lost, expires } of lots) {
      const at = expires === null ? writtenAt : Math.min(lapseOf(expires), writtenAt);
      yield { sum: 'expired', sign: -1, points: -lost, at };
    }
    return;
  }
  const [sum, sign] = sumOfType[type] ?? [];
  if (sum === undefined || sign === undefined) throw new Error(`a loyalty card has an entry ${type}`);
  yield { sum, sign, points, at: writtenAt };
}

/**
 * Adds a card to the sums. Calculates backwards from the card that was read. `entries` are its entries since the first period began, or
 * more, in any order. A card that was made after the last period adds nothing.
 */
export function addCard(
  sums: CloseSums,
  { created_at, lots }: ClosedCard,
  entries: readonly ClosedEntry[],
  { periods, lapseOf }: { readonly periods: readonly ClosePeriod[]; readonly lapseOf: (day: string) => number },
): void {
  const [begin, end] = [periods.at(0)?.from ?? 0, periods.at(-1)?.to ?? 0];
  const createdAt = Date.parse(created_at);
  if (createdAt >= end) return;
  // No entry shows these expirations yet.
  const unwritten = lots
    .filter(({ points, expires }) => points > 0 && expires !== null && lapseOf(expires) < end)
    .map((lot) => ({ type: 'POINTS_EXPIRATION', points: -lot.points, lapsed: [lot] }) as const)
    .map((entry) => ({ ...entry, created_at: new Date(end).toISOString() }));
  let balance = sumPoints(lots) + unwritten.reduce((sum, { points }) => sum + points, 0);
  for (const entry of [...entries, ...unwritten]) {
    for (const { sum, sign, points, at } of movesOf(entry, lapseOf)) {
      if (at < begin) continue;
      balance -= points;
      const period = at < end ? sums.periods[findClosePeriod(periods, at)] : undefined;
      if (period) period[sum] += sign * points;
    }
  }
  sums.cards += 1;
  const opened = createdAt < begin ? undefined : sums.periods[findClosePeriod(periods, createdAt)];
  if (opened) opened.opened += balance;
  else sums.opening += balance;
}
