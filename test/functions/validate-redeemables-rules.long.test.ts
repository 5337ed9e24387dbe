import { describe, expect, test } from 'vitest';
import { passiveSegment } from '../support/lists.ts';
import { coupon, openCart, order, vouchers } from '../support/validated-carts.ts';

const moreTea = { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' };

describe('a rule', () => {
  const ruled = (name: string, conditions: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
    vouchers: [coupon('TEN')],
    segments: [passiveSegment('seg_vip', 'VIP', { 'metadata.vip': { conditions: { $is: [true] } } })],
    validation_rules: [{ id: 'val_1', name: 'R', rules: { '1': { name, conditions, ...more } } }],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'TEN', related_object_type: 'voucher' }],
  });

  test.each([
    ['of segments accepts customers in them', 'customer.segment', { $is: ['seg_vip'] }, {}, 'ada', undefined],
    [
      'of segments refuses other customers',
      'customer.segment',
      { $is: ['seg_vip'] },
      {},
      'eve',
      'customer_rules_violated',
    ],
    ['of segments needs a customer', 'customer.segment', { $is: ['seg_vip'] }, {}, undefined, 'missing_customer'],
    ['of the order refuses the order', 'order.amount', { $more_than: [1750] }, {}, 'ada', 'order_rules_violated'],
    ['of the order after the discount', 'order.total_amount', { $less_than: [1576] }, {}, 'ada', undefined],
    [
      'of collections knows products',
      'order.items.any',
      { $is: [{ id: 'pc_1', object: 'products_collection' }] },
      {},
      'ada',
      undefined,
    ],
    ['of products knows their collections', 'product.id', { $from: ['pc_1'] }, {}, 'ada', undefined],
    ['of SKUs knows their collections', 'sku.id', { $from: ['pc_1'] }, {}, 'ada', undefined],
    ['of products knows others', 'product.id', { $from: ['pc_2'] }, {}, 'ada', 'order_rules_violated'],
    [
      'of metadata knows what is stored',
      'product.metadata',
      { $is: ['green'] },
      { property: 'leaf' },
      'ada',
      undefined,
    ],
  ])('%s', async (_, name, conditions, more, source_id, key) => {
    const { validate } = await openCart(ruled(name, conditions, more));
    const customer = source_id === undefined ? null : { source_id };
    for (const round of ['cold', 'warm']) {
      const { body } = await validate({ redeemables: vouchers('TEN'), order, customer });
      expect([round, body.redeemables[0].result.error?.key]).toEqual([round, key]);
    }
  });

  test.each<[string, { amount?: number } & Record<string, unknown>]>([
    ['lines', { items: [{ source_id: 'tea', quantity: 2 }] }],
    ['lines and an amount', { amount: 1000, items: [{ source_id: 'tea', quantity: 3 }] }],
    ['an amount alone', { amount: 1000 }],
    ['an explicit initial amount', { amount: 1000, discount_amount: 300 }],
    ['what it says itself', { amount: 900, initial_amount: 1000 }],
  ])('of the initial amount uses the initial amount of an order with %s', async (_, sent) => {
    const { validate } = await openCart({
      ...ruled('order.initial_amount', { $is: [1000] }),
      vouchers: [coupon('FIRST'), coupon('MORE', { discount: moreTea }), coupon('TEN')],
    });
    const { body } = await validate({ redeemables: vouchers('FIRST', 'MORE', 'TEN'), order: sent });
    expect(body.redeemables.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('APPLICABLE'));
    expect(body.order).toMatchObject({ initial_amount: 1000, amount: (sent.amount ?? 1000) + 500 });
    const cheaper = { amount: 999, items: [{ source_id: 'tea', quantity: 2 }] };
    const refused = await validate({ redeemables: vouchers('TEN'), order: cheaper });
    expect(refused.body.redeemables[0].result.error.key).toBe('order_rules_violated');
  });

  test.each(['product.discount_applicable', 'sku.discount_applicable'])(
    "%s makes a discount one for a collection's products",
    async (name) => {
      const half = { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' };
      const more = ruled(name, { $from: ['pc_1'] });
      const { validate } = await openCart({ ...more, vouchers: [coupon('TEN', { discount: half })] });
      const { body } = await validate({ redeemables: vouchers('TEN'), order });
      expect(body.order.items.map((item: { discount_amount?: number }) => item.discount_amount)).toEqual([
        750,
        undefined,
      ]);
    },
  );

  test('shows each of its parts and the value it saw, on request', async () => {
    const { validate, redeem } = await openCart({
      vouchers: [coupon('TEN'), coupon('FREE')],
      validation_rules: [
        {
          id: 'val_1',
          name: 'R',
          rules: {
            '1': { name: 'order.amount', conditions: { $more_than: [5000] } },
            '2': { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } },
            '3': { name: 'order.metadata', property: 'note', conditions: { $is: ['short'] } },
            logic: '(1 or 3) and 2',
          },
        },
      ],
      validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'TEN', related_object_type: 'voucher' }],
    });
    const long = 'x'.repeat(5_000);
    const body = {
      redeemables: vouchers('TEN'),
      order: { ...order, metadata: { note: long } },
      customer: { source_id: 'ada' },
    };
    const asking = { ...body, options: { expand: ['validation_rules'] } };
    const { validation_rules: told } = (await validate(asking)).body.redeemables[0].result;
    expect(told).toEqual([
      {
        id: 'val_1',
        rules: [
          { rule: 'rules.1', met: false, failed: { rule: 'rules.1', name: 'order.amount', value: 1750 } },
          { rule: 'rules.2', met: true },
          {
            rule: 'rules.3',
            met: false,
            failed: {
              rule: 'rules.3',
              name: 'order.metadata',
              property: 'note',
              value: expect.stringMatching(/^.{200}$/),
            },
          },
        ],
      },
    ]);
    expect((await validate(body)).body.redeemables[0].result).not.toHaveProperty('validation_rules');
    expect((await redeem({ ...asking, redeemables: vouchers('FREE') })).status).toBe(200);
    expect(
      (await validate({ ...asking, redeemables: vouchers('FREE') })).body.redeemables[0].result,
    ).not.toHaveProperty('validation_rules');
  });
});

