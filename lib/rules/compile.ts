import { type ApplicableBy, applicability } from './applicability.ts';
import { type Bundles, bundleFinder } from './bundle.ts';
import { documentFaults } from './check.ts';
import type { RuleContext, RuleLine, Scope } from './context.ts';
import { type Failure, type Judge, judgeOf, judgeOfEach, type LeavesOut } from './judge.ts';
import { isBought } from './lines.ts';
import { type Needs, needsOf } from './needs.ts';
import type { ApplicableEntry, RuleDocument } from './shape.ts';

const violated = {
  customer: 'customer_rules_violated',
  order: 'order_rules_violated',
  redemption: 'redemption_rules_violated',
} as const;

export type RuleErrorKey = (typeof violated)[keyof typeof violated] | 'missing_customer';

/** `failed`: the first rule that made the document fail, with the value that it saw. `message`: the shop's own words for it. */
export type Verdict =
  | { readonly met: true }
  | {
      readonly met: false;
      readonly key: RuleErrorKey;
      readonly failed: Pick<Failure, 'rule' | 'name' | 'property' | 'value'>;
      readonly message: string | undefined;
    };

/** One rule of the document by itself, whatever the logic makes of it. */
export interface Step {
  readonly rule: string;
  readonly met: boolean;
  /** What the rule saw that was not met. */
  readonly failed?: Pick<Failure, 'rule' | 'name' | 'property' | 'value'>;
}

export interface CompiledRule<E extends ApplicableEntry = ApplicableEntry> {
  readonly needs: Needs;
  /** Never throws. */
  readonly judge: (context: RuleContext) => Verdict;
  /** Every rule of the document by itself, for those who look why. */
  readonly trace: (context: RuleContext) => Step[];
  readonly applicableBy: ApplicableBy<E>;
  /** Of a document with `bundle_rules`: the bundles in the order. */
  readonly bundles: ((lines: readonly RuleLine[]) => Bundles) | undefined;
}

function verdictOf(failure: Failure | undefined, document: RuleDocument): Verdict {
  if (!failure) return { met: true };
  const { rule, name, property, value, group, isMissingCustomer, message } = failure;
  return {
    met: false,
    key: isMissingCustomer ? 'missing_customer' : violated[group],
    failed: { rule, name, property, value },
    message: message ?? document.error?.message,
  };
}

/** A document that this version does not understand is met by nothing: a rule that is not read is not passed over. */
function notUnderstood(fault: string): Judge {
  return () => ({
    rule: 'rules',
    name: fault,
    property: undefined,
    value: undefined,
    group: 'redemption',
    isMissingCustomer: false,
    message: undefined,
  });
}

const bundleFailure = (quantity: number): Failure => ({
  rule: 'bundle_rules',
  name: 'bundle_rules',
  property: undefined,
  value: quantity,
  group: 'order',
  isMissingCustomer: false,
  message: undefined,
});

function stepOf({ rule, judge }: { rule: string; judge: Judge }, scope: Scope): Step {
  const failure = judge(scope);
  if (!failure) return { rule, met: true };
  const { name, property, value } = failure;
  return { rule, met: false, failed: { rule: failure.rule, name, property, value } };
}

/** The order as rules see it, with the lines that buy something. */
function scopeOf(context: RuleContext): Scope {
  const { order } = context;
  const lines = order?.items ?? [];
  if (!order || lines.every(isBought)) return { context, lines };
  const items = lines.filter(isBought);
  return { context: { ...context, order: { ...order, items } }, lines: items };
}

/** Turns a stored document into functions over a context, once. `leavesOut`: rules that are not asked. */
export function compileRule<E extends ApplicableEntry>(
  document: RuleDocument<E>,
  { leavesOut }: { leavesOut?: LeavesOut } = {},
): CompiledRule<E> {
  const [fault] = documentFaults(document);
  const judge = fault === undefined ? judgeOf(document.rules ?? {}, 'rules', leavesOut) : notUnderstood(fault);
  const bundles = fault === undefined ? bundleFinder(document) : undefined;
  return {
    needs: needsOf(document),
    judge: (context) => {
      const scope = scopeOf(context);
      const found = bundles?.(scope.lines);
      const failure = judge(scope) ?? (found?.quantity === 0 ? bundleFailure(0) : undefined);
      return verdictOf(failure, document);
    },
    trace: (context) =>
      fault === undefined ? judgeOfEach(document.rules ?? {}, 'rules').map((one) => stepOf(one, scopeOf(context))) : [],
    applicableBy: applicability<E>(document),
    bundles,
  };
}
