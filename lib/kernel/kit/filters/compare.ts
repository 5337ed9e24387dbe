import * as v from 'valibot';
import { parseInstant } from '#kernel/core/date-time.ts';
import { type Areas, type GeoPoint, parseGeoPoint } from '#kernel/core/geo-point.ts';
import { isInWindows, isOnDays, type Window } from '#kernel/core/hours.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { inZoneOf, readMoment } from '#kernel/core/local-time.ts';
import { duration } from '#kernel/core/schema.ts';
import { isInTimeframe, type Timeframe } from '#kernel/core/timeframe.ts';

/** Compares a value, or each element of a list, with one operand or several. */

export type Operand = string | number | boolean;

/** Tests a value, and never throws. `undefined` and `null` are absent. `areas` are the locations that the operands name. */
export type Test = (value: unknown, now: Date, areas?: Areas) => boolean;

/** Returns the elements of a list, the value itself, or nothing for an absent value. */
export function listElements(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Tests a value against several operands. */
type TestOf = (operands: readonly Operand[]) => Test;

export type Compare = (operand: Operand) => Test;

export function matchSome(compare: Compare): TestOf {
  return (operands) => {
    const [first, ...others] = operands.map(compare);
    if (!first) return () => false;
    const test: Test =
      others.length === 0 ? first : (value, now) => first(value, now) || others.some((other) => other(value, now));
    return (value, now) => {
      if (Array.isArray(value)) return value.some((element) => test(element, now));
      return value !== undefined && value !== null && test(value, now);
    };
  };
}

/** Also matches an absent value. */
export function matchNone(compare: Compare): TestOf {
  return (operands) => {
    const test = matchSome(compare)(operands);
    return (value, now) => !test(value, now);
  };
}

export function toNumber(operand: unknown): number | undefined {
  if (typeof operand === 'number') return Number.isFinite(operand) ? operand : undefined;
  return typeof operand === 'string' && /^-?\d{1,16}(?:\.\d{1,16})?$/.test(operand) ? Number(operand) : undefined;
}

/** Parses a number in its usual notation. Digits that begin with a 0, such as postcodes, are texts. */
export function parseWrittenNumber(text: string): number | undefined {
  return /^-?0\d/.test(text) ? undefined : toNumber(text);
}

export function toBoolean(operand: unknown): boolean | undefined {
  if (typeof operand === 'boolean') return operand;
  const text = typeof operand === 'string' ? operand.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function pointsIn(value: unknown): GeoPoint[] {
  return listElements(value).flatMap((one) => parseGeoPoint(one) ?? []);
}

/** Matches a value with a point in one of the locations. An unknown location has no points. */
export const inLocation: TestOf = (ids) => (value, _, areas) =>
  pointsIn(value).some((point) => ids.some((id) => areas?.get(String(id))?.(point)));

/** Matches a value with points, all of them outside of all locations. An unknown location matches nothing. */
export const notInLocation: TestOf = (ids) => (value, _, areas) => {
  const points = pointsIn(value);
  const named = ids.map((id) => areas?.get(String(id)));
  return points.length > 0 && named.every((area) => area && !points.some(area));
};

const locationOperators = ['$in_location', '$not_in_location'] as const;

/** Returns the operands with other names of locations, for the operators that name locations. */
export function renameLocations(conditions: unknown, rename: (id: string) => string): unknown {
  if (!isRecord(conditions)) return conditions;
  const renamed = (one: unknown) => (typeof one === 'string' ? rename(one) : one);
  const changed = locationOperators.flatMap((name) => {
    if (!Object.hasOwn(conditions, name)) return [];
    const sent = conditions[name];
    return [[name, Array.isArray(sent) ? sent.map(renamed) : renamed(sent)] as const];
  });
  return changed.length === 0 ? conditions : { ...conditions, ...Object.fromEntries(changed) };
}

/** Returns the ids of the locations that conditions name. */
export function listNamedLocations(conditions: unknown): string[] {
  const ids: string[] = [];
  renameLocations(conditions, (id) => {
    ids.push(id);
    return id;
  });
  return ids;
}

/** Compares with operands that rules write as times, in parts with semicolons between them. */

function partsOf(operand: unknown): string[] {
  return typeof operand === 'string' ? operand.split(';').map((part) => part.trim()) : [];
}

/** Parses `start;interval;duration`: every interval from the start on, for the duration. */
export function parseTimeframe(operand: unknown): (Timeframe & { start: Date }) | undefined {
  const [begins, interval, lasts, ...others] = partsOf(operand);
  const start = parseInstant(begins);
  const isWhole = start !== undefined && others.length === 0 && v.is(duration, interval) && v.is(duration, lasts);
  return isWhole ? { start: new Date(start), interval, duration: lasts } : undefined;
}

/** Parses `from;to` into milliseconds since 1970, the end excluded. */
export function parsePeriod(operand: unknown): { from: number; to: number } | undefined {
  const [from, to, ...others] = partsOf(operand);
  const [start, end] = [parseInstant(from), parseInstant(to)];
  if (start === undefined || end === undefined || others.length > 0 || end < start) return undefined;
  return { from: start, to: end };
}

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$|^24:00$/;
const weekday = /^[0-6]$/;

/** Parses `HH:mm;HH:mm;dow,dow`. Day 0 is Sunday, and no days mean every day. */
export function parseDailyHours(operand: unknown): Window | undefined {
  const [start_time = '', expiration_time = '', days, ...others] = partsOf(operand);
  if (!timeOfDay.test(start_time) || !timeOfDay.test(expiration_time) || others.length > 0) return undefined;
  const named = days ? days.split(',').map((day) => day.trim()) : [];
  if (!named.every((day) => weekday.test(day))) return undefined;
  return { start_time, expiration_time, ...(named.length > 0 ? { days_of_week: named.map(Number) } : {}) };
}

/** Returns whether the operand is a day of the week. 0 is Sunday. */
export function isWeekday(operand: unknown): boolean {
  return weekday.test(String(operand));
}

function ofTime(holdsFor: (operand: Operand) => ((time: Date) => boolean) | undefined): Compare {
  return (operand) => {
    const holds = holdsFor(operand);
    return (value, now) => {
      const time = readMoment(value);
      return time !== undefined && (holds?.(inZoneOf(now, time)) ?? false);
    };
  };
}

export const inTimeframe = ofTime((operand) => {
  const frame = parseTimeframe(operand);
  return frame && ((time) => isInTimeframe(frame, frame.start, time));
});

export const inPeriod = ofTime((operand) => {
  const period = parsePeriod(operand);
  return period && ((time) => period.from <= time.getTime() && time.getTime() < period.to);
});

export const inDailyHours = ofTime((operand) => {
  const hours = parseDailyHours(operand);
  return hours && ((time) => isInWindows([hours], time));
});

export const onWeekday = ofTime((operand) => {
  const day = toNumber(operand);
  return day === undefined ? undefined : (time) => isOnDays([day], time);
});
