import { describe, expect, test } from 'vitest';
import { type GuardedShop, guardedShop, mark, marked } from '../support/guarded-shop.ts';

/** The key of a web page is public. These calls of an attacker must change nothing. */

const ten = { object: 'voucher', id: 'TEN' };
const mug = { product_id: 'prod_mug', quantity: 1 };
const lie = { name: 'Eve', email: 'eve@post.example', metadata: mark };

async function isUntouched(shop: GuardedShop): Promise<void> {
  expect((await shop.customer('ada')).body).toMatchObject({
    name: 'Ada',
    email: 'ada@post.example',
    metadata: { mark: 'plain' },
  });
}

describe('an existing customer', () => {
  const all = { redemption: true, publication: true, events: true, customers: true, customer_metadata: true };
  test.each([
    ['with every switch on', all],
    ['with the switches of customers off', { ...all, customers: false, customer_metadata: false }],
  ])('is not changed by a web page, %s', async (_, client) => {
    const shop = await guardedShop(client);
    const customer = { source_id: 'ada', ...lie };
    const replies = [
      await shop.redeem({ redeemables: [ten], customer, order: { amount: 100 } }),
      await shop.redeem({ redeemables: [ten], order: { amount: 100, customer } }),
      await shop.redeem({ redeemables: [ten], customer: { id: 'cust_ada', ...lie } }),
      await shop.redeem({
        redeemables: [ten],
        customer: { source_id: 'bob' },
        order: { amount: 1, referrer: customer },
      }),
      await shop.redeemVoucher('code=TEN', { customer, order: { amount: 100 } }),
      await shop.publish({ campaign: { name: 'Open' }, customer }),
      await shop.send({ event: 'visit', customer }),
      await shop.validate({ redeemables: [ten], customer, order: { amount: 100 } }),
      await shop.qualify({ customer, order: { amount: 100 } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await isUntouched(shop);
  });
});

test('with a guessed source id is not revealed by a validation or qualification', async () => {
  const shop = await guardedShop({});
  const customer = { source_id: 'ada' };
  const replies = [
    await shop.validate({ redeemables: [ten], customer, order: { amount: 100 } }),
    await shop.qualify({ customer, order: { amount: 100 } }),
  ];
  for (const { status, body } of replies) {
    expect([status, body.order.customer_id]).toEqual([200, null]);
    expect(JSON.stringify(body)).not.toContain('cust_');
  }
});

describe('an unknown customer', () => {
  const customer = { source_id: 'eve', ...lie };
  const calls = (shop: GuardedShop) => [
    () => shop.redeem({ redeemables: [ten], customer, order: { amount: 100 } }),
    () => shop.redeem({ redeemables: [ten], order: { amount: 100, customer: { source_id: 'eve' } } }),
    () => shop.redeem({ redeemables: [ten], order: { amount: 100, referrer: { source_id: 'eve' } } }),
    () => shop.redeemVoucher('code=TEN', { customer, order: { amount: 100 } }),
    () => shop.publish({ campaign: 'Open', customer }),
    () => shop.send({ event: 'visit', customer }),
  ];

  test('is not created by a web page, unless the project allows it', async () => {
    const shop = await guardedShop({ redemption: true, publication: true, events: true });
    for (const call of calls(shop)) {
      const { body } = await call();
      expect(body).toMatchObject({ code: 403, key: 'client_side_disabled' });
      expect(body.details).toContain('client.customers');
      expect((await shop.customer('eve')).status).toBe(404);
    }
  });

  test('is created with the sent fields, and with metadata only if the project allows that, too', async () => {
    for (const customer_metadata of [false, true]) {
      const on = { redemption: true, publication: true, events: true, customers: true, customer_metadata };
      for (const number of [0, 3, 4, 5]) {
        const shop = await guardedShop(on);
        expect((await calls(shop)[number]?.())?.status).toBe(200);
        const { body } = await shop.customer('eve');
        expect([body.name, body.email, body.metadata ?? {}]).toEqual([
          'Eve',
          'eve@post.example',
          customer_metadata ? mark : {},
        ]);
      }
    }
  });

  test('may stay nameless: a guest redeems', async () => {
    const shop = await guardedShop({ redemption: true });
    const { status, body } = await shop.redeem({ redeemables: [ten], customer: lie, order: { amount: 100 } });
    expect([status, body.redemptions[0].customer_id]).toEqual([200, null]);
  });

  test('meets no rule by the fields with which a web page creates it', async () => {
    const shop = await guardedShop({ redemption: true, customers: true, customer_metadata: true });
    const redeemables = [{ object: 'voucher', id: 'OF-CUSTOMER' }];
    const { body } = await shop.redeem({ redeemables, customer, order: { amount: 100 } });
    expect([body.key, (await shop.customer('eve')).status]).toEqual(['customer_rules_violated', 404]);
  });
});

describe('an order from a web page', () => {
  test('is CREATED, for any sent status, and earns nothing', async () => {
    const shop = await guardedShop({ redemption: true });
    for (const [status, source_id] of [
      ['PAID', 'o-1'],
      ['FULFILLED', 'o-2'],
      [undefined, 'o-3'],
    ]) {
      const order = { source_id, status, amount: 9_000_000, created_at: '2020-01-01T00:00:00Z' };
      const reply = await shop.redeem({ redeemables: [ten], customer: { source_id: 'ada' }, order });
      expect([reply.status, reply.body.order.status]).toEqual([200, 'CREATED']);
      const stored = (await shop.order(source_id ?? '')).body;
      expect(stored.status).toBe('CREATED');
      expect(stored.created_at > '2021').toBe(true);
    }
    expect((await shop.customer('ada')).body.loyalty.points).toBe(0);
  });

  test('has the stored price of a stored product or SKU, and no discount of its own', async () => {
    const shop = await guardedShop({ redemption: true });
    const cheap = {
      price: 1,
      amount: 1,
      discount_amount: 1,
      initial_amount: 1,
      discount_quantity: 1,
      initial_quantity: 0,
    };
    const items = [
      { ...mug, ...cheap, product: { price: 1, name: 'Gold', override: true } },
      { source_id: 'mug', quantity: 2, ...cheap },
      { sku_id: 'sku_red', quantity: 1, ...cheap, sku: { price: 2, override: true } },
      { source_id: 'unknown', quantity: 2, price: 50 },
    ];
    const order = { items, discount_amount: 40_000, initial_amount: 1 };
    const sum = 10_000 + 20_000 + 12_000 + 100;
    const expected = { amount: sum, total_discount_amount: sum / 10, total_amount: sum - sum / 10 };
    const body = { redeemables: [ten], order };
    for (const reply of [
      await shop.validate(body),
      await shop.redeem(body),
      await shop.redeemVoucher('code=TEN', { order }),
    ]) {
      expect(reply.body.order).toMatchObject(expected);
      expect(reply.body.order.items[0]).toMatchObject({ price: 10_000, product: { name: 'Mug', price: 10_000 } });
    }
    const query =
      'item[0][product_id]=prod_mug&item[0][quantity]=1&item[0][price]=1&item[0][amount]=1&item[0][discount_amount]=9';
    expect((await shop.validateVoucher(`code=TEN&${query}`)).body.order).toMatchObject({
      amount: 10_000,
      total_amount: 9_000,
    });
    expect((await shop.qualify({ order: { items: [{ ...mug, ...cheap }] } })).body.order.amount).toBe(10_000);
  });

  test('stores no product and changes none', async () => {
    const shop = await guardedShop({ redemption: true });
    const before = await shop.products();
    const items = [
      { ...mug, product: { override: true, price: 1, name: 'Gold', metadata: mark } },
      { sku_id: 'sku_red', sku: { override: true, price: 1, metadata: mark } },
      { quantity: 1, price: 5, product: { source_id: 'made-up', override: true, name: 'Made up', price: 5 } },
    ];
    const reply = await shop.redeem({ redeemables: [ten], order: { items } });
    expect(reply.status).toBe(200);
    expect(reply.headers['X-Ignored-Fields']).toContain('order.items[0].product.override');
    expect((await shop.redeemVoucher('code=TEN', { order: { items } })).status).toBe(200);
    expect(await shop.products()).toEqual(before);
  });
});

describe('rules use stored values, not metadata from a web page', () => {
  const said = {
    customer: { source_id: 'ada', metadata: mark },
    metadata: mark,
    order: {
      metadata: mark,
      customer: { source_id: 'ada', metadata: mark },
      items: [{ ...mug, metadata: mark, product: { id: 'prod_mug', metadata: mark }, sku: { metadata: mark } }],
    },
  };
  const query = [
    'customer[source_id]=ada&customer[metadata][mark]=gold&order[metadata][mark]=gold&metadata[mark]=gold',
    'item[0][product_id]=prod_mug&item[0][quantity]=1&item[0][metadata][mark]=gold&item[0][product][metadata][mark]=gold',
  ].join('&');

  test.each(Object.keys(marked))('%s', async (id) => {
    const shop = await guardedShop({ redemption: true });
    const redeemables = [{ object: 'voucher', id }];
    const refused = /_rules_violated/;
    const validated = await shop.validate({ redeemables, ...said });
    expect([validated.body.valid, JSON.stringify(validated.body)]).toEqual([false, expect.stringMatching(refused)]);
    const one = await shop.validateVoucher(`code=${id}&${query}`);
    expect([one.body.valid, one.body.error.key]).toEqual([false, expect.stringMatching(refused)]);
    for (const reply of [await shop.redeem({ redeemables, ...said }), await shop.redeemVoucher(`code=${id}`, said)]) {
      expect([reply.status, reply.body.key]).toEqual([400, expect.stringMatching(refused)]);
    }
  });

  test('qualifications, too', async () => {
    const shop = await guardedShop();
    const { body } = await shop.qualify({ ...said, options: { limit: 50 } });
    expect(body.redeemables.data.map(({ id }: { id: string }) => id)).toContain('promo_all');
    expect(JSON.stringify(body)).not.toContain('promo_gold');
  });
});