describe('an incomplete bundle', () => {
  const vip = {
    name: 'customer.metadata',
    property: 'vip',
    conditions: { $is: [true] },
    error: { message: 'For members' },
  };
  const twoTeas = {
    name: 'order.items.any',
    conditions: { $is: [{ id: 'prod_1', object: 'product', type: 'product_or_sku' }] },
    rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
  };
  const openBundle = (error?: { message: string }) =>
    openCart({
      vouchers: [coupon('PAIR')],
      validation_rules: [{ id: 'val_1', name: 'R', rules: { '1': vip }, bundle_rules: { '1': twoTeas }, error }],
      validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'PAIR', related_object_type: 'voucher' }],
    });
  const details = 'Discount Coupon cannot be redeemed because of violated validation rules: val_1';
  const oneTea = { redeemables: vouchers('PAIR'), order: { items: [{ source_id: 'tea' }] } };
  const bundle = { quantity: 0, missing: [{ id: 'prod_1', item_quantity: 1 }] };

  test.each([
    ["names its rule, and has its document's words", { message: 'Two teas, please' }, { message: 'Two teas, please' }],
    ['names its rule, without words if it has none', undefined, undefined],
  ])('%s', async (_, error, words) => {
    const { validate, redeem } = await openBundle(error);
    const sent = { ...oneTea, customer: { source_id: 'ada' } };
    const { result } = (await validate(sent)).body.redeemables[0];
    expect(result).toMatchObject({ error: { key: 'order_rules_violated', details }, bundle });
    expect(result.error.error).toEqual(words);
    const { status, body } = await redeem(sent);
    expect([status, body]).toMatchObject([400, { key: 'order_rules_violated', details }]);
    expect(body.error).toEqual(words);
  });

  test('is reported after the rules about the customer', async () => {
    const { validate } = await openBundle({ message: 'Two teas, please' });
    const of = async (source_id: string) =>
      (await validate({ ...oneTea, customer: { source_id } })).body.redeemables[0].result;
    expect(await of('eve')).toMatchObject({
      error: { key: 'customer_rules_violated', details, error: { message: 'For members' } },
      bundle,
    });
  });
});
