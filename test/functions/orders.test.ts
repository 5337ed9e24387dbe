import { beforeAll, describe, expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as createHandler } from '../../functions/orders/create-order.ts';
import { handler as getHandler } from '../../functions/orders/get-order.ts';
import { handler as importHandler } from '../../functions/orders/import-orders.ts';
import { handler as listHandler } from '../../functions/orders/list-orders.ts';
import { handler as updateHandler } from '../../functions/orders/update-order.ts';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as getSku } from '../../functions/skus/get-sku.ts';
import { caller, type Reply } from '../support/call.ts';
import { club } from '../support/club.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { openShop } from '../support/shop.ts';

const catalogue = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  skus: [{ id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', sku: 'Tin', price: 700 }],
};

const forOrders = (id: string, loyalty: object, more = {}) => ({
  id,
  campaign_id: 'camp_club',
  event: 'order.paid',
  active: true,
  loyalty,
  ...more,
});

const byTotal = {
  type: 'PROPORTIONAL',
  calculation_type: 'ORDER_TOTAL_AMOUNT',
  order: { total_amount: { every: 100, points: 1 } },
};

/** The club with products, and a rule for orders. */
async function openStore(earning_rules: object[] = [forOrders('ern_paid', byTotal)], lists: object = {}) {
  const clock = standingClock();
  // Twenty at once on a machine that runs much else besides take longer than callers wait.
  const dependencies = testDependencies({ clock, patienceInMs: 45_000 });
  const shop = await openShop(dependencies, {
    ...club,
    ...catalogue,
    ...lists,
    earning_rules: [...club.earning_rules, ...earning_rules],
  });
  const headers = shop.project.credentials;
  const [create, update, get, list] = [createHandler, updateHandler, getHandler, listHandler].map((handler) =>
    caller(handler, dependencies),
  ) as [ReturnType<typeof caller>, ReturnType<typeof caller>, ReturnType<typeof caller>, ReturnType<typeof caller>];
  return {
    ...shop,
    clock,
    create: (body: unknown) => create({ headers, body }),
    update: (orderId: string, body: unknown) => update({ headers, params: { orderId }, body }),
    get: (orderId: string) => get({ headers, params: { orderId } }),
    list: (query = '') => list({ headers, query }),
  };
}

const done = ({ status, body }: Reply) => {
  expect(body).toMatchObject({ object: 'order' });
  expect(status).toBe(200);
  return body;
};

const typesOf = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type).sort();
const orderTypes = (list: { data: { type: string }[] }) => typesOf(list).filter((type) => type.includes('.order.'));

