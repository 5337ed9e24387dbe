import { type Bundles, compileBundles } from './bundle.ts';
import { findDocumentFaults } from './check.ts';
import { type ApplicableBy, compileApplicability } from './conditions.ts';
import type { RuleContext, RuleLine, RuleScope } from './context.ts';
import { compileEachJudge, compileJudge, type Failure, type Judge, type LeavesOut } from './judge.ts';
import { isBought } from './lines.ts';
import { type Needs, readNeeds } from './needs.ts';
import type { ApplicableEntry, RuleDocument } from './shape.ts';

const violated = {
  customer: 'customer_rules_violated',
  order: 'order_rules_violated',
  redemption: 'redemption_rules_violated',
} as const;

type RuleErrorKey = (typeof violated)[keyof typeof violated] | 'missing_customer';

/** The verdict. `failed` is the first unmet rule, with the value that it saw. `message` is the shop's own text. */
type Verdict =
  | { readonly met: true }
  | {
      readonly met: false;
      readonly key: RuleErrorKey;
      readonly failed: Pick<Failure, 'rule' | 'name' | 'property' | 'value'>;
      readonly message: string | undefined;
    };

/** One rule of the document by itself, without the document's logic. */
export interface TraceStep {
  readonly rule: string;
  readonly met: boolean;
  /** The value that the unmet rule saw. */
  readonly failed?: Pick<Failure, 'rule' | 'name' | 'property' | 'value'>;
}

export interface CompiledRule<E extends ApplicableEntry = ApplicableEntry> {
  readonly needs: Needs;
  /** Judges a context. Never throws. */
  readonly judge: (context: RuleContext) => Verdict;
  /** Judges each rule by itself, for requests that ask for the reason. */
  readonly trace: (context: RuleContext) => TraceStep[];
  readonly applicableBy: ApplicableBy<E>;
  /** Finds the bundles in the order, for a document with `bundle_rules`. */
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

/** Returns the judge of a document that this release does not understand. It is never met, because a rule must not be skipped. */
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

function stepOf({ rule, judge }: { rule: string; judge: Judge }, scope: RuleScope): TraceStep {
  const failure = judge(scope);
  if (!failure) return { rule, met: true };
  const { name, property, value } = failure;
  return { rule, met: false, failed: { rule: failure.rule, name, property, value } };
}

/** Returns the order as rules see it, with the lines that buy something. */
function scopeOf(context: RuleContext): RuleScope {
  const { order } = context;
  const lines = order?.items ?? [];
  if (!order || lines.every(isBought)) return { context, lines };
  const items = lines.filter(isBought);
  return { context: { ...context, order: { ...order, items } }, lines: items };
}

/** Compiles a stored document into functions over a context. `leavesOut` names rules that are skipped. */
export function compileRule<E extends ApplicableEntry>(
  document: RuleDocument<E>,
  { leavesOut }: { leavesOut?: LeavesOut } = {},
): CompiledRule<E> {
  const [fault] = findDocumentFaults(document);
  const judge = fault === undefined ? compileJudge(document.rules ?? {}, 'rules', leavesOut) : notUnderstood(fault);
  const bundles = fault === undefined ? compileBundles(document) : undefined;
  return {
    needs: readNeeds(document),
    judge: (context) => {
      const scope = scopeOf(context);
      const found = bundles?.(scope.lines);
      const failure = judge(scope) ?? (found?.quantity === 0 ? bundleFailure(0) : undefined);
      return verdictOf(failure, document);
    },
    trace: (context) =>
      fault === undefined
        ? compileEachJudge(document.rules ?? {}, 'rules').map((one) => stepOf(one, scopeOf(context)))
        : [],
    applicableBy: compileApplicability<E>(document),
    bundles,
  };
}

/** Limits the documents of one container, as characters of JSON. The oldest are dropped first. */
const maxKept = 16_000_000;

/** Caches compiled documents by their text. A changed rule has another text, so the cache is never outdated. */
export class CompiledRules {
  readonly #kept = new Map<string, CompiledRule>();
  readonly #maxKept: number;
  #size = 0;

  constructor(max = maxKept) {
    this.#maxKept = max;
  }

  of({ rules, bundle_rules, error, context_type, applicable_to }: RuleDocument): CompiledRule {
    const document = { rules, bundle_rules, error, context_type, applicable_to };
    const text = JSON.stringify(document);
    const known = this.#kept.get(text);
    if (known) return known;
    const compiled = compileRule(document);
    this.#kept.set(text, compiled);
    this.#size += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#maxKept) break;
      this.#kept.delete(oldest);
      this.#size -= oldest.length;
    }
    return compiled;
  }
}
