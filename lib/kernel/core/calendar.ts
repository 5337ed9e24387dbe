import { inZoneOf, readClock } from './local-time.ts';

/**
 * Calculates with calendar days, YYYY-MM-DD, in UTC unless a time has its own zone. Such days compare as text, up to
 * the last four-digit year.
 */

const lastDay = '9999-12-31';
const lastTime = Date.UTC(9999, 11, 31);

/** Returns the day of the time in its zone. */
export function formatDay(time: Date): string {
  // A time beyond the range of `Date` is not a number, and compares as false.
  return time.getTime() <= lastTime ? readClock(time).toISOString().slice(0, 10) : lastDay;
}

function atMidnight(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function addDays(day: string, days: number): string {
  const date = atMidnight(day);
  date.setUTCDate(date.getUTCDate() + days);
  return formatDay(date);
}

/** Returns the last day of a month. `month` 1 is January, and 13 is January of the next year. */
export function lastDayOfMonth(year: number, month: number): string {
  const date = atMidnight('2000-01-01');
  date.setUTCFullYear(year, month, 0);
  return formatDay(date);
}

/** Returns the same day of a later month, or the last day of a month that is too short. */
export function addMonths(day: string, months: number): string {
  const { year, month, date } = splitDay(day);
  const last = lastDayOfMonth(year, month + months);
  return clampDay(last, date);
}

/** Returns the day `date` of the month that ends on `last`, or `last` if the month is too short. */
export function clampDay(last: string, date: number): string {
  const wanted = last.slice(0, 8) + String(date).padStart(2, '0');
  return wanted < last ? wanted : last;
}

/** Returns whether `day` is an anniversary of `since`, or the same day. In common years, 29 February has its anniversary on 28 February. */
export function isAnniversary(since: string, day: string): boolean {
  const [{ year, month }, { date }] = [splitDay(day), splitDay(since)];
  return since <= day && since.slice(5, 7) === day.slice(5, 7) && day === clampDay(lastDayOfMonth(year, month), date);
}

export function splitDay(day: string): { year: number; month: number; date: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, date };
}

const dayInMs = 86_400_000;
/** A month has no fixed length. A fraction of a month counts as a fraction of these days. */
const daysInMonth = 30;

const number = String.raw`(\d+(?:[.,]\d+)?)`;
const durationPattern = new RegExp(
  `^P(?:${number}W)?(?:${number}Y)?(?:${number}M)?(?:${number}D)?(?:T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
);

/** A duration in whole months, which differ in length, and the rest. */
export interface Span {
  months: number;
  milliseconds: number;
}

/** Parses an ISO 8601 duration. Any part may have a fraction. */
export function parseDuration(duration: string): Span {
  const [weeks = 0, years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (
    durationPattern.exec(duration) ?? []
  )
    .slice(1)
    .map((digits = '0') => Number(digits.replace(',', '.')));
  const allMonths = years * 12 + months;
  const wholeMonths = Math.floor(allMonths);
  const allDays = weeks * 7 + days + (allMonths - wholeMonths) * daysInMonth;
  return {
    months: wholeMonths,
    milliseconds: Math.round(allDays * dayInMs + hours * 3_600_000 + minutes * 60_000 + seconds * 1_000),
  };
}

/** Adds an ISO 8601 duration to a day: first years and months, then the rest. A part of a day counts as a day. */
export function addDuration(day: string, duration: string): string {
  const { months, milliseconds } = parseDuration(duration);
  return addDays(addMonths(day, months), Math.ceil(milliseconds / dayInMs));
}

/** Returns the milliseconds since midnight on the clocks of the time's zone. */
export function timeOfDay(time: Date): number {
  const clock = readClock(time);
  return clock.getTime() - atMidnight(formatDay(clock)).getTime();
}

/** Adds the months first, at the same time of day in UTC, and then the rest. Stays within four-digit years. */
export function addSpan(moment: Date, { months, milliseconds }: Span): Date {
  const time = new Date(moment);
  const day = months === 0 ? formatDay(time) : addMonths(formatDay(time), months);
  return new Date(Math.min(atMidnight(day).getTime() + timeOfDay(time) + milliseconds, lastTime));
}

/**
 * Returns the time of one of several things that are made together. Each gets a later millisecond, so that times stay
 * unique.
 */
export function staggerTime(now: Date, index: number): Date {
  return inZoneOf(now, new Date(now.getTime() + index));
}