describe('an order', () => {
  let store: Awaited<ReturnType<typeof openStore>>;
  beforeAll(async () => {
    store = await openStore();
  });

  test('is answered with its figures, lines, products and people, and read by id and source id', async () => {
    const body = done(
      await store.create({
        source_id: 'till/1',
        items: [
          { sku_id: 'tin', quantity: '2', metadata: { gift: true } },
          { source_id: 'cake', amount: '350', discount_amount: 50, product: { name: 'Cake' } },
        ],
        discount_amount: 100,
        metadata: { till: 3 },
        customer: { source_id: 'shop-1' },
        referrer: { source_id: 'brought-her', name: 'Rita' },
      }),
    );
    expect(body).toEqual({
      id: expect.stringMatching(/^ord_/),
      source_id: 'till/1',
      created_at: testTime.toISOString(),
      updated_at: null,
      status: 'CREATED',
      amount: 1750,
      initial_amount: 1750,
      discount_amount: 100,
      items_discount_amount: 50,
      total_discount_amount: 150,
      total_amount: 1600,
      items: [
        {
          object: 'order_item',
          id: expect.stringMatching(/^ordli_/),
          related_object: 'sku',
          product_id: 'prod_tea',
          sku_id: 'sku_tin',
          quantity: 2,
          price: 700,
          amount: 1400,
          subtotal_amount: 1400,
          product: { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
          sku: { id: 'sku_tin', source_id: 'tin', sku: 'Tin', price: 700 },
          metadata: { gift: true },
        },
        {
          object: 'order_item',
          id: expect.stringMatching(/^ordli_/),
          source_id: 'cake',
          quantity: 1,
          amount: 350,
          discount_amount: 50,
          subtotal_amount: 300,
          product: { name: 'Cake' },
        },
      ],
      metadata: { till: 3 },
      customer: { id: 'cust_ada', object: 'customer' },
      referrer: { id: expect.stringMatching(/^cust_/), object: 'customer' },
      customer_id: 'cust_ada',
      referrer_id: body.referrer.id,
      redemptions: {},
      object: 'order',
    });
    expect((await store.get(body.id)).body).toEqual(body);
    expect((await store.get('till/1')).body).toEqual(body);
    expect((await store.customer('brought-her')).name).toBe('Rita');
    expect(Object.keys(body).slice(0, 5)).toEqual(['id', 'source_id', 'created_at', 'updated_at', 'status']);
  });

  test('needs nothing, and is then a guest’s without figures', async () => {
    const body = done(await store.create({}));
    expect(body).toMatchObject({
      source_id: null,
      status: 'CREATED',
      items: [],
      metadata: {},
      customer_id: null,
      referrer_id: null,
    });
    for (const name of ['amount', 'total_amount', 'initial_amount', 'customer', 'referrer'])
      expect(body).not.toHaveProperty(name);
  });

  test('changes where it is sent again: what is not sent stays, metadata is merged, lines are replaced', async () => {
    const first = done(
      await store.create({
        source_id: 'o-2',
        items: [{ price: 10 }, { price: 20 }],
        metadata: { a: 1, b: 2 },
        customer: { source_id: 'shop-2' },
      }),
    );
    store.clock.advance(1);
    const second = done(await store.create({ source_id: 'o-2', metadata: { b: 3 }, status: 'PROCESSING' }));
    expect(second).toEqual({
      ...first,
      status: 'PROCESSING',
      metadata: { a: 1, b: 3 },
      updated_at: store.clock().toISOString(),
    });
    const third = done(await store.update('o-2', { items: [{ price: 10 }], customer: null }));
    expect(third).toMatchObject({
      id: first.id,
      amount: 10,
      total_amount: 10,
      status: 'PROCESSING',
      customer_id: 'cust_bob',
    });
    expect(third.items.map(({ id }: { id: string }) => id)).toEqual([first.items[0].id]);
    expect(done(await store.create({ id: first.id, amount: 7 })).amount).toBe(7);
    expect(done(await store.update(first.id, { items: [{ price: 50 }] })).amount).toBe(7);
    expect(done(await store.update(first.id, { amount: null, source_id: 'o-2b', customer_id: null })).amount).toBe(50);
    expect((await store.get('o-2')).status).toBe(404);
    expect((await store.get('o-2b')).body).toMatchObject({ id: first.id, customer_id: null });
  });

  test('that says the same again is left alone', async () => {
    const sent = { source_id: 'same', items: [{ price: 10 }], metadata: { a: 1 }, customer: { source_id: 'same-she' } };
    const first = done(await store.create(sent));
    store.clock.advance(1);
    expect(done(await store.create(sent))).toEqual(first);
    expect(done(await store.update(first.id, first))).toEqual(first);
    const writes = async () => (await itemsOf(store.project.id, 'ORDER')).find(({ id }) => id === first.id)?.revision;
    const before = await writes();
    expect(done(await store.update('same', { status: 'CREATED' }))).toEqual(first);
    expect(await writes()).toBe(before);
    expect(orderTypes(await store.activities('same-she'))).toEqual(['customer.order.created']);
  });

  test('names its customer by id, by source id, or as the one whom it has', async () => {
    const { id } = done(await store.create({ customer_id: 'shop-1', customer: { id: 'cust_bob' } }));
    expect(done(await store.update(id, { metadata: { a: 1 } })).customer_id).toBe('cust_bob');
    done(await store.update(id, { customer: { phone: '123' } }));
    expect((await store.customer('cust_bob')).phone).toBe('123');
    expect(done(await store.update(id, { customer_id: 'shop-1' })).customer_id).toBe('cust_ada');
    const nameless = done(await store.create({ customer: { email: 'x@mail.example' } }));
    expect((await store.customer(nameless.customer_id)).email).toBe('x@mail.example');
  });

  test('of a source id that twenty send at once is one, with the metadata of all', async () => {
    const sent = Array.from({ length: 20 }, (_, index) =>
      store.create({ source_id: 'o-twenty', customer: { source_id: 'c-twenty' }, metadata: { [`k${index}`]: index } }),
    );
    const ids = new Set((await Promise.all(sent)).map((reply) => done(reply).id));
    expect(ids.size).toBe(1);
    const { metadata, customer_id } = (await store.get('o-twenty')).body;
    expect(Object.keys(metadata)).toHaveLength(20);
    expect((await store.customer('c-twenty')).id).toBe(customer_id);
    expect(orderTypes(await store.activities('c-twenty'))).toHaveLength(20);
  });

  const line = { price: 1 };
  test.each<[string, unknown, number, string, string]>([
    ['a status that there is not', { status: 'PAYED' }, 400, 'invalid_payload', 'status'],
    ['no status', { status: null }, 400, 'invalid_payload', 'status'],
    ['a negative amount', { amount: -1 }, 400, 'invalid_payload', 'amount must be 0 or more'],
    ['a fraction', { discount_amount: 1.5 }, 400, 'invalid_payload', 'discount_amount must be an integer'],
    ['an amount in words', { amount: 'ten' }, 400, 'invalid_payload', 'amount must be a number'],
    [
      'a negative price, and a fraction of a unit',
      { items: [{ price: -1, quantity: 0.5 }] },
      400,
      'invalid_payload',
      'items[0].quantity must be an integer; items[0].price must be 0 or more',
    ],
    ['501 lines', { items: Array(501).fill(line) }, 400, 'invalid_payload', 'items must have at most 500 entries'],
    [
      'lines beyond 200 KB',
      { items: Array(10).fill({ metadata: { a: 'x'.repeat(25_000) } }) },
      400,
      'invalid_payload',
      'items must have at most 204800 bytes',
    ],
    [
      'more than can be counted',
      { items: [{ price: 2 ** 52, quantity: 4 }] },
      400,
      'invalid_payload',
      'items[0].price',
    ],
    ['an order that is not there', { id: 'ord_none' }, 404, 'not_found', 'order'],
    ['a customer who is not there', { customer: { id: 'cust_none' } }, 404, 'not_found', 'customer'],
    ['a customer’s id that is nobody’s', { customer_id: 'cust_none' }, 404, 'not_found', 'customer'],
    [
      'a customer as their own referrer',
      { customer: { source_id: 'n' }, referrer: { source_id: 'n' } },
      400,
      'invalid_payload',
      'referrer',
    ],
  ])('is refused with %s, and nothing is stored', async (_, body, status, key, details) => {
    const source_id = `refused ${details}`;
    const reply = await store.create({ source_id, ...(body as object) });
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details).toContain(details);
    expect((await store.get(source_id)).status).toBe(404);
  });

  test('is refused a source id of another, and keeps its own', async () => {
    const [one, other] = [
      done(await store.create({ source_id: 'mine' })),
      done(await store.create({ source_id: 'theirs' })),
    ];
    for (const reply of [
      await store.update(one.id, { source_id: 'theirs' }),
      await store.create({ id: one.id, source_id: 'theirs' }),
    ]) {
      expect(reply).toMatchObject({
        status: 409,
        body: { key: 'duplicate_found', resource_id: 'theirs', resource_type: 'order' },
      });
    }
    expect((await store.get('mine')).body.id).toBe(one.id);
    expect((await store.get('theirs')).body.id).toBe(other.id);
  });

  test('has 500 lines, of which each product is found', async () => {
    const items = Array.from({ length: 500 }, (_, index) => (index % 2 ? { sku_id: 'tin' } : { source_id: 'tea' }));
    expect(done(await store.create({ items }))).toMatchObject({ amount: 250 * (700 + 500) });
  });
});

