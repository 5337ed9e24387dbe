import { addDays, formatDay, isAnniversary } from '#kernel/core/calendar.ts';
import { parseInstant } from '#kernel/core/date-time.ts';
import { inZoneOf, readClock, readMoment } from '#kernel/core/local-time.ts';
import {
  type Compare,
  inDailyHours,
  inLocation,
  inPeriod,
  inTimeframe,
  listElements,
  matchNone,
  matchSome,
  notInLocation,
  type Operand,
  onWeekday,
  parseWrittenNumber,
  type Test,
  toBoolean,
  toNumber,
} from './compare.ts';

/** Operators on values of any source. Filters and rules share them. */

/** The operands of an operator: any, or operands of one kind. */
export type Takes =
  | 'values'
  | 'texts'
  | 'numbers'
  | 'moments'
  | 'days'
  | 'counts'
  | 'timeframes'
  | 'periods'
  | 'hours'
  | 'weekdays'
  | 'locations'
  | 'nothing';

const dayInMs = 86_400_000;

export interface FilterOperator {
  readonly takes: Takes;
  /** Tests a value. One of several operands suffices, and for a negation none may match. */
  readonly test: (operands: readonly Operand[]) => Test;
}

/** Treats a day as equal to each of its moments (UTC). */
function isAt(time: number, operand: Operand): boolean {
  const instant = parseInstant(operand);
  if (instant === undefined) return false;
  return String(operand).includes('T')
    ? time === instant
    : Math.floor(time / dayInMs) === Math.floor(instant / dayInMs);
}

/** Reads numbers and booleans in texts, because pages and queries send only texts. */
function readsAs(operand: Operand): (text: string) => boolean {
  if (typeof operand === 'number') return (text) => parseWrittenNumber(text) === operand;
  if (typeof operand === 'boolean') return (text) => toBoolean(text) === operand;
  return (text) => text === operand;
}

/** Compares by the kind of the value. A text equals the number or boolean that it spells. */
const equal: Compare = (operand) => {
  const [number, boolean, isRead] = [toNumber(operand), toBoolean(operand), readsAs(operand)];
  return (value) => {
    if (typeof value === 'number') return value === number;
    if (typeof value === 'boolean') return value === boolean;
    return value instanceof Date ? isAt(value.getTime(), operand) : typeof value === 'string' && isRead(value);
  };
};

function ofText(holds: (text: string, part: string) => boolean): Compare {
  return (operand) => {
    const part = String(operand);
    return (value) => typeof value === 'string' && holds(value, part);
  };
}

const includes = ofText((text, part) => text.includes(part));

/** Matches a part of a text, or an element of a list. */
const contains: FilterOperator['test'] = (operands) => {
  const [inText, inList] = [matchSome(includes)(operands), matchSome(equal)(operands)];
  return (value, now) => (Array.isArray(value) ? inList : inText)(value, now);
};

/** Orders numbers by size, and dates by time. */
function ordered(holds: (value: number, bound: number) => boolean): Compare {
  return (operand) => {
    const [number, moment] = [toNumber(operand), parseInstant(operand)];
    return (value) => {
      const bound = typeof value === 'number' ? number : moment;
      const size = typeof value === 'number' ? value : parseInstant(value);
      return bound !== undefined && size !== undefined && holds(size, bound);
    };
  };
}

function ofMoment(holds: (time: number, bound: number) => boolean): Compare {
  return (operand) => {
    const bound = parseInstant(operand);
    return (value) => {
      const time = parseInstant(value);
      return time !== undefined && bound !== undefined && holds(time, bound);
    };
  };
}

/** Counts the whole days from today to the value's day, in the zone of `now`, negative for past days. */
export function countDaysFromToday(value: unknown, now: Date): number | undefined {
  const time = readMoment(value);
  if (time === undefined) return undefined;
  const numberOf = (moment: Date) => Math.floor(readClock(moment).getTime() / dayInMs);
  return numberOf(inZoneOf(now, time)) - numberOf(now);
}

function ofDays(holds: (days: number, bound: number) => boolean): Compare {
  return (operand) => (value, now) => {
    const [days, bound] = [countDaysFromToday(value, now), toNumber(operand)];
    return days !== undefined && bound !== undefined && holds(days, bound);
  };
}

/** Compares the day of an anniversary with a number of days from today. */
const anniversary: Compare = (operand) => {
  const ahead = toNumber(operand);
  return (value, now) => {
    const time = readMoment(value);
    if (time === undefined || ahead === undefined) return false;
    return isAnniversary(formatDay(inZoneOf(now, time)), addDays(formatDay(now), ahead));
  };
};

