import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Checkout } from '#engine/checkout/engine/checkout.ts';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import { defaultStackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { discount, money, optional, order, redeemable, rules, scope } from '../../../../support/arbitrary-carts.ts';
import { checkedOut, coupon, everything } from '../../../../support/checkout.ts';
import { expectFigures, sum } from '../../../../support/order-figures.ts';

/** Properties of any order with any redeemables. */

const numRuns = process.env.LONG_TESTS ? 10_000 : 300;

const stacks = fc.tuple(order, fc.array(redeemable, { minLength: 1, maxLength: 5 }), rules);

function expectSums({ considered, order: whole }: Checkout<Redeemable>): void {
  const applied = considered.flatMap(({ outcome }) => (outcome.status === 'APPLICABLE' ? [outcome.order] : []));
  // Cheaper units may leave an order that costs less than was taken off it.
  const excess = whole.excess_applied_discount_amount ?? 0;
  const all = (whole.total_applied_discount_amount ?? 0) + excess;
  expect(all).toBe(sum(applied.map((one) => one.total_applied_discount_amount)));
  const ofOrder = (whole.applied_discount_amount ?? 0) + excess;
  expect(ofOrder).toBe(sum(applied.map((one) => one.applied_discount_amount)));
  if (excess > 0) expect(whole.total_amount).toBe(0);
}

const isForItems = ({ type, effect }: Discount) => type !== 'UNIT' && effect?.startsWith('APPLY_TO_ITEMS') === true;

const options = { numRuns, seed: 20_261_122 };

describe('any redeemables on any order', () => {
  test('give figures that add up, and none is below 0 or above its total', () => {
    fc.assert(
      fc.property(stacks, ([cart, redeemables, stackingRules]) => {
        const result = checkedOut(cart, redeemables, { rules: stackingRules });
        expectFigures(result.order);
        expectSums(result);
        for (const { outcome } of result.considered) if (outcome.status === 'APPLICABLE') expectFigures(outcome.order);
        expect(result.considered).toHaveLength(redeemables.length);
      }),
      options,
    );
  });

  test('give the same result again', () => {
    fc.assert(
      fc.property(stacks, ([cart, redeemables, stackingRules]) => {
        const before = structuredClone(cart);
        const one = checkedOut(cart, redeemables, { rules: stackingRules });
        expect(checkedOut(cart, redeemables, { rules: stackingRules })).toEqual(one);
        expect(cart).toEqual(before);
      }),
      options,
    );
  });

  test('with a discount on items are never refused for the shape of the cart', () => {
    const onItems = fc.tuple(fc.option(order, { nil: undefined }), discount.filter(isForItems), scope);
    fc.assert(
      fc.property(onItems, ([cart, one, itsScope]) => {
        const beside = coupon({ type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' });
        const { considered, isValid } = checkedOut(cart, [coupon(one, itsScope), beside]);
        expect(considered.map(({ outcome }) => outcome.status)).toEqual(['APPLICABLE', 'APPLICABLE']);
        expect(isValid).toBe(true);
      }),
      options,
    );
  });

  test('charge credits and points only as far as they exist', () => {
    fc.assert(
      fc.property(stacks, ([cart, redeemables, stackingRules]) => {
        for (const { outcome, redeemable: one } of checkedOut(cart, redeemables, { rules: stackingRules }).considered) {
          if (outcome.status !== 'APPLICABLE') continue;
          const { gift, loyalty_card } = outcome.result;
          const { benefit: used } = one;
          if (used.kind === 'gift') {
            expect(gift?.credits).toBeLessThanOrEqual(used.gift.balance);
            expect(gift?.credits).toBe(outcome.order.total_applied_discount_amount ?? 0);
          }
          if (used.kind !== 'points') continue;
          expect(loyalty_card?.points).toBeLessThanOrEqual(used.points.points ?? used.points.balance);
          const isForNothing = outcome.order.total_applied_discount_amount === 0;
          if (isForNothing && outcome.order.total_amount === 0) expect(loyalty_card?.points).toBe(0);
        }
      }),
      options,
    );
  });
});

/** None of these depends on what the others did. */
const independent: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({
    type: fc.constant('AMOUNT' as const),
    amount_off: money,
    effect: fc.constant('APPLY_TO_ORDER' as const),
  }),
  fc.record({
    type: fc.constant('PERCENT' as const),
    percent_off: fc.nat(100),
    amount_limit: optional(money),
    effect: fc.constant('APPLY_TO_ORDER' as const),
  }),
);

test('amounts and percentages of the initial amount give the same total in any order', () => {
  const independentStacks = fc
    .tuple(order, fc.array(independent, { minLength: 2, maxLength: 5 }))
    .chain(([cart, discounts]) =>
      fc.tuple(
        fc.constant(cart),
        fc.constant(discounts),
        fc.shuffledSubarray(discounts, { minLength: discounts.length }),
      ),
    );
  fc.assert(
    fc.property(independentStacks, ([cart, discounts, shuffled]) => {
      const initial = { ...defaultStackingRules, discount_calculation_mode: 'INITIAL_AMOUNT' as const };
      const total = (all: readonly Discount[]) => {
        const redeemables = all.map(
          (one): Redeemable => ({
            benefit: { kind: 'discount', discount: one },
            scope: everything,
          }),
        );
        const { amount, total_amount, total_discount_amount } = checkedOut(cart, redeemables, { rules: initial }).order;
        return { amount, total_amount, total_discount_amount };
      };
      expect(total(shuffled)).toEqual(total(discounts));
    }),
    options,
  );
});

test('the hierarchy decides, and the order in which redeemables are sent makes no difference', () => {
  const byHierarchy = fc
    .tuple(order, fc.array(redeemable, { minLength: 2, maxLength: 5 }), rules)
    .map(([cart, all, some]) => {
      const ranked = all.map(
        (one, rank): Redeemable => ({ ...one, category: { id: one.category?.id ?? `cat_${rank}`, hierarchy: rank } }),
      );
      return { cart, ranked, some: { ...some, redeemables_sorting_rule: 'CATEGORY_HIERARCHY' as const } };
    })
    .chain(({ ranked, ...rest }) =>
      fc.record({
        ranked: fc.constant(ranked),
        shuffled: fc.shuffledSubarray(ranked, { minLength: ranked.length }),
        rest: fc.constant(rest),
      }),
    );
  fc.assert(
    fc.property(byHierarchy, ({ ranked, shuffled, rest: { cart, some } }) => {
      expect(checkedOut(cart, shuffled, { rules: some })).toEqual(checkedOut(cart, ranked, { rules: some }));
    }),
    options,
  );
});
