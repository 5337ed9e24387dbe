import type { Operand, Test } from '../filters/compare.ts';
import type { FieldType } from '../filters/fields.ts';
import { operatorsOf } from '../filters/fields.ts';
import { isOperand, maxValues, operandFaults } from '../filters/operands.ts';
import { isOperatorName, type OperatorName, operators } from '../filters/operators.ts';
import { isRecord } from './shape.ts';

/** The conditions of a rule: operators with their values, all of which must hold. */

const sizes = ['$more_than_or_equal', '$greater_than_or_equal', '$less_than_or_equal'] as const;
const times = ['$timeframe', '$timeframe_absolute', '$timeframe_daily_hours', '$dow'] as const;
const sets = ['$not_differ', '$not_intersect'] as const;

/** Beside those of filters, which do not look at sets or hours. */
const ownOperators: Readonly<Record<FieldType, readonly OperatorName[]>> = {
  text: sets,
  number: [...sizes, ...sets],
  boolean: [],
  date: [...sizes, ...times],
  list: sets,
  any: [...sizes, ...times, ...sets],
};

/** Of which products, SKUs and collections lines are; `$from` names collections alone. */
const operatorsOfLines = ['$is', '$is_not', '$in', '$not_in', '$from'] as const;

type RuleType = FieldType | 'lines';

function operatorsFor(type: RuleType): readonly string[] {
  return type === 'lines' ? operatorsOfLines : [...operatorsOf[type], ...ownOperators[type]];
}

/** The id of a product, SKU or collection, sent as it is or in an object. */
export function referenceOf(value: unknown): string | undefined {
  const id = isRecord(value) ? (value.id ?? value.source_id) : value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function* valueFaults(type: RuleType, name: string, sent: unknown): Generator<string> {
  if (!Array.isArray(sent)) return yield 'must be an array of values';
  if (type !== 'lines') {
    if (isOperatorName(name)) yield* operandFaults(type, operators[name], sent);
    return;
  }
  if (sent.length === 0) yield 'must have at least one value';
  if (sent.length > maxValues) return yield `must have at most ${maxValues} values`;
  if (!sent.every((value) => referenceOf(value) !== undefined)) {
    yield 'must be ids of products, SKUs or collections, or objects that have them';
  }
}

/** Each begins with its place in the conditions. */
export function* conditionFaults(type: RuleType, conditions: unknown, place: string): Generator<string> {
  if (!isRecord(conditions)) return yield `${place} must be an object of operators and their values`;
  const known = operatorsFor(type);
  for (const [name, sent] of Object.entries(conditions)) {
    if (!known.includes(name)) yield `${place}.${name} is not an operator of this rule: ${known.join(', ')}`;
    else for (const fault of valueFaults(type, name, sent)) yield `${place}.${name} ${fault}`;
  }
}

/** Of lines by their names. */
function testOfNames(name: string, values: readonly unknown[]): Test {
  const ids = values.map(referenceOf).filter((id): id is Operand & string => id !== undefined);
  const operator = name === '$from' ? operators.$in : isOperatorName(name) ? operators[name] : undefined;
  return operator?.test(ids) ?? (() => false);
}

function testsOf(type: RuleType, conditions: Readonly<Record<string, unknown>>): { name: string; test: Test }[] {
  const known = operatorsFor(type);
  return Object.entries(conditions).map(([name, sent]) => {
    if (!known.includes(name) || !Array.isArray(sent)) return { name, test: () => false };
    if (type === 'lines') return { name, test: testOfNames(name, sent) };
    return { name, test: isOperatorName(name) ? operators[name].test(sent.filter(isOperand)) : () => false };
  });
}

/** Compiles checked conditions; what the rule does not know is met by nothing. */
export function compileConditions(type: RuleType, conditions: Readonly<Record<string, unknown>>): Test {
  const tests = testsOf(type, conditions).map(({ test }) => test);
  const [only] = tests;
  return only && tests.length === 1 ? only : (value, now) => tests.every((test) => test(value, now));
}

/** Operators that say what is not: one line that is so is too many. */
const negations: readonly string[] = ['$is_not', '$not_in', '$is_unknown', '$not_contain', '$not_intersect'];
const metByNothing: readonly string[] = negations.slice(0, 3);

/** Of the values of all lines: one that does is enough, of a negation all must. */
export function compileForLines(type: RuleType, conditions: Readonly<Record<string, unknown>>) {
  const tests = testsOf(type, conditions);
  return (values: readonly unknown[], now: Date): boolean =>
    tests.every(({ name, test }) => {
      if (!negations.includes(name)) return values.some((value) => test(value, now));
      return values.length === 0 ? metByNothing.includes(name) : values.every((value) => test(value, now));
    });
}
