import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/client/create-customer-from-page.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { guardedShop, mark } from '../support/guarded-shop.ts';

const eve = { source_id: 'eve', name: 'Eve', email: 'eve@post.example', metadata: mark };

async function shopWith(client: Record<string, boolean> = {}) {
  const shop = await guardedShop(client);
  return { ...shop, create: (body: object) => caller(handler)({ headers: shop.headers, body }) };
}

describe('a web page creates a customer', () => {
  test('only if the project allows it', async () => {
    const shop = await shopWith();
    const { body } = await shop.create(eve);
    expect(body).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(body.details).toContain('client.customers');
    expect((await shop.customer('eve')).status).toBe(404);
  });

  test.each([
    [false, {}],
    [true, mark],
  ])('with metadata if the project allows that, too: %s', async (customer_metadata, stored) => {
    const shop = await shopWith({ customers: true, customer_metadata });
    const { status, body } = await shop.create(eve);
    const { body: known } = await shop.customer('eve');
    expect([status, body]).toEqual([
      200,
      { id: known.id, source_id: 'eve', name: null, email: null, object: 'customer' },
    ]);
    expect([known.name, known.email, known.metadata ?? {}]).toEqual(['Eve', 'eve@post.example', stored]);
  });

  test('without changing or revealing an existing one', async () => {
    const shop = await shopWith({ customers: true, customer_metadata: true });
    const before = await shop.customer('ada');
    for (const names of [{ source_id: 'ada' }, { id: 'cust_ada' }, { id: 'cust_ada', source_id: 'eve' }]) {
      const { status, body } = await shop.create({ ...eve, source_id: undefined, ...names });
      expect([status, body]).toEqual([
        200,
        { id: 'cust_ada', source_id: 'ada', name: null, email: null, object: 'customer' },
      ]);
    }
    expect((await shop.customer('ada')).body).toEqual(before.body);
    expect((await shop.create({ id: 'cust_none' })).status).toBe(404);
  });

  test('once, however many requests come at once', async () => {
    const shop = await shopWith({ customers: true });
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.create(eve)));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const { customers } = await exported(shop.id);
    expect(customers.filter(({ source_id }: { source_id?: string }) => source_id === 'eve')).toHaveLength(1);
  });
});
