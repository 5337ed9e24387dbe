import { addMonths, formatDay } from '#kernel/core/calendar.ts';
import { findStartOfDay, inZoneOf } from '#kernel/core/local-time.ts';

/** A month, or the part of a month that a close covers. Times are milliseconds. `to` is excluded. */
export interface ClosePeriod {
  /** YYYY-MM, in the zone of the close. */
  readonly month: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the first moment of the month of a time, in the zone of the time. */
export function findStartOfMonth(time: Date): Date {
  return findStartOfDay(`${formatDay(time).slice(0, 7)}-01`, time);
}

/** Splits the time from `from` to `to` at the beginnings of months, in the zone of `to`. Returns at most `most` periods. */
export function splitIntoMonths(from: Date, to: Date, most: number): ClosePeriod[] {
  const periods: ClosePeriod[] = [];
  for (let begin = from.getTime(); begin < to.getTime() && periods.length < most; ) {
    const day = formatDay(inZoneOf(to, new Date(begin)));
    const next = findStartOfDay(addMonths(`${day.slice(0, 7)}-01`, 1), to).getTime();
    const end = Math.min(next, to.getTime());
    periods.push({ month: day.slice(0, 7), from: begin, to: end });
    begin = end;
  }
  return periods;
}

/** Returns the index of the period that contains the time, which must be in one of them. */
export function findClosePeriod(periods: readonly ClosePeriod[], time: number): number {
  return periods.findIndex(({ to }) => time < to);
}
