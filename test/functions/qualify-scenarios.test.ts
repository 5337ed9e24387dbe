import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/qualifications/qualify.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const offOrder = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const offItems = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ITEMS' });
const offScope = (amount_off: number) => ({ type: 'AMOUNT', amount_off });

const product = (id: string) => ({ id, object: 'product' });
const teas = { id: 'pc_teas', object: 'products_collection' };
const includes = (...included: object[]) => ({ rules: {}, applicable_to: { included } });
const asks = (name: string, conditions: object, property?: string) => ({
  rules: { 1: { name, conditions, ...(property ? { property } : {}) } },
});

const twoTeasAndMug = {
  limit: 3,
  1: {
    name: 'order.items.any',
    conditions: { $is: [{ id: 'prod_tea', type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
  },
  2: {
    name: 'order.items.any',
    conditions: { $is: [{ id: 'prod_mug', type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [1] } } },
  },
};

/** By name: what a tier takes off, and its rule. */
const tiers: Record<string, { discount: object; rule?: object }> = {
  order: { discount: offOrder(100) },
  items: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' } },
  tea: { discount: offScope(50), rule: includes(product('prod_tea')) },
  mug: { discount: offScope(50), rule: includes(product('prod_mug')) },
  teas: { discount: offScope(30), rule: includes(teas) },
  'all but tea': {
    discount: offItems(40),
    rule: { rules: {}, applicable_to: { included_all: true, excluded: [product('prod_tea')] } },
  },
  'free mug': { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_mug', effect: 'ADD_MISSING_ITEMS' } },
  'needs tea': { discount: offOrder(70), rule: asks('order.items.any', { $is: [product('prod_tea')] }) },
  'needs no tea': { discount: offOrder(60), rule: asks('order.items.none', { $is: [product('prod_tea')] }) },
  'tea for VIPs': {
    discount: offScope(20),
    rule: { ...includes(product('prod_tea')), ...asks('customer.metadata', { $is: [true] }, 'vip') },
  },
  'much tea': {
    discount: offScope(10),
    rule: { ...includes(product('prod_tea')), ...asks('order.amount', { $more_than: [100_000] }) },
  },
  bundle: { discount: offOrder(200), rule: { rules: {}, bundle_rules: twoTeasAndMug } },
};

const names = Object.keys(tiers);
const tierId = (name: string) => `promo_${name.replaceAll(' ', '_').toLowerCase()}`;
const ruleId = (name: string) => `val_${name.replaceAll(' ', '_').toLowerCase()}`;
const ruled = Object.entries(tiers).flatMap(([name, { rule }]) => (rule ? [{ name, rule }] : []));

const file = {
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
    { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1_200 },
  ],
  product_collections: [{ id: 'pc_teas', name: 'Teas', type: 'STATIC', products: [product('prod_tea')] }],
  customers: [
    { id: 'cust_ada', source_id: 'ada', metadata: { vip: true } },
    { id: 'cust_eve', source_id: 'eve', metadata: {} },
  ],
  campaigns: [
    { id: 'camp_tiers', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' },
    {
      id: 'camp_tea',
      name: 'Codes',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: offScope(5) },
      created_at: day(1),
    },
  ],
  promotion_tiers: names.map((name, index) => ({
    id: tierId(name),
    name,
    campaign_id: 'camp_tiers',
    hierarchy: index + 1,
    action: { discount: tiers[name]?.discount },
    created_at: day(index + 2),
  })),
  vouchers: [
    { code: 'OPEN-TEA', type: 'DISCOUNT_VOUCHER', discount: offScope(15), created_at: day(20) },
    { code: 'OPEN-ORDER', type: 'DISCOUNT_VOUCHER', discount: offOrder(15), created_at: day(21) },
    { code: 'ADA-TEA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_tea', holder_id: 'cust_ada', created_at: day(22) },
    { code: 'EVE-TEA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_tea', holder_id: 'cust_eve', created_at: day(23) },
    { code: 'FREE-TEA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_tea', created_at: day(24) },
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 300 }, holder_id: 'cust_ada', created_at: day(25) },
  ],
  validation_rules: [
    ...ruled.map(({ name, rule }) => ({ id: ruleId(name), name, ...rule })),
    { id: 'val_code', name: 'Code', ...includes(product('prod_tea')) },
    { id: 'val_codes', name: 'Codes', ...includes(product('prod_tea')) },
  ],
  validation_rules_assignments: [
    ...ruled.map(({ name }) => ({
      rule_id: ruleId(name),
      related_object_id: tierId(name),
      related_object_type: 'promotion_tier',
    })),
    { rule_id: 'val_code', related_object_id: 'OPEN-TEA', related_object_type: 'voucher' },
    { rule_id: 'val_codes', related_object_id: 'camp_tea', related_object_type: 'campaign' },
  ],
};

let headers: Record<string, string>;

beforeAll(async () => {
  ({ credentials: headers } = await loadProject(file));
});

async function ask(body: object) {
  const { status, body: said } = await caller(handler)({ headers, body: { options: { limit: 50 }, ...body } });
  expect([status, said.details]).toEqual([200, undefined]);
  // biome-ignore lint/suspicious/noExplicitAny: `caller` has checked the reply against its schema.
  const data: any[] = said.redeemables.data;
  const called = data.map(({ id }) => names.find((name) => tierId(name) === id) ?? id);
  return { data, called: called.sort(), of: (id: string) => data.find((one) => one.id === id) };
}

const line = (product_id: string, quantity = 1) => ({ product_id, quantity });
const carts = {
  none: undefined,
  tea: { items: [line('prod_tea')] },
  mug: { items: [line('prod_mug')] },
  'both, enough for a bundle': { items: [line('prod_tea', 2), line('prod_mug')] },
  coal: { items: [{ source_id: 'coal', quantity: 1, price: 900 }] },
};

type Row = [scenario: string, cart: keyof typeof carts, customer: string | undefined, ...found: string[]];

const forTea = ['items', 'tea', 'teas', 'OPEN-TEA', 'camp_tea'];
const forMug = ['items', 'mug', 'all but tea', 'free mug'];
const ofTea = [...forTea, 'tea for VIPs', 'much tea'];
const all = [...names, 'OPEN-TEA', 'OPEN-ORDER', 'camp_tea'];
const without = (list: string[], ...gone: string[]) => list.filter((name) => !gone.includes(name));

const rows: Row[] = [
  // Whose discount goes to lines of the cart: nobody is asked who they are, nor how much the cart is worth.
  ['PRODUCTS_DISCOUNT', 'tea', undefined, ...ofTea],
  ['PRODUCTS_DISCOUNT', 'tea', 'ada', ...ofTea],
  ['PRODUCTS_DISCOUNT', 'mug', 'ada', ...forMug],
  ['PRODUCTS_DISCOUNT', 'both, enough for a bundle', 'eve', ...new Set([...ofTea, ...forMug])],
  ['PRODUCTS_DISCOUNT', 'coal', 'ada', 'items', 'all but tea'],
  ['PRODUCTS_DISCOUNT', 'none', 'ada'],
  // Or whose rule needs such a line.
  ['PRODUCTS', 'tea', undefined, ...ofTea, 'needs tea', 'bundle'],
  ['PRODUCTS', 'mug', 'eve', ...forMug, 'bundle'],
  ['PRODUCTS', 'coal', 'eve', 'items', 'all but tea'],
  ['PRODUCTS', 'none', 'ada'],
  // The same of what this customer may have, with what they hold.
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'tea', 'ada', ...ofTea, 'ADA-TEA'],
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'tea', 'eve', ...without(ofTea, 'tea for VIPs'), 'EVE-TEA'],
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'tea', undefined, ...without(ofTea, 'tea for VIPs')],
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'mug', 'ada', ...forMug],
  ['PRODUCTS_BY_CUSTOMER', 'tea', 'ada', ...ofTea, 'ADA-TEA', 'needs tea', 'bundle'],
  ['PRODUCTS_BY_CUSTOMER', 'tea', 'eve', ...without(ofTea, 'tea for VIPs'), 'EVE-TEA', 'needs tea', 'bundle'],
  ['PRODUCTS_BY_CUSTOMER', 'mug', 'eve', ...forMug, 'bundle'],
  // By the customer alone, whatever the cart.
  ['AUDIENCE_ONLY', 'tea', 'ada', ...all, 'ADA-TEA', 'GIFT'],
  ['AUDIENCE_ONLY', 'none', 'ada', ...all, 'ADA-TEA', 'GIFT'],
  ['AUDIENCE_ONLY', 'coal', 'eve', ...without(all, 'tea for VIPs'), 'EVE-TEA'],
  ['AUDIENCE_ONLY', 'mug', undefined, ...without(all, 'tea for VIPs')],
  // What the customer holds and the cart qualifies for.
  ['CUSTOMER_WALLET', 'tea', 'ada', 'ADA-TEA', 'GIFT'],
  ['CUSTOMER_WALLET', 'tea', 'eve', 'EVE-TEA'],
  ['CUSTOMER_WALLET', 'tea', undefined],
];

