import { isDeepStrictEqual } from 'node:util';
import { type FormulaFacts, toValue, type Value } from './facts.ts';
import { listFormulaNames, readNamedMetadata, readNamedValue } from './names.ts';
import { dateOperators, formulaOperators, functions, ofTodayAlone } from './operators.ts';
import type { Expression } from './parse.ts';

type Outcome = Value | undefined;

const caseOfSwitch = 'SWITCH_CASE';

/** Functions that do not need all of their arguments. */
const lazy: Readonly<Record<string, (args: readonly Expression[], facts: FormulaFacts) => Outcome>> = {
  IF: ([condition, met, unmet], facts) => {
    const is = condition && evaluateFormula(condition, facts);
    if (typeof is !== 'boolean') return undefined;
    const chosen = is ? met : unmet;
    return chosen && evaluateFormula(chosen, facts);
  },
  DEFAULT_TO: ([value, other], facts) =>
    (value && evaluateFormula(value, facts)) ?? (other && evaluateFormula(other, facts)),
  SWITCH: ([value, ...others], facts) => {
    const is = value && evaluateFormula(value, facts);
    if (is === undefined) return undefined;
    const cases = others.flatMap((one) => (one.kind === 'call' && one.name === caseOfSwitch ? [one.args] : []));
    const [, met] = cases.find(([when]) => when && isDeepStrictEqual(evaluateFormula(when, facts), is)) ?? [];
    const otherwise = others.length > cases.length ? others.at(-1) : undefined;
    const chosen = met ?? otherwise;
    return chosen && evaluateFormula(chosen, facts);
  },
};

/** Applies an operator. An operator on dates with one value compares it with today. */
function operate(name: string, values: readonly Value[], facts: FormulaFacts): Outcome {
  const [left, right] = values;
  if (left === undefined) return undefined;
  if (right !== undefined) return (formulaOperators[name] ?? dateOperators[name])?.(left, right);
  const today = readNamedValue('TODAY', facts);
  return today && dateOperators[name]?.(today, left);
}

function call(name: string, args: readonly Expression[], facts: FormulaFacts): Outcome {
  if (Object.hasOwn(lazy, name)) return lazy[name]?.(args, facts);
  const values = args.map((arg) => evaluateFormula(arg, facts));
  const present = values.filter((value) => value !== undefined);
  if (present.length < values.length) return undefined;
  if (Object.hasOwn(functions, name)) {
    const today = present.length === 0 && ofTodayAlone.has(name) ? readNamedValue('TODAY', facts) : undefined;
    return functions[name]?.(...(today === undefined ? present : [today]));
  }
  if (Object.hasOwn(formulaOperators, name) || Object.hasOwn(dateOperators, name)) return operate(name, present, facts);
  const [key] = present;
  if (key === undefined) return readNamedValue(name, facts);
  return typeof key === 'string' && present.length === 1 ? readNamedMetadata(name, key, facts) : undefined;
}

/** Lists everything that a formula can call by a name. */
export function listCallable(): string[] {
  const operators = [formulaOperators, dateOperators].flatMap((some) => Object.keys(some));
  const named = [...Object.keys(lazy), ...Object.keys(functions), ...operators, caseOfSwitch, ...listFormulaNames()];
  return named.filter((name) => /^\w+$/.test(name));
}

/** Evaluates a formula. Returns `undefined` if a part is missing, unknown or of the wrong type. */
export function evaluateFormula(expression: Expression, facts: FormulaFacts): Outcome {
  switch (expression.kind) {
    case 'literal':
      return toValue(expression.value);
    case 'call':
      return call(expression.name, expression.args, facts);
    case 'operation': {
      const left = evaluateFormula(expression.left, facts);
      const right = evaluateFormula(expression.right, facts);
      return left === undefined || right === undefined ? undefined : operate(expression.operator, [left, right], facts);
    }
  }
}