/** Compares lists as sets. */
const sameSet: FilterOperator['test'] = (operands) => {
  const tests = operands.map((operand) => equal(operand));
  return (value, now) => {
    const elements = listElements(value);
    const isNamed = (element: unknown) => tests.some((test) => test(element, now));
    return isPresent(value) && elements.every(isNamed) && tests.every((test) => elements.some((one) => test(one, now)));
  };
};

const disjoint: FilterOperator['test'] = (operands) => {
  const test = matchNone(equal)(operands);
  return (value, now) => isPresent(value) && test(value, now);
};

const atMost = matchSome(ordered((value, bound) => value <= bound));
const atLeast = matchSome(ordered((value, bound) => value >= bound));

/** Applies to lists alone. */
function ofCount(holds: (count: number, bound: number) => boolean): FilterOperator['test'] {
  return (operands) => (value) =>
    Array.isArray(value) && operands.some((operand) => holds(value.length, toNumber(operand) ?? Number.NaN));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function monthsFromNow(value: unknown, now: Date): number | undefined {
  const time = readMoment(value);
  if (time === undefined) return undefined;
  const monthOf = (date: Date) => readClock(date).getUTCFullYear() * 12 + readClock(date).getUTCMonth();
  return monthOf(inZoneOf(now, time)) - monthOf(now);
}

/** An absent value matches `$is_not`, `$not_in` and `$is_unknown`, and no other operator. */
export const filterOperators = {
  $is: { takes: 'values', test: matchSome(equal) },
  $is_not: { takes: 'values', test: matchNone(equal) },
  $in: { takes: 'values', test: matchSome(equal) },
  $not_in: { takes: 'values', test: matchNone(equal) },
  $has_value: { takes: 'nothing', test: () => isPresent },
  $is_unknown: { takes: 'nothing', test: () => (value) => !isPresent(value) },
  $contains: { takes: 'texts', test: contains },
  $not_contain: {
    takes: 'texts',
    test: (operands) => {
      const test = contains(operands);
      return (value, now) => isPresent(value) && !test(value, now);
    },
  },
  $starts_with: { takes: 'texts', test: matchSome(ofText((text, part) => text.startsWith(part))) },
  $ends_with: { takes: 'texts', test: matchSome(ofText((text, part) => text.endsWith(part))) },
  $more_than: { takes: 'numbers', test: matchSome(ordered((value, bound) => value > bound)) },
  $less_than: { takes: 'numbers', test: matchSome(ordered((value, bound) => value < bound)) },
  $more_than_equal: { takes: 'numbers', test: atLeast },
  $less_than_equal: { takes: 'numbers', test: atMost },
  // Rules spell these operators differently.
  $more_than_or_equal: { takes: 'numbers', test: atLeast },
  $greater_than_or_equal: { takes: 'numbers', test: atLeast },
  $less_than_or_equal: { takes: 'numbers', test: atMost },
  $after: { takes: 'moments', test: matchSome(ofMoment((time, bound) => time > bound)) },
  $before: { takes: 'moments', test: matchSome(ofMoment((time, bound) => time < bound)) },
  $is_days_ago: { takes: 'days', test: matchSome(ofDays((days, bound) => -days === bound)) },
  $is_days_in_future: { takes: 'days', test: matchSome(ofDays((days, bound) => days === bound)) },
  $more_than_ago: { takes: 'days', test: matchSome(ofDays((days, bound) => -days > bound)) },
  $less_than_ago: { takes: 'days', test: matchSome(ofDays((days, bound) => days <= 0 && -days < bound)) },
  $more_than_future: { takes: 'days', test: matchSome(ofDays((days, bound) => days > bound)) },
  $less_than_future: { takes: 'days', test: matchSome(ofDays((days, bound) => days >= 0 && days < bound)) },
  $anniversary_in_days: { takes: 'days', test: matchSome(anniversary) },
  $next_month: {
    takes: 'nothing',
    test: () => matchSome(() => (value, now) => monthsFromNow(value, now) === 1)([true]),
  },
  $count: { takes: 'counts', test: ofCount((count, bound) => count === bound) },
  $count_more: { takes: 'counts', test: ofCount((count, bound) => count > bound) },
  $count_less: { takes: 'counts', test: ofCount((count, bound) => count < bound) },
  $timeframe: { takes: 'timeframes', test: matchSome(inTimeframe) },
  $timeframe_absolute: { takes: 'periods', test: matchSome(inPeriod) },
  $timeframe_daily_hours: { takes: 'hours', test: matchSome(inDailyHours) },
  $dow: { takes: 'weekdays', test: matchSome(onWeekday) },
  $not_differ: { takes: 'values', test: sameSet },
  $not_intersect: { takes: 'values', test: disjoint },
  $in_location: { takes: 'locations', test: inLocation },
  $not_in_location: { takes: 'locations', test: notInLocation },
} as const satisfies Readonly<Record<string, FilterOperator>>;

export type OperatorName = keyof typeof filterOperators;

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(filterOperators, name);
}