describe('a scenario shows', () => {
  test.each(rows)('%s with %s for %s what it is for', async (scenario, cart, customer, ...found) => {
    const { called } = await ask({
      scenario,
      ...(carts[cart] ? { order: carts[cart] } : {}),
      ...(customer ? { customer: { source_id: customer } } : {}),
    });
    expect(called).toEqual(found.sort());
  });
});

describe('ALL', () => {
  const rowsOfAll: [keyof typeof carts, string | undefined, Record<string, boolean>][] = [
    [
      'tea',
      'ada',
      { 'needs tea': true, 'needs no tea': false, 'tea for VIPs': true, 'much tea': false, bundle: false },
    ],
    [
      'mug',
      'eve',
      { 'needs tea': false, 'needs no tea': true, 'tea for VIPs': false, 'much tea': false, bundle: false },
    ],
    ['both, enough for a bundle', undefined, { 'needs tea': true, 'tea for VIPs': false, bundle: true }],
  ];

  test.each(rowsOfAll)('with %s for %s asks about customer and cart', async (cart, customer, expected) => {
    const { called } = await ask({
      order: carts[cart],
      ...(customer ? { customer: { source_id: customer } } : {}),
    });
    expect(called).toContain('order');
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, called.includes(name)]));
    expect(found).toEqual(expected);
  });
});

