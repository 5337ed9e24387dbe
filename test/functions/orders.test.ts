import { beforeAll, describe, expect, test } from 'vitest';
import { testTime } from '../support/dependencies.ts';
import { itemsOf } from '../support/outbox.ts';
import { done, openStore, orderTypes, type Store } from '../support/store.ts';

describe('an order', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  test('shows its figures, lines, products and people, and is read by id and source id', async () => {
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
          order_discount_share: 82,
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
          order_discount_share: 18,
          subtotal_amount: 300,
          product: { name: 'Cake' },
        },
      ],
      metadata: { till: 3 },
      customer: { id: 'cust_ada', object: 'customer' },
      referrer: { id: expect.stringMatching(/^cust_/), object: 'customer' },
      customer_id: 'cust_ada',
      referrer_id: body.referrer.id,
      object: 'order',
    });
    expect((await store.get(body.id)).body).toEqual(body);
    expect((await store.get('till/1')).body).toEqual(body);
    expect((await store.customer('brought-her')).name).toBe('Rita');
    expect(Object.keys(body).slice(0, 5)).toEqual(['id', 'source_id', 'created_at', 'updated_at', 'status']);
  });

  test("needs no field, and is then a guest's order without figures", async () => {
    const body = done(await store.create({}));
    expect(body).toMatchObject({
      source_id: null,
      status: 'CREATED',
      items: [],
      customer_id: null,
      referrer_id: null,
    });
    for (const name of ['amount', 'total_amount', 'initial_amount', 'customer', 'referrer', 'metadata', 'redemptions'])
      expect(body).not.toHaveProperty(name);
  });

  test('shows the initial amount if it was sent and differs from the amount', async () => {
    const items = [{ price: 500, quantity: 2 }];
    expect(done(await store.create({ items }))).not.toHaveProperty('initial_amount');
    expect(done(await store.create({ items, initial_amount: 1000 }))).toMatchObject({ initial_amount: 1000 });
    expect(done(await store.create({ items, initial_amount: 700 }))).toMatchObject({ initial_amount: 700 });
  });

  test('changes when it is sent again: missing fields stay, metadata is merged, lines are replaced', async () => {
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

  test('stays unchanged if the same is sent again', async () => {
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

  test('names its customer by id, by source id, or keeps its present customer', async () => {
    const { id } = done(await store.create({ customer_id: 'shop-1', customer: { id: 'cust_bob' } }));
    expect(done(await store.update(id, { metadata: { a: 1 } })).customer_id).toBe('cust_bob');
    done(await store.update(id, { customer: { phone: '123' } }));
    expect((await store.customer('cust_bob')).phone).toBe('123');
    expect(done(await store.update(id, { customer_id: 'shop-1' })).customer_id).toBe('cust_ada');
    const nameless = done(await store.create({ customer: { email: 'x@mail.example' } }));
    expect((await store.customer(nameless.customer_id)).email).toBe('x@mail.example');
  });

  test("with a source id that twenty callers send at once is one, with everyone's metadata", async () => {
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
});
