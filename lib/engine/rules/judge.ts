import { isRecord } from '#kernel/core/is-record.ts';
import type { Test } from '#kernel/kit/filters/compare.ts';
import { joinAll, type Logic, parseLogic } from './check.ts';
import { compileConditions, compileForLines } from './conditions.ts';
import type { RuleContext, RuleLine, RuleScope } from './context.ts';
import { findExtreme } from './lines.ts';
import { type RuleGroup, type RuleName, ruleNames } from './names.ts';
import { listRuleKeys, logicKey, type Rules, readRuleName } from './shape.ts';

/** The reason why a rule is not met. */
export interface Failure {
  /** The place in the document: `rules.1.rules.2`. */
  readonly rule: string;
  readonly name: string;
  readonly property: string | undefined;
  /** The value that the rule saw. */
  readonly value: unknown;
  readonly group: RuleGroup;
  readonly isMissingCustomer: boolean;
  /** The message of the rule, or of the outer rule. */
  readonly message: string | undefined;
}

/** Judges a context. Returns nothing if the rule is met. Never throws. */
export type Judge = (scope: RuleScope) => Failure | undefined;

type Sent = Readonly<Record<string, unknown>>;

/** Returns whether the rule of this name is skipped. A skipped rule counts as met. */
export type LeavesOut = (name: string) => boolean;

const asksAll: LeavesOut = () => false;

const unknown: RuleName = { group: 'redemption', type: 'any', read: () => () => undefined };

/** Limits the elements of a value in an explanation. */
const shownElements = 20;

function shown(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, shownElements) : value;
}

function messageOf({ error }: Sent): string | undefined {
  return isRecord(error) && typeof error.message === 'string' ? error.message : undefined;
}

/** Returns a function that makes the failure of a rule. */
function failing(sent: Sent, rule: string, { group }: RuleName) {
  const { property } = sent;
  const told = {
    rule,
    name: readRuleName(sent),
    property: typeof property === 'string' ? property : undefined,
    group,
    message: messageOf(sent),
  };
  return (value: unknown, isMissingCustomer = false): Failure => ({ ...told, value: shown(value), isMissingCustomer });
}

/** Gives the message of the outer rule to failures of inner rules that have no message. */
function within(inner: Judge, message: string | undefined): Judge {
  if (message === undefined) return inner;
  return (scope) => {
    const failure = inner(scope);
    return failure && failure.message === undefined ? { ...failure, message } : failure;
  };
}

const met: Judge = () => undefined;
const nothing = () => undefined;

/** Names a line in an explanation. */
function shownLine({ sku_id, product_id, source_id }: RuleLine): string | undefined {
  return sku_id ?? product_id ?? source_id;
}

/**
 * Chooses the cheapest or most expensive line among the lines of `$from`. The other conditions define which line it
 * must be.
 */
function judgeOfExtreme(
  name: RuleName & { quantifier: 'cheapest' | 'dearest' },
  { $from, ...others }: Sent,
  inner: Judge,
  fail: ReturnType<typeof failing>,
): Judge {
  const { ofLine: isCandidate } = compileForLines(name, nothing, $from === undefined ? {} : { $from });
  const { ofLine: isMeant } = compileForLines(name, nothing, others);
  return ({ context, lines }) => {
    const candidates = lines.filter((line) => isCandidate(line, context));
    const line = findExtreme(candidates, name.quantifier);
    if (!line || !isMeant(line, context)) return fail(line && shownLine(line));
    return inner({ context, lines: [line], line });
  };
}

/** Judges the lines in the set by the inner rules. Inner rules see one line in turn, and all lines in the set. */
function judgeOfItems(name: RuleName, conditions: Sent, inner: Judge, fail: ReturnType<typeof failing>): Judge {
  const { quantifier } = name;
  if (quantifier === 'cheapest' || quantifier === 'dearest') {
    return judgeOfExtreme({ ...name, quantifier }, conditions, inner, fail);
  }
  const { ofLine } = compileForLines(name, nothing, conditions);
  const ask = (scope: RuleScope, line: RuleLine) => inner({ context: scope.context, lines: scope.lines, line });
  return ({ context, lines }) => {
    const chosen = lines.filter((line) => ofLine(line, context));
    const scope = { context, lines: chosen };
    if (quantifier === 'none') {
      const found = chosen.find((line) => ask(scope, line) === undefined);
      return found && fail(shownLine(found));
    }
    if (quantifier === 'every' && chosen.length < lines.length) return fail(chosen.length);
    let failure: Failure | undefined;
    for (const line of chosen) {
      const own = ask(scope, line);
      if (quantifier === 'any' && !own) return undefined;
      failure ??= own;
    }
    return chosen.length === 0 ? fail(0) : failure;
  };
}

