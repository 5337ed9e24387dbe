import { isRecord } from '#kernel/core/is-record.ts';
import type { LineSchemas } from '#kernel/core/metadata/declared.ts';
import type { Test } from '#kernel/kit/filters/compare.ts';
import { type FieldType, operatorsByType } from '#kernel/kit/filters/fields.ts';
import { findOperandFaults, isOperand, maxValues } from '#kernel/kit/filters/operands.ts';
import { filterOperators, isOperatorName, type OperatorName } from '#kernel/kit/filters/operators.ts';
import type { RuleContext, RuleLine } from './context.ts';
import { type HasName, isCollected, isProductIn, isSkuIn } from './lines.ts';
import { ruleNames } from './names.ts';
import { type ApplicableEntry, listRuleKeys, type RuleDocument, readRuleName } from './shape.ts';

/** Compiles the conditions of a rule: operators with their values, which must all hold. */

const sizes = ['$more_than_or_equal', '$greater_than_or_equal', '$less_than_or_equal'] as const;
const times = ['$timeframe', '$timeframe_absolute', '$timeframe_daily_hours', '$dow'] as const;
const sets = ['$not_differ', '$not_intersect'] as const;

/** Operators that filters lack, for sets and hours. */
const ownOperators: Readonly<Record<FieldType, readonly OperatorName[]>> = {
  text: sets,
  number: [...sizes, ...sets],
  boolean: [],
  date: [...sizes, ...times],
  list: sets,
  any: [...sizes, ...times, ...sets],
};

/** Operators on the products, SKUs and collections of lines. `$from` names only collections. */
const operatorsOfLines = ['$is', '$is_not', '$in', '$not_in', '$from'] as const;

type RuleType = FieldType | 'lines';
type Conditions = Readonly<Record<string, unknown>>;

function operatorsFor(type: RuleType): readonly string[] {
  return type === 'lines' ? operatorsOfLines : [...operatorsByType[type], ...ownOperators[type]];
}

