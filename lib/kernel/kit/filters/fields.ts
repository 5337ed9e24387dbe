import { readMoment } from '#kernel/core/local-time.ts';
import type { Test } from './compare.ts';
import { countDaysFromToday, type OperatorName } from './operators.ts';

/** The type of a field in a filter. The type `any`, such as for metadata, accepts any operator that suits the value. */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'any';

type Reader<S> = (subject: S, name: string) => unknown;

interface Field<S> {
  readonly type: FieldType;
  /** Reads the value, if it is not under the field's own path. `name` is the part that the star matches. */
  readonly at: Reader<S>;
  /** A single value must meet all conditions. No values count as a single unknown value. */
  readonly isEach?: true;
  /** Returns the form of a text that counts in comparisons, for the stored value and for the operands. */
  readonly form?: (text: string) => string;
}

/** Conditions that have a name instead of an operator and a value, such as `$expired`. */
interface Flags<S> {
  readonly flags: Readonly<Record<string, (subject: S, now: Date) => boolean>>;
}

/** Fields by their paths, with dots. A star in a path matches any name, dots included: `metadata.*`. */
export type FilterFields<S> = Readonly<Record<string, FieldType | Field<S> | Flags<S>>>;

const equality = ['$is', '$is_not', '$in', '$not_in', '$has_value', '$is_unknown'] as const;
const size = ['$more_than', '$less_than', '$more_than_equal', '$less_than_equal'] as const;
const part = ['$contains', '$not_contain'] as const;
const ends = ['$starts_with', '$ends_with'] as const;
const place = ['$in_location', '$not_in_location'] as const;
const length = ['$count', '$count_more', '$count_less'] as const;
const moment = [
  '$after',
  '$before',
  '$is_days_ago',
  '$is_days_in_future',
  '$more_than_ago',
  '$less_than_ago',
  '$more_than_future',
  '$less_than_future',
  '$anniversary_in_days',
  '$next_month',
] as const;

export const operatorsByType: Readonly<Record<FieldType, readonly OperatorName[]>> = {
  text: [...equality, ...part, ...ends],
  number: [...equality, ...size],
  boolean: equality,
  date: [...equality, ...size, ...moment],
  list: [...equality, ...part, ...ends, ...length],
  any: [...equality, ...part, ...ends, ...size, ...moment, ...length, ...place],
};

/** A field that a filter names. */
export type FoundField<S> =
  | { type: FieldType; isEach?: true; form?: (text: string) => string; read: (subject: S) => unknown }
  | Flags<S>;

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let inner = value;
  for (const step of steps) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = Reflect.get(inner, step);
  }
  return inner;
}

const stepsOf = (path: string) => path.split('.').filter((step) => step !== '');

/** Reads a key that contains dots. If no such key exists, the dots lead inwards. */
export function readDottedKey<S>(before: string, name: string, after: string): (subject: S) => unknown {
  const [start, end] = [stepsOf(before), stepsOf(after)];
  return (subject) =>
    valueAt(subject, [...start, name, ...end]) ?? valueAt(subject, [...start, ...stepsOf(name), ...end]);
}

function found<S>(field: FilterFields<S>[string], byPath: (subject: S) => unknown, name: string): FoundField<S> {
  if (typeof field === 'string') return { type: field, read: byPath };
  if ('flags' in field) return field;
  const { type, at, isEach, form } = field;
  return { type, read: (subject) => at(subject, name), ...(isEach ? { isEach } : {}), ...(form ? { form } : {}) };
}

export function findField<S>(fields: FilterFields<S>, path: string): FoundField<S> | undefined {
  const exact = Object.hasOwn(fields, path) && !path.includes('*') ? fields[path] : undefined;
  if (exact) return found(exact, (subject) => valueAt(subject, stepsOf(path)), path);
  for (const [pattern, field] of Object.entries(fields)) {
    const [before = '', after] = pattern.split('*');
    if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) continue;
    const name = path.slice(before.length, path.length - after.length);
    if (name !== '') return found(field, readDottedKey(before, name, after), name);
  }
  return undefined;
}

/** Adapts a test to a field. Operators of size compare a date by the days since then, and a future date has no such number. */
export function adaptTest(type: FieldType, operator: OperatorName, test: Test): Test {
  if (type !== 'date') return test;
  const countsDays = size.some((name) => name === operator);
  return (value, now) => {
    if (countsDays) {
      const days = countDaysFromToday(value, now);
      return test(days === undefined || days > 0 ? undefined : -days, now);
    }
    return test(readMoment(value) ?? value, now);
  };
}
