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

const durationParts = /^P(?:(\d+)W)?(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?/;

/** A day later by an ISO 8601 duration: years and months first, then weeks and days; what is less than a day is left out. */
export function addDuration(day: string, duration: string): string {
  const [weeks = 0, years = 0, months = 0, days = 0] = (durationParts.exec(duration) ?? [])
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return addDays(addMonths(day, years * 12 + months), weeks * 7 + days);
}