/** Reads the id of a product, SKU or collection, which may be sent in an object. */
export function readReference(value: unknown): string | undefined {
  const id = isRecord(value) ? (value.id ?? value.source_id) : value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function* valueFaults(type: RuleType, name: string, sent: unknown): Generator<string> {
  if (!Array.isArray(sent)) return yield 'must be an array of values';
  if (type !== 'lines') {
    if (isOperatorName(name)) yield* findOperandFaults(type, filterOperators[name], sent);
    return;
  }
  if (sent.length === 0) yield 'must have at least one value';
  if (sent.length > maxValues) return yield `must have at most ${maxValues} values`;
  if (!sent.every((value) => readReference(value) !== undefined)) {
    yield 'must be ids of products, SKUs or collections, or objects that have them';
  }
}

/** Yields faults. Each begins with its place in the conditions. */
export function* findConditionFaults(type: RuleType, conditions: unknown, place: string): Generator<string> {
  if (!isRecord(conditions)) return yield `${place} must be an object of operators and their values`;
  const known = operatorsFor(type);
  for (const [name, sent] of Object.entries(conditions)) {
    if (!known.includes(name)) yield `${place}.${name} is not an operator of this rule: ${known.join(', ')}`;
    else for (const fault of valueFaults(type, name, sent)) yield `${place}.${name} ${fault}`;
  }
}

/** A list of this length is searched faster than a set. */
const fewNames = 8;

function setOf(values: readonly unknown[]): HasName {
  const ids = values.map(readReference).filter((id) => id !== undefined);
  if (ids.length <= fewNames) return (name) => ids.includes(name);
  const set = new Set(ids);
  return (name) => set.has(name);
}

/** Tests one line by its names, in the moment, the areas and the schemas of the context. */
type LineTest = (line: RuleLine, context: Around) => boolean;

type Around = Pick<RuleContext, 'now' | 'areas' | 'lineSchemas'>;

type ReadLine = (line: RuleLine, schemas: LineSchemas | undefined) => unknown;

type IsIn = (line: RuleLine, has: HasName) => boolean;

/** A condition on one line, and whether one line or all lines must meet it. */
interface OfLine {
  readonly test: LineTest;
  readonly ofAll: boolean;
  /** The result without any line. */
  readonly ofNone: boolean;
}

const never: LineTest = () => false;
const nowhere: IsIn = () => false;

function kindConditions(isIn: IsIn, conditions: Conditions): OfLine[] {
  return Object.entries(conditions).map(([name, sent]) => {
    const isNegation = name === '$is_not' || name === '$not_in';
    const isKnown = operatorsOfLines.some((known) => known === name) && Array.isArray(sent);
    const has = isKnown ? setOf(sent) : () => false;
    const isOf = name === '$from' ? isCollected : isIn;
    const test: LineTest = isNegation ? (line) => !isOf(line, has) : (line) => isOf(line, has);
    return { test: isKnown ? test : never, ofAll: isNegation, ofNone: isNegation && isKnown };
  });
}

function valueConditions(type: FieldType, read: ReadLine, conditions: Conditions): OfLine[] {
  return testsOf(type, conditions).map(({ name, test }) => ({
    test: (line, { now, areas, lineSchemas }) => test(read(line, lineSchemas), now, areas),
    ofAll: negations.includes(name),
    ofNone: metByNothing.includes(name),
  }));
}

/** Compiles conditions on lines: all conditions for one line, and each condition for all lines. */
export function compileForLines(
  { type, isIn }: { type: RuleType; isIn?: IsIn | undefined },
  read: ReadLine,
  conditions: Conditions,
) {
  const tests =
    type === 'lines' ? kindConditions(isIn ?? nowhere, conditions) : valueConditions(type, read, conditions);
  const ofLine: LineTest = (line, context) => tests.every(({ test }) => test(line, context));
  const ofLines = (lines: readonly RuleLine[], context: Around): boolean =>
    tests.every(({ test, ofAll, ofNone }) => {
      if (!ofAll) return lines.some((line) => test(line, context));
      return lines.length === 0 ? ofNone : lines.every((line) => test(line, context));
    });
  return { ofLine, ofLines };
}

/** Negative operators. Every line must meet them. */
const negations: readonly string[] = [
  '$is_not',
  '$not_in',
  '$is_unknown',
  '$not_contain',
  '$not_intersect',
  '$not_in_location',
];
const metByNothing: readonly string[] = negations.slice(0, 3);

function testsOf(type: FieldType, conditions: Conditions): { name: string; test: Test }[] {
  const known = operatorsFor(type);
  return Object.entries(conditions).map(([name, sent]) => {
    const isKnown = known.includes(name) && isOperatorName(name) && Array.isArray(sent);
    return { name, test: isKnown ? filterOperators[name].test(sent.filter(isOperand)) : () => false };
  });
}

/** Compiles checked conditions. An unknown operator is never met. */
export function compileConditions(type: FieldType, conditions: Conditions): Test {
  const tests = testsOf(type, conditions).map(({ test }) => test);
  const [only] = tests;
  return only && tests.length === 1 ? only : (value, now, areas) => tests.every((test) => test(value, now, areas));
}

/** Decides whether a discount applies to a line, and by which entry, which defines how it applies. */
export type ApplicableBy<E> = (line: RuleLine, context: RuleContext) => { readonly entry?: E } | undefined;

function matcher({ object, id, source_id }: ApplicableEntry): (line: RuleLine) => boolean {
  const has = (name: string) => name === id || name === source_id;
  if (object === 'product') return (line) => isProductIn(line, has);
  return object === 'sku' ? (line) => isSkuIn(line, has) : (line) => isCollected(line, has);
}

/** Rules that limit a discount to products, as older documents did instead of `applicable_to`. */
function olderForm(rules: unknown): LineTest[] {
  if (!isRecord(rules)) return [];
  return listRuleKeys(rules).flatMap((key) => {
    const rule = rules[key];
    if (!isRecord(rule)) return [];
    const name = readRuleName(rule);
    const known = name.endsWith('.discount_applicable') ? ruleNames.get(name) : undefined;
    const inner = olderForm(rule.rules);
    if (!known || !isRecord(rule.conditions)) return inner;
    const read = known.ofLine?.(typeof rule.property === 'string' ? rule.property : '') ?? (() => undefined);
    return [compileForLines(known, read, rule.conditions).ofLine, ...inner];
  });
}

/** Applies to every line, like most rules. Thousands of rules share this function. */
const everyLine = () => ({});

/**
 * Compiles the lines that a discount applies to: every line without entries. An exclusion beats an inclusion, and an entry of a product or
 * SKU beats one of a collection.
 */
export function compileApplicability<E extends ApplicableEntry>(document: RuleDocument<E>): ApplicableBy<E> {
  const { included, excluded, included_all } = document.applicable_to ?? {};
  const isOut = (excluded ?? []).map(matcher);
  const isIn = (included ?? [])
    .toSorted(
      (one, other) => Number(one.object === 'products_collection') - Number(other.object === 'products_collection'),
    )
    .map((entry) => ({ entry, matches: matcher(entry) }));
  const older = isIn.length > 0 || included_all ? [] : olderForm(document.rules);
  if (isOut.length + isIn.length + older.length === 0) return everyLine;
  const takesAll = included_all === true || isIn.length + older.length === 0;
  return (line, context) => {
    if (isOut.some((matches) => matches(line))) return undefined;
    const found = isIn.find(({ matches }) => matches(line));
    if (found) return { entry: found.entry };
    return takesAll || older.some((matches) => matches(line, context)) ? {} : undefined;
  };
}
