import { defaultDecimals } from '#kernel/access/projects/currency.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import { evaluateFormula, listCallable } from './evaluate.ts';
import type { FormulaFacts } from './facts.ts';
import { findCostFault } from './formula-parts.ts';
import { type Expression, FormulaFault, parseFormula } from './parse.ts';

/** Evaluates a plain value with an optional formula, on an order or one of its lines. */
export type Figure = (facts: FormulaFacts) => number;

/** Limits amounts, and numbers of units or points. */
const maxAmount = Number.MAX_SAFE_INTEGER;

/** Returns why a formula cannot be created, as words that follow its name. */
export function findFormulaFault(text: string): string | undefined {
  try {
    parseFormula(text);
    return findCostFault(text);
  } catch (error) {
    if (error instanceof FormulaFault) return error.message;
    throw error;
  }
}

/** Yields the names that a formula calls. */
function* namesIn(expression: Expression): Generator<string> {
  if (expression.kind === 'literal') return;
  if (expression.kind === 'call') yield expression.name;
  const parts = expression.kind === 'call' ? expression.args : [expression.left, expression.right];
  for (const part of parts) yield* namesIn(part);
}

const callable: ReadonlySet<string> = new Set(listCallable());

/** Returns why a request must not write a formula: it would silently fall back to the plain value. */
export function findSentFault(text: string): string | undefined {
  const fault = findFormulaFault(text);
  if (fault !== undefined) return fault;
  const unknown = [...namesIn(parseFormula(text))].find((name) => !callable.has(name));
  if (unknown === undefined) return undefined;
  const meant = findClosest(unknown, callable);
  return `names ${unknown}, which does not exist${meant === undefined ? '' : `: write ${meant}`}`;
}

/** Parses a formula. Returns `undefined` if it cannot be parsed, and so cannot be evaluated. */
function read(text: string | undefined): Expression | undefined {
  if (text === undefined) return undefined;
  try {
    return parseFormula(text);
  } catch (error) {
    if (error instanceof FormulaFault) return undefined;
    throw error;
  }
}

function figure(plain: number, text: string | undefined, from: (value: number, facts: FormulaFacts) => number): Figure {
  const expression = read(text);
  if (!expression) return () => plain;
  return (facts) => {
    const value = evaluateFormula(expression, facts);
    if (typeof value !== 'number') return plain;
    const found = Math.max(0, from(value, facts));
    return found <= maxAmount ? found : plain;
  };
}

/** Up to this value a double can distinguish a unit from the error of its last binary place. */
const maxCorrected = 1e13;

function toMinor(value: number, { decimals = defaultDecimals }: FormulaFacts): number {
  const minor = value * 10 ** decimals;
  return Math.round(Math.abs(minor) < maxCorrected ? Number(minor.toPrecision(15)) : minor);
}

/** Returns minor currency units, rounded half up. Formulas calculate in major units. */
export function compileMoney(plain: number, text: string | undefined): Figure {
  return figure(plain, text, toMinor);
}

/** Returns percents, at most 100. */
export function compilePercents(plain: number, text: string | undefined): Figure {
  return figure(plain, text, (value) => Math.min(100, value));
}

/** Returns whole units, or points. */
export function compileUnits(plain: number, text: string | undefined): Figure {
  return figure(plain, text, Math.round);
}
