import { describe, expect, test } from 'vitest';
import { assignedRule } from '../support/lists.ts';
import { coupon, openCart, order, vouchers } from '../support/validated-carts.ts';

type Shown = { id: string; status: string; result: { error?: { key: string }; details?: { key: string } } };
const outcomes = (all: Shown[]) =>
  all.map(({ id, status, result }) => [id, status, result.error?.key ?? result.details?.key]);

describe('redeemables on a cart', () => {
  test('are applied one after the other, each to the rest that the ones before it have left', async () => {
    const { validate } = await openCart({ vouchers: [coupon('TEN'), coupon('ALSO')] });
    const { status, body } = await validate({ redeemables: vouchers('TEN', 'ALSO'), order });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      valid: true,
      order: { amount: 1750, total_discount_amount: 333, total_amount: 1417, customer_id: null },
      redeemables: [
        { status: 'APPLICABLE', id: 'TEN', order: { applied_discount_amount: 175, total_amount: 1575 } },
        { status: 'APPLICABLE', id: 'ALSO', order: { applied_discount_amount: 158, total_amount: 1417 } },
      ],
    });
    expect(body.order.items[0]).toMatchObject({ product_id: 'prod_1', price: 500, amount: 1500 });
    expect(body.order.items[0].product).not.toHaveProperty('metadata');
    expect(body).not.toHaveProperty('inapplicable_redeemables');
  });

  test('have metadata in their orders only if the order has some', async () => {
    const { validate } = await openCart({ vouchers: [coupon('TEN')] });
    const validated = async (more: object) =>
      (await validate({ redeemables: vouchers('TEN'), order: { ...order, ...more }, options: { expand: ['order'] } }))
        .body;
    const [without, emptied, told] = [
      await validated({}),
      await validated({ metadata: {} }),
      await validated({ metadata: { till: 'T1' } }),
    ];
    for (const { redeemables } of [without, emptied]) expect(redeemables[0].order).not.toHaveProperty('metadata');
    expect(told.redeemables[0].order.metadata).toEqual({ till: 'T1' });
    expect(without.order.metadata).toEqual({});
  });

  test.each<[string, Record<string, unknown>]>([
    ['customer.source_id', { customer: { source_id: 'ada' }, order }],
    ['order.customer.id', { order: { ...order, customer: { id: 'cust_1' } } }],
    ['order.customer.source_id', { order: { ...order, customer: { source_id: 'ada' } } }],
    ['order.customer_id', { order: { ...order, customer_id: 'cust_1' } }],
    ['customer.source_id beside an unknown id', { customer: { id: 'cust_elsewhere', source_id: 'ada' }, order }],
  ])('show in their orders the customer who is named by %s', async (_, named) => {
    const { validate, qualify } = await openCart({ vouchers: [coupon('TEN')] });
    const { body } = await validate({ ...named, redeemables: vouchers('TEN') });
    const whom = { customer_id: 'cust_1', customer: { id: 'cust_1', object: 'customer' } };
    expect(body).toMatchObject({ valid: true, order: whom, redeemables: [{ order: whom }] });
    expect((await qualify(named)).body.order).toMatchObject(whom);
  });

  test('treat an empty order as missing', async () => {
    const { validate, redeem } = await openCart({ vouchers: [coupon('TEN')] });
    const empty = { redeemables: vouchers('TEN'), order: {} };
    const { order: _, ...without } = empty;
    const keysOf = ({ status, body }: Awaited<ReturnType<typeof validate>>) => [status, body.valid, body.key];
    expect(keysOf(await validate(empty))).toEqual(keysOf(await validate(without)));
    expect(keysOf(await redeem(empty))).toEqual(keysOf(await redeem(without)));
    expect((await validate(empty)).body).not.toHaveProperty('order');
  });

  test('show no customer that the validation did not create', async () => {
    const { validate } = await openCart({ vouchers: [coupon('TEN')] });
    const { body } = await validate({ redeemables: vouchers('TEN'), customer: { source_id: 'new' }, order });
    expect(body.order).toMatchObject({ customer_id: null });
    expect(body.order).not.toHaveProperty('customer');
  });

  test('end at the first one that cannot be used, and all are reported', async () => {
    const { validate } = await openCart({
      vouchers: [coupon('TEN'), coupon('OFF', { active: false }), coupon('ALSO')],
    });
    const { body } = await validate({ redeemables: vouchers('TEN', 'OFF', 'ALSO'), order });
    expect(body.valid).toBe(false);
    expect(body).not.toHaveProperty('order');
    expect(outcomes(body.redeemables)).toEqual([
      ['TEN', 'APPLICABLE', undefined],
      ['OFF', 'INAPPLICABLE', 'voucher_disabled'],
      ['ALSO', 'SKIPPED', 'preceding_validation_failed'],
    ]);
    expect(outcomes(body.inapplicable_redeemables)).toEqual([['OFF', 'INAPPLICABLE', 'voucher_disabled']]);
  });

  test('are used if they apply, and none is refused, if the project allows a part of them', async () => {
    const { validate, redeem } = await openCart({
      vouchers: [coupon('TEN'), coupon('OFF', { active: false })],
      stacking_rules: [{ redeemables_application_mode: 'PARTIAL' }],
    });
    const body = { redeemables: vouchers('OFF', 'TEN', 'NONE'), order };
    const said = (await validate(body)).body;
    expect(said).toMatchObject({ valid: true, order: { total_amount: 1575 } });
    expect(outcomes(said.redeemables)).toEqual([['TEN', 'APPLICABLE', undefined]]);
    expect(outcomes(said.inapplicable_redeemables)).toEqual([
      ['OFF', 'INAPPLICABLE', 'voucher_disabled'],
      ['NONE', 'INAPPLICABLE', 'not_found'],
    ]);
    const done = (await redeem(body)).body;
    expect(done).toMatchObject({ redemptions: [{ voucher: { code: 'TEN' } }], order: { total_amount: 1575 } });
    expect(done).not.toHaveProperty('parent_redemption');
    expect(outcomes(done.inapplicable_redeemables)).toHaveLength(2);
    const none = await redeem({ redeemables: vouchers('OFF', 'NONE'), order });
    expect([none.status, none.body.key]).toEqual([400, 'no_applicable_redeemables']);
  });

  test('of a stack are its tiers, in its order', async () => {
    const { validate, redeem } = await openCart();
    const stack = { redeemables: [{ object: 'promotion_stack', id: 'stack_1' }], order };
    const { body } = await validate(stack);
    expect(body.redeemables.map(({ id, object }: Shown & { object: string }) => [id, object])).toEqual([
      ['promo_2', 'promotion_tier'],
      ['promo_1', 'promotion_tier'],
    ]);
    expect(body.order.total_discount_amount).toBe(300);
    expect((await redeem(stack)).body.parent_redemption.related_redemptions.redemptions).toHaveLength(2);
  });

  test("beyond the project's limit are left out, without a failure", async () => {
    const codes = ['A', 'B', 'C'];
    const { validate } = await openCart({
      vouchers: codes.map((code) => coupon(code)),
      stacking_rules: [{ applicable_redeemables_limit: 2 }],
    });
    const { body } = await validate({ redeemables: vouchers(...codes), order });
    expect(body.valid).toBe(true);
    expect(outcomes(body.skipped_redeemables)).toEqual([['C', 'SKIPPED', 'applicable_redeemables_limit_exceeded']]);
  });
});

