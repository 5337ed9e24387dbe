/** ISO 8601 dates and times as text. */

/** Days exist only in their month; `Date` would move 30 February to March. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** 24:00 is the end of the day. */
function isTimeOfDay(hour: number, minute: number, second: number): boolean {
  return (hour < 24 && minute < 60 && second < 60) || (hour === 24 && minute === 0 && second === 0);
}

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:Z|[+-](\d{2})(?::?(\d{2}))?)$/;

/** As it is stored: in UTC, on one of the days that every month has. What is read by the hundred is mostly that. */
const plainPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

export function isDateTime(text: string): boolean {
  if (plainPattern.test(text)) return true;
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

/** `Date` reads an offset only with hours, a colon and minutes. */
export function toUtc(text: string): string {
  if (plainPattern.test(text)) return text;
  const offset = /([+-]\d{2}):?(\d{2})?$/;
  return new Date(text.replace(offset, (_, hours, minutes = '00') => `${hours}:${minutes}`)).toISOString();
}

/** An offset can move the first and the last day of four-digit years out of them. */
export function staysInFourDigitYears(text: string): boolean {
  return !isDateTime(text) || /^\d/.test(toUtc(text));
}

/** A date, or a date with a time of any precision from the hour on, with or without an offset: UTC without one. */
const looseDateTime =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The instant in milliseconds since 1970 that a date or a date and time means, as filters and ranges take them. */
export function instantOf(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
  const [, day, hour = '00', minute = '00', second = '00', offset = 'Z'] =
    (typeof value === 'string' && looseDateTime.exec(value)) || [];
  if (day === undefined) return undefined;
  const text = `${day}T${hour}:${minute}:${second}${offset}`;
  return isDateTime(text) ? Date.parse(toUtc(text)) : undefined;
}