describe('a line with override', () => {
  test('stores its product and SKU with the order, and creates what is not there by its source id', async () => {
    const store = await openStore();
    const [product, sku] = [caller(getProduct), caller(getSku)];
    const headers = store.project.credentials;
    const items = [
      { source_id: 'tea', product: { override: true, name: 'Green tea', price: 550, metadata: { a: 1 } } },
      { source_id: 'tea', quantity: 2, product: { override: true, metadata: { b: 2 } } },
      { source_id: 'scone', product: { override: true, name: 'Scone', price: 40 } },
      {
        source_id: 'scone-xl',
        related_object: 'sku',
        product: { source_id: 'scone' },
        sku: { override: true, sku: 'XL', price: 60 },
      },
      { source_id: 'scone-xl', related_object: 'sku', quantity: 2 },
      { source_id: 'lost', related_object: 'sku', sku: { override: true, price: 60 } },
      { source_id: 'kept', product: { name: 'Not stored' } },
    ];
    const body = done(await store.create({ items }));
    expect(body.amount).toBe(550 + 2 * 550 + 40 + 60 + 2 * 60 + 60);
    const shown = async (productId: string) => (await product({ headers, params: { productId } })).body;
    expect(await shown('prod_tea')).toMatchObject({ name: 'Green tea', price: 550, metadata: { a: 1, b: 2 } });
    const scone = await shown('scone');
    expect(scone).toMatchObject({ name: 'Scone', price: 40, skus: { total: 1 } });
    expect(body.items[2]).toMatchObject({
      product_id: scone.id,
      related_object: 'product',
      product: { name: 'Scone' },
    });
    const xl = (await sku({ headers, params: { skuId: 'scone-xl' } })).body;
    expect(xl).toMatchObject({ product_id: scone.id, sku: 'XL', price: 60 });
    for (const line of body.items.slice(3, 5))
      expect(line).toMatchObject({ sku_id: xl.id, product_id: scone.id, price: 60 });
    for (const skuId of ['lost', 'kept']) expect((await sku({ headers, params: { skuId } })).status).toBe(404);
    expect((await product({ headers, params: { productId: 'kept' } })).status).toBe(404);
    done(await store.create({ items }));
    expect(await shown('scone')).toEqual(scone);
  });

  test('makes one product for twenty orders at once', async () => {
    const store = await openStore();
    const items = [{ source_id: 'new', product: { override: true, name: 'New', price: 5 } }];
    const sent = Array.from({ length: 20 }, () => store.create({ items }));
    const ids = new Set((await Promise.all(sent)).map((reply) => done(reply).items[0].product_id));
    expect(ids.size).toBe(1);
  });

  test('is refused with more products than one order stores, and nothing is stored', async () => {
    const store = await openStore();
    const items = Array.from({ length: 21 }, (_, index) => ({ source_id: `p-${index}`, product: { override: true } }));
    expect(await store.create({ items })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('20') },
    });
    const { status } = await caller(getProduct)({ headers: store.project.credentials, params: { productId: 'p-0' } });
    expect(status).toBe(404);
    expect(done(await store.create({ items: items.slice(1) })).items).toHaveLength(20);
  });
});