describe('a bundle', () => {
  const tea = { id: 'prod_tea', object: 'product' };
  const mug = { id: 'prod_mug', object: 'product' };
  const lenient = ['AUDIENCE_ONLY', 'PRODUCTS', 'PRODUCTS_BY_CUSTOMER'];

  test.each(lenient)('that the cart has too little for is shown by %s with what is missing', async (scenario) => {
    const customer = { source_id: 'ada' };
    const { of } = await ask({ scenario, customer, order: { items: [line('prod_mug'), line('prod_tea')] } });
    const { result, order } = of('promo_bundle');
    expect(order).toBeUndefined();
    expect(result).toEqual({
      discount: { ...offOrder(200), is_dynamic: false },
      bundle: {
        quantity: 0,
        limit: 3,
        identified: [
          { ...tea, item_index: 1, item_quantity: 1 },
          { ...mug, item_index: 0, item_quantity: 1 },
        ],
        missing: [{ ...tea, item_quantity: 1 }],
      },
    });
  });

  test.each([...lenient, 'ALL'])('that is complete twice counts twice in %s', async (scenario) => {
    const { of } = await ask({ scenario, order: { items: [line('prod_tea', 5), line('prod_mug', 2)] } });
    const { result, order } = of('promo_bundle');
    expect(order).toMatchObject({ amount: 4_900, total_applied_discount_amount: 400, total_amount: 4_500 });
    expect(result.bundle).toEqual({
      quantity: 2,
      limit: 3,
      identified: [
        { ...tea, item_index: 0, item_quantity: 4 },
        { ...mug, item_index: 1, item_quantity: 2 },
      ],
      missing: [],
    });
  });

  test('of which the cart has nothing misses everything, without an order too', async () => {
    for (const order of [carts.coal, undefined]) {
      const { of } = await ask({ scenario: 'AUDIENCE_ONLY', ...(order ? { order } : {}) });
      expect(of('promo_bundle').result.bundle).toEqual({
        quantity: 0,
        limit: 3,
        identified: [],
        missing: [
          { ...tea, item_quantity: 2 },
          { ...mug, item_quantity: 1 },
        ],
      });
    }
  });
});

