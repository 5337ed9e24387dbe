import { describe, expect, test } from 'vitest';
import { compileRule } from '../../../lib/rules/compile.ts';
import type { RuleContext, RuleLine } from '../../../lib/rules/context.ts';
import { ruleNames } from '../../../lib/rules/names.ts';

const now = new Date('2026-03-15T12:00:00Z');

type Part = Omit<RuleContext, 'now'>;
type Conditions = Record<string, unknown[]>;

const line = (more: Partial<RuleLine> = {}): RuleLine => ({ quantity: 1, ...more });
const cart = (...items: Partial<RuleLine>[]): Part => ({ order: { items: items.map(line) } });
const red = { product: { metadata: { colour: 'red' } } };
const blue = { product: { metadata: { colour: 'blue' } } };

function verdictOf(rule: object, part: Part) {
  return compileRule({ rules: { '1': rule } }).judge({ now, ...part });
}

type Row = [name: string, property: string | null, conditions: Conditions, those: Part[], others: Part[]];

/** Each name with conditions, contexts that meet them, and contexts that don't; nothing at all never does. */
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
  ['order.items.count', null, { $is: [2] }, [cart({ quantity: 5 }, {})], [cart({ quantity: 2 })]],
  [
    'order.items.price_any',
    null,
    { $more_than: [50] },
    [cart({ price: 10 }, { amount: 120, quantity: 2 })],
    [cart({ price: 50 }), cart({ amount: 100, quantity: 2 }), cart({})],
  ],
  [
    'order.items.price_each',
    null,
    { $more_than: [50] },
    [cart({ price: 51 }, { price: 60 })],
    [cart({ price: 51 }, { price: 50 }), cart({ price: 51 }, {}), cart()],
  ],
  ['order.items.metadata_any', 'gift', { $is: [true] }, [cart({}, { metadata: { gift: true } })], [cart({}), cart()]],
  [
    'order.items.metadata_each',
    'gift',
    { $is: [true] },
    [cart({ metadata: { gift: true } })],
    [cart({ metadata: { gift: true } }, {}), cart()],
  ],
  ['order.items.any', null, { $is: ['prod_1'] }, [cart({}, { product_id: 'prod_1' })], [cart({}), cart()]],
  [
    'order.items.any',
    null,
    { $in: [{ id: 'pc_1', type: 'products_collection' }] },
    [cart({ collections: ['pc_1'] })],
    [cart({ collections: ['pc_2'] })],
  ],
  [
    'order.items.every',
    null,
    { $from: ['pc_1'] },
    [cart({ collections: ['pc_1'] })],
    [cart({ collections: ['pc_1'] }, {}), cart()],
  ],
  [
    'order.items.none',
    null,
    { $in: ['sku_1', 'own'] },
    [cart({ sku_id: 'sku_2' }), cart(), {}],
    [cart({ sku_id: 'sku_1' }), cart({ source_id: 'own' })],
  ],
  [
    'order.items.cheapest',
    null,
    { $is: ['prod_1'] },
    [
      cart({ product_id: 'prod_2', price: 10 }, { product_id: 'prod_1', price: 9 }),
      cart({ product_id: 'prod_2', price: 9, amount: 18 }, { product_id: 'prod_1', price: 9, amount: 9 }),
    ],
    [
      cart({ product_id: 'prod_1', price: 10 }, { product_id: 'prod_2', price: 9 }),
      cart({ product_id: 'prod_1' }),
      cart(),
    ],
  ],
  [
    'order.items.most_expensive',
    null,
    { $is: ['prod_1'] },
    [cart({ product_id: 'prod_2', price: 8 }, { product_id: 'prod_1', price: 9 })],
    [cart({ product_id: 'prod_1', price: 8 }, { product_id: 'prod_2', price: 9 })],
  ],
  [
    'product.id',
    null,
    { $is: ['prod_1'] },
    [
      cart({}, { product_id: 'prod_1' }),
      cart({ product_id: 'prod_1', sku_id: 'sku_1' }),
      cart({ source_id: 'prod_1' }),
    ],
    [cart({ sku_id: 'x', source_id: 'prod_1' }), cart()],
  ],
  [
    'product.id',
    null,
    { $not_in: ['prod_1', 'prod_2'] },
    [cart({ product_id: 'prod_3' }), cart(), {}],
    [cart({ product_id: 'prod_3' }, { product_id: 'prod_2' })],
  ],
  ['product.discount_applicable', null, { $is: ['prod_1'] }, [cart({ product_id: 'prod_1' })], [cart({})]],
  ['product.price', null, { $less_than: [10] }, [cart({ price: 20 }, { price: 9 })], [cart({ price: 10 })]],
  [
    'product.price',
    'prod_1',
    { $less_than: [10] },
    [cart({ product_id: 'prod_1', price: 9 })],
    [cart({ product_id: 'prod_2', price: 9 }, { product_id: 'prod_1', price: 20 })],
  ],
  [
    'product.quantity',
    'prod_1',
    { $is: [3] },
    [cart({ product_id: 'prod_1', quantity: 1 }, { product_id: 'prod_1', quantity: 2 }, { quantity: 9 })],
    [cart({ quantity: 3 })],
  ],
  ['product.metadata', 'colour', { $is: ['red'] }, [cart(blue, red)], [cart(blue), cart({})]],
  ['product.metadata', 'colour', { $is_unknown: [] }, [cart({}), cart()], [cart({}, red)]],
  [
    'product.metadata',
    'colour',
    { $is: ['red'] },
    [cart({ ...blue, sku: { metadata: { colour: 'red' } } })],
    [cart({ ...red, sku: { metadata: { colour: 'blue' } } })],
  ],
  ['product.metadata.discount_applicable', 'colour', { $is: ['red'] }, [cart(red)], [cart(blue)]],
  ['product.metadata.match_all', 'colour', { $in: ['red', 'blue'] }, [cart(red, blue)], [cart(red, {}), cart()]],
  [
    'product.metadata.aggregated_quantity',
    'colour',
    { $is: [5] },
    [cart({ ...red, quantity: 2 }, { ...blue, quantity: 3 }, { quantity: 7 })],
    [cart({ quantity: 5 })],
  ],
  [
    'product.metadata.aggregated_amount',
    'colour',
    { $is: [50] },
    [cart({ ...red, amount: 20 }, { ...blue, price: 10, quantity: 3 }, { amount: 9 })],
    [cart({ amount: 50 })],
  ],
  [
    'sku.id',
    null,
    { $is: ['sku_1'] },
    [cart({ sku_id: 'sku_1' }), cart({ sku_id: 'x', source_id: 'sku_1' })],
    [cart({ product_id: 'sku_1' })],
  ],
  ['sku.discount_applicable', null, { $is: ['sku_1'] }, [cart({ sku_id: 'sku_1' })], [cart({})]],
  ['sku.price', 'sku_1', { $is: [5] }, [cart({ sku_id: 'sku_1', price: 5 })], [cart({ sku_id: 'sku_2', price: 5 })]],
  ['sku.quantity', 'sku_1', { $is: [2] }, [cart({ sku_id: 'sku_1', quantity: 2 })], [cart({ quantity: 2 })]],
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
];

