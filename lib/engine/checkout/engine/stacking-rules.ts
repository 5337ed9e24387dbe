import type { CalculationMode } from './item-discount.ts';
import type { Redeemable, StackingCategory } from './redeemable.ts';

/** Decides which redeemables an order can combine. Categories are named by id. */
export interface StackingRules {
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
  /** `null` sorts exclusive and joint redeemables as one group. */
  readonly grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST' | null;
  readonly redeemables_products_application_mode: 'STACK' | 'ONCE';
  readonly redeemables_no_effect_rule: 'REDEEM_ANYWAY' | 'SKIP';
  readonly no_effect_skip_categories: readonly string[];
  readonly no_effect_redeem_anyway_categories: readonly string[];
  readonly discount_calculation_mode: CalculationMode;
  readonly initial_amount_mode_categories: readonly string[];
  readonly discounted_amount_mode_categories: readonly string[];
  readonly redeemables_rollback_order_mode: 'WITH_ORDER' | 'WITHOUT_ORDER';
  /** LAST applies credits and points after all discounts of the request. */
  readonly payments_application: 'REQUESTED' | 'LAST';
}

export const defaultStackingRules: StackingRules = {
  redeemables_limit: 30,
  applicable_redeemables_limit: 5,
  applicable_redeemables_per_category_limit: 1,
  applicable_redeemables_category_limits: {},
  applicable_exclusive_redeemables_limit: 1,
  applicable_exclusive_redeemables_per_category_limit: 1,
  exclusive_categories: [],
  joint_categories: [],
  redeemables_application_mode: 'ALL',
  redeemables_sorting_rule: 'REQUESTED_ORDER',
  grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST',
  redeemables_products_application_mode: 'STACK',
  redeemables_no_effect_rule: 'REDEEM_ANYWAY',
  no_effect_skip_categories: [],
  no_effect_redeem_anyway_categories: [],
  discount_calculation_mode: 'DISCOUNTED_AMOUNT',
  initial_amount_mode_categories: [],
  discounted_amount_mode_categories: [],
  redeemables_rollback_order_mode: 'WITH_ORDER',
  payments_application: 'REQUESTED',
};

/** EXCLUSIVE excludes COMMON, and JOINT combines with both. A redeemable without a category is COMMON. */
type StackingGroup = 'COMMON' | 'JOINT' | 'EXCLUSIVE';

interface Categorised {
  readonly category?: StackingCategory | undefined;
}

function isIn(categories: readonly string[], { category }: Categorised): boolean {
  return category !== undefined && categories.includes(category.id);
}

export function findGroup(one: Categorised, rules: StackingRules): StackingGroup {
  if (isIn(rules.exclusive_categories, one)) return 'EXCLUSIVE';
  return isIn(rules.joint_categories, one) ? 'JOINT' : 'COMMON';
}

export function chooseCalculationMode(one: Categorised, rules: StackingRules): CalculationMode {
  if (isIn(rules.initial_amount_mode_categories, one)) return 'INITIAL_AMOUNT';
  if (isIn(rules.discounted_amount_mode_categories, one)) return 'DISCOUNTED_AMOUNT';
  return rules.discount_calculation_mode;
}

/** Returns whether a redeemable without effect is left out. */
export function isSkippedWithoutEffect(one: Categorised, rules: StackingRules): boolean {
  if (isIn(rules.no_effect_skip_categories, one)) return true;
  if (isIn(rules.no_effect_redeem_anyway_categories, one)) return false;
  return rules.redeemables_no_effect_rule === 'SKIP';
}

const defaultHierarchy = 1;

/** Returns whether a redeemable pays the order by credits or points. */
export function isPayment({ benefit }: Pick<Redeemable, 'benefit'>): boolean {
  return benefit.kind === 'gift' || benefit.kind === 'points';
}

/** Returns whether exclusive redeemables keep their places in the limits against joint redeemables. */
export const decidesFirst = (rules: StackingRules) => rules.payments_application === 'LAST';

