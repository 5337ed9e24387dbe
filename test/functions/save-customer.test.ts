import { beforeAll, describe, expect, test } from 'vitest';
import { handler as create } from '../../functions/customers/create-customer.ts';
import { handler as get } from '../../functions/customers/get-customer.ts';
import { handler as activities } from '../../functions/customers/list-customer-activities.ts';
import { handler as update } from '../../functions/customers/update-customer.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

async function desk(lists = {}) {
  const { credentials: headers } = await loadProject(lists);
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const calls = [create, update, get, activities].map((handler) => caller(handler, dependencies));
  const [post, put, read, told] = calls as [(typeof calls)[0], (typeof calls)[0], (typeof calls)[0], (typeof calls)[0]];
  return {
    clock,
    create: (body: unknown) => post({ headers, body }),
    update: (customerId: string, body: unknown) => put({ headers, params: { customerId }, body }),
    get: async (customerId: string) => (await read({ headers, params: { customerId } })).body,
    activities: async (customerId: string) =>
      (await told({ headers, params: { customerId }, query: 'order=created_at' })).body.data.map(
        ({ type }: { type: string }) => type,
      ),
  };
}

type Desk = Awaited<ReturnType<typeof desk>>;

describe('a customer', () => {
  let at: Desk;
  beforeAll(async () => {
    at = await desk();
  });

  test('is created with the sent fields, and without any', async () => {
    const body = {
      source_id: 'crm-1',
      name: 'Ana',
      description: 'Likes tea',
      email: 'ana@shop.example',
      phone: '+1 555',
      birthdate: '1990-02-03',
      address: { city: 'Ulm', line_1: null },
      metadata: { level: 3, nothing: null },
    };
    const made = await at.create(body);
    expect(made.body).toMatchObject({ ...body, object: 'customer', birthday: '1990-02-03' });
    expect(await at.get('crm-1')).toEqual(made.body);
    const [one, other] = [await at.create({}), await at.create({ source_id: null, email: 'ana@shop.example' })];
    expect(one.body).toMatchObject({ source_id: null, name: null, address: null });
    for (const unset of ['metadata', 'updated_at']) expect(one.body).not.toHaveProperty(unset);
    expect(await at.get(one.body.id)).toEqual(one.body);
    expect(new Set([made, one, other].map((reply) => reply.body.id)).size).toBe(3);
    expect(await at.activities(one.body.id)).toEqual(['customer.created']);
    const changed = await at.update(one.body.id, { metadata: { a: 1 } });
    expect(changed.body).toMatchObject({ metadata: { a: 1 }, updated_at: expect.any(String) });
  });

  test('is updated by its id or its source id: merged by key, field and address', async () => {
    const { id } = (
      await at.create({ source_id: 'crm-2', name: 'Bo', phone: '1', address: { city: 'Ulm' }, metadata: { a: 1 } })
    ).body;
    at.clock.advance(60);
    const merged = await at.create({
      source_id: 'crm-2',
      phone: null,
      address: { country: 'DE' },
      metadata: { b: [2] },
    });
    expect(merged.body).toMatchObject({
      id,
      name: 'Bo',
      phone: null,
      address: { city: 'Ulm', country: 'DE' },
      metadata: { a: 1, b: [2] },
      updated_at: at.clock().toISOString(),
    });
    expect((await at.create({ id, source_id: 'ignored', name: 'Bob' })).body).toMatchObject({ id, source_id: 'crm-2' });
    const unchanged = await at.create({ source_id: 'crm-2b' }).then(() => at.create({ source_id: 'crm-2b' }));
    for (const unset of ['metadata', 'updated_at']) expect(unchanged.body).not.toHaveProperty(unset);
    const put = await at.update('crm-2', {
      source_id: 'ignored',
      id: 'ignored',
      metadata: { a: null },
      birthday: '2000-01-01T00:00:00+02:00',
    });
    expect(put.body).toMatchObject({ source_id: 'crm-2', metadata: { a: null, b: [2] }, birthdate: '2000-01-01' });
    expect(put.body).toEqual(await at.get(id));
    expect((await at.update(id, { address: null, metadata: null, name: null })).body).toMatchObject({
      address: null,
      name: null,
    });
    expect(await at.get(id)).not.toHaveProperty('metadata');
    expect(await at.activities(id)).toEqual(['customer.created', ...Array(4).fill('customer.updated')]);
  });

  test('is not updated if nothing changes', async () => {
    await at.create({ source_id: 'crm-3', name: 'Cy', metadata: { a: 1 } });
    const made = await at.get('crm-3');
    at.clock.advance(60);
    expect((await at.update('crm-3', { name: 'Cy', metadata: { a: 1 } })).body).toEqual(made);
    expect((await at.create({ source_id: 'crm-3' })).body).toEqual(made);
    expect(await at.activities(made.id)).toEqual(['customer.created']);
  });

  test('keeps its cards and their figures in the reply', async () => {
    const shop = await desk({
      customers: [{ id: 'cust_1', source_id: 'dee' }],
      vouchers: [
        { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 300 }, holder_id: 'cust_1', active: true },
      ],
    });
    const { body } = await shop.update('dee', { name: 'Dee' });
    expect(body.summary.redemptions.gift.amount_to_go).toBe(300);
    expect(body).toEqual(await shop.get('cust_1'));
  });

  test.each<[string, unknown, number, object]>([
    [
      'an unknown id',
      { id: 'cust_none' },
      404,
      { key: 'not_found', resource_id: 'cust_none', resource_type: 'customer' },
    ],
    [
      'a source id that is the id of another',
      { source_id: 'CREATED' },
      409,
      { key: 'duplicate_found', resource_type: 'customer' },
    ],
    [
      'all wrong fields, at once',
      { name: 5, birthdate: '1990-02-30', address: 'Ulm', email: 'x'.repeat(301), metadata: [] },
      400,
      { key: 'invalid_payload', details: expect.stringMatching(/name .*email .*birthdate .*address .*metadata /) },
    ],
    ['an empty source id', { source_id: '' }, 400, { details: 'source_id must not be empty' }],
  ])('is not made with %s', async (_, body, status, error) => {
    const { id } = (await at.create({})).body;
    const reply = await at.create(JSON.parse(JSON.stringify(body).replace('CREATED', id)));
    expect([reply.status, reply.body]).toEqual([status, expect.objectContaining(error)]);
  });

  test('has the source id if nobody has the id, and is created if nobody has either', async () => {
    const known = (await at.create({ source_id: 'crm-17', name: 'Eve' })).body;
    const changed = await at.create({ id: 'cust_elsewhere', source_id: 'crm-17', phone: '17' });
    expect(changed.body).toMatchObject({ id: known.id, name: 'Eve', phone: '17' });
    const made = await at.create({ id: 'cust_elsewhere', source_id: 'crm-18', name: 'Fay' });
    expect(made.body).toMatchObject({ id: expect.stringMatching(/^cust_0/), source_id: 'crm-18', name: 'Fay' });
    const byId = await at.create({ id: known.id, source_id: 'crm-18', name: 'Gil' });
    expect(byId.body).toMatchObject({ id: known.id, source_id: 'crm-17', name: 'Gil' });
  });

  test('must exist to be updated', async () => {
    const { status, body } = await at.update('nobody', { name: 'No' });
    expect([status, body.resource_id, body.resource_type]).toEqual([404, 'nobody', 'customer']);
  });

  test('has at most 50 KB of metadata, with the metadata from before', async () => {
    const { id } = (await at.create({ metadata: { a: 'x'.repeat(30_000) } })).body;
    const more = { metadata: { b: 'x'.repeat(30_000) } };
    for (const { status, body } of [await at.update(id, more), await at.create({ id, ...more })]) {
      expect([status, body.details]).toEqual([400, expect.stringMatching(/^metadata would have/)]);
    }
  });
});

test('is created once by twenty concurrent requests with one source id, with the fields of each', async () => {
  const at = await desk();
  const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  const replies = await Promise.all(keys.map((key) => at.create({ source_id: 'one', metadata: { [key]: key } })));
  expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 200));
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  const { id, metadata } = await at.get('one');
  expect(metadata).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  expect((await at.activities(id)).filter((type: string) => type === 'customer.created')).toHaveLength(1);
});