test('orders are listed newest first, or as ordered, with their total', async () => {
  const store = await openStore();
  for (const source_id of ['a', 'b', 'c']) {
    store.clock.advance(1);
    done(await store.create({ source_id, customer: { source_id: 'shop-1' } }));
  }
  store.clock.advance(1);
  done(await store.update('a', { status: 'CANCELED' }));
  const listed = async (query: string) => {
    const { body } = await store.list(query);
    expect(body).toMatchObject({ object: 'list', data_ref: 'orders', total: 3 });
    return body.orders.map(({ source_id }: { source_id: string }) => source_id).join('');
  };
  expect(await listed('')).toBe('cba');
  expect(await listed('order=created_at&limit=2')).toBe('ab');
  expect(await listed('order=-updated_at&limit=1')).toBe('a');
  expect(await listed('page=2&limit=2')).toBe('a');
  expect((await store.list('limit=1')).body.orders[0]).toEqual((await store.get('c')).body);
  expect((await store.list('order=amount')).body.key).toBe('invalid_query_params');
});

describe('a paid order', () => {
  let store: Awaited<ReturnType<typeof openStore>>;
  beforeAll(async () => {
    store = await openStore([
      forOrders('ern_paid', byTotal),
      forOrders('ern_later', { type: 'FIXED', points: 5 }, { pending_points: { days: 3 } }),
    ]);
  });
  const balance = async (code: string) => (await store.card(code)).balance;

  test('earns once, however often it is paid, fulfilled or canceled', async () => {
    const before = await balance('BOB');
    const { id } = done(
      await store.create({
        source_id: 'p-1',
        customer: { source_id: 'shop-2' },
        items: [{ source_id: 'tea', quantity: 3 }],
        discount_amount: 200,
      }),
    );
    expect(await balance('BOB')).toBe(before);
    for (const status of ['PAID', 'PAID', 'FULFILLED', 'CANCELED', 'PAID', 'CREATED', 'FULFILLED'])
      done(await store.update(id, { status }));
    expect(await balance('BOB')).toBe(before + 13);
    const [entry] = await store.ledger('BOB');
    expect(entry).toMatchObject({
      type: 'POINTS_ACCRUAL',
      points: 13,
      details: {
        event: { id: expect.stringMatching(/^grp_/), type: 'customer.order.paid' },
        earning_rule: { id: 'ern_paid' },
        order: { id, source_id: 'p-1' },
      },
    });
  });

  test('earns once for twenty who pay it at once', async () => {
    const { id } = done(await store.create({ customer: { source_id: 'shop-1' }, amount: 10_000 }));
    const before = await store.card('ADA');
    const replies = await Promise.all(Array.from({ length: 20 }, () => store.update(id, { status: 'PAID' })));
    for (const reply of replies) expect(done(reply).status).toBe('PAID');
    const after = await store.card('ADA');
    expect(after.balance - before.balance).toBe(100);
    expect(orderTypes(await store.activities('shop-1')).filter((type) => type.endsWith('.paid'))).toHaveLength(1);
  });

  test('earns at its creation too, whether paid or fulfilled, and nothing for a guest', async () => {
    const customer = { source_id: 'shop-2' };
    const before = await balance('BOB');
    done(await store.create({ customer, amount: 1000, status: 'PAID' }));
    done(await store.create({ customer, amount: 500, status: 'FULFILLED' }));
    done(await store.create({ amount: 700, status: 'PAID' }));
    expect(await balance('BOB')).toBe(before + 15);
  });

  test('tells its customer what became of it', async () => {
    const { id } = done(await store.create({ customer: { source_id: 'told' }, amount: 100, status: 'PROCESSING' }));
    for (const status of ['PAID', 'FULFILLED', 'CANCELED']) done(await store.update(id, { status }));
    const list = await store.activities('told');
    const updated = Array(3).fill('customer.order.updated');
    expect(orderTypes(list)).toEqual(
      ['canceled', 'created', 'fulfilled', 'paid', 'processing']
        .map((one) => `customer.order.${one}`)
        .concat(updated)
        .sort(),
    );
    const paid = list.data.find(({ type }: { type: string }) => type === 'customer.order.paid');
    expect(paid.data.data.order).toMatchObject({ id, status: 'PAID', amount: 100, object: 'order' });
  });

  test('counts for its customer while it is paid or fulfilled, and shows the last of them', async () => {
    const summary = async (id: string) => (await store.customer(id)).summary.orders;
    const dated: string[] = [];
    const buy = async (amount: number, more = {}) => {
      store.clock.advance(60);
      dated.push(store.clock().toISOString());
      return done(await store.create({ customer: { source_id: 'counted' }, amount, ...more })).id;
    };
    const nothing = { total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 };
    const first = await buy(1000, { status: 'PAID' });
    const second = await buy(501, { status: 'FULFILLED' });
    const third = await buy(300);
    const one = {
      total_amount: 1000,
      total_count: 1,
      average_amount: 1000,
      last_order_amount: 1000,
      last_order_date: dated[0],
    };
    const two = {
      total_amount: 1501,
      total_count: 2,
      average_amount: 751,
      last_order_amount: 501,
      last_order_date: dated[1],
    };
    expect(await summary('counted')).toEqual(two);
    done(await store.update(third, { status: 'PAID' }));
    expect(await summary('counted')).toEqual({
      total_amount: 1801,
      total_count: 3,
      average_amount: 600,
      last_order_amount: 300,
      last_order_date: dated[2],
    });
    done(await store.update(third, { status: 'CANCELED' }));
    expect(await summary('counted')).toEqual(two);
    done(await store.update(second, { customer: { source_id: 'counted-2' } }));
    expect(await summary('counted')).toEqual(one);
    expect(await summary('counted-2')).toMatchObject({ total_amount: 501, total_count: 1, last_order_amount: 501 });
    done(await store.update(second, { amount: 400 }));
    expect(await summary('counted-2')).toMatchObject({ total_amount: 400, total_count: 1, last_order_amount: 400 });
    done(await store.update(first, { status: 'CREATED' }));
    expect(await summary('counted')).toEqual(nothing);
  });

  test('counts once for twenty orders at once', async () => {
    const sent = Array.from({ length: 20 }, (_, index) =>
      store.create({ customer: { source_id: 'busy' }, amount: index, status: 'PAID' }),
    );
    for (const reply of await Promise.all(sent)) done(reply);
    expect((await store.customer('busy')).summary.orders).toMatchObject({ total_amount: 190, total_count: 20 });
  });
});

