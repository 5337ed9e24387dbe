import * as v from 'valibot';
import { parseInstant } from './date-time.ts';

/** Calculates the day and the hour of a moment in the time zone of a project. */

/** Returns whether the text names a time zone. Offsets such as `+01:00` are not names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Names a time zone in which days and hours count. */
export const timezone = v.pipe(
  v.string(),
  v.check(isTimezone, 'must be the name of a time zone (IANA), such as Europe/Oslo, or GMT'),
);

const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

export const weekday = v.picklist(weekdays);

export type Weekday = (typeof weekdays)[number];

export const usualWeekStart: Weekday = 'MONDAY';

/**
 * A moment whose day and hour count in a time zone. Code that reads days uses it like any `Date`, whose days count in
 * UTC. The time of a request thus carries its project's zone.
 */
class LocalTime extends Date {
  readonly timezone: string;
  readonly weekStartsOn: Weekday;

  constructor(time: Date, timezone: string, weekStartsOn: Weekday) {
    super(time.getTime());
    this.timezone = timezone;
    this.weekStartsOn = weekStartsOn;
  }
}

/** A date without a time. It is the same day in every zone, and its moment is midnight in UTC (D-174). */
class Day extends Date {}

const dayLength = 'YYYY-MM-DD'.length;

/** Reads a date, or a date and time, in the forms that filters and ranges accept. */
export function readMoment(value: unknown): Date | undefined {
  const time = parseInstant(value);
  if (time === undefined) return undefined;
  if (value instanceof Date) return value;
  return typeof value === 'string' && value.length === dayLength ? new Day(time) : new Date(time);
}

/** Returns whether the time is a date without a time. */
export function isDay(time: Date): boolean {
  return time instanceof Day;
}

const utc: ReadonlySet<string> = new Set(['UTC', 'GMT', 'Etc/UTC', 'Etc/GMT']);

/** Returns the same moment, with days in this zone and weeks from this day on. Both are rarely changed, so that UTC costs nothing. */
export function inTimezone(time: Date, timezone: string, weekStartsOn = usualWeekStart): Date {
  const isUsual = utc.has(timezone) && weekStartsOn === usualWeekStart;
  return isUsual ? time : new LocalTime(time, timezone, weekStartsOn);
}

/** Returns the same moment, with the days and weeks of the project. */
export function inProjectTime(
  time: Date,
  { timezone, weekStartsOn }: { readonly timezone: string; readonly weekStartsOn: Weekday },
): Date {
  return inTimezone(time, timezone, weekStartsOn);
}

/** Returns the zone in which the days of this time count. */
export function readTimezone(time: Date): string {
  return time instanceof LocalTime ? time.timezone : 'UTC';
}

/** Returns the first day of the weeks around this time. */
export function readWeekStart(time: Date): Weekday {
  return time instanceof LocalTime ? time.weekStartsOn : usualWeekStart;
}

/** Returns how many days of the week have passed at this time, in its zone. */
export function countDaysOfWeek(time: Date): number {
  return (readClock(time).getUTCDay() - weekdays.indexOf(readWeekStart(time)) + 7) % 7;
}

/** Returns the moment with days in the zone of `other`. A date without a time stays the same day. */
export function inZoneOf(other: Date, time: Date): Date {
  return other instanceof LocalTime && !isDay(time) ? inTimezone(time, other.timezone, other.weekStartsOn) : time;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter is a thousand times slower than using it. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formatters.set(timeZone, known);
  return known;
}

/** Returns the time on the clocks of the zone, as a `Date` whose UTC fields are the fields of the clock. */
export function readClock(time: Date): Date {
  if (!(time instanceof LocalTime) || Number.isNaN(time.getTime())) return time;
  const fields: Record<string, string> = {};
  for (const { type, value } of formatterOf(time.timezone).formatToParts(time)) fields[type] = value;
  const year = fields.era === 'BC' ? 1 - Number(fields.year) : Number(fields.year);
  const clock = new Date(0);
  clock.setUTCFullYear(year, Number(fields.month) - 1, Number(fields.day));
  const milliseconds = ((time.getTime() % 1_000) + 1_000) % 1_000;
  clock.setUTCHours(Number(fields.hour), Number(fields.minute), Number(fields.second), milliseconds);
  return clock;
}

const dayInMs = 86_400_000;

/** Returns the zone's offsets from UTC, in milliseconds, a day before and a day after a time. A clock changes at most once in between. */
function offsetsAround(time: Date, zone: Date): number[] {
  return [-dayInMs, dayInMs].map((shift) => {
    const near = new Date(time.getTime() + shift);
    return readClock(inZoneOf(zone, near)).getTime() - near.getTime();
  });
}

/**
 * Returns the moment when clocks in the zone of another time show `clock` (see `readClock`), or the first of two such
 * moments. A time that clocks skip counts as an hour later.
 */
export function setClock(clock: Date, zone: Date): Date {
  if (!(zone instanceof LocalTime)) return new Date(clock);
  const moments = offsetsAround(clock, zone).map((offset) => inZoneOf(zone, new Date(clock.getTime() - offset)));
  const [before] = moments;
  return moments.find((moment) => readClock(moment).getTime() === clock.getTime()) ?? before ?? new Date(clock);
}

/**
 * Returns the first moment of a day, YYYY-MM-DD, in the zone of another time. Some days begin at 01:00, because clocks went forward at
 * midnight.
 */
export function findStartOfDay(day: string, zone: Date): Date {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  if (!(zone instanceof LocalTime)) return midnight;
  const starts = offsetsAround(midnight, zone).map((offset) => inZoneOf(zone, new Date(midnight.getTime() - offset)));
  const isOfDay = (start: Date) => readClock(start).toISOString().slice(0, 10) >= day;
  const [first] = starts.filter(isOfDay).sort((one, other) => one.getTime() - other.getTime());
  return first ?? inZoneOf(zone, midnight);
}
