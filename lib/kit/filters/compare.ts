import type { Areas } from '../../core/geo-point.ts';

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
export type TestOf = (operands: readonly Operand[]) => Test;

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

/** Matches an absent value, too. */
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

/** Parses a number as people write it. Digits that begin with a 0, such as postcodes, are texts. */
export function parseWrittenNumber(text: string): number | undefined {
  return /^-?0\d/.test(text) ? undefined : toNumber(text);
}

export function toBoolean(operand: unknown): boolean | undefined {
  if (typeof operand === 'boolean') return operand;
  const text = typeof operand === 'string' ? operand.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