test('lines earn by the collections that their products are in', async () => {
  const scope = { every: 1, points: 1, object: 'products_collection' };
  const by = (id: string) =>
    forOrders(`ern_${id}`, {
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_ITEMS_QUANTITY',
      order_items: { quantity: { ...scope, id } },
    });
  const store = await openStore([by('pc_named'), by('pc_dear'), by('pc_none')], {
    product_collections: [
      { id: 'pc_named', name: 'Named', type: 'STATIC', products: [{ id: 'prod_tea', object: 'product' }] },
      {
        id: 'pc_dear',
        name: 'Dear',
        type: 'AUTO_UPDATE',
        filter: { junction: 'and', price: { conditions: { $more_than: [600] } } },
      },
    ],
  });
  const items = [
    { source_id: 'tea', quantity: 3 },
    { sku_id: 'tin', quantity: 20 },
    { source_id: 'cake', quantity: 100, price: 900 },
  ];
  done(await store.create({ items, status: 'PAID', customer: { source_id: 'shop-2' } }));
  const entries = (await store.ledger('BOB')).slice(0, 2);
  const earned = entries.map(({ points, details }: { points: number; details: { earning_rule_id: string } }) => [
    details.earning_rule_id,
    points,
  ]);
  expect(Object.fromEntries(earned)).toEqual({ ern_pc_named: 23, ern_pc_dear: 20 });
});

