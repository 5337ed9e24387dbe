import { beforeAll, describe, expect, test } from 'vitest';
import { done, forOrders, openStore, type Store } from '../support/store.ts';

describe('an order', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  const line = { price: 1 };
  test.each<[string, unknown, number, string, string]>([
    ['an unknown status', { status: 'PAYED' }, 400, 'invalid_payload', 'status'],
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
      'items must have at most 204800 bytes as JSON',
    ],
    [
      'lines, metadata and a customer that are together beyond 200 KB',
      {
        items: Array(5).fill({ metadata: { a: 'x'.repeat(25_000) } }),
        metadata: { a: 'x'.repeat(40_000) },
        customer: { source_id: 'n', metadata: { a: 'x'.repeat(41_000) } },
      },
      400,
      'invalid_payload',
      'the body must have at most 204800 bytes as JSON',
    ],
    ['too large a sum', { items: [{ price: 2 ** 52, quantity: 4 }] }, 400, 'invalid_payload', 'items[0].price'],
    ['an unknown order', { id: 'ord_none' }, 404, 'not_found', 'order'],
    ['an unknown customer', { customer: { id: 'cust_none' } }, 404, 'not_found', 'customer'],
    ['an unknown customer id', { customer_id: 'cust_none' }, 404, 'not_found', 'customer'],
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

  test("is refused another order's source id, and keeps its own", async () => {
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
});

test('orders are refused completely if they would cost more than can be counted, or earn more than a card holds', async () => {
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
