/** Arithmetic on calendar days in UTC, YYYY-MM-DD: days of this form compare as text, up to the last of four-digit years. */

const lastDay = '9999-12-31';
const lastTime = Date.UTC(9999, 11, 31);

export function dayOf(time: Date): string {
  // Not a number: further off than `Date` goes.
  return time.getTime() <= lastTime ? time.toISOString().slice(0, 10) : lastDay;
}

function atMidnight(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function addDays(day: string, days: number): string {
  const date = atMidnight(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dayOf(date);
}

/** The last day of a month; months beyond December count on into the next years. `month`: 1 is January. */
export function lastDayOfMonth(year: number, month: number): string {
  const date = atMidnight('2000-01-01');
  date.setUTCFullYear(year, month, 0);
  return dayOf(date);
}

/** The same day of a later month, or that month's last day where it is shorter. */
export function addMonths(day: string, months: number): string {
  const { year, month, date } = partsOf(day);
  const last = lastDayOfMonth(year, month + months);
  return dayWithin(last, date);
}

/** The day of the month that ends on `last`, or `last` where the month is shorter. */
export function dayWithin(last: string, date: number): string {
  const wanted = last.slice(0, 8) + String(date).padStart(2, '0');
  return wanted < last ? wanted : last;
}

export function partsOf(day: string): { year: number; month: number; date: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, date };
}

const dayInMs = 86_400_000;
/** What the fraction of a month counts as, for months have no length. */
const daysInMonth = 30;

const number = String.raw`(\d+(?:[.,]\d+)?)`;
const durationPattern = new RegExp(
  `^P(?:${number}W)?(?:${number}Y)?(?:${number}M)?(?:${number}D)?(?:T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
);

/** A duration: whole months, which are of different lengths, and the rest. */
export interface Span {
  months: number;
  milliseconds: number;
}

/** Of an ISO 8601 duration; any part may have a fraction. */
export function spanOf(duration: string): Span {
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

/** A day later by an ISO 8601 duration: years and months first, then the rest, of which a part of a day counts as a day. */
export function addDuration(day: string, duration: string): string {
  const { months, milliseconds } = spanOf(duration);
  return addDays(addMonths(day, months), Math.ceil(milliseconds / dayInMs));
}

/** Milliseconds since the day (UTC) began. */
export function timeOfDay(time: Date): number {
  return time.getTime() - atMidnight(dayOf(time)).getTime();
}

/** The moment later by the span: its months first, at the same time of day; at most the last of four-digit years. */
export function addSpan(time: Date, { months, milliseconds }: Span): Date {
  const day = months === 0 ? dayOf(time) : addMonths(dayOf(time), months);
  return new Date(Math.min(atMidnight(day).getTime() + timeOfDay(time) + milliseconds, lastTime));
}

/** Returns the times of things that are made at once: each has a later one than the one before, so that its time tells it apart. */
export function apart(now: Date, index: number): Date {
  return new Date(now.getTime() + index);
}