/** Judges a property of lines. Inner rules see the lines that meet the condition. */
function judgeOfLines(
  name: RuleName,
  property: string,
  conditions: Sent,
  inner: Judge,
  fail: ReturnType<typeof failing>,
): Judge {
  const read = name.ofLine?.(property) ?? shownLine;
  const { ofLine, ofLines } = compileForLines(name, read, conditions);
  const isMet = name.each
    ? (lines: readonly RuleLine[], context: RuleContext) =>
        lines.length > 0 && lines.every((line) => ofLine(line, context))
    : ofLines;
  return ({ context, lines }) => {
    if (!isMet(lines, context)) return fail(lines.map((line) => read(line, context.lineSchemas)));
    return inner === met ? undefined : inner({ context, lines: lines.filter((line) => ofLine(line, context)) });
  };
}

function judgeOfValue(
  { each, customer, read, type }: RuleName,
  property: string,
  conditions: Sent,
  inner: Judge,
  fail: ReturnType<typeof failing>,
): Judge {
  const readValue = read?.(property) ?? nothing;
  const test = type === 'lines' ? () => false : compileConditions(type, conditions);
  const isMet: Test = each
    ? (value, now, areas) =>
        Array.isArray(value) && value.length > 0 && value.every((element) => test(element, now, areas))
    : test;
  return (scope) => {
    const { context } = scope;
    if (customer && !context.customer) return fail(undefined, true);
    if (customer === 'person' && context.customer?.is_nobody) return fail(undefined, true);
    const value = readValue(scope);
    return isMet(value, context.now, context.areas) ? inner(scope) : fail(value);
  };
}

function judgeOfRule(sent: unknown, rule: string, leavesOut: LeavesOut): Judge {
  if (!isRecord(sent)) return () => failing({}, rule, unknown)(undefined);
  if (leavesOut(readRuleName(sent))) return met;
  const name = ruleNames.get(readRuleName(sent)) ?? unknown;
  const fail = failing(sent, rule, name);
  const property = typeof sent.property === 'string' ? sent.property : '';
  const conditions = isRecord(sent.conditions) ? sent.conditions : {};
  const inner =
    isRecord(sent.rules) && listRuleKeys(sent.rules).length > 0
      ? within(compileJudge(sent.rules, `${rule}.rules`, leavesOut), messageOf(sent))
      : met;
  if (name === unknown) return () => fail(undefined);
  if (name.quantifier) return judgeOfItems(name, conditions, inner, fail);
  if (name.ofLine || name.isIn) return judgeOfLines(name, property, conditions, inner, fail);
  return judgeOfValue(name, property, conditions, inner, fail);
}

/** Judges each rule of a set by itself. */
export function compileEachJudge(rules: Rules, place: string, leavesOut = asksAll): { rule: string; judge: Judge }[] {
  return listRuleKeys(rules).map((key) => {
    const rule = `${place}.${key}`;
    return { rule, judge: judgeOfRule(rules[key], rule, leavesOut) };
  });
}

function joined(logic: Logic, judges: ReadonlyMap<string, Judge>): Judge {
  if ('key' in logic) return judges.get(logic.key) ?? met;
  const parts = ('all' in logic ? logic.all : logic.any).map((part) => joined(part, judges));
  if ('all' in logic) {
    return (scope) => {
      for (const part of parts) {
        const failure = part(scope);
        if (failure) return failure;
      }
      return undefined;
    };
  }
  // If no rule is met, the first one gives the reason.
  return (scope) => {
    let first: Failure | undefined;
    for (const part of parts) {
      const failure = part(scope);
      if (!failure) return undefined;
      first ??= failure;
    }
    return first;
  };
}

/** Compiles a set of checked rules, joined by its logic. */
export function compileJudge(rules: Rules, place: string, leavesOut = asksAll): Judge {
  const keys = listRuleKeys(rules);
  const { [logicKey]: logic } = rules;
  const judges = new Map(
    compileEachJudge(rules, place, leavesOut).map(({ judge }, index) => [keys[index] ?? '', judge]),
  );
  return joined(typeof logic === 'string' ? parseLogic(logic, keys) : joinAll(keys), judges);
}