describe('the assignments of validation rules', () => {
  type Statuses = [string, string, object, string, string, string[]];
  const teaCart = carts.tea;
  const statuses: Statuses[] = [
    ['ALL', 'promo_needs_tea', teaCart, 'val_needs_tea', 'VALID', []],
    ['ALL', 'promo_tea_for_vips', teaCart, 'val_tea_for_vips', 'VALID', []],
    ['ALL', 'ADA-TEA', teaCart, 'val_codes', 'VALID', []],
    ['ALL', 'camp_tea', teaCart, 'val_codes', 'VALID', []],
    ['ALL', 'promo_bundle', carts['both, enough for a bundle'], 'val_bundle', 'VALID', []],
    ['AUDIENCE_ONLY', 'promo_tea_for_vips', teaCart, 'val_tea_for_vips', 'VALID', []],
    ['AUDIENCE_ONLY', 'promo_much_tea', teaCart, 'val_much_tea', 'PARTIALLY_VALID', ['order.amount']],
    ['AUDIENCE_ONLY', 'promo_needs_no_tea', teaCart, 'val_needs_no_tea', 'PARTIALLY_VALID', ['order.items.none']],
    ['AUDIENCE_ONLY', 'promo_bundle', teaCart, 'val_bundle', 'INVALID', []],
    ['PRODUCTS', 'promo_tea_for_vips', teaCart, 'val_tea_for_vips', 'PARTIALLY_VALID', ['customer.metadata']],
    ['PRODUCTS', 'promo_bundle', teaCart, 'val_bundle', 'INVALID', []],
    ['PRODUCTS', 'promo_bundle', carts['both, enough for a bundle'], 'val_bundle', 'VALID', []],
    ['PRODUCTS_BY_CUSTOMER', 'promo_needs_tea', teaCart, 'val_needs_tea', 'PARTIALLY_VALID', ['order.items.any']],
    ['CUSTOMER_WALLET', 'ADA-TEA', teaCart, 'val_codes', 'VALID', []],
  ];

  test.each(statuses)('in %s: those of %s', async (scenario, id, order, rule_id, status, omitted) => {
    const customer = { source_id: 'ada' };
    const { of } = await ask({ scenario, order, customer, options: { limit: 50, expand: ['validation_rules'] } });
    const found = of(id);
    expect(found.validation_rule_id).toBe(rule_id);
    expect(found.validation_rules_assignments).toMatchObject({ object: 'list', data_ref: 'data', total: 1 });
    expect(found.validation_rules_assignments.data).toMatchObject([
      { rule_id, validation_status: status, validation_omitted_rules: omitted },
    ]);
  });

  test('are left out unless they are asked for, and empty for what has none', async () => {
    const plain = await ask({ order: carts.tea });
    expect(plain.data.filter((one) => 'validation_rules_assignments' in one)).toEqual([]);
    const { of } = await ask({ order: carts.tea, options: { limit: 50, expand: ['validation_rules'] } });
    expect(of('promo_order').validation_rules_assignments).toMatchObject({ data: [], total: 0 });
    expect(of('promo_order').validation_rule_id).toBeUndefined();
  });
});
