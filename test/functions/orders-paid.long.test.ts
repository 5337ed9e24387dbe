import { beforeAll, describe, expect, test } from 'vitest';
import { club } from '../support/club.ts';
import { byTotal, done, forOrders, openStore, orderTypes, type Store } from '../support/store.ts';

describe('a paid order', () => {
  let store: Store;
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
        event: { id: expect.stringMatching(/^[\da-f-]{36}$/), type: 'customer.order.paid' },
        earning_rule: { id: 'ern_paid' },
        order: { id, source_id: 'p-1' },
      },
    });
  });

  test('earns once if twenty callers pay it at once', async () => {
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

  test('causes activities of its customer', async () => {
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

  test('counts for its customer while it is paid or fulfilled, and the customer shows the last one', async () => {
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

test("earns by the collections of its lines' products", async () => {
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

test('in an open programme makes its customer a member, once', async () => {
  const [campaign, ...others] = club.campaigns;
  const store = await openStore(undefined, { campaigns: [{ ...campaign, auto_join: true }, ...others] });
  const sent = Array.from({ length: 5 }, () =>
    store.create({ source_id: 'joins', status: 'PAID', amount: 450, customer: { source_id: 'newcomer' } }),
  );
  for (const reply of await Promise.all(sent)) done(reply);
  expect((await store.customer('newcomer')).loyalty.campaigns).toMatchObject({ Club: { points: 4 } });
});
