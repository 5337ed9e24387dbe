/**
 * Calculates the result of an example by stacking rules. The API has no request for rules that are not saved, so the
 * console calculates like the API does for discounts on a whole order. A test compares both.
 */

export interface ExampleRules {
  readonly payments_application: string;
  readonly redeemables_limit: number;
  readonly applicable_redeemables_limit: number;
  readonly applicable_redeemables_per_category_limit: number | null;
  readonly applicable_redeemables_category_limits: Readonly<Record<string, number>>;
  readonly applicable_exclusive_redeemables_limit: number;
  readonly applicable_exclusive_redeemables_per_category_limit: number | null;
  readonly exclusive_categories: readonly string[];
  readonly joint_categories: readonly string[];
  readonly redeemables_application_mode: 'ALL' | 'PARTIAL';
  readonly redeemables_sorting_rule: 'REQUESTED_ORDER' | 'CATEGORY_HIERARCHY';
  readonly grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST' | null;
  readonly redeemables_no_effect_rule: 'REDEEM_ANYWAY' | 'SKIP';
  readonly no_effect_skip_categories: readonly string[];
  readonly no_effect_redeem_anyway_categories: readonly string[];
  readonly discount_calculation_mode: 'INITIAL_AMOUNT' | 'DISCOUNTED_AMOUNT';
  readonly initial_amount_mode_categories: readonly string[];
  readonly discounted_amount_mode_categories: readonly string[];
}

/** Describes a redeemable of the example. Its value is a percentage or an amount of minor units. */
export interface Part {
  readonly category: string;
  readonly kind: 'percent' | 'amount';
  readonly value: number;
  /** True if one of its rules refuses it. */
  readonly isRefused: boolean;
}

export type Reason =
  | 'refused'
  | 'preceding'
  | 'exclusion'
  | 'limit'
  | 'categoryLimit'
  | 'exclusiveLimit'
  | 'exclusiveCategoryLimit'
  | 'noEffect';

export interface PartOutcome {
  readonly part: Part;
  readonly off: number;
  /** Is missing if the part applies. */
  readonly reason?: Reason;
}

type Group = 'COMMON' | 'JOINT' | 'EXCLUSIVE';

function groupOf({ category }: Part, rules: ExampleRules): Group {
  if (rules.exclusive_categories.includes(category)) return 'EXCLUSIVE';
  return rules.joint_categories.includes(category) ? 'JOINT' : 'COMMON';
}

function isOfInitial({ category }: Part, rules: ExampleRules): boolean {
  if (rules.initial_amount_mode_categories.includes(category)) return true;
  if (rules.discounted_amount_mode_categories.includes(category)) return false;
  return rules.discount_calculation_mode === 'INITIAL_AMOUNT';
}

function isSkippedWithoutEffect({ category }: Part, rules: ExampleRules): boolean {
  if (rules.no_effect_skip_categories.includes(category)) return true;
  if (rules.no_effect_redeem_anyway_categories.includes(category)) return false;
  return rules.redeemables_no_effect_rule === 'SKIP';
}

function findLimit(part: Part, applied: readonly Part[], rules: ExampleRules): Reason | undefined {
  const groups = applied.map((one) => groupOf(one, rules));
  const group = groupOf(part, rules);
  const isExclusive = group === 'EXCLUSIVE';
  if (isExclusive ? groups.includes('COMMON') : group === 'COMMON' && groups.includes('EXCLUSIVE')) return 'exclusion';
  if (applied.length >= rules.applicable_redeemables_limit) return 'limit';
  const exclusive = groups.filter((one) => one === 'EXCLUSIVE').length;
  if (isExclusive && exclusive >= rules.applicable_exclusive_redeemables_limit) return 'exclusiveLimit';
  if (part.category === '') return undefined;
  const same = applied.filter(({ category }) => category === part.category).length;
  const own = rules.applicable_redeemables_category_limits[part.category];
  const general = isExclusive
    ? rules.applicable_exclusive_redeemables_per_category_limit
    : rules.applicable_redeemables_per_category_limit;
  if (same < (own ?? general ?? Number.POSITIVE_INFINITY)) return undefined;
  return isExclusive && own === undefined ? 'exclusiveCategoryLimit' : 'categoryLimit';
}

