import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import { defaultStackingRules, type SkipKey, type StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import { calculateExample, type Part, type Reason } from '../../console/core/stacking.ts';
import { checkedOut, coupon, orderOf } from '../support/checkout.ts';
import * as discounts from '../support/discounts.ts';
import { isLong } from '../support/sampled.ts';

/** The console calculates its example itself. It must say what the engine of checkouts says. */

const ranks: Readonly<Record<string, number>> = { cat_a: 3, cat_b: 1, cat_c: 2 };
const categories = Object.keys(ranks);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    category: fc.constantFrom('', ...categories),
    kind: fc.constant('percent' as const),
    value: fc.nat(100),
    isRefused: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
  fc.record({
    category: fc.constantFrom('', ...categories),
    kind: fc.constant('amount' as const),
    value: fc.nat(6_000),
    isRefused: fc.constant(false),
  }),
);

const few = fc.integer({ min: 1, max: 4 });
const some = fc.subarray(categories);

const rules: fc.Arbitrary<StackingRules> = fc
  .record(
    {
      applicable_redeemables_limit: fc.integer({ min: 1, max: 8 }),
      applicable_redeemables_per_category_limit: fc.option(few),
      applicable_redeemables_category_limits: fc.dictionary(fc.constantFrom(...categories), few),
      applicable_exclusive_redeemables_limit: few,
      applicable_exclusive_redeemables_per_category_limit: fc.option(few),
      exclusive_categories: some,
      joint_categories: some,
      redeemables_application_mode: fc.constantFrom('ALL' as const, 'PARTIAL' as const),
      redeemables_sorting_rule: fc.constantFrom('REQUESTED_ORDER' as const, 'CATEGORY_HIERARCHY' as const),
      grouped_redeemables_sorting_rule: fc.constantFrom('JOINT_ALWAYS_LAST' as const, null),
      redeemables_no_effect_rule: fc.constantFrom('REDEEM_ANYWAY' as const, 'SKIP' as const),
      no_effect_skip_categories: some,
      no_effect_redeem_anyway_categories: some,
      discount_calculation_mode: fc.constantFrom('INITIAL_AMOUNT' as const, 'DISCOUNTED_AMOUNT' as const),
      initial_amount_mode_categories: some,
      discounted_amount_mode_categories: some,
    },
    { requiredKeys: [] },
  )
  .map((drawn) => ({ ...defaultStackingRules, ...drawn }));

const reasons: Readonly<Record<SkipKey, Reason>> = {
  exclusion_rules_not_met: 'exclusion',
  applicable_redeemables_limit_exceeded: 'limit',
  applicable_redeemables_per_category_limit_exceeded: 'categoryLimit',
  applicable_exclusive_redeemables_limit_exceeded: 'exclusiveLimit',
  applicable_exclusive_redeemables_per_category_limit_exceeded: 'exclusiveCategoryLimit',
  preceding_validation_failed: 'preceding',
  no_effect: 'noEffect',
};

type Known = Redeemable & { readonly part: Part };

function redeemableOf(one: Part): Known {
  const { category, kind, value, isRefused } = one;
  const discount =
    kind === 'percent' ? discounts.percent(value, 'APPLY_TO_ORDER') : discounts.amount(value, 'APPLY_TO_ORDER');
  return {
    ...coupon(discount),
    part: one,
    category: category === '' ? undefined : { id: category, hierarchy: ranks[category] },
    ...(isRefused ? { check: () => ({ key: 'voucher_expired' as const }) } : {}),
  };
}

/** Asks the engine, and says its answer in the words of the example. */
function askEngine(amount: number, parts: readonly Part[], stackingRules: StackingRules) {
  const order = orderOf([{ product_id: 'prod_tea', quantity: 1, price: amount }]);
  const { considered } = checkedOut(order, parts.map(redeemableOf), { rules: stackingRules });
  return considered.map(({ redeemable, outcome }) => {
    if (outcome.status === 'APPLICABLE')
      return { part: redeemable.part, off: outcome.order.total_applied_discount_amount ?? 0 };
    const reason = outcome.status === 'SKIPPED' ? reasons[outcome.key] : 'refused';
    return { part: redeemable.part, off: 0, reason };
  });
}

test('the example of stacking rules says what a checkout does, for any rules and any codes', () => {
  const amounts = fc.integer({ min: 1, max: 12_345 });
  fc.assert(
    fc.property(amounts, fc.array(part, { minLength: 1, maxLength: 8 }), rules, (amount, parts, stackingRules) => {
      const example = { amount, parts, hierarchyOf: (id: string) => ranks[id] ?? 1 };
      expect(calculateExample(example, stackingRules)).toEqual(askEngine(amount, parts, stackingRules));
    }),
    { numRuns: isLong ? 2_000 : 200, seed: 20_261_127 },
  );
});
