import * as v from 'valibot';
import { addMonths, clampDay, formatDay, lastDayOfMonth, splitDay } from '#kernel/core/calendar.ts';
import { count, date, integer, object } from '#kernel/core/schema.ts';

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

/** Subtracts exactly these lots. Returns the remaining lots, or `undefined` if one of them has too few points. */
export function removeLots(lots: readonly Lot[], taken: readonly Lot[]): Lot[] | undefined {
  const asked = taken.reduce<Lot[]>(addLot, []);
  const whole = lots.reduce<Lot[]>(addLot, []);
  const left = whole.map(({ points, expires }) => {
    const less = asked.find((lot) => lot.expires === expires)?.points ?? 0;
    return { points: points - less, expires };
  });
  const isThere = sumPoints(whole) - sumPoints(asked) === sumPoints(left) && left.every(({ points }) => points >= 0);
  return isThere ? left.filter(({ points }) => points > 0) : undefined;
}

/** Returns the lots that were spent between two states. */
export function findSpentLots(before: readonly Lot[], after: readonly Lot[]): Lot[] {
  const left = (day: Lot['expires']) => sumPoints(after.filter(({ expires }) => expires === day));
  return before.reduce<Lot[]>(addLot, []).flatMap(({ points, expires }) => {
    const spent = points - left(expires);
    return spent > 0 ? [{ points: spent, expires }] : [];
  });
}

/** Returns spent lots on a later day. Points that would have expired by then expire at the end of that day. */
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

/** Month 1 is January. */
const month = v.pipe(
  integer,
  v.minValue(1, 'must be 1 (January) to 12 (December)'),
  v.maxValue(12, 'must be 1 (January) to 12 (December)'),
);

/** The value 0 means the end of the day, or of the period for rounding. At most 100 years keep dates within four-digit years. */
const months = v.pipe(integer, v.minValue(0, 'must be 0 or more'), v.maxValue(1200, 'must be 1200 or less'));

/**
 * The rules of expiration for credited points, counted from the day of the credit. Points expire after `period_value` months, rounded up to
 * the end of a period. PARTICULAR_MONTH means the end of the next month `rounding_value`. A fixed day of the year may be the day of the
 * credit itself.
 */
export const pointsExpirationRules = v.pipe(
  object({
    period_type: v.picklist(['MONTH', 'FIXED_DAY_OF_YEAR']),
    period_value: v.optional(months),
    rounding_type: v.optional(
      v.picklist(['END_OF_MONTH', 'END_OF_QUARTER', 'END_OF_HALF_YEAR', 'END_OF_YEAR', 'PARTICULAR_MONTH']),
    ),
    rounding_value: v.optional(integer),
    fixed_month: v.optional(month),
    fixed_day: v.optional(v.pipe(integer, v.minValue(1, 'must be 1 to 31'), v.maxValue(31, 'must be 1 to 31'))),
  }),
  v.check(
    ({ period_type, period_value }) => period_type !== 'MONTH' || period_value !== undefined,
    'must have a period_value, because period_type is MONTH',
  ),
  v.check(
    ({ period_type, fixed_month, fixed_day }) =>
      period_type !== 'FIXED_DAY_OF_YEAR' || (fixed_month !== undefined && fixed_day !== undefined),
    'must have a fixed_month and a fixed_day, because period_type is FIXED_DAY_OF_YEAR',
  ),
  v.check(
    ({ rounding_type, rounding_value }) => rounding_type !== 'PARTICULAR_MONTH' || v.is(month, rounding_value),
    'must have a rounding_value of 1 (January) to 12 (December), because rounding_type is PARTICULAR_MONTH',
  ),
);

export type PointsExpirationRules = v.InferOutput<typeof pointsExpirationRules>;

/** The months of a period, for rounding to its end. */
const monthsToPeriod = { END_OF_MONTH: 1, END_OF_QUARTER: 3, END_OF_HALF_YEAR: 6, END_OF_YEAR: 12 } as const;

function endOfPeriod(day: string, months: number): string {
  const { year, month } = splitDay(day);
  return lastDayOfMonth(year, Math.ceil(month / months) * months);
}

/** Returns the end of the next such month, which may be the day's own. `month` 1 is January. */
function endOfMonthNamed(day: string, month: number): string {
  const { year, month: own } = splitDay(day);
  return lastDayOfMonth(own <= month ? year : year + 1, month);
}

/** Returns the next such day of a year, `day` included. 29 February becomes the 28th in other years. */
function nextDayOfYear(day: string, month: number, date: number): string {
  const { year } = splitDay(day);
  const inYear = (wanted: number) => clampDay(lastDayOfMonth(wanted, month), date);
  const thisYear = inYear(year);
  return thisYear >= day ? thisYear : inYear(year + 1);
}

/** Returns the last day (UTC) of points that were credited on `day`. `null` means that they never expire. */
export function findLastGoodDay(rules: PointsExpirationRules | undefined, day: string): string | null {
  if (rules === undefined) return null;
  if (rules.period_type === 'FIXED_DAY_OF_YEAR') {
    return nextDayOfYear(day, rules.fixed_month ?? 12, rules.fixed_day ?? 31);
  }
  const end = addMonths(day, rules.period_value ?? 0);
  if (rules.rounding_type === undefined) return end;
  return rules.rounding_type === 'PARTICULAR_MONTH'
    ? endOfMonthNamed(end, rules.rounding_value ?? 12)
    : endOfPeriod(end, monthsToPeriod[rules.rounding_type]);
}
