import { isDeepStrictEqual } from 'node:util';
import type { Value } from './facts.ts';

/** Operators on two values. The result is `undefined` for unsuitable values. */

export type FormulaOperator = (left: Value, right: Value) => Value | undefined;

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
