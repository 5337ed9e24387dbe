import { describe, expect, test } from 'vitest';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { caller } from '../support/call.ts';
import { assignedRule, passiveSegment } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';
import { asking, day, shop, spring, tiers } from '../support/qualifying.ts';

describe('a qualification', () => {
  test('shows the newest first, each alone on the order, and in pages', async () => {
    const ask = await shop({ promotion_tiers: tiers(100, 200, 300) });
    const { body, ids } = await ask({ options: { limit: 2 } });
    expect(ids).toEqual(['promo_3', 'promo_2']);
    expect(body.redeemables).toMatchObject({ total: 2, has_more: true, more_starting_after: day(2) });
    expect(body.redeemables.data.map(({ order }: { order: unknown }) => order)).toMatchObject([
      { amount: 1_000, total_discount_amount: 300, total_amount: 700 },
      { amount: 1_000, total_discount_amount: 200, total_amount: 800 },
    ]);
    const rest = await ask({ options: { limit: 2, starting_after: body.redeemables.more_starting_after } });
    expect([rest.ids, rest.body.redeemables.has_more]).toEqual([['promo_1'], false]);
  });

  test.each([
    ['ALL', ['promo_2', 'promo_1']],
    ['PROMOTION_STACKS', ['stack_1']],
  ])('in %s treats an empty order as missing, and shows it', async (scenario, ids) => {
    const { credentials: headers } = await loadProject({
      campaigns: [spring],
      customers: [{ id: 'cust_ada', source_id: 'ada' }],
      promotion_tiers: tiers(100, 200),
      promotion_stacks: [
        { id: 'stack_1', name: 'S', campaign_id: 'camp_tiers', tiers: { ids: ['promo_1'] }, created_at: day(9) },
      ],
    });
    const ask = asking(headers);
    const nobody = { customer_id: null, referrer_id: null, object: 'order' };
    const ada = { ...nobody, customer_id: 'cust_ada', customer: { id: 'cust_ada', object: 'customer' } };
    const none = await ask({ scenario, order: undefined });
    expect(none.ids).toEqual(ids);
    expect(none.body.redeemables.data.filter((one: object) => 'order' in one)).toEqual([]);
    for (const [customer, order] of [
      [undefined, nobody],
      [{ name: 'john' }, nobody],
      [{ source_id: 'ada' }, ada],
    ]) {
      const { body } = await ask({ scenario, order: {}, customer });
      const shown = none.body.redeemables.data.map((one: { redeemables?: object[] }) => ({
        ...one,
        order,
        ...(one.redeemables ? { redeemables: one.redeemables.map((member) => ({ ...member, order })) } : {}),
      }));
      expect(body.redeemables.data).toEqual(shown);
      expect(body).not.toHaveProperty('order');
    }
  });

  test('shows the metadata of an order only where it has some', async () => {
    const ask = await shop({ promotion_tiers: tiers(100) });
    const shown = async (order: object) => {
      const { body } = await ask({ order, options: { expand: ['redeemable'] } });
      return body.redeemables.data[0].order;
    };
    expect(await shown({ amount: 1_000, metadata: { table: 7 } })).toMatchObject({ metadata: { table: 7 } });
    for (const order of [{}, { amount: 1_000 }, { amount: 1_000, metadata: {} }]) {
      expect(await shown(order)).not.toHaveProperty('metadata');
    }
  });

  test('shows the lines of the order that it was asked about only where some were sent', async () => {
    const ask = await shop({ promotion_tiers: tiers(100) });
    const plain = await ask({ order: { amount: 1_000 } });
    expect(plain.body.order).toMatchObject({ amount: 1_000, object: 'order' });
    expect(plain.body.order).not.toHaveProperty('items');
    const lines = await ask({ order: { items: [{ source_id: 'mug', quantity: 2, price: 500 }] } });
    expect(lines.body.order).toMatchObject({ amount: 1_000, items: [{ source_id: 'mug', quantity: 2 }] });
  });

  test('leaves out future, expired, disabled and refused tiers', async () => {
    const [open, off, early, late, ruled] = tiers(1, 2, 3, 4, 5);
    const ask = await shop({
      promotion_tiers: [
        open,
        { ...off, active: false },
        { ...early, start_date: '2030-01-01T00:00:00Z' },
        { ...late, expiration_date: '2020-01-01T00:00:00Z' },
        ruled,
      ],
      validation_rules: [
        { id: 'val_1', name: 'Much', rules: { 1: { name: 'order.amount', conditions: { $more_than: [1_000] } } } },
      ],
      validation_rules_assignments: [
        { rule_id: 'val_1', related_object_id: 'promo_5', related_object_type: 'promotion_tier' },
      ],
    });
    expect((await ask()).ids).toEqual(['promo_1']);
    expect((await ask({ order: { amount: 1_001 } })).ids).toEqual(['promo_5', 'promo_1']);
  });
});

