import fc from 'fast-check';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import type { DiscountScope, ScopeEntry } from '#engine/checkout/engine/selection.ts';
import { defaultStackingRules, type StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { bundleOf, entry, orderOf, ruled, type TestLine } from './checkout.ts';

/** Draws carts, redeemables and stacking rules at random. */

const max = Number.MAX_SAFE_INTEGER;
export const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const rarely = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });
const small = fc.noBias(fc.nat(12));
export const money = fc.oneof(
  { weight: 12, arbitrary: fc.noBias(fc.nat(5_000)) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, max, Math.floor(max / 3)) },
);
const ids = ['prod_tea', 'prod_mug', 'prod_cake', 'sku_tin', 'sku_bag'];

export const collectionIds = ['pc_1', 'pc_2'] as const;

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
    collections: fc.subarray([...collectionIds]),
  },
  { requiredKeys: ['product_id'] },
);

const sentFigures = fc.record({ amount: rarely(money), discount_amount: rarely(money) }, { requiredKeys: [] });

export const sentOrder = fc.tuple(fc.array(line, { maxLength: 6, size: 'max' }), sentFigures);

/** Prepares the order. Returns undefined if the checkout refuses its figures. */
export const order = sentOrder.map(([items, sent]) => {
  try {
    return orderOf(items, sent);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
});

const smallLine: fc.Arbitrary<TestLine> = fc.record(
  {
    product_id: fc.constantFrom('prod_tea', 'prod_mug', 'prod_cake'),
    sku_id: optional(fc.constantFrom('sku_tin', 'sku_bag')),
    quantity: fc.integer({ min: 1, max: 5 }),
    price: optional(fc.noBias(fc.nat(2_000))),
  },
  { requiredKeys: ['product_id', 'quantity'] },
);

/** Draws an ordinary order: nothing was redeemed on it yet, and each line has units. */
export const smallOrder = fc.array(smallLine, { minLength: 1, maxLength: 4 }).map((lines) => orderOf(lines));

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

export const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({
    type: fc.constant('AMOUNT' as const),
    amount_off: money,
    amount_off_formula: formula,
    aggregated_amount_limit: optional(money),
    effect,
  }),
  fc.record({
    type: fc.constant('PERCENT' as const),
    percent_off: fc.oneof(fc.nat(100), fc.double({ min: 1e-9, max: 100, noNaN: true })),
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
        repeat: fc.integer({ min: 1, max: 12 }),
        target: fc.constantFrom('ITEM' as const, 'UNIT' as const),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([id, how]) => entry(id, how));

export const ruleOfScope = fc.record({
  included: fc.array(scopeEntry, { maxLength: 3 }),
  excluded: fc.array(scopeEntry, { maxLength: 1 }),
  included_all: fc.boolean(),
});

export const scope: fc.Arbitrary<DiscountScope> = ruleOfScope.map(({ included, excluded, included_all }) =>
  ruled(included, excluded, included_all),
);

const balance = fc.noBias(fc.nat(20_000));
export const benefit: fc.Arbitrary<Redeemable['benefit']> = fc.oneof(
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

export const categoryIds = ['cat_a', 'cat_b', 'cat_c'] as const;

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

export const redeemable: fc.Arbitrary<Redeemable> = fc.record({
  benefit,
  scope,
  bundles: rarely(bundles),
  category: optional(fc.record({ id: fc.constantFrom(...categoryIds), hierarchy: optional(fc.nat(3)) })),
});

export const rules: fc.Arbitrary<StackingRules> = fc
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
    payments_application: fc.constantFrom('REQUESTED' as const, 'LAST' as const),
  })
  .map((some) => ({ ...defaultStackingRules, ...some }));
