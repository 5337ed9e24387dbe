import { addMonths, formatDay, splitDay } from '../../core/calendar.ts';
import { findStartOfDay, inZoneOf, isDay, readClock, readMoment, readTimezone } from '../../core/local-time.ts';
import type { Value } from './facts.ts';
import type { FormulaOperator } from './operators.ts';

/** Operators on dates and on texts that are dates, by calendar days in the zone of a project. */

const dayInMs = 86_400_000;

/** Removes the time of day, in the zone of the time. */
export function startOfDay(time: Date): Date {
  return findStartOfDay(formatDay(time), time);
}

/** Reads both dates in the zone that one of them has. A date without a time is the beginning of its day there. */
function readInZone(left: Value, right: Value): readonly [Date | undefined, Date | undefined] {
  const [one, other] = [readMoment(left), readMoment(right)];
  const zone = [one, other].find((date) => date !== undefined && readTimezone(date) !== 'UTC');
  if (zone === undefined) return [one, other];
  const placed = (date: Date | undefined) =>
    date && (isDay(date) ? findStartOfDay(formatDay(date), zone) : inZoneOf(zone, date));
  return [placed(one), placed(other)];
}

function ofDates(compute: (left: Date, right: Date) => Value): FormulaOperator {
  return (left, right) => {
    const [one, other] = readInZone(left, right);
    return one && other ? compute(one, other) : undefined;
  };
}

function daysBetween(from: Date, to: Date): number {
  const numberOf = (time: Date) => Math.floor(readClock(time).getTime() / dayInMs);
  return numberOf(to) - numberOf(from);
}

/** Counts whole months, negative if `to` is before `from`. */
function monthsBetween(from: Date, to: Date): number {
  if (to < from) return -monthsBetween(to, from) || 0;
  const [first, last] = [formatDay(from), formatDay(to)];
  const [start, end] = [splitDay(first), splitDay(last)];
  const months = (end.year - start.year) * 12 + end.month - start.month;
  return addMonths(first, months) > last ? months - 1 : months;
}

const isSameDay = ofDates((left, right) => daysBetween(left, right) === 0);

/** Operators on dates. If a formula has one value alone, today is the left one. */
export const dateOperators: Readonly<Record<string, FormulaOperator>> = {
  DAYS_SINCE: ofDates((left, right) => daysBetween(right, left)),
  MONTHS_SINCE: ofDates((left, right) => monthsBetween(right, left)),
  YEARS_SINCE: ofDates((left, right) => Math.trunc(monthsBetween(right, left) / 12)),
  DAYS_UNTIL: ofDates(daysBetween),
  MONTHS_UNTIL: ofDates(monthsBetween),
  DATE_IS: isSameDay,
  DATE_IS_NOT: ofDates((left, right) => daysBetween(left, right) !== 0),
  IS_AFTER: ofDates((left, right) => left > right),
  IS_BEFORE: ofDates((left, right) => left < right),
};
