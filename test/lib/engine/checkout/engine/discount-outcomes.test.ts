import { describe, expect, test } from 'vitest';
import type { DiscountScope } from '#engine/checkout/engine/selection.ts';
import { defaultStackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { checkedOut, coupon, entry, everything, included, orderOf } from '../../../../support/checkout.ts';
import { amount, fixed, percent } from '../../../../support/discounts.ts';

const cart = orderOf([
  { product_id: 'tea', quantity: 2 },
  { product_id: 'mug', quantity: 2 },
  { product_id: 'prod_card', quantity: 1 },
]);

test.each<[string, Discount, DiscountScope, object]>([
  [
    'the default of a missing effect',
    percent(10),
    everything,
    { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false },
  ],
  [
    'no price that comes from the scope',
    fixed(0, 'APPLY_TO_ITEMS'),
    included(entry('prod_tea', { price: 5 })),
    { type: 'FIXED', effect: 'APPLY_TO_ITEMS', is_dynamic: false },
  ],
  [
    'a note that it follows a formula',
    { type: 'AMOUNT', amount_off: 5, amount_off_formula: '1' },
    everything,
    { type: 'AMOUNT', amount_off: 5, amount_off_formula: '1', effect: 'APPLY_TO_ORDER', is_dynamic: true },
  ],
])('a discount is shown with %s', (_, discount, scope, shown) => {
  const [{ outcome } = {}] = checkedOut(cart, [coupon(discount, scope)]).considered;
  expect(outcome).toMatchObject({ status: 'APPLICABLE', result: { discount: shown } });
  expect(outcome?.status === 'APPLICABLE' && outcome.result.discount).toEqual(shown);
});

test.each<[string, Discount, string, ReturnType<typeof orderOf> | undefined]>([
  ['an order without money', amount(5), 'missing_amount', orderOf([])],
  ['units, without an order', { type: 'UNIT', unit_type: 'tea' }, 'missing_order', undefined],
  [
    'too many units to count',
    { type: 'UNIT', unit_type: 'tea', unit_off: Number.MAX_SAFE_INTEGER },
    'invalid_amount',
    cart,
  ],
])('a discount cannot be used on %s', (_, discount, key, order) => {
  const { considered, isValid } = checkedOut(order, [coupon(discount)]);
  expect(considered).toMatchObject([{ outcome: { status: 'INAPPLICABLE', refusal: { key } } }]);
  expect(isValid).toBe(false);
});

const unpriced = orderOf([{ product_id: 'prod_x' }]);
const onItems: [string, Discount][] = [
  ['an amount', amount(5, 'APPLY_TO_ITEMS')],
  ['an amount for each unit', amount(5, 'APPLY_TO_ITEMS_BY_QUANTITY')],
  ['a shared amount', amount(5, 'APPLY_TO_ITEMS_PROPORTIONALLY')],
  ['percents', percent(5, 'APPLY_TO_ITEMS')],
  ['a fixed price', fixed(5, 'APPLY_TO_ITEMS')],
];
const carts: [string, ReturnType<typeof orderOf> | undefined, DiscountScope][] = [
  ['no order', undefined, everything],
  ['no line', orderOf([], { amount: 100 }), everything],
  ['neither line nor amount', orderOf([]), everything],
  ['no line with a price', unpriced, everything],
  ['no line in its scope', orderOf([{ product_id: 'mug', quantity: 1 }]), included(entry('prod_tea'))],
];

describe.each(carts)('with %s', (_, order, scope) => {
  test.each(onItems)(
    '%s makes a discount on items take off nothing, without refusing others beside it',
    (__, discount) => {
      const { considered, isValid, order: left } = checkedOut(order, [coupon(discount, scope)]);
      expect(considered).toMatchObject([{ outcome: { status: 'APPLICABLE', isEffective: false } }]);
      expect([isValid, left.total_discount_amount ?? 0]).toEqual([true, 0]);
      const without = { ...defaultStackingRules, redeemables_no_effect_rule: 'SKIP' as const };
      const [{ outcome } = {}] = checkedOut(order, [coupon(discount, scope)], { rules: without }).considered;
      expect(outcome).toEqual({ status: 'SKIPPED', key: 'no_effect' });
    },
  );
});

test('a code may be used without an order', () => {
  const { considered, isValid, order } = checkedOut(undefined, [coupon(amount(5))]);
  expect(considered).toMatchObject([{ outcome: { status: 'APPLICABLE' } }]);
  expect({ isValid, order }).toEqual({ isValid: true, order: { items: [] } });
});
