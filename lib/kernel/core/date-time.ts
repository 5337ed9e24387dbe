/** ISO 8601 dates and times as text. */

/** Returns whether the month has this day. `Date` would move 30 February to March. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Returns whether the time exists. 24:00 is the end of the day. */
function isTimeOfDay(hour: number, minute: number, second: number): boolean {
  return (hour < 24 && minute < 60 && second < 60) || (hour === 24 && minute === 0 && second === 0);
}

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:Z|[+-](\d{2})(?::?(\d{2}))?)$/;

/** Reads two digits. Returns NaN for any other characters. */
function readTwo(text: string, at: number): number {
  const [tens, units] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : Number.NaN;
}

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** Counts the days from 1 January of the year 1 to a day. */
function countDays(year: number, month: number, day: number): number {
  const leapYears = (years: number) => Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  // The leap day of this year is before 1 March.
  const leapDays = leapYears(month > 2 ? year : year - 1);
  return (year - 1) * 365 + leapDays + (daysBeforeMonth[month - 1] ?? 0) + day - 1;
}

const daysBefore1970 = countDays(1970, 1, 1);

const shortForm = '2026-01-31T09:30:00Z';
const longForm = '2026-01-31T09:30:00.000Z';

/**
 * Returns the milliseconds since 1970 of a time in one of the forms that most stored times have, on a day that every
 * month has. Returns NaN for any other text. A pattern and `Date` are five times slower, and a cart may have hundreds
 * of times in its metadata.
 */
export function readPlainTime(text: string): number {
  const isLong = text.length === longForm.length;
  if (!isLong && text.length !== shortForm.length) return Number.NaN;
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return Number.NaN;
  if (text[text.length - 1] !== 'Z' || (isLong && text[19] !== '.')) return Number.NaN;
  const year = readTwo(text, 0) * 100 + readTwo(text, 2);
  const month = readTwo(text, 5);
  const day = readTwo(text, 8);
  const hour = readTwo(text, 11);
  const minute = readTwo(text, 14);
  const second = readTwo(text, 17);
  const millisecond = isLong ? readTwo(text, 20) * 10 + (readTwo(text, 21) % 10) : 0;
  // A comparison with NaN is false.
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return Number.NaN;
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  const days = countDays(year, month, day) - daysBefore1970;
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + millisecond;
}

export function isDateTime(text: string): boolean {
  if (!Number.isNaN(readPlainTime(text))) return true;
  const match = dateTimePattern.exec(text);
  if (!match) return false;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return (
    isCalendarDate(year ?? 0, month ?? 0, day ?? 0) &&
    isTimeOfDay(hour ?? 0, minute ?? 0, second ?? 0) &&
    (offsetHour ?? 0) < 24 &&
    (offsetMinute ?? 0) < 60
  );
}

/** Converts the time to UTC. `Date` reads an offset only as hours, a colon and minutes. */
export function toUtc(text: string): string {
  if (text.length === longForm.length && !Number.isNaN(readPlainTime(text))) return text;
  const offset = /([+-]\d{2}):?(\d{2})?$/;
  return new Date(text.replace(offset, (_, hours, minutes = '00') => `${hours}:${minutes}`)).toISOString();
}

/** Returns whether the time stays in the four-digit years. An offset can move their first and last day out of them. */
export function hasFourDigitYear(text: string): boolean {
  return !isDateTime(text) || /^\d/.test(toUtc(text));
}

/** Matches a date, or a date and a time from the hour on. Without an offset the time is UTC. */
const looseDateTime =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Returns the milliseconds since 1970 of a date, or of a date and time, in the forms that filters and ranges accept.
 */
export function parseInstant(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
  const plain = typeof value === 'string' ? readPlainTime(value) : Number.NaN;
  if (!Number.isNaN(plain)) return plain;
  const [, day, hour = '00', minute = '00', second = '00', offset = 'Z'] =
    (typeof value === 'string' && looseDateTime.exec(value)) || [];
  if (day === undefined) return undefined;
  const text = `${day}T${hour}:${minute}:${second}${offset}`;
  return isDateTime(text) ? Date.parse(toUtc(text)) : undefined;
}
