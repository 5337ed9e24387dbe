import { isDeepStrictEqual } from 'node:util';
import { addMonths, formatDay, splitDay } from '#kernel/core/calendar.ts';
import { findStartOfDay, inZoneOf, isDay, readClock, readMoment, readTimezone } from '#kernel/core/local-time.ts';
import type { Value } from './facts.ts';

/** Operators on two values. The result is `undefined` for unsuitable values. */

type FormulaOperator = (left: Value, right: Value) => Value | undefined;

function ofNumbers(compute: (left: number, right: number) => number): FormulaOperator {
  return (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') return undefined;
    const result = compute(left, right);
    return Number.isFinite(result) ? result : undefined;
  };
}

/** Orders numbers and dates. */
function comparing(isMet: (left: number, right: number) => boolean): FormulaOperator {
  return (left, right) => {
    if (left instanceof Date && right instanceof Date) return isMet(left.getTime(), right.getTime());
    return typeof left === 'number' && typeof right === 'number' ? isMet(left, right) : undefined;
  };
}

function ofBooleans(isMet: (left: boolean, right: boolean) => boolean): FormulaOperator {
  return (left, right) => (typeof left === 'boolean' && typeof right === 'boolean' ? isMet(left, right) : undefined);
}

function ofTexts(isMet: (left: string, right: string) => boolean): FormulaOperator {
  return (left, right) => (typeof left === 'string' && typeof right === 'string' ? isMet(left, right) : undefined);
}

function negated(operator: FormulaOperator): FormulaOperator {
  return (left, right) => {
    const result = operator(left, right);
    return typeof result === 'boolean' ? !result : undefined;
  };
}

const contains: FormulaOperator = (left, right) =>
  Array.isArray(left) ? left.includes(right) : ofTexts((text, part) => text.includes(part))(left, right);

/** Caches the set of a list, because a formula uses the same list for each line of an order. */
const parted = new Map<string, ReadonlySet<string>>();
const mostParted = 8;

function partsOf(text: string): ReadonlySet<string> {
  const known = parted.get(text) ?? new Set(text.split(',').map((part) => part.trim()));
  if (parted.size >= mostParted && !parted.has(text)) parted.clear();
  parted.set(text, known);
  return known;
}

/** Matches one of a text's parts between commas. */
const isAmong: FormulaOperator = (left, right) => {
  if (typeof right !== 'string' || left instanceof Date || typeof left === 'object') return undefined;
  return partsOf(right).has(String(left));
};

export const formulaOperators: Readonly<Record<string, FormulaOperator>> = {
  '+': ofNumbers((left, right) => left + right),
  '-': ofNumbers((left, right) => left - right),
  '*': ofNumbers((left, right) => left * right),
  '/': ofNumbers((left, right) => left / right),
  '%': ofNumbers((left, right) => left % right),
  '>': comparing((left, right) => left > right),
  '<': comparing((left, right) => left < right),
  '=': isDeepStrictEqual,
  IS: isDeepStrictEqual,
  ISNOT: negated(isDeepStrictEqual),
  CONTAINS: contains,
  STARTSWITH: ofTexts((text, part) => text.startsWith(part)),
  ENDSWITH: ofTexts((text, part) => text.endsWith(part)),
  IN_ARRAY: isAmong,
  NOT_IN_ARRAY: negated(isAmong),
  AND: ofBooleans((left, right) => left && right),
  OR: ofBooleans((left, right) => left || right),
};

/** Functions of present values. The result is `undefined` for unsuitable values. */

type Apply = (...args: readonly Value[]) => Value | undefined;

function fromNumbers(compute: (...args: readonly number[]) => number): Apply {
  return (...args) => {
    const numbers = args.filter((arg) => typeof arg === 'number');
    if (args.length === 0 || numbers.length < args.length) return undefined;
    const result = compute(...numbers);
    return Number.isFinite(result) ? result : undefined;
  };
}

/** Further digits are an error of the last binary place: 1.005 × 100 is 100.49999999999999. */
const exactDigits = 15;