test('free shipping frees the shipping line, under either name, and adds one without money if it is missing', async () => {
  const unit = { type: 'UNIT', unit_off: 1, unit_type: 'prod_5h1pp1ng', effect: 'ADD_MISSING_ITEMS' };
  const { validate } = await openCart({ vouchers: [coupon('SHIP', { discount: unit })] });
  const ship = async (...lines: object[]) =>
    (await validate({ redeemables: vouchers('SHIP'), order: { items: [...order.items, ...lines] } })).body;
  for (const line of [
    { source_id: '5h1pp1ng' },
    { product_id: 'prod_5h1pp1ng' },
    { product: { source_id: '5h1pp1ng' } },
  ]) {
    const { order } = await ship({ ...line, price: 400, quantity: 1 });
    expect(order).toMatchObject({ amount: 2150, items_discount_amount: 400, total_amount: 1750 });
    expect(order.items).toHaveLength(3);
  }
  const { order: without, redeemables } = await ship();
  expect(without).toMatchObject({ amount: 1750, total_amount: 1750 });
  const product = { id: 'prod_5h1pp1ng', source_id: '5h1pp1ng' };
  expect(without.items[2]).toMatchObject({ product_id: 'prod_5h1pp1ng', product, quantity: 1, discount_quantity: 1 });
  expect(redeemables[0].result.discount).toMatchObject({ unit_type: 'prod_5h1pp1ng', product });
});