describe('rules that are searched quickly', () => {
  const rules: Record<string, unknown>[] = [
    { 1: { name: 'order.amount', conditions: { $more_than: [1_500] } } },
    { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [1_500] } } },
    { 1: { name: 'order.amount', conditions: { $less_than: [1_500] } } },
    { 1: { name: 'order.amount', conditions: { $is: [1_500] } } },
    { 1: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } } },
    { 1: { name: 'customer.segment', conditions: { $is_not: ['seg_vip'] } } },
    { 1: { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } } },
    { 1: { name: 'order.items.any', conditions: { $is: ['prod_tea'] } } },
    { 1: { name: 'order.items.any', conditions: { $is: [{ id: 'pc_teas', object: 'products_collection' }] } } },
    { 1: { name: 'order.items.every', conditions: { $is: ['prod_tea', 'mug'] } } },
    { 1: { name: 'order.items.none', conditions: { $is: ['prod_tea'] } } },
    { 1: { name: 'order.items.any', conditions: { $is_not: ['prod_tea'] } } },
    { 1: { name: 'product.id', conditions: { $in: ['tea'] } } },
    { 1: { name: 'product.id', conditions: { $not_in: ['tea'] } } },
    {
      1: { name: 'order.items.any', conditions: { $is: ['prod_tea'] } },
      2: { name: 'order.amount', conditions: { $more_than: [1_500] } },
      logic: '1 or 2',
    },
    {
      1: { name: 'order.items.any', conditions: { $is: ['prod_tea'] } },
      2: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } },
      3: { name: 'order.amount', conditions: { $more_than: [1_500] } },
      logic: '(1 and 2) or 3',
    },
  ];
  const items = {
    nothing: [],
    tea: [{ product_id: 'prod_tea', quantity: 3 }],
    'a mug by its own name': [{ source_id: 'mug', quantity: 1 }],
    both: [
      { product_id: 'prod_tea', quantity: 1 },
      { source_id: 'mug', quantity: 2 },
    ],
    'what nobody knows': [{ source_id: 'coal', quantity: 1, price: 1_500 }],
  };

  test('accept the same tiers as a validation of each alone', async () => {
    const { credentials: headers } = await loadProject({
      campaigns: [spring],
      products: [
        { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
        { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1_200 },
      ],
      product_collections: [
        { id: 'pc_teas', name: 'Teas', type: 'STATIC', products: [{ id: 'prod_tea', object: 'product' }] },
      ],
      segments: [passiveSegment('seg_vip', 'VIP', { 'metadata.vip': { conditions: { $is: [true] } } })],
      customers: [
        { source_id: 'ada', metadata: { vip: true } },
        { source_id: 'eve', metadata: {} },
      ],
      promotion_tiers: tiers(...rules.map((_, index) => index + 1)),
      validation_rules: rules.map((one, index) => ({ id: `val_${index + 1}`, name: `Rule ${index}`, rules: one })),
      validation_rules_assignments: rules.map((_, index) =>
        assignedRule(`val_${index + 1}`, 'promotion_tier', `promo_${index + 1}`),
      ),
    });
    const ask = asking(headers);
    const validate = caller(validatePromotions);
    const byNumber = (one: string, other: string) => Number(one.slice(6)) - Number(other.slice(6));
    for (const [name, lines] of Object.entries(items)) {
      for (const customer of [{ source_id: 'ada' }, { source_id: 'eve' }, undefined]) {
        const body = { order: { items: lines }, ...(customer ? { customer } : {}) };
        const { ids } = await ask({ ...body, options: { limit: 50 } });
        const { promotions } = (await validate({ headers, body })).body;
        const valid = promotions.map(({ id }: { id: string }) => id).sort(byNumber);
        expect([name, customer, ids.sort(byNumber)]).toEqual([name, customer, valid]);
      }
    }
  });
});

describe('a stack', () => {
  test('qualifies if all of its tiers apply, one after the other', async () => {
    const ask = await shop({
      promotion_tiers: [...tiers(100, 300), { ...tiers(1, 2, 3)[2], active: false }],
      promotion_stacks: [
        { id: 'stack_1', name: 'Two', campaign_id: 'camp_tiers', tiers: { ids: ['promo_2', 'promo_1'] } },
        { id: 'stack_2', name: 'Off', campaign_id: 'camp_tiers', tiers: { ids: ['promo_1', 'promo_3'] } },
      ],
    });
    const { body, ids } = await ask({ scenario: 'PROMOTION_STACKS', options: { expand: ['redeemable'] } });
    expect(ids).toEqual(['stack_1']);
    expect(body.redeemables.data[0]).toMatchObject({
      object: 'promotion_stack',
      name: 'Two',
      order: { total_amount: 600, total_applied_discount_amount: 400 },
      redeemables: [
        { id: 'promo_2', order: { total_amount: 700 } },
        { id: 'promo_1', order: { total_amount: 600 } },
      ],
    });
  });
});
