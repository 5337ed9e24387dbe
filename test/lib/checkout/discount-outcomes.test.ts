import { expect, test } from 'vitest';
import type { Scope } from '../../../lib/checkout/scope.ts';
import type { Discount } from '../../../lib/terms/discount.ts';
import { checkedOut, coupon, entry, everything, included, orderOf } from '../../support/checkout.ts';
import { amount, fixed, percent } from '../../support/discounts.ts';

const cart = orderOf([
  { product_id: 'tea', quantity: 2 },
  { product_id: 'mug', quantity: 2 },
  { product_id: 'prod_card', quantity: 1 },
]);

test.each<[string, Discount, Scope, object]>([
  [
    'an effect that is not said',
    percent(10),
    everything,
    { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false },
  ],
  [
    'no price that the scope gives',
    fixed(0, 'APPLY_TO_ITEMS'),
    included(entry('prod_tea', { price: 5 })),
    { type: 'FIXED', effect: 'APPLY_TO_ITEMS', is_dynamic: false },
  ],
  [
    'that it follows a formula',
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
  ['items, without an order', amount(5, 'APPLY_TO_ITEMS'), 'missing_order', undefined],
  ['items, of which there are none', amount(5, 'APPLY_TO_ITEMS'), 'missing_order_items', orderOf([], { amount: 100 })],
  [
    'items without money',
    percent(5, 'APPLY_TO_ITEMS'),
    'missing_order_items_amount',
    orderOf([{ product_id: 'prod_x' }]),
  ],
  ['units, without an order', { type: 'UNIT', unit_type: 'tea' }, 'missing_order', undefined],
  [
    'units that make more than can be counted',
    { type: 'UNIT', unit_type: 'tea', unit_off: Number.MAX_SAFE_INTEGER },
    'invalid_amount',
    cart,
  ],
])('a discount can’t be used on %s', (_, discount, key, order) => {
  const { considered, isValid } = checkedOut(order, [coupon(discount)]);
  expect(considered).toMatchObject([{ outcome: { status: 'INAPPLICABLE', refusal: { key } } }]);
  expect(isValid).toBe(false);
});

test('a code may be used outside of any order', () => {
  const { considered, isValid, order } = checkedOut(undefined, [coupon(amount(5))]);
  expect(considered).toMatchObject([{ outcome: { status: 'APPLICABLE' } }]);
  expect({ isValid, order }).toEqual({ isValid: true, order: { items: [] } });
});
