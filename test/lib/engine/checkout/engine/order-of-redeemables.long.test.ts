import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Checkout } from '#engine/checkout/engine/checkout.ts';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import type { StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { money, order, redeemable, rules } from '../../../../support/arbitrary-carts.ts';
import { checkedOut, coupon, entry, included, orderOf, stacked } from '../../../../support/checkout.ts';

/** Cases in which the order of the sent redeemables makes no difference. stacking-sums.test.ts has the other cases. */

const options = { numRuns: process.env.LONG_TESTS ? 700 : 200, seed: 20_261_122 };

const some = fc.array(redeemable, { minLength: 1, maxLength: 4 });
const inCategory = (id: string) => (one: Redeemable) => ({ ...one, category: { id, hierarchy: 1 } });
const grouped = (all: StackingRules): StackingRules => ({
  ...all,
  exclusive_categories: ['cat_a'],
  joint_categories: ['cat_b'],
  redeemables_sorting_rule: 'REQUESTED_ORDER',
});

/** Draws a mix of both lists. Each list keeps its own order. */
function interleaved<T>(one: readonly T[], other: readonly T[]): fc.Arbitrary<T[]> {
  return fc
    .array(fc.boolean(), { minLength: one.length + other.length, maxLength: one.length + other.length })
    .map((turns) => {
      const [left, right] = [[...one], [...other]];
      return turns.flatMap(
        (isLeft) => (isLeft ? (left.shift() ?? right.shift()) : (right.shift() ?? left.shift())) ?? [],
      );
    });
}

const used = ({ considered }: Checkout<Redeemable>) =>
  considered.flatMap(({ redeemable: one, outcome }) => (outcome.status === 'APPLICABLE' ? [{ one, outcome }] : []));

describe('the result does not depend on', () => {
  test('the mix of exclusive and joint redeemables: each group keeps its order, and joint ones come last', () => {
    const mixed = fc.tuple(some, some).chain(([exclusive, joint]) => {
      const groups = [exclusive.map(inCategory('cat_a')), joint.map(inCategory('cat_b'))] as const;
      return fc.tuple(fc.constant(groups), interleaved<Redeemable>(...groups));
    });
    fc.assert(
      fc.property(order, mixed, rules, (cart, [groups, sent], all) => {
        const found = checkedOut(cart, sent, { rules: grouped(all) });
        expect(found).toEqual(checkedOut(cart, groups.flat(), { rules: grouped(all) }));
      }),
      options,
    );
  });

  test('the places or the presence of common redeemables, once an exclusive one is used', () => {
    const mixed = fc
      .tuple(some, some)
      .chain(([exclusive, common]) =>
        fc.tuple(
          fc.constant(exclusive.map(inCategory('cat_a'))),
          interleaved<Redeemable>(exclusive.map(inCategory('cat_a')), common.map(inCategory('cat_c'))),
        ),
      );
    fc.assert(
      fc.property(order, mixed, rules, (cart, [exclusive, sent], all) => {
        const alone = checkedOut(cart, exclusive, { rules: grouped(all) });
        fc.pre(used(alone).length > 0 && alone.isValid);
        const found = checkedOut(cart, sent, { rules: grouped(all) });
        expect([found.order, used(found)]).toEqual([alone.order, used(alone)]);
      }),
      options,
    );
  });

  test('the places or the presence of redeemables that are left out or cannot be used', () => {
    fc.assert(
      fc.property(order, fc.array(redeemable, { minLength: 2, maxLength: 6 }), rules, (cart, sent, all) => {
        const withRules = { rules: { ...all, redeemables_application_mode: 'PARTIAL' as const } };
        const found = checkedOut(cart, sent, withRules);
        // The presence of an exclusive redeemable moves joint ones to the end.
        const kept = new Set(used(found).map(({ one }) => one));
        const others = sent.filter((one) => kept.has(one) || all.exclusive_categories.includes(one.category?.id ?? ''));
        const fewer = checkedOut(cart, others, withRules);
        expect([fewer.order, used(fewer)]).toEqual([found.order, used(found)]);
      }),
      options,
    );
  });

  test('the order of redeemables for lines of different products', () => {
    const products = ['prod_tea', 'prod_mug', 'prod_cake'] as const;
    const lines = fc.array(
      fc.record({
        product_id: fc.constantFrom(...products),
        quantity: fc.integer({ min: 1, max: 9 }),
        price: fc.nat(5_000),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const onLines: fc.Arbitrary<Discount> = fc.oneof(
      fc.record({
        type: fc.constant('AMOUNT' as const),
        amount_off: fc.nat(6_000),
        effect: fc.constantFrom(
          'APPLY_TO_ITEMS' as const,
          'APPLY_TO_ITEMS_BY_QUANTITY' as const,
          'APPLY_TO_ITEMS_PROPORTIONALLY' as const,
          'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY' as const,
        ),
      }),
      fc.record({
        type: fc.constant('PERCENT' as const),
        percent_off: fc.nat(100),
        aggregated_amount_limit: fc.option(money, { nil: undefined }),
        effect: fc.constant('APPLY_TO_ITEMS' as const),
      }),
      fc.record({
        type: fc.constant('FIXED' as const),
        fixed_amount: fc.nat(5_000),
        effect: fc.constant('APPLY_TO_ITEMS' as const),
      }),
    );
    const ofProducts = fc
      .tuple(onLines, onLines, onLines)
      .map((all) => products.map((product, place) => coupon(all[place] ?? all[0], included(entry(product)))));
    const sent = ofProducts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(lines, sent, rules, (items, [one, other], all) => {
        const { redeemables_products_application_mode, discount_calculation_mode } = all;
        const withRules = { rules: { ...stacked, redeemables_products_application_mode, discount_calculation_mode } };
        expect(checkedOut(orderOf(items), other, withRules).order).toEqual(
          checkedOut(orderOf(items), one, withRules).order,
        );
      }),
      options,
    );
  });

  test('the order of percentages of the rest, except by rounding', () => {
    const percents = fc
      .array(fc.nat(100), { minLength: 2, maxLength: 5 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(fc.nat(1_000_000), percents, (amount, [one, other]) => {
        const total = (all: readonly number[]) => {
          const redeemables = all.map((percent_off) =>
            coupon({ type: 'PERCENT', percent_off, effect: 'APPLY_TO_ORDER' }),
          );
          return checkedOut(orderOf([], { amount }), redeemables).order.total_amount ?? 0;
        };
        // Each rounding is off by half a unit at most.
        expect(Math.abs(total(one) - total(other))).toBeLessThanOrEqual(one.length);
      }),
      options,
    );
  });
});
