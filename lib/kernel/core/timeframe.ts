import { addSpan, formatDay, parseDuration, type Span } from './calendar.ts';
import { inZoneOf, readClock, setClock } from './local-time.ts';

/** Periods of `duration` that begin every `interval`. The first begins at a start date. */
export interface Timeframe {
  interval: string;
  duration: string;
}

/** Calculated times end on this day, so a time on it is in no period. */
const lastDay = '9999-12-31';

const dayInMs = 86_400_000;
const averageMonthInMs = 30.436_875 * dayInMs;

const none: Span = { months: 0, milliseconds: 0 };

/**
 * Returns the beginning of a period, or a time after it. Whole days keep the time of day of the zone, also over a change of the clock, and
 * the rest is a duration. Counts from the start, so that periods that begin on the 31st return to it after a shorter month.
 */
function momentAfter(start: Date, periods: number, interval: Span, more = none): Date {
  const months = interval.months * periods + more.months;
  const milliseconds = interval.milliseconds * periods + more.milliseconds;
  // An interval with a part of a day repeats after that time.
  if (interval.milliseconds % dayInMs !== 0) return addSpan(start, { months, milliseconds });
  const rest = more.milliseconds % dayInMs;
  const clock = addSpan(readClock(start), { months, milliseconds: milliseconds - rest });
  return new Date(setClock(clock, start).getTime() + rest);
}

/** Returns whether the time is in one of the periods. Ends are excluded. An interval of length 0 always matches. */
export function isInTimeframe(timeframe: Timeframe, from: Date, time: Date): boolean {
  if (time < from || formatDay(time) === lastDay) return false;
  const start = inZoneOf(time, from);
  const interval = parseDuration(timeframe.interval);
  const length = interval.months * averageMonthInMs + interval.milliseconds;
  if (length <= 0) return true;
  // Months and days differ in length, so the average may lead to the period before or after.
  let periods = Math.floor((time.getTime() - start.getTime()) / length);
  while (momentAfter(start, periods + 1, interval) <= time) periods += 1;
  while (periods > 0 && momentAfter(start, periods, interval) > time) periods -= 1;
  return time < momentAfter(start, periods, interval, parseDuration(timeframe.duration));
}