/** Applies parts one after the other to an amount. */
class Walk {
  readonly outcomes: PartOutcome[] = [];
  readonly applied: Part[] = [];
  private taken = 0;
  private readonly amount: number;
  private readonly rules: ExampleRules;
  /** Exclusive parts that keep their places in the limits until it is their turn. */
  private readonly kept: Set<Part>;

  constructor(amount: number, rules: ExampleRules, kept: readonly Part[] = []) {
    this.amount = amount;
    this.rules = rules;
    this.kept = new Set(kept);
  }

  skip(part: Part, reason: Reason): void {
    this.outcomes.push({ part, off: 0, reason });
  }

  apply(part: Part): void {
    this.kept.delete(part);
    const rest = this.amount - this.taken;
    const base = isOfInitial(part, this.rules) ? this.amount : rest;
    const wanted = part.kind === 'percent' ? Math.round((base * part.value) / 100) : part.value;
    const off = Math.min(wanted, rest);
    const reason = this.findReason(part, off);
    if (reason) {
      this.skip(part, reason);
      return;
    }
    this.taken += off;
    this.applied.push(part);
    this.outcomes.push({ part, off });
  }

  private findReason(part: Part, off: number): Reason | undefined {
    if (part.isRefused) return 'refused';
    if (off === 0 && isSkippedWithoutEffect(part, this.rules)) return 'noEffect';
    const isExclusive = groupOf(part, this.rules) === 'EXCLUSIVE';
    return findLimit(part, isExclusive ? this.applied : [...this.kept, ...this.applied], this.rules);
  }
}

function sortParts(parts: readonly Part[], rules: ExampleRules, hierarchyOf: (category: string) => number): Part[] {
  const isByHierarchy = rules.redeemables_sorting_rule === 'CATEGORY_HIERARCHY';
  const sorted = isByHierarchy
    ? parts.toSorted((one, other) => hierarchyOf(one.category) - hierarchyOf(other.category))
    : [...parts];
  const isOf = (group: Group) => (part: Part) => groupOf(part, rules) === group;
  if (rules.grouped_redeemables_sorting_rule === null || !sorted.some(isOf('EXCLUSIVE'))) return sorted;
  return [...sorted.filter((part) => !isOf('JOINT')(part)), ...sorted.filter(isOf('JOINT'))];
}

interface Example {
  readonly amount: number;
  readonly parts: readonly Part[];
  /** Returns the rank of a category. A lower one is applied earlier. */
  readonly hierarchyOf: (category: string) => number;
}

/** Returns the outcome of each part, in the order of application. */
export function calculateExample({ amount, parts, hierarchyOf }: Example, rules: ExampleRules): PartOutcome[] {
  const sorted = sortParts(parts, rules, hierarchyOf);
  const isCommon = (part: Part) => groupOf(part, rules) === 'COMMON';
  const isExclusive = (part: Part) => groupOf(part, rules) === 'EXCLUSIVE';
  const decidesFirst = rules.payments_application === 'LAST';
  const ahead = new Walk(amount, rules);
  for (const part of sorted) if (decidesFirst ? isExclusive(part) : !isCommon(part)) ahead.apply(part);
  const exclusive = ahead.applied.filter(isExclusive);
  const isCommonOut = exclusive.length > 0;
  const walk = new Walk(amount, rules, decidesFirst ? exclusive : []);
  for (const part of sorted) {
    const hasFailed = walk.outcomes.some(({ reason }) => reason === 'refused');
    if (hasFailed && rules.redeemables_application_mode === 'ALL') walk.skip(part, 'preceding');
    else if (isCommonOut && isCommon(part)) walk.skip(part, 'exclusion');
    else walk.apply(part);
  }
  return walk.outcomes;
}
