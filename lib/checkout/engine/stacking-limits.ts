import type { StackingCategory } from './redeemable.ts';
import { findGroup, type StackingGroup, type StackingRules } from './stacking-rules.ts';

/** The reason why a usable redeemable is left out. */
export type SkipKey =
  | 'exclusion_rules_not_met'
  | 'applicable_redeemables_limit_exceeded'
  | 'applicable_redeemables_per_category_limit_exceeded'
  | 'applicable_exclusive_redeemables_limit_exceeded'
  | 'applicable_exclusive_redeemables_per_category_limit_exceeded'
  | 'preceding_validation_failed'
  | 'no_effect';

interface Categorised {
  readonly category?: StackingCategory | undefined;
}

/** Counts applied redeemables against their limits. */
export class StackingLimits {
  private readonly rules: StackingRules;
  private readonly categories: (StackingCategory | undefined)[] = [];
  private readonly groups: StackingGroup[] = [];

  constructor(rules: StackingRules) {
    this.rules = rules;
  }

  has(group: StackingGroup): boolean {
    return this.groups.includes(group);
  }

  add(one: Categorised): void {
    this.categories.push(one.category);
    this.groups.push(findGroup(one, this.rules));
  }

  /** Returns why a redeemable cannot join the applied ones. */
  refuses(one: Categorised): SkipKey | undefined {
    const { rules } = this;
    const group = findGroup(one, rules);
    const isExclusive = group === 'EXCLUSIVE';
    if (isExclusive ? this.has('COMMON') : group === 'COMMON' && this.has('EXCLUSIVE'))
      return 'exclusion_rules_not_met';
    if (this.groups.length >= rules.applicable_redeemables_limit) return 'applicable_redeemables_limit_exceeded';
    const exclusive = this.groups.filter((applied) => applied === 'EXCLUSIVE').length;
    if (isExclusive && exclusive >= rules.applicable_exclusive_redeemables_limit) {
      return 'applicable_exclusive_redeemables_limit_exceeded';
    }
    return one.category && this.refusesCategory(one.category, isExclusive);
  }

  private refusesCategory({ id, isOfStack }: StackingCategory, isExclusive: boolean): SkipKey | undefined {
    const { rules } = this;
    const same = this.categories.filter((category) => category?.id === id);
    const byStack = same.filter((category) => category?.isOfStack).length;
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
