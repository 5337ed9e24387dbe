import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Checkout } from '../../../lib/checkout/checkout.ts';
import type { Redeemable } from '../../../lib/checkout/redeemable.ts';
import type { Scope, ScopeEntry } from '../../../lib/checkout/scope.ts';
import type { ShownOrder } from '../../../lib/checkout/show-order.ts';
import { defaultStackingRules, type StackingRules } from '../../../lib/checkout/stacking-rules.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Discount } from '../../../lib/terms/discount.ts';
import { bundleOf, checkedOut, entry, everything, orderOf, ruled, type TestLine } from '../../support/checkout.ts';

/** What holds of any order, whatever is applied to it. */

const numRuns = process.env.LONG_TESTS ? 10_000 : 300;

const max = Number.MAX_SAFE_INTEGER;
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const rarely = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });
const small = fc.noBias(fc.nat(12));
const money = fc.oneof(
  { weight: 12, arbitrary: fc.noBias(fc.nat(5_000)) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, max, Math.floor(max / 3)) },
);
const ids = ['prod_tea', 'prod_mug', 'prod_cake', 'sku_tin', 'sku_bag'];

const line: fc.Arbitrary<TestLine> = fc.record(
  {
    product_id: fc.constantFrom('prod_tea', 'prod_mug', 'prod_cake'),
    sku_id: optional(fc.constantFrom('sku_tin', 'sku_bag')),
    quantity: fc.oneof({ weight: 20, arbitrary: small }, fc.constantFrom(0, max)),
    price: optional(money),
    amount: rarely(money),
    discount_amount: rarely(money),
    initial_quantity: optional(small),
    discount_quantity: optional(small),
    metadata: fc.record({ worth: fc.oneof(small, fc.string()) }),
    collections: fc.subarray(['pc_1', 'pc_2']),
  },
  { requiredKeys: ['product_id'] },
);

const sentFigures = fc.record({ amount: rarely(money), discount_amount: rarely(money) }, { requiredKeys: [] });

/** As far as it can be counted. */
const order = fc.tuple(fc.array(line, { maxLength: 6, size: 'max' }), sentFigures).map(([items, sent]) => {
  try {
    return orderOf(items, sent);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
});

const formula = rarely(
  fc.constantFrom(
    'ORDER_AMOUNT / 10',
    'ORDER_ITEM_PRICE * 0.333',
    'MIN(ORDER_ITEM_METADATA("worth"); 3)',
    'CHEAPEST_ORDER_ITEM_SUBTOTAL - 100',
    'POW(10; 20)',
    '1 / 0',
    '((',
  ),
);

const amountEffects = [
  'APPLY_TO_ORDER',
  'APPLY_TO_ITEMS',
  'APPLY_TO_ITEMS_PROPORTIONALLY',
  'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
  'APPLY_TO_ITEMS_BY_QUANTITY',
] as const;
const unitEffects = ['ADD_MISSING_ITEMS', 'ADD_NEW_ITEMS', 'ADD_SAME_ITEMS', 'REPLACE_ITEMS'] as const;
const effect = optional(fc.constantFrom(...amountEffects, ...unitEffects, 'ADD_MANY_ITEMS' as const));

const unit = {
  unit_off: optional(fc.oneof({ weight: 9, arbitrary: small }, fc.constant(max))),
  unit_off_formula: formula,
  unit_type: fc.constantFrom(...ids, 'prod_post', 'prod_new'),
  effect,
};

const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({
    type: fc.constant('AMOUNT' as const),
    amount_off: money,
    amount_off_formula: formula,
    aggregated_amount_limit: optional(money),
    effect,
  }),
  fc.record({
    type: fc.constant('PERCENT' as const),
    percent_off: fc.oneof(fc.nat(100), fc.double({ min: 0, max: 100, noNaN: true })),
    percent_off_formula: formula,
    amount_limit: optional(money),
    aggregated_amount_limit: optional(money),
    effect,
  }),
  fc.record({ type: fc.constant('FIXED' as const), fixed_amount: money, fixed_amount_formula: formula, effect }),
  fc.record({
    type: fc.constant('UNIT' as const),
    ...unit,
    units: optional(fc.array(fc.record(unit), { maxLength: 3 })),
  }),
);

