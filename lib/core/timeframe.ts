import { addSpan, formatDay, parseDuration, type Span } from './calendar.ts';

/** Periods of `duration` that begin every `interval`. The first begins at a start date. */
export interface Timeframe {
  interval: string;
  duration: string;
}

/** Calculated times end on this day, so a time on it is in no period. */
const lastDay = '9999-12-31';

const averageMonthInMs = 30.436_875 * 86_400_000;

/** Counts from the start, so that periods that begin on the 31st return to it after a shorter month. */
function momentAfter(
  start: Date,
  intervals: number,
  interval: Span,
  more: Span = { months: 0, milliseconds: 0 },
): Date {
  return addSpan(start, {
    months: interval.months * intervals + more.months,
    milliseconds: interval.milliseconds * intervals + more.milliseconds,
  });
}

/** Returns whether the time is in one of the periods. Ends are excluded. An interval of length 0 always matches. */
export function isInTimeframe(timeframe: Timeframe, start: Date, time: Date): boolean {
  if (time < start || formatDay(time) === lastDay) return false;
  const interval = parseDuration(timeframe.interval);
  const length = interval.months * averageMonthInMs + interval.milliseconds;
  if (length <= 0) return true;
  // Months differ in length, so the average may lead to the period before or after.
  let intervals = Math.floor((time.getTime() - start.getTime()) / length);
  while (momentAfter(start, intervals + 1, interval) <= time) intervals += 1;
  while (intervals > 0 && momentAfter(start, intervals, interval) > time) intervals -= 1;
  return time < momentAfter(start, intervals, interval, parseDuration(timeframe.duration));
}
