import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/events/send-event.ts';
import { caller } from '../support/call.ts';
import { testTime } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';
import { openShop, type Shop, typesOf } from '../support/shop.ts';

describe('an event', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });

  test("answers with the documented record, and is in its customer's list", async () => {
    const metadata = { amount: 12.5, order_id: 'o-1', gift: false, on: '2026-06-01' };
    const { status, body } = await shop.send({ event: 'order_paid', customer: { source_id: 'shop-1' }, metadata });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'event',
      type: 'order_paid',
      customer: {
        id: 'cust_ada',
        name: 'Ada',
        email: 'ada@mail.example',
        source_id: 'shop-1',
        metadata: { lang: 'en' },
        object: 'customer',
      },
      referral: null,
      loyalty: null,
      metadata,
    });
    const { data, total } = await shop.activities('shop-1');
    expect([total, data[0].type]).toEqual([3, 'customer.voucher.loyalty_card.points_added']);
    expect(data[2]).toMatchObject({
      type: 'customer.custom_event',
      created_at: testTime.toISOString(),
      data: {
        data: {
          customer: { id: 'cust_ada', source_id: 'shop-1', object: 'customer' },
          event: { type: 'order_paid', metadata },
        },
        event_source: { channel: 'API', api_key: { name: 'Shop', app_id: `app-${shop.project.id}` } },
      },
    });
  });

  test('creates a customer for a new source id, with the sent fields', async () => {
    const address = { city: 'Bergen', country: 'NO' };
    const { body } = await shop.send({
      event: 'visited',
      customer: {
        source_id: 'new-1',
        name: 'Nora',
        email: 'n@mail.example',
        birthdate: '1990-02-28',
        address,
        metadata: { vip: true },
      },
    });
    expect(await shop.customer('new-1')).toMatchObject({
      id: body.customer.id,
      name: 'Nora',
      birthdate: '1990-02-28',
      birthday: '1990-02-28',
      address,
      metadata: { vip: true },
      created_at: testTime.toISOString(),
    });
    const list = await shop.activities('new-1');
    expect(typesOf(list)).toEqual(['customer.created', 'customer.custom_event']);
    expect(list.total).toBe(2);
    expect(new Set(list.data.map(({ group_id }: { group_id: string }) => group_id)).size).toBe(1);
  });

  test("changes the customer's different fields, key by key, and null clears", async () => {
    const id = (
      await shop.send({
        event: 'visited',
        customer: {
          source_id: 'new-2',
          name: 'Old',
          email: 'o@mail.example',
          metadata: { a: 1, b: 2 },
          address: { city: 'A', line_1: 'x' },
        },
      })
    ).body.customer.id;
    await shop.send({
      event: 'visited',
      customer: { id, name: 'New', email: null, metadata: { b: 3 }, address: { city: 'B' } },
    });
    expect(await shop.customer(id)).toMatchObject({
      name: 'New',
      email: null,
      metadata: { a: 1, b: 3 },
      address: { city: 'B', line_1: 'x' },
    });
    await shop.send({ event: 'visited', customer: { id, name: 'New' } });
    expect(typesOf(await shop.activities(id))).toEqual([
      'customer.created',
      'customer.custom_event',
      'customer.custom_event',
      'customer.custom_event',
      'customer.updated',
    ]);
  });

  test('uses the id if it has both', async () => {
    const { body } = await shop.send({ event: 'visited', customer: { id: 'cust_bob', source_id: 'shop-1' } });
    expect(body.customer).toMatchObject({ id: 'cust_bob', source_id: 'shop-2' });
  });

  test('clears the metadata of its customer with null', async () => {
    const customer = { source_id: 'shop-cleared', metadata: { a: 1 } };
    expect((await shop.send({ event: 'visited', customer })).body.customer.metadata).toEqual({ a: 1 });
    const cleared = await shop.send({ event: 'visited', customer: { ...customer, metadata: null } });
    expect(cleared.body.customer).not.toHaveProperty('metadata');
    expect(await shop.customer('shop-cleared')).not.toHaveProperty('metadata');
  });

  test('null for referral, loyalty and metadata is the same as leaving them out', async () => {
    const nulls = { referral: null, loyalty: null, metadata: null };
    expect((await shop.send({ event: 'visited', customer: { id: 'cust_bob' }, ...nulls })).body.metadata).toEqual({});
  });
});

test('an event may have 300 emoji, each of which is one character', async () => {
  const event = '🎟'.repeat(300);
  const { credentials: headers } = await loadProject({ event_schema: [{ name: event, metadata: {} }] });
  const body = { event, customer: { source_id: 'one', name: '🎟'.repeat(300) } };
  expect(await caller(handler)({ headers, body })).toMatchObject({ status: 200, body: { type: event } });
});
