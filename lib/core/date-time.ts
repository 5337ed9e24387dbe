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

/** Matches the stored form, in UTC, on a day that every month has. Most values that are read have it. */
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

/** Converts the time to UTC. `Date` reads an offset only as hours, a colon and minutes. */
export function toUtc(text: string): string {
  if (plainPattern.test(text)) return text;
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

/** Returns the milliseconds since 1970 of a date, or of a date and time, as filters and ranges take them. */
export function parseInstant(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
  const [, day, hour = '00', minute = '00', second = '00', offset = 'Z'] =
    (typeof value === 'string' && looseDateTime.exec(value)) || [];
  if (day === undefined) return undefined;
  const text = `${day}T${hour}:${minute}:${second}${offset}`;
  return isDateTime(text) ? Date.parse(toUtc(text)) : undefined;
}
