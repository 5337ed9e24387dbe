import { expect, test } from 'vitest';
import { ruleNames } from '#engine/rules/names.ts';
import { cartRows } from './cart-rows.ts';
import { namesWithin, type Part, type Row, verdictOf } from './verdict.ts';

/** Each name with conditions, contexts that meet them, and contexts that do not. */
const rows: Row[] = [
  [
    'customer.segment',
    null,
    { $is: ['seg_1'] },
    [{ customer: { segments: ['seg_2', 'seg_1'] } }],
    [{ customer: { segments: ['seg_2'] } }, { customer: {} }],
  ],
  [
    'customer.segment',
    null,
    { $not_in: ['seg_1'] },
    [{ customer: { segments: [] } }, { customer: {} }],
    [{ customer: { segments: ['seg_1'] } }],
  ],
  [
    'customer_segment',
    null,
    { $is: ['seg_1'] },
    [{ customer: { segments: ['seg_1'] } }],
    [{ customer: { segments: ['seg_2'] } }, { customer: {} }],
  ],
  [
    'customer.loyalty.tier',
    null,
    { $in: ['ltr_1', 'ltr_2'] },
    [{ customer: { loyalty_tiers: ['ltr_2'] } }],
    [{ customer: { loyalty_tiers: [] } }],
  ],
  [
    'customer.metadata',
    'age',
    { $more_than: [17] },
    [{ customer: { metadata: { age: 18 } } }],
    [{ customer: { metadata: { age: 17 } } }, { customer: { metadata: {} } }, { customer: {} }],
  ],
  [
    'customer.metadata',
    'age',
    { $in: [18, true] },
    [{ customer: { metadata: { age: '18' } } }, { customer: { metadata: { age: 'True' } } }],
    [{ customer: { metadata: { age: '018' } } }, { customer: { metadata: { age: 'yes' } } }],
  ],
  [
    'customer.metadata',
    'a.b',
    { $is: ['x'] },
    [{ customer: { metadata: { a: { b: 'x' } } } }, { customer: { metadata: { 'a.b': ['y', 'x'] } } }],
    [{ customer: { metadata: { a: 'x' } } }],
  ],
  [
    'order.amount',
    null,
    { $more_than_or_equal: [1000] },
    [{ order: { amount: 1000, items: [] } }],
    [{ order: { amount: 999, items: [] } }, { order: { items: [] } }],
  ],
  [
    'order.total_amount',
    null,
    { $less_than: [10] },
    [{ order: { total_amount: 9, items: [] } }],
    [{ order: { total_amount: 10, amount: 5, items: [] } }],
  ],
  [
    'order.initial_amount',
    null,
    { $is: [7] },
    [{ order: { initial_amount: 7, items: [] } }],
    [{ order: { amount: 7, items: [] } }],
  ],
  [
    'order.metadata',
    'shop',
    { $is_not: ['web'] },
    [{ order: { items: [], metadata: {} } }, {}],
    [{ order: { items: [], metadata: { shop: 'web' } } }],
  ],
  [
    'redemption.api_key',
    null,
    { $is: ['app_1'] },
    [{ redemption: { api_key: 'app_1' } }],
    [{ redemption: { api_key: 'app_2' } }, { redemption: {} }],
  ],
  [
    'redemption.user.login',
    null,
    { $ends_with: ['@shop.example'] },
    [{ redemption: { user_login: 'a@shop.example' } }],
    [{ redemption: { user_login: 'a@other.example' } }],
  ],
  ['redemption.metadata', 'till', { $is: [4] }, [{ redemption: { metadata: { till: 4 } } }], [{ redemption: {} }]],
  [
    'redemption.gift.amount',
    null,
    { $less_than_or_equal: [100] },
    [{ redemption: { gift_credits: 40 }, counts: { 'redemption.gift.amount': 60 } }, {}],
    [{ redemption: { gift_credits: 41 }, counts: { 'redemption.gift.amount': 60 } }],
  ],
  [
    'redemption.reward.pay_with_points.points_used',
    null,
    { $less_than_or_equal: [10] },
    [{ redemption: { points: 10 } }],
    [{ redemption: { points: 11 } }, { redemption: {} }],
  ],
  [
    'campaign.orders.amount',
    null,
    { $less_than_or_equal: [100] },
    [{ order: { amount: 40, items: [] }, counts: { 'campaign.orders.amount': 60 } }, {}],
    [{ order: { amount: 41, items: [] }, counts: { 'campaign.orders.amount': 60 } }],
  ],
  [
    'campaign.orders.amount_discounted',
    null,
    { $less_than_or_equal: [100] },
    [{ redemption: { discount_amount: 40 }, counts: { 'campaign.orders.amount_discounted': 60 } }, {}],
    [{ redemption: { discount_amount: 41 }, counts: { 'campaign.orders.amount_discounted': 60 } }],
  ],
  [
    'publication.redeemable_by_linked_customer',
    null,
    { $is: [true] },
    [{ customer: { id: 'cust_1' }, redeemable: { holder_id: 'cust_1' } }],
    [{ customer: { id: 'cust_2' }, redeemable: { holder_id: 'cust_1' } }, { redeemable: {} }, { customer: {} }],
  ],
  ['publication.redeemable_by_linked_customer', null, { $is: [false] }, [{}, { customer: { id: 'cust_1' } }], []],
  [
    'custom_event.metadata',
    'page',
    { $starts_with: ['/shop'] },
    [{ event: { metadata: { page: '/shop/1' } } }],
    [{ event: { metadata: { page: '/' } } }, { event: {} }],
  ],
  ...cartRows,
];

const limits = [...ruleNames.keys()].filter(
  (name) => /\.(count|customers_count)(\.|$)/.test(name) && !name.includes('items'),
);

test('every name of a rule has a row', () => {
  const covered = new Set([...rows.map(([name]) => name), ...limits, ...namesWithin]);
  expect([...ruleNames.keys()].filter((name) => !covered.has(name))).toEqual([]);
  expect(limits).toHaveLength(25);
});

test.each(rows)('%s of %s with %j', (name, property, conditions, those, others) => {
  const isMet = (part: Part) => verdictOf({ name, property, conditions }, part).met;
  expect(those.filter((part) => !isMet(part))).toEqual([]);
  expect(others.filter(isMet)).toEqual([]);
  const group = { customer: 'customer', order: 'order', product: 'order', sku: 'order' }[
    name.split(/\.|_segment/)[0] ?? ''
  ];
  for (const part of others) {
    expect(verdictOf({ name, property, conditions }, part)).toMatchObject({
      key: `${group ?? 'redemption'}_rules_violated`,
      failed: { rule: 'rules.1', name },
    });
  }
});

test.each(limits)('%s counts the attempted redemption', (name) => {
  const rule = { name, conditions: { $less_than_or_equal: [3] } };
  const customer = { id: 'cust_1' };
  expect(verdictOf(rule, { customer, counts: { [name]: 2 } }).met).toBe(true);
  expect(verdictOf(rule, { customer, counts: { other: 9 } }).met).toBe(true);
  expect(verdictOf(rule, { customer, counts: { [name]: 3 } })).toMatchObject({
    key: 'redemption_rules_violated',
    failed: { value: 4 },
  });
});

test.each(['customer.segment', 'customer_segment', 'customer.loyalty.tier', 'redemption.count.per_customer.daily'])(
  'without a customer %s reports the missing customer, for any condition',
  (name) => {
    expect(verdictOf({ name, conditions: { $is_not: [1] } }, {})).toMatchObject({
      met: false,
      key: 'missing_customer',
    });
  },
);