/** Sorts by the order of application. Ties keep the order of the request. */
export function sortByApplication<R extends Redeemable>(redeemables: readonly R[], rules: StackingRules): R[] {
  const sorted = sortByGroup(redeemables, rules);
  if (rules.payments_application === 'REQUESTED') return sorted;
  return [...sorted.filter((one) => !isPayment(one)), ...sorted.filter(isPayment)];
}

function sortByGroup<R extends Categorised>(redeemables: readonly R[], rules: StackingRules): R[] {
  const hierarchy = ({ category }: Categorised) => category?.hierarchy ?? defaultHierarchy;
  const isByHierarchy = rules.redeemables_sorting_rule === 'CATEGORY_HIERARCHY';
  const sorted = isByHierarchy ? redeemables.toSorted((one, other) => hierarchy(one) - hierarchy(other)) : redeemables;
  const of = (group: StackingGroup) => (one: R) => findGroup(one, rules) === group;
  if (rules.grouped_redeemables_sorting_rule === null || !sorted.some(of('EXCLUSIVE'))) return [...sorted];
  return [...sorted.filter((one) => !of('JOINT')(one)), ...sorted.filter(of('JOINT'))];
}

/** The reason why a usable redeemable is left out. */
export type SkipKey =
  | 'exclusion_rules_not_met'
  | 'applicable_redeemables_limit_exceeded'
  | 'applicable_redeemables_per_category_limit_exceeded'
  | 'applicable_exclusive_redeemables_limit_exceeded'
  | 'applicable_exclusive_redeemables_per_category_limit_exceeded'
  | 'preceding_validation_failed'
  | 'no_effect';

/**
 * Counts applied redeemables against their limits. The exclusive redeemables in `kept` have their places from the
 * start, against joint redeemables.
 */
export class StackingLimits {
  private readonly rules: StackingRules;
  private readonly applied: Categorised[] = [];
  private readonly kept: Set<Categorised>;

  constructor(rules: StackingRules, kept: readonly Categorised[] = []) {
    this.rules = rules;
    this.kept = new Set(kept);
  }

  add(one: Categorised): void {
    this.applied.push(one);
  }

  /** Frees the place that was kept for a redeemable. */
  free(one: Categorised): void {
    this.kept.delete(one);
  }

  /** Returns the reason why a redeemable cannot join the applied redeemables. */
  refuses(one: Categorised): SkipKey | undefined {
    const { rules } = this;
    const group = findGroup(one, rules);
    const isExclusive = group === 'EXCLUSIVE';
    const counted = isExclusive ? this.applied : [...this.kept, ...this.applied];
    const count = (of: StackingGroup) => counted.filter((other) => findGroup(other, rules) === of).length;
    const exclusive = count('EXCLUSIVE');
    if (isExclusive ? count('COMMON') > 0 : group === 'COMMON' && exclusive > 0) return 'exclusion_rules_not_met';
    if (counted.length >= rules.applicable_redeemables_limit) return 'applicable_redeemables_limit_exceeded';
    if (isExclusive && exclusive >= rules.applicable_exclusive_redeemables_limit) {
      return 'applicable_exclusive_redeemables_limit_exceeded';
    }
    return one.category && this.refusesCategory(one.category, counted, isExclusive);
  }

  private refusesCategory(
    { id, isOfStack }: StackingCategory,
    counted: readonly Categorised[],
    isExclusive: boolean,
  ): SkipKey | undefined {
    const { rules } = this;
    const same = counted.filter(({ category }) => category?.id === id);
    const byStack = same.filter(({ category }) => category?.isOfStack).length;
    if (isOfStack && byStack > 0) return undefined;
    const applied = same.length - Math.max(0, byStack - 1);
    const own = Object.hasOwn(rules.applicable_redeemables_category_limits, id)
      ? rules.applicable_redeemables_category_limits[id]
      : undefined;
    const general = isExclusive
      ? rules.applicable_exclusive_redeemables_per_category_limit
      : rules.applicable_redeemables_per_category_limit;
    if (applied < (own ?? general ?? Number.POSITIVE_INFINITY)) return undefined;
    return isExclusive && own === undefined
      ? 'applicable_exclusive_redeemables_per_category_limit_exceeded'
      : 'applicable_redeemables_per_category_limit_exceeded';
  }
}
