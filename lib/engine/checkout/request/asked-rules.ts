import { listBundleKeys } from '#engine/rules/bundle.ts';
import { compileRule } from '#engine/rules/compile.ts';
import { readReference } from '#engine/rules/conditions.ts';
import { counters } from '#engine/rules/counter.ts';
import type { LeavesOut } from '#engine/rules/judge.ts';
import { ruleNames } from '#engine/rules/names.ts';
import { walkRules } from '#engine/rules/needs.ts';
import { readRuleName } from '#engine/rules/shape.ts';
import { isRecord } from '#kernel/core/is-record.ts';

import type { TargetRule } from './target-rules.ts';

/** Compiles validation rules without some of their names, once for each document in the container. */

/** Decides which rules are judged. Others count as met, and are reported as left out. Limits with counters are never judged here. */
export type Asking = 'all' | 'of the customer' | 'none';

export interface Question {
  readonly asking: Asking;
  /** True if a bundle may be incomplete. */
  readonly isLenient: boolean;
}

const leavesOut: Readonly<Record<Asking, LeavesOut>> = {
  all: (name) => counters.has(name),
  'of the customer': (name) => ruleNames.get(name)?.group !== 'customer',
  none: () => true,
};

export interface AskedRule extends TargetRule {
  /** The names that are not judged. */
  readonly omitted: readonly string[];
  /** The document's bundles, even if a lenient question does not judge them. */
  readonly bundles: TargetRule['compiled']['bundles'];
}

const kept = new WeakMap<TargetRule, Map<string, AskedRule>>();

function compiledFor({ id, document, compiled }: TargetRule, { asking, isLenient }: Question): AskedRule {
  const isLeftOut = leavesOut[asking];
  const names = [...walkRules(document.rules)].map(readRuleName);
  const omitted = [...new Set(names.filter(isLeftOut))];
  const asked = isLenient ? { ...document, bundle_rules: undefined } : document;
  const isWhole = omitted.length === 0 && asked.bundle_rules === document.bundle_rules;
  return {
    id,
    document,
    compiled: isWhole ? compiled : compileRule(asked, { leavesOut: isLeftOut }),
    omitted,
    bundles: compiled.bundles,
  };
}

export function compileAskedRule(rule: TargetRule, question: Question): AskedRule {
  const own = kept.get(rule) ?? new Map<string, AskedRule>();
  kept.set(rule, own);
  const name = `${question.asking} ${question.isLenient}`;
  const asked = own.get(name) ?? compiledFor(rule, question);
  own.set(name, asked);
  return asked;
}

function namedBy(conditions: unknown): string[] {
  if (!isRecord(conditions)) return [];
  return Object.entries(conditions).flatMap(([operator, values]) =>
    operator.includes('not') || !Array.isArray(values) ? [] : values.flatMap((value) => readReference(value) ?? []),
  );
}

/** Returns the products, SKUs and collections of the rules and bundles. */
export function listRuleProducts({ document: { rules, bundle_rules } }: TargetRule): ReadonlySet<string> {
  const ofLines = [...walkRules(rules)].filter(
    (rule) => rule.name !== 'order.items.none' && ruleNames.get(readRuleName(rule))?.type === 'lines',
  );
  const parts = bundle_rules ? listBundleKeys(bundle_rules).map((key) => bundle_rules[key]) : [];
  return new Set([...ofLines, ...parts.filter(isRecord)].flatMap(({ conditions }) => namedBy(conditions)));
}