test('a programme that lets everybody in makes its customer a member, once', async () => {
  const [campaign, ...others] = club.campaigns;
  const store = await openStore(undefined, { campaigns: [{ ...campaign, auto_join: true }, ...others] });
  const sent = Array.from({ length: 5 }, () =>
    store.create({ source_id: 'joins', status: 'PAID', amount: 450, customer: { source_id: 'newcomer' } }),
  );
  for (const reply of await Promise.all(sent)) done(reply);
  expect((await store.customer('newcomer')).loyalty.campaigns).toMatchObject({ Club: { points: 4 } });
});

test('imported orders are there and count behind the request; they earn nothing, then or later, and tell nobody', async () => {
  const store = await openStore();
  const headers = store.project.credentials;
  const customer = { source_id: 'shop-2' };
  const [known, balance] = [done(await store.create({ source_id: 'known' })), (await store.card('BOB')).balance];
  const reply = await caller(importHandler)({
    headers,
    body: [
      { source_id: 'i-1', status: 'PAID', amount: '900', customer, created_at: '2025-01-02T03:04:05Z' },
      { source_id: 'i-2', items: [{ source_id: 'tea', quantity: 2 }], customer },
      { id: known.id, status: 'CANCELED' },
      { source_id: 'i-4', customer: { id: 'cust_none' } },
    ],
  });
  expect(reply.status).toBe(200);
  await runOutbox(store.project.id);
  const { async_action_id: asyncActionId } = reply.body;
  const action = (await caller(getAction)({ headers, params: { asyncActionId } })).body;
  expect(action).toMatchObject({
    type: 'ORDERS.IMPORT',
    status: 'DONE',
    operation_status: 'FAILED',
    result: { done_count: 3, failed_count: 1, failed: [{ row: 4, source_id: 'i-4' }] },
  });
  const created_at = '2025-01-02T03:04:05.000Z';
  expect((await store.get('i-1')).body).toMatchObject({ amount: 900, customer_id: 'cust_bob', created_at });
  expect((await store.get('i-2')).body.amount).toBe(1000);
  expect((await store.get('known')).body.status).toBe('CANCELED');
  expect((await store.get('i-4')).status).toBe(404);
  for (const status of ['CREATED', 'PAID']) done(await store.update('i-1', { status }));
  expect((await store.card('BOB')).balance).toBe(balance);
  expect(orderTypes(await store.activities('shop-2'))).toEqual([
    'customer.order.paid',
    'customer.order.updated',
    'customer.order.updated',
  ]);
  expect((await store.customer('shop-2')).summary.orders).toMatchObject({
    total_amount: 900,
    last_order_date: created_at,
  });
});

