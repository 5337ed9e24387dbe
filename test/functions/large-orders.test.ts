import { expect, test } from 'vitest';
import { unpackLines } from '#engine/checkout/orders/resource.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { tableOfFile } from '../support/listed.ts';
import { itemsOf } from '../support/outbox.ts';
import { done, openStore } from '../support/store.ts';

const store = await openStore();

const lines = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    source_id: `line-${index}`,
    quantity: 1,
    price: 500 + index,
    ...more,
  }));

async function storedAs(id: string) {
  const items = await itemsOf(store.project.id, 'ORDER');
  return items.find(({ kind, id: itemId }) => kind === 'ORDER' && itemId === id) ?? {};
}

async function shown(id: string) {
  return (await caller(getOrder)({ headers: store.project.credentials, params: { orderId: id } })).body;
}

test('an order of thirty lines stores them packed, and is read and changed like any other', async () => {
  const made = done(await store.create({ source_id: 'large', items: lines(30, { metadata: { gift_for: 'Bob' } }) }));
  const first = await storedAs(made.id);
  expect(first).toMatchObject({ lines: expect.any(String), items: expect.any(Array) });
  expect(await shown(made.id)).toEqual(made);
  expect(new Set(made.items.map(({ id }: { id: string }) => id)).size).toBe(30);
  const paid = done(await store.create({ source_id: 'large', status: 'PAID' }));
  expect(paid.items).toEqual(made.items);
  expect(await storedAs(made.id)).toMatchObject({ lines: first.lines, items: first.items });
  const longer = done(await store.create({ source_id: 'large', items: lines(31) }));
  expect(longer.items).toHaveLength(31);
  expect(longer.items[0]).not.toHaveProperty('metadata');
  expect((await storedAs(made.id)).items).toEqual([]);
  expect(await shown(made.id)).toEqual(longer);
  const short = done(await store.create({ source_id: 'large', items: lines(2) }));
  expect(await storedAs(made.id)).not.toHaveProperty('lines');
  expect(await shown(made.id)).toEqual(short);
});

test('an order whose lines are a list is read as before, and packed when its lines change', async () => {
  const made = done(await store.create({ source_id: 'older', items: lines(30) }));
  const stored = await storedAs(made.id);
  const list = Object(unpackLines(stored)).items;
  const update = new Update().whenThere().set(['items'], list).remove(['lines']);
  expect((await tableOfFile().change(keyOf(stored), update.build())).done).toBe(true);
  expect(await shown(made.id)).toEqual(made);
  const paid = done(await store.create({ source_id: 'older', status: 'PAID' }));
  expect(paid.items).toEqual(made.items);
  expect((await storedAs(made.id)).items).toHaveLength(30);
  const changed = done(await store.create({ source_id: 'older', items: lines(30, { quantity: 2 }) }));
  expect(await storedAs(made.id)).toMatchObject({ lines: expect.any(String), items: [] });
  expect(await shown(made.id)).toEqual(changed);
});

test('an order is measured before fields without effect are left out', async () => {
  const unknown = { note_of_till: 'x'.repeat(200 * 1024) };
  const message = `must have at most ${200 * 1024} bytes as JSON`;
  for (const sent of [unknown, { items: [{ ...lines(1)[0], ...unknown }] }]) {
    const { status, body } = await store.create({ source_id: 'wide', amount: 100, ...sent });
    expect([status, body.key, body.details]).toEqual([400, 'invalid_payload', expect.stringContaining(message)]);
  }
  const headers = store.project.credentials;
  const order = { amount: 100, ...unknown };
  const redeemables = [{ object: 'voucher', id: 'ANY' }];
  for (const handler of [validate, redeem, qualify]) {
    const { status, body } = await caller(handler)({ headers, body: { order, redeemables } });
    expect([status, body.details]).toEqual([400, expect.stringContaining(`order ${message}`)]);
  }
});
