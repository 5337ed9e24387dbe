import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#kernel/core/is-record.ts';
import { maxMetadataBytes, maxNameLength } from '#kernel/core/schema.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import { explainUnstorable } from '#kernel/core/storable.ts';
import { findBundleFaults } from './bundle.ts';
import { findConditionFaults } from './conditions.ts';
import { ruleNames } from './names.ts';
import {
  canApplyIn,
  listRuleKeys,
  logicKey,
  maxLevels,
  maxRulesOfDocument,
  type RuleDocument,
  readRuleName,
} from './shape.ts';

/** Parses the expression that joins rules by their keys: `(1 and 2) or 3`. `and` binds tighter, and `&&` and `||` are synonyms. */

export type Logic = { readonly key: string } | { readonly all: readonly Logic[] } | { readonly any: readonly Logic[] };

export const maxLogicLength = 5_000;
export const maxBrackets = 20;

/** The reason why an expression was refused. */
export class LogicFault extends Error {}

export function joinAll(keys: readonly string[]): Logic {
  return { all: keys.map((key) => ({ key })) };
}

/** Matches the end of a key: the end of the text, a blank, a bracket or a sign. */
const isBoundary = /^(?:$|[\s()]|&&|\|\|)/;
const blanks = /^\s+/;
const joiners = { and: /^(?:&&|and(?![^\s(]))/i, or: /^(?:\|\||or(?![^\s(]))/i } as const;

/**
 * Parses an expression over the keys, which can be any texts. The longest key that fits an operand is meant. The empty expression is always
 * met. Throws `LogicFault`.
 */
export function parseLogic(text: string, keys: readonly string[]): Logic {
  if (text.length > maxLogicLength) throw new LogicFault(`must have at most ${maxLogicLength} characters`);
  const byLength = keys.toSorted((one, other) => other.length - one.length);
  let rest = text;
  let depth = 0;
  const place = () => `at character ${text.length - rest.length + 1}`;
  const skip = (length: number) => {
    rest = rest.slice(length).replace(blanks, '');
  };
  const takes = (pattern: RegExp) => {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) return false;
    skip(found.length);
    return true;
  };

  function operand(): Logic {
    const key = byLength.find((one) => one !== '' && rest.startsWith(one) && isBoundary.test(rest.slice(one.length)));
    if (key !== undefined) {
      skip(key.length);
      return { key };
    }
    if (!rest.startsWith('(')) {
      throw new LogicFault(
        rest === '' ? 'ends where a rule is expected' : `must name one of the rules or open a bracket ${place()}`,
      );
    }
    depth += 1;
    if (depth > maxBrackets) throw new LogicFault(`must have at most ${maxBrackets} nested brackets`);
    skip(1);
    const inner = joined('or');
    if (!rest.startsWith(')')) throw new LogicFault(`must join rules by and, or, or close its bracket ${place()}`);
    skip(1);
    depth -= 1;
    return inner;
  }

  function joined(by: 'and' | 'or'): Logic {
    const next = by === 'or' ? () => joined('and') : operand;
    const first = next();
    const parts = [first];
    while (takes(joiners[by])) parts.push(next());
    return parts.length === 1 ? first : by === 'or' ? { any: parts } : { all: parts };
  }

  skip(0);
  if (rest === '') return { all: [] };
  const logic = joined('or');
  if (rest !== '') throw new LogicFault(`must join rules by and, or ${place()}`);
  return logic;
}

function readLogic(text: string, keys: readonly string[]): Logic | undefined {
  try {
    return parseLogic(text, keys);
  } catch (error) {
    if (error instanceof LogicFault) return undefined;
    throw error;
  }
}

/** Returns the expression that joins all rules, or nothing if keys have words with a meaning in the expression. */
export function writeLogicOfAll(keys: readonly string[]): string | undefined {
  const text = keys.join(' and ');
  const logic = readLogic(text, keys);
  const parts = logic && ('all' in logic ? logic.all : [logic]);
  const isRead = parts?.length === keys.length && keys.every((key, index) => isDeepStrictEqual(parts[index], { key }));
  return isRead ? text : undefined;
}

/** Yields every fault of a rule document at its place, such as `rules.1.conditions.$is must be a number`. */

interface Around {
  readonly contextType: string;
  /** The depth, 1 for the document's own rules. */
  readonly level: number;
  /** The rule is inside of a rule with a quantifier. */
  readonly within: boolean;
}

function countRules(rules: unknown, level = 1): number {
  if (!isRecord(rules) || level > maxLevels) return 0;
  const keys = listRuleKeys(rules);
  if (keys.length > maxRulesOfDocument) return keys.length;
  return keys.reduce((sum, key) => {
    const rule = rules[key];
    return sum + 1 + (isRecord(rule) ? countRules(rule.rules, level + 1) : 0);
  }, 0);
}

function* findErrorFaults(error: unknown, place: string): Generator<string> {
  if (error === undefined || error === null) return;
  if (!isRecord(error)) yield `${place} must be an object`;
  else if (typeof error.message !== 'string' || error.message === '') yield `${place}.message must be a text`;
}

/** Suggests the nearest rule, or all rules with the same beginning, or all beginnings. */
function unknownName(name: string): string {
  const names = [...ruleNames.keys()];
  const meant = findClosest(name, names);
  if (meant !== undefined) return `is not a name of a rule: do you mean ${meant}?`;
  const [family = ''] = name.split('.');
  const alike = names.filter((one) => one.startsWith(`${family}.`));
  if (alike.length > 0) return `is not a name of a rule; these exist: ${alike.join(', ')}`;
  const families = [...new Set(names.map((one) => one.split('.')[0]))];
  return `is not a name of a rule; names begin with ${families.join(', ')}`;
}

function* nameFaults(name: unknown, place: string, { contextType, within }: Around): Generator<string> {
  const known = typeof name === 'string' ? ruleNames.get(name) : undefined;
  if (typeof name !== 'string') return yield `${place} ${name === undefined ? 'is required' : 'must be a text'}`;
  if (!known) return yield `${place} ${unknownName(name)}`;
  if (!canApplyIn(name, contextType)) yield `${place} makes no sense in the context ${contextType}`;
  if (known.within && !within)
    yield `${place} must be inside of a rule about items of the order, such as order.items.any`;
  if (within && !known.within) yield `${place} makes no sense inside of a rule about items of the order`;
}

function* propertyFaults(property: unknown, place: string, needed: boolean): Generator<string> {
  if (property === undefined || property === null || property === '') {
    if (needed) yield `${place} is required`;
  } else if (typeof property !== 'string' || property.length > maxNameLength) {
    yield `${place} must be a text of at most ${maxNameLength} characters`;
  }
}

function* ruleFaults(rule: unknown, place: string, around: Around): Generator<string> {
  if (!isRecord(rule)) return yield `${place} must be an object`;
  yield* nameFaults(rule.name, `${place}.name`, around);
  yield* findErrorFaults(rule.error, `${place}.error`);
  const known = ruleNames.get(readRuleName(rule));
  const inner = isRecord(rule.rules) ? listRuleKeys(rule.rules).length : 0;
  if (known) {
    yield* propertyFaults(rule.property, `${place}.property`, known.property === 'needed');
    const conditions = rule.conditions ?? undefined;
    const asksNothing = conditions === undefined || (isRecord(conditions) && Object.keys(conditions).length === 0);
    if (!asksNothing) yield* findConditionFaults(known.type, conditions, `${place}.conditions`);
    else if (!known.quantifier || inner === 0) yield `${place}.conditions must have at least one operator`;
  }
  const within = around.within || known?.quantifier !== undefined;
  yield* rulesFaults(rule.rules, `${place}.rules`, { ...around, level: around.level + 1, within });
}

function* logicFaults(logic: unknown, keys: readonly string[], place: string): Generator<string> {
  if (logic === undefined || logic === null) return;
  if (typeof logic !== 'string') return yield `${place} must be a text`;
  try {
    parseLogic(logic, keys);
  } catch (error) {
    if (!(error instanceof LogicFault)) throw error;
    yield `${place} ${error.message}`;
  }
}

function* rulesFaults(rules: unknown, place: string, around: Around): Generator<string> {
  if (rules === undefined || rules === null) return;
  if (!isRecord(rules)) return yield `${place} must be an object of rules by their keys`;
  const keys = listRuleKeys(rules);
  if (keys.length > 0 && around.level > maxLevels)
    return yield `${place} must be nested at most ${maxLevels} levels deep`;
  for (const key of keys) yield* ruleFaults(rules[key], `${place}.${key}`, around);
  yield* logicFaults(rules[logicKey], keys, `${place}.${logicKey}`);
}

/** Faults that prevent storing or reading a document are reported alone. */
export function* findDocumentFaults(document: RuleDocument): Generator<string> {
  const { rules, bundle_rules, error, context_type = 'global' } = document;
  for (const [place, value] of Object.entries({ rules, bundle_rules, error })) {
    const reason = explainUnstorable(value);
    if (reason !== undefined) return yield `${place} ${reason}`;
  }
  if (countRules(rules) > maxRulesOfDocument)
    return yield `rules must have at most ${maxRulesOfDocument} rules, those within rules included`;
  if (Buffer.byteLength(JSON.stringify({ rules, bundle_rules })) > maxMetadataBytes)
    return yield `rules must have at most ${maxMetadataBytes} bytes as JSON, bundle_rules included`;
  yield* rulesFaults(rules, 'rules', { contextType: context_type, level: 1, within: false });
  yield* findBundleFaults(bundle_rules, context_type);
  yield* findErrorFaults(error, 'error');
}
