import { instantOf } from '../../core/date-time.ts';
import {
  booleanOf,
  type Compare,
  elementsOf,
  none,
  numberOf,
  type Operand,
  some,
  type Test,
  writtenNumberOf,
} from './compare.ts';
import { inDailyHours, inPeriod, inTimeframe, onWeekday } from './times.ts';

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
  | 'nothing';

const dayInMs = 86_400_000;

export interface Operator {
  readonly takes: Takes;
  /** Tests a value. One of several operands suffices, and for a negation none may match. */
  readonly test: (operands: readonly Operand[]) => Test;
}

/** Treats a day as equal to each of its moments (UTC). */
function isAt(time: number, operand: Operand): boolean {
  const instant = instantOf(operand);
  if (instant === undefined) return false;
  return String(operand).includes('T')
    ? time === instant
    : Math.floor(time / dayInMs) === Math.floor(instant / dayInMs);
}

/** Reads numbers and booleans in texts, because pages and queries send only texts. */
function readsAs(operand: Operand): (text: string) => boolean {
  if (typeof operand === 'number') return (text) => writtenNumberOf(text) === operand;
  if (typeof operand === 'boolean') return (text) => booleanOf(text) === operand;
  return (text) => text === operand;
}

/** Compares by the kind of the value. A text equals the number or boolean that it spells. */
const equal: Compare = (operand) => {
  const [number, boolean, isRead] = [numberOf(operand), booleanOf(operand), readsAs(operand)];
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
const contains: Operator['test'] = (operands) => {
  const [inText, inList] = [some(includes)(operands), some(equal)(operands)];
  return (value, now) => (Array.isArray(value) ? inList : inText)(value, now);
};

/** Orders numbers by size, and dates by time. */
function ordered(holds: (value: number, bound: number) => boolean): Compare {
  return (operand) => {
    const [number, moment] = [numberOf(operand), instantOf(operand)];
    return (value) => {
      const bound = typeof value === 'number' ? number : moment;
      const size = typeof value === 'number' ? value : instantOf(value);
      return bound !== undefined && size !== undefined && holds(size, bound);
    };
  };
}

function ofMoment(holds: (time: number, bound: number) => boolean): Compare {
  return (operand) => {
    const bound = instantOf(operand);
    return (value) => {
      const time = instantOf(value);
      return time !== undefined && bound !== undefined && holds(time, bound);
    };
  };
}

/** Counts the whole days (UTC) from today to the value's day, negative for past days. */
export function daysFromToday(value: unknown, now: Date): number | undefined {
  const time = instantOf(value);
  return time === undefined ? undefined : Math.floor(time / dayInMs) - Math.floor(now.getTime() / dayInMs);
}

function ofDays(holds: (days: number, bound: number) => boolean): Compare {
  return (operand) => (value, now) => {
    const [days, bound] = [daysFromToday(value, now), numberOf(operand)];
    return days !== undefined && bound !== undefined && holds(days, bound);
  };
}

/** Compares lists as sets. */
const sameSet: Operator['test'] = (operands) => {
  const tests = operands.map((operand) => equal(operand));
  return (value, now) => {
    const elements = elementsOf(value);
    const isNamed = (element: unknown) => tests.some((test) => test(element, now));
    return isPresent(value) && elements.every(isNamed) && tests.every((test) => elements.some((one) => test(one, now)));
  };
};

const disjoint: Operator['test'] = (operands) => {
  const test = none(equal)(operands);
  return (value, now) => isPresent(value) && test(value, now);
};

const atMost = some(ordered((value, bound) => value <= bound));
const atLeast = some(ordered((value, bound) => value >= bound));

/** Applies to lists alone. */
function ofCount(holds: (count: number, bound: number) => boolean): Operator['test'] {
  return (operands) => (value) =>
    Array.isArray(value) && operands.some((operand) => holds(value.length, numberOf(operand) ?? Number.NaN));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function monthsFromNow(value: unknown, now: Date): number | undefined {
  const time = instantOf(value);
  if (time === undefined) return undefined;
  const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  return monthOf(new Date(time)) - monthOf(now);
}

/** An absent value matches `$is_not`, `$not_in` and `$is_unknown`, and no other operator. */
export const operators = {
  $is: { takes: 'values', test: some(equal) },
  $is_not: { takes: 'values', test: none(equal) },
  $in: { takes: 'values', test: some(equal) },
  $not_in: { takes: 'values', test: none(equal) },
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
  $starts_with: { takes: 'texts', test: some(ofText((text, part) => text.startsWith(part))) },
  $ends_with: { takes: 'texts', test: some(ofText((text, part) => text.endsWith(part))) },
  $more_than: { takes: 'numbers', test: some(ordered((value, bound) => value > bound)) },
  $less_than: { takes: 'numbers', test: some(ordered((value, bound) => value < bound)) },
  $more_than_equal: { takes: 'numbers', test: atLeast },
  $less_than_equal: { takes: 'numbers', test: atMost },
  // Rules spell these operators differently.
  $more_than_or_equal: { takes: 'numbers', test: atLeast },
  $greater_than_or_equal: { takes: 'numbers', test: atLeast },
  $less_than_or_equal: { takes: 'numbers', test: atMost },
  $after: { takes: 'moments', test: some(ofMoment((time, bound) => time > bound)) },
  $before: { takes: 'moments', test: some(ofMoment((time, bound) => time < bound)) },
  $is_days_ago: { takes: 'days', test: some(ofDays((days, bound) => -days === bound)) },
  $is_days_in_future: { takes: 'days', test: some(ofDays((days, bound) => days === bound)) },
  $more_than_ago: { takes: 'days', test: some(ofDays((days, bound) => -days > bound)) },
  $less_than_ago: { takes: 'days', test: some(ofDays((days, bound) => days <= 0 && -days < bound)) },
  $more_than_future: { takes: 'days', test: some(ofDays((days, bound) => days > bound)) },
  $less_than_future: { takes: 'days', test: some(ofDays((days, bound) => days >= 0 && days < bound)) },
  $next_month: { takes: 'nothing', test: () => some(() => (value, now) => monthsFromNow(value, now) === 1)([true]) },
  $count: { takes: 'counts', test: ofCount((count, bound) => count === bound) },
  $count_more: { takes: 'counts', test: ofCount((count, bound) => count > bound) },
  $count_less: { takes: 'counts', test: ofCount((count, bound) => count < bound) },
  $timeframe: { takes: 'timeframes', test: some(inTimeframe) },
  $timeframe_absolute: { takes: 'periods', test: some(inPeriod) },
  $timeframe_daily_hours: { takes: 'hours', test: some(inDailyHours) },
  $dow: { takes: 'weekdays', test: some(onWeekday) },
  $not_differ: { takes: 'values', test: sameSet },
  $not_intersect: { takes: 'values', test: disjoint },
} as const satisfies Readonly<Record<string, Operator>>;

export type OperatorName = keyof typeof operators;

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name);
}
