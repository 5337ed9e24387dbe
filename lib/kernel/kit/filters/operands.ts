import * as v from 'valibot';
import { parseInstant } from '#kernel/core/date-time.ts';
import { identifier } from '#kernel/core/schema.ts';
import {
  isWeekday,
  type Operand,
  parseDailyHours,
  parsePeriod,
  parseTimeframe,
  toBoolean,
  toNumber,
} from './compare.ts';
import type { FieldType } from './fields.ts';
import type { FilterOperator, Takes } from './operators.ts';

/** Checks the operands of operators, for filters and rules. */

/** Exceeds any use. It limits the evaluation for each element of a list. */
export const maxValues = 500;

export function isOperand(value: unknown): value is Operand {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

const aDay = /^\d{1,7}$/;
const isCount = (value: unknown) => aDay.test(String(value));

/** Tests an operand, and describes the valid operands. */
const kindsOfOperand = {
  texts: [isOperand, 'a text, number or boolean'],
  numbers: [(value: unknown) => toNumber(value) !== undefined, 'a number'],
  booleans: [(value: unknown) => toBoolean(value) !== undefined, 'true or false'],
  moments: [(value: unknown) => parseInstant(value) !== undefined, 'a date or a date and time, such as 2026-01-31'],
  days: [isCount, 'a whole number of days, 0 or more'],
  counts: [isCount, 'a whole number, 0 or more'],
  sizes: [
    (value: unknown) => toNumber(value) !== undefined || parseInstant(value) !== undefined,
    'a number, or a date and time',
  ],
  timeframes: [
    (value: unknown) => parseTimeframe(value) !== undefined,
    'a start, an interval and a duration, such as 2026-01-01T00:00:00Z;P7D;P1D',
  ],
  periods: [
    (value: unknown) => parsePeriod(value) !== undefined,
    'two dates and times in their order, such as 2026-01-01;2026-02-01',
  ],
  hours: [(value: unknown) => parseDailyHours(value) !== undefined, 'two times and days, such as 09:00;17:00;1,2'],
  weekdays: [isWeekday, 'a day of the week, 0 (Sunday) to 6'],
  locations: [(value: unknown) => v.is(identifier, value), 'the id of a location'],
} as const satisfies Record<string, readonly [(value: unknown) => boolean, string]>;

/** Returns the operands that a field of the type accepts. */
function kindOf(type: FieldType, takes: Exclude<Takes, 'nothing'>): keyof typeof kindsOfOperand {
  if (takes === 'values') {
    return type === 'number' ? 'numbers' : type === 'boolean' ? 'booleans' : type === 'date' ? 'moments' : 'texts';
  }
  if (takes === 'numbers') return type === 'any' ? 'sizes' : type === 'date' ? 'days' : 'numbers';
  return takes;
}

/** Returns why a field of the type does not accept an operand. */
export function* findOperandFaults(type: FieldType, { takes }: FilterOperator, sent: unknown): Generator<string> {
  if (takes === 'nothing') return;
  const values = toList(sent);
  if (values.length === 0) yield 'must have at least one value';
  if (values.length > maxValues) return yield `must have at most ${maxValues} values`;
  const [fits, words] = kindsOfOperand[kindOf(type, takes)];
  if (!values.every((value) => isOperand(value) && fits(value))) yield `must be ${words}`;
}