test.each([
  ['nothing', { redeemables: [] }, 'invalid_payload', 'redeemables must not be empty'],
  ['one twice', { redeemables: vouchers('A', 'A') }, 'duplicated_redeemables', 'redeemables[1].id'],
  [
    'a stack beside others',
    { redeemables: [...vouchers('A'), { object: 'promotion_stack', id: 'stack_1' }] },
    'invalid_redeemables',
    'redeemables[1]',
  ],
  ['too many', { redeemables: vouchers(...Array.from({ length: 31 }, (_, at) => `C${at}`)) }, 'invalid_payload', '30'],
  [
    'every possible fault',
    {
      redeemables: [{ object: 'voucher', id: 5, gift: { credits: -1 } }],
      order: { amount: 1.5, items: [{ price: -5 }] },
    },
    'invalid_payload',
    'redeemables[0].id must be a string; redeemables[0].gift.credits must be 0 or more; order.amount must be an integer',
  ],
  [
    '501 lines',
    { redeemables: vouchers('A'), order: { items: Array.from({ length: 501 }, () => ({})) } },
    'invalid_payload',
    'order.items',
  ],
  ['an unknown order', { redeemables: vouchers('A'), order: { id: 'ord_none' } }, 'not_found', 'order'],
  ['an unknown customer', { redeemables: vouchers('A'), customer: { id: 'cust_none' } }, 'not_found', 'customer'],
])('a body with %s is refused', async (_, body, key, details) => {
  const { validate } = await openCart();
  const reply = await validate(body);
  expect([reply.body.key, reply.body.details]).toEqual([key, expect.stringContaining(details)]);
});

describe('products that only a redemption stores', () => {
  const scones = {
    items: [
      { source_id: 'scone', quantity: 2, product: { override: true, name: 'Scone', price: 40 } },
      { source_id: 'scone' },
      {
        ...{ source_id: 'scone-xl', related_object: 'sku', product: { source_id: 'scone' } },
        sku: { override: true, sku: 'XL', price: 60 },
      },
      { source_id: 'scone-xl', related_object: 'sku' },
    ],
  };
  const rule = (code: string, name: string, id: string, more: object = {}) => ({
    ...{ id: `val_${code}`, name: code, rules: { '1': { name, conditions: { $is: [id] } } } },
    ...more,
  });
  const everything = { included: [{ object: 'products_collection', id: 'pc_a11pr0dUc75' }] };
  const lists = {
    vouchers: [
      coupon('HALF', { discount: { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' } }),
      coupon('FREE', { discount: { type: 'UNIT', unit_off: 1, unit_type: 'scone', effect: 'ADD_NEW_ITEMS' } }),
    ],
    validation_rules: [
      rule('HALF', 'product.id', 'scone', { applicable_to: everything }),
      rule('FREE', 'sku.id', 'scone-xl'),
    ],
    validation_rules_assignments: ['HALF', 'FREE'].map((code) => assignedRule(`val_${code}`, 'voucher', code)),
  };
  const anyDrawn = /:"(prod|sku)_/;

  test('have no ids in a validation or qualification, which use the sent data', async () => {
    const { validate, qualify, redeem } = await openCart(lists);
    const redeemables = vouchers('FREE', 'HALF');
    const { body } = await validate({ redeemables, order: scones });
    expect(body).toMatchObject({
      valid: true,
      order: { initial_amount: 240, amount: 280, total_discount_amount: 160 },
      redeemables: [
        { result: { discount: { product: { source_id: 'scone', name: 'Scone' } } } },
        {
          applicable_to: { data: [{}, { object: 'product', id: 'scone' }, {}, { object: 'sku', id: 'scone-xl' }, {}] },
        },
      ],
    });
    expect(body.order.items).toMatchObject([
      { product: { source_id: 'scone', name: 'Scone' }, quantity: 3, price: 40 },
      { product: { source_id: 'scone', name: 'Scone' }, price: 40 },
      { sku: { source_id: 'scone-xl', sku: 'XL' }, product: { source_id: 'scone' }, price: 60 },
      { sku: { source_id: 'scone-xl', sku: 'XL' }, price: 60 },
    ]);
    expect(JSON.stringify(body)).not.toMatch(anyDrawn);
    expect((await validate({ redeemables, order: scones })).body.order).toEqual(body.order);
    const { body: qualified } = await qualify({ order: scones });
    expect(qualified.redeemables.data.map(({ id }: Shown) => id)).toEqual(expect.arrayContaining(['FREE', 'HALF']));
    expect(JSON.stringify(qualified)).not.toMatch(anyDrawn);
    const { order: redeemed } = (await redeem({ redeemables, order: scones })).body;
    expect(redeemed).toMatchObject({ amount: 280, total_discount_amount: 160 });
    for (const { product_id } of redeemed.items) expect(product_id).toMatch(/^prod_/);
  });
});