const scopeEntry: fc.Arbitrary<ScopeEntry> = fc
  .tuple(
    fc.constantFrom(...ids, 'pc_1', 'pc_2', 'pc_a11pr0dUc75'),
    fc.record(
      {
        effect: fc.constantFrom(
          'APPLY_TO_EVERY' as const,
          'APPLY_TO_CHEAPEST' as const,
          'APPLY_FROM_CHEAPEST' as const,
          'APPLY_TO_MOST_EXPENSIVE' as const,
          'APPLY_FROM_MOST_EXPENSIVE' as const,
        ),
        price: money,
        price_formula: formula,
        quantity_limit: small,
        aggregated_quantity_limit: small,
        amount_limit: money,
        aggregated_amount_limit: money,
        skip_initially: small,
        repeat: small,
        target: fc.constantFrom('ITEM' as const, 'UNIT' as const),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([id, how]) => entry(id, how));

const scope: fc.Arbitrary<Scope> = fc
  .tuple(fc.array(scopeEntry, { maxLength: 3 }), fc.array(scopeEntry, { maxLength: 1 }), fc.boolean())
  .map(([included, excluded, isForAll]) => ruled(included, excluded, isForAll));

const balance = fc.noBias(fc.nat(20_000));
const benefit: fc.Arbitrary<Redeemable['benefit']> = fc.oneof(
  { weight: 6, arbitrary: discount.map((one) => ({ kind: 'discount' as const, discount: one })) },
  fc
    .record({
      balance,
      credits: rarely(money),
      effect: optional(fc.constantFrom('APPLY_TO_ORDER' as const, 'APPLY_TO_ITEMS' as const)),
    })
    .map((gift) => ({ kind: 'gift' as const, gift })),
  fc
    .record({
      balance,
      points: rarely(money),
      points_ratio: fc.integer({ min: 1, max: 100 }),
      exchange_ratio: fc.constantFrom(0, 0.01, 1, 1.5),
    })
    .map((points) => ({ kind: 'points' as const, points })),
  fc.record({ balance, points: fc.nat(2_000) }).map((reward) => ({ kind: 'reward' as const, reward })),
);

const part = fc.record({
  any_of: fc.array(
    fc.constantFrom(...ids, 'pc_1').map((id) => entry(id)),
    { minLength: 1, maxLength: 2 },
  ),
  quantity: fc.integer({ min: 1, max: 4 }),
});
const bundles = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.array(part, { minLength: 1, maxLength: 3 }))
  .map(([limit, parts]) => bundleOf(limit, ...parts));

const redeemable: fc.Arbitrary<Redeemable> = fc.record({
  benefit,
  scope,
  bundles: rarely(bundles),
  category: optional(fc.record({ id: fc.constantFrom('cat_a', 'cat_b', 'cat_c'), hierarchy: optional(fc.nat(3)) })),
});

const rules: fc.Arbitrary<StackingRules> = fc
  .record({
    applicable_redeemables_limit: fc.integer({ min: 1, max: 5 }),
    applicable_redeemables_per_category_limit: fc.constantFrom(1, 2, null),
    exclusive_categories: fc.subarray(['cat_a']),
    joint_categories: fc.subarray(['cat_b']),
    redeemables_application_mode: fc.constantFrom('ALL' as const, 'PARTIAL' as const, 'PARTIAL' as const),
    redeemables_sorting_rule: fc.constantFrom('REQUESTED_ORDER' as const, 'CATEGORY_HIERARCHY' as const),
    redeemables_products_application_mode: fc.constantFrom('STACK' as const, 'ONCE' as const),
    redeemables_no_effect_rule: fc.constantFrom('REDEEM_ANYWAY' as const, 'SKIP' as const),
    discount_calculation_mode: fc.constantFrom('DISCOUNTED_AMOUNT' as const, 'INITIAL_AMOUNT' as const),
  })
  .map((some) => ({ ...defaultStackingRules, ...some }));

const stacks = fc.tuple(order, fc.array(redeemable, { minLength: 1, maxLength: 5 }), rules);

const sum = (all: readonly (number | undefined)[]) => all.reduce<number>((total, one) => total + (one ?? 0), 0);

/** Units that are replaced by cheaper ones lose what was taken off them beyond that, in the same request too. */
function replaces({ benefit }: Redeemable): boolean {
  if (benefit.kind !== 'discount' || benefit.discount.type !== 'UNIT') return false;
  const { effect, units = [] } = benefit.discount;
  return [effect, ...units.map((one) => one.effect)].includes('REPLACE_ITEMS');
}

function expectFigures(shown: ShownOrder, { hasReplaced = false } = {}): void {
  const { items, amount, ...figures } = shown;
  const { discount_amount, items_discount_amount, total_discount_amount = 0, total_amount } = figures;
  if (amount === undefined) {
    expect(figures).toEqual({});
    return;
  }
  expect(total_amount).toBe(amount - total_discount_amount);
  expect(total_discount_amount).toBe(sum([discount_amount, items_discount_amount]));
  expect(items_discount_amount ?? 0).toBe(sum(items.map((item) => item.discount_amount)));
  expect(figures.items_applied_discount_amount ?? 0).toBe(sum(items.map((item) => item.applied_discount_amount)));
  expect(figures.total_applied_discount_amount ?? 0).toBe(
    sum([figures.applied_discount_amount, figures.items_applied_discount_amount]),
  );
  if (!hasReplaced) expect(figures.total_applied_discount_amount ?? 0).toBeLessThanOrEqual(total_discount_amount);
  for (const item of items) {
    if (item.amount === undefined) continue;
    expect(item.subtotal_amount).toBe(item.amount - (item.discount_amount ?? 0));
  }
  const { application_details: _, ...counts } = Object.assign(
    {},
    ...items.filter(({ applied_quantity = 0 }) => applied_quantity >= 0),
  );
  const all = [
    amount,
    ...Object.values(figures),
    ...items.flatMap((item) => [
      item.amount,
      item.discount_amount,
      item.subtotal_amount,
      item.quantity,
      item.discount_quantity,
      item.applied_discount_amount,
    ]),
  ];
  for (const figure of [...all, counts.applied_quantity]) {
    if (figure !== undefined) expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true);
  }
}