const limits = [...ruleNames.keys()].filter(
  (name) => /\.(count|customers_count)(\.|$)/.test(name) && !name.includes('items'),
);
const inItems = [...ruleNames].filter(([, { within }]) => within).map(([name]) => name);

test('every name of a rule has a row', () => {
  const covered = new Set([...rows.map(([name]) => name), ...limits, ...inItems]);
  expect([...ruleNames.keys()].filter((name) => !covered.has(name))).toEqual([]);
  expect(limits).toHaveLength(17);
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

test.each(limits)('%s counts the redemption that is attempted', (name) => {
  const rule = { name, conditions: { $less_than_or_equal: [3] } };
  const customer = { id: 'cust_1' };
  expect(verdictOf(rule, { customer, counts: { [name]: 2 } }).met).toBe(true);
  expect(verdictOf(rule, { customer, counts: { other: 9 } }).met).toBe(true);
  expect(verdictOf(rule, { customer, counts: { [name]: 3 } })).toMatchObject({
    key: 'redemption_rules_violated',
    failed: { value: 4 },
  });
});

describe('within a rule about items', () => {
  type InItems = [name: string, property: string | null, conditions: Conditions, those: Part, other: Part];
  const ofOne = { product_id: 'prod_1' };
  const inRows: InItems[] = [
    ['order.items.quantity', null, { $is: [2] }, cart({ ...ofOne, quantity: 2 }), cart(ofOne, ofOne, { quantity: 2 })],
    ['order.items.price', null, { $is: [5] }, cart({ ...ofOne, price: 5 }), cart({ price: 5 }, ofOne)],
    [
      'order.items.aggregated_quantity',
      null,
      { $is: [3] },
      cart(ofOne, { ...ofOne, quantity: 2 }, { quantity: 9 }),
      cart(ofOne, { quantity: 2 }),
    ],
    [
      'order.items.aggregated_amount',
      null,
      { $is: [30] },
      cart({ ...ofOne, amount: 10 }, { ...ofOne, price: 10, quantity: 2 }),
      cart({ ...ofOne, amount: 10 }, { amount: 20 }),
    ],
    [
      'order.items.metadata',
      'x',
      { $is: [1] },
      cart({ ...ofOne, metadata: { x: 1 } }),
      cart(ofOne, { metadata: { x: 1 } }),
    ],
  ];

  test.each(inRows)('%s is about the lines in the set', (name, property, conditions, those, other) => {
    const rule = {
      name: 'order.items.any',
      conditions: { $is: ['prod_1'] },
      rules: { a: { name, property, conditions } },
    };
    expect(verdictOf(rule, those)).toEqual({ met: true });
    expect(verdictOf(rule, other)).toMatchObject({ met: false, failed: { rule: 'rules.1.rules.a', name } });
  });

  test('there is a row for each', () => {
    expect(inRows.map(([name]) => name).sort()).toEqual(inItems.toSorted());
  });
});

test.each(['customer.segment', 'customer_segment', 'customer.loyalty.tier', 'redemption.count.per_customer.daily'])(
  'without a customer %s says that one is missing, whatever it asks',
  (name) => {
    expect(verdictOf({ name, conditions: { $is_not: [1] } }, {})).toMatchObject({
      met: false,
      key: 'missing_customer',
    });
  },
);