test('an import names every fault of every order, and is refused whole', async () => {
  const { credentials: headers } = (await openStore()).project;
  const faulty = await caller(importHandler)({
    headers,
    body: [{ amount: -1 }, { items: [{ initial_quantity: 'x' }] }],
  });
  expect(faulty.body.details).toBe('[0].amount must be 0 or more; [1].items[0].initial_quantity must be a number');
  const many = await caller(importHandler)({ headers, body: Array(2001).fill({}) });
  expect([many.status, many.body.details]).toEqual([400, expect.stringContaining('at most 2000 orders')]);
});

test('orders that would cost a customer more than can be counted, or earn more than a card holds, are refused whole', async () => {
  const amount = Number.MAX_SAFE_INTEGER;
  const store = await openStore([]);
  const customer = { source_id: 'rich' };
  done(await store.create({ customer, amount, status: 'PAID' }));
  expect(await store.create({ source_id: 'more', customer, amount, status: 'PAID' })).toMatchObject({
    status: 400,
    body: { key: 'invalid_amount' },
  });
  expect((await store.get('more')).status).toBe(404);
  const earning = await openStore([
    forOrders('ern_all', {
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_AMOUNT',
      order: { amount: { every: 1, points: 2 } },
    }),
  ]);
  const reply = await earning.create({ source_id: 'all', customer: { source_id: 'shop-1' }, amount, status: 'PAID' });
  expect(reply).toMatchObject({
    status: 400,
    body: { key: 'invalid_amount', details: expect.stringContaining('the order') },
  });
  expect((await earning.get('all')).status).toBe(404);
});