function expectSums({ considered, order: whole }: Checkout<Redeemable>): void {
  const applied = considered.flatMap(({ outcome }) => (outcome.status === 'APPLICABLE' ? [outcome.order] : []));
  expect(whole.total_applied_discount_amount ?? 0).toBe(sum(applied.map((one) => one.total_applied_discount_amount)));
  expect(whole.applied_discount_amount ?? 0).toBe(sum(applied.map((one) => one.applied_discount_amount)));
}

const options = { numRuns, seed: 20_261_122 };

describe('whatever is applied to whatever order', () => {
  test('all figures add up, and none is below 0 or above what it is of', () => {
    fc.assert(
      fc.property(stacks, ([cart, redeemables, stackingRules]) => {
        const result = checkedOut(cart, redeemables, { rules: stackingRules });
        const hasReplaced = redeemables.some(replaces);
        expectFigures(result.order, { hasReplaced });
        expectSums(result);
        for (const { outcome } of result.considered)
          if (outcome.status === 'APPLICABLE') expectFigures(outcome.order, { hasReplaced });
        expect(result.considered).toHaveLength(redeemables.length);
      }),
      options,
    );
  });

  test('the same comes of the same', () => {
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

  test('credits and points are charged as far as they are there', () => {
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
          if (used.kind === 'points') expect(loyalty_card?.points).toBeLessThanOrEqual(used.points.balance);
        }
      }),
      options,
    );
  });
});

/** Of which none looks at what the others did. */
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

test('amounts and percents of the initial amount come to the same total in any order', () => {
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

test('by hierarchy it makes no difference in which order they are sent', () => {
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
