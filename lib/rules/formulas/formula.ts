import { evaluate } from './evaluate.ts';
import type { Facts } from './facts.ts';
import { costFault } from './formula-parts.ts';
import { type Expression, parseFormula } from './parse.ts';
import { FormulaFault } from './tokens.ts';

/** What a definition says by a plain value and maybe a formula, on an order or on one of its lines. */
export type Figure = (facts: Facts) => number;

/** No amount, and no number of units or points, is larger. */
const maxAmount = Number.MAX_SAFE_INTEGER;

/** Says what keeps a formula from being created, in words that go on from its name. */
export function formulaFault(text: string): string | undefined {
  try {
    parseFormula(text);
    return costFault(text);
  } catch (error) {
    if (error instanceof FormulaFault) return error.message;
    throw error;
  }
}

/** One that can't be read can't be evaluated either. */
function read(text: string | undefined): Expression | undefined {
  if (text === undefined) return undefined;
  try {
    return parseFormula(text);
  } catch (error) {
    if (error instanceof FormulaFault) return undefined;
    throw error;
  }
}

function figure(plain: number, text: string | undefined, from: (value: number) => number): Figure {
  const expression = read(text);
  if (!expression) return () => plain;
  return (facts) => {
    const value = evaluate(expression, facts);
    if (typeof value !== 'number') return plain;
    const found = Math.max(0, from(value));
    return found <= maxAmount ? found : plain;
  };
}

const minorUnits = 100;

/** Up to it a double has room to tell a unit from the error of its last binary place. */
const maxCorrected = 1e13;

function toMinor(value: number): number {
  const minor = value * minorUnits;
  return Math.round(Math.abs(minor) < maxCorrected ? Number(minor.toPrecision(15)) : minor);
}

/** Minor currency units; formulas are in major ones, and rounded half up. */
export function money(plain: number, text: string | undefined): Figure {
  return figure(plain, text, toMinor);
}

/** Percents, at most 100. */
export function percents(plain: number, text: string | undefined): Figure {
  return figure(plain, text, (value) => Math.min(100, value));
}

/** Whole units, or points. */
export function units(plain: number, text: string | undefined): Figure {
  return figure(plain, text, Math.round);
}