/** Rounds to decimal places, or with a negative number to tens, hundreds and so on. */
function toPlaces(round: (value: number) => number): Apply {
  return fromNumbers((value, places = 0) => {
    const factor = 10 ** Math.trunc(places);
    return round(Number((value * factor).toPrecision(exactDigits))) / factor;
  });
}

function ofDate(part: (date: Date) => number): Apply {
  return (value) => {
    const date = value === undefined ? undefined : readMoment(value);
    return date && part(date);
  };
}

const toDate: Apply = (text) => (typeof text === 'string' ? readMoment(text) : undefined);

export const functions: Readonly<Record<string, Apply>> = {
  MIN: fromNumbers(Math.min),
  MAX: fromNumbers(Math.max),
  POW: (...args) => (args.length === 2 ? fromNumbers((base, exponent) => base ** (exponent ?? 1))(...args) : undefined),
  ROUND: toPlaces(Math.round),
  FLOOR: toPlaces(Math.floor),
  CEIL: toPlaces(Math.ceil),
  DATE: toDate,
  DATE_TIME: toDate,
  DAY_OF_MONTH: ofDate((date) => readClock(date).getUTCDate()),
  MONTH: ofDate((date) => readClock(date).getUTCMonth() + 1),
  YEAR: ofDate((date) => readClock(date).getUTCFullYear()),
};

/** Functions that return parts of today if no date is named. */
export const ofTodayAlone: ReadonlySet<string> = new Set(['DAY_OF_MONTH', 'MONTH', 'YEAR']);

/** Operators on dates and on texts that are dates, by calendar days in the zone of a project. */

const dayInMs = 86_400_000;

/** Removes the time of day, in the zone of the time. */
export function startOfDay(time: Date): Date {
  return findStartOfDay(formatDay(time), time);
}

/** Reads both dates in the zone that one of them has. A date without a time is the beginning of its day there. */
function readInZone(left: Value, right: Value): readonly [Date | undefined, Date | undefined] {
  const [one, other] = [readMoment(left), readMoment(right)];
  const zone = [one, other].find((date) => date !== undefined && readTimezone(date) !== 'UTC');
  if (zone === undefined) return [one, other];
  const placed = (date: Date | undefined) =>
    date && (isDay(date) ? findStartOfDay(formatDay(date), zone) : inZoneOf(zone, date));
  return [placed(one), placed(other)];
}

function ofDates(compute: (left: Date, right: Date) => Value): FormulaOperator {
  return (left, right) => {
    const [one, other] = readInZone(left, right);
    return one && other ? compute(one, other) : undefined;
  };
}

function daysBetween(from: Date, to: Date): number {
  const numberOf = (time: Date) => Math.floor(readClock(time).getTime() / dayInMs);
  return numberOf(to) - numberOf(from);
}

/** Counts whole months, negative if `to` is before `from`. */
function monthsBetween(from: Date, to: Date): number {
  if (to < from) return -monthsBetween(to, from) || 0;
  const [first, last] = [formatDay(from), formatDay(to)];
  const [start, end] = [splitDay(first), splitDay(last)];
  const months = (end.year - start.year) * 12 + end.month - start.month;
  return addMonths(first, months) > last ? months - 1 : months;
}

const isSameDay = ofDates((left, right) => daysBetween(left, right) === 0);

/** Operators on dates. If a formula has a single value, today is the left operand. */
export const dateOperators: Readonly<Record<string, FormulaOperator>> = {
  DAYS_SINCE: ofDates((left, right) => daysBetween(right, left)),
  MONTHS_SINCE: ofDates((left, right) => monthsBetween(right, left)),
  YEARS_SINCE: ofDates((left, right) => Math.trunc(monthsBetween(right, left) / 12)),
  DAYS_UNTIL: ofDates(daysBetween),
  MONTHS_UNTIL: ofDates(monthsBetween),
  DATE_IS: isSameDay,
  DATE_IS_NOT: ofDates((left, right) => daysBetween(left, right) !== 0),
  IS_AFTER: ofDates((left, right) => left > right),
  IS_BEFORE: ofDates((left, right) => left < right),
};
