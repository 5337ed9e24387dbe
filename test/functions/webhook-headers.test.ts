import { describe, expect, test } from 'vitest';
import { webhook as described } from '#addons/webhooks/resource.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as create } from '../../functions/management/create-webhook.ts';
import { handler as get } from '../../functions/management/get-webhook.ts';
import { handler as getDelivery } from '../../functions/management/get-webhook-delivery.ts';
import { handler as list } from '../../functions/management/list-webhooks.ts';
import { handler as testWebhook } from '../../functions/management/test-webhook.ts';
import { handler as update } from '../../functions/management/update-webhook.ts';
import { exported } from '../support/exported.ts';
import { openHearing, openReceiver } from '../support/hearing.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadFile } from '../support/project.ts';

/** Requests of a webhook carry headers of its owner. Their values are secrets, and only a receiver ever sees them. */

const value = 'Bearer k3y-Of-The-Crm';
const headers = { Authorization: value, 'X-Tenant': 'harbour coffee' };
const names = ['Authorization', 'X-Tenant'];

async function open() {
  const [hearing, receiver] = await Promise.all([openHearing(), openReceiver()]);
  const { manage, call, settleAll } = hearing;
  const body = { target_url: receiver.url, events: ['customer.created'] };
  return {
    ...hearing,
    receiver,
    create: (more: object = {}) => manage(create, {}, { ...body, ...more }),
    update: (webhookId: string, sent: object) => manage(update, { webhookId }, sent),
    get: async (webhookId: string) => (await manage(get, { webhookId })).body,
    /** Causes an event, and returns the last request that the receiver got. */
    hear: async (source_id: string) => {
      await call(createCustomer, { body: { source_id, name: 'Ingrid' } });
      await settleAll();
      return receiver.heard.at(-1);
    },
  };
}

describe('headers of a webhook', () => {
  test('come with each request, tests too, beside those that sign it', async () => {
    const { create: make, hear, manage, settleAll, receiver } = await open();
    const { status, body } = await make({ headers });
    expect(status).toBe(200);
    const event = await hear('ingrid');
    expect(event?.headers).toMatchObject({
      ...{ authorization: value, 'x-tenant': 'harbour coffee' },
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': event?.body.id,
      'x-voucherify-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await manage(testWebhook, { webhookId: body.id }, { type: 'voucher.created' });
    await settleAll();
    expect(receiver.heard.at(-1)).toMatchObject({
      body: { type: 'voucher.created' },
      headers: { authorization: value },
    });
  });

  test('are replaced together, stay with other changes, and end with null or none', async () => {
    const { create: make, update: change, get: read, hear } = await open();
    const { body } = await make({ headers });
    expect(body.header_names).toEqual(names);
    expect((await change(body.id, { events: ['customer.created', 'voucher.created'] })).body.header_names).toEqual(
      names,
    );
    expect((await hear('a'))?.headers.authorization).toBe(value);
    expect((await change(body.id, { headers: { 'X-Other': '1' } })).body.header_names).toEqual(['X-Other']);
    expect((await hear('b'))?.headers).toMatchObject({ 'x-other': '1' });
    expect((await hear('c'))?.headers).not.toHaveProperty('authorization');
    for (const nothing of [null, {}]) {
      await change(body.id, { headers });
      expect(await read(body.id)).toMatchObject({ header_names: names });
      expect((await change(body.id, { headers: nothing })).body).not.toHaveProperty('header_names');
      expect(await read(body.id)).not.toHaveProperty('header_names');
      expect((await hear(JSON.stringify(nothing)))?.headers).not.toHaveProperty('authorization');
    }
  });

  test('are shown nowhere: replies, log, lines, project file and table have at most their names', async () => {
    const own = await open();
    const { id, manage, dependencies, receiver, table } = own;
    const made = await own.create({ headers });
    const webhookId = made.body.id;
    await own.hear('ingrid');
    const deliveryId = receiver.heard[0]?.body.id;
    const log = await manage(getDelivery, { webhookId, deliveryId });
    expect(log.body.status).toBe('SUCCEEDED');
    const changed = await own.update(webhookId, { headers });
    const told = [made, changed, log, await manage(list), await own.get(webhookId), receiver.heard[0]?.body];
    const file = await exported(id, dependencies);
    expect(file.webhooks).toEqual([expect.objectContaining({ id: webhookId, events: ['customer.created'] })]);
    const stored = [];
    for (const kind of ['WEBHOOK', 'JOB']) stored.push(...(await itemsOf(id, kind, dependencies)));
    expect(stored.length).toBeGreaterThan(3);
    for (const where of [told, file, stored, dependencies.lines]) {
      const text = JSON.stringify(where);
      expect([text.includes(value), text.includes('harbour coffee'), text.includes(btoa(value))]).toEqual([
        ...[false, false, false],
      ]);
    }
    const [first, second] = [made, changed].map(({ body }) => body.updated_at ?? body.created_at);
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    // An equal text is sealed to other bytes each time.
    const item = await table().get(described.few(id, webhookId), described.stored);
    await own.update(webhookId, { headers });
    const again = await table().get(described.few(id, webhookId), described.stored);
    expect(again?.sealed_headers).not.toBe(item?.sealed_headers);
  });

  test('stay when a project file with the names is loaded, and another project gets none', async () => {
    const own = await open();
    const { body } = await own.create({ headers });
    const entry = { ...(await own.get(body.id)), events: ['customer.created', 'voucher.created'] };
    await loadFile({ project: { id: own.id, name: 'Test' }, webhooks: [entry] }, own.clock(), own.dependencies);
    expect(await own.get(body.id)).toMatchObject({ events: entry.events, header_names: names });
    expect((await own.hear('ingrid'))?.headers.authorization).toBe(value);
  });
});

describe('a new target gets no headers of the one before', () => {
  test('an update of the target must send headers again, or null', async () => {
    const own = await open();
    const { body } = await own.create({ headers });
    const other = `${own.receiver.url}/other`;
    const refused = await own.update(body.id, { target_url: other });
    expect(refused.body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect(refused.body.details).toContain('send headers again');
    expect((await own.update(body.id, { target_url: own.receiver.url })).status).toBe(200);
    expect((await own.update(body.id, { target_url: other, headers: { 'X-New': 'yes' } })).status).toBe(200);
    expect((await own.hear('a'))?.headers).toMatchObject({ 'x-new': 'yes' });
    expect((await own.hear('b'))?.headers).not.toHaveProperty('authorization');
    expect((await own.update(body.id, { target_url: own.receiver.url, headers: null })).status).toBe(200);
  });

  test('a project file that moves the target sends nothing there, and the log says why', async () => {
    const own = await open();
    const { body } = await own.create({ headers });
    const entry = { ...(await own.get(body.id)), target_url: `${own.receiver.url}/moved` };
    await loadFile({ project: { id: own.id, name: 'Test' }, webhooks: [entry] }, own.clock(), own.dependencies);
    await own.call(createCustomer, { body: { source_id: 'ingrid', name: 'Ingrid' } });
    await own.settle();
    expect(own.receiver.heard).toEqual([]);
    const [delivery] = await itemsOf(own.id, 'WEBHOOK_DELIVERY', own.dependencies);
    expect(delivery).toMatchObject({ attempts: [{ status: null, answer: expect.stringContaining('another target') }] });
  });
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'a']));

test.each([
  [{ 'Content-Type': 'text/plain' }, 'headers.Content-Type is set by the service'],
  [{ host: 'a' }, 'headers.host is set by the service'],
  [{ 'Transfer-Encoding': 'chunked' }, 'headers.Transfer-Encoding is set by the service'],
  [{ connection: 'close' }, 'headers.connection is set by the service'],
  [{ 'Webhook-Signature': 'v1,a' }, 'headers.Webhook-Signature is set by the service'],
  [{ 'X-Voucherify-Signature': 'a' }, 'headers.X-Voucherify-Signature is set by the service'],
  [{ 'X Tenant': 'a' }, 'headers.X Tenant is not a name of a header'],
  [{ '': 'a' }, 'is not a name of a header'],
  [{ 'X-Ténant': 'a' }, 'is not a name of a header'],
  [{ 'X-A': 'a\r\nX-B: b' }, 'headers.X-A must have 1 to 1000 printable ASCII characters'],
  [{ 'X-A': 'é' }, 'headers.X-A must have 1 to 1000 printable ASCII characters'],
  [{ 'X-A': '' }, 'headers.X-A must have 1 to 1000 printable ASCII characters'],
  [{ 'X-A': ' a' }, 'headers.X-A must have 1 to 1000 printable ASCII characters'],
  [{ 'X-A': 'a'.repeat(1_001) }, 'headers.X-A must have 1 to 1000 printable ASCII characters'],
  [{ 'X-A': 'a', 'x-a': 'b' }, 'headers must name each header once'],
  [many(11), 'headers must have at most 10'],
  [{ 'X-A': 7 }, 'headers.X-A'],
  [['X-A'], 'headers'],
])('%j is refused, and the words have no value', async (sent, words) => {
  const own = await openHearing();
  const target = { target_url: 'https://crm.example/hooks', events: ['customer.created'] };
  const { body } = await own.manage(create, {}, { ...target, headers: sent });
  expect(body).toMatchObject({ code: 400, key: 'invalid_payload' });
  expect(body.details).toContain(words);
  expect((await own.manage(list)).body.total).toBe(0);
});

test('ten headers of a thousand characters are taken, by any name that is free', async () => {
  const own = await openHearing();
  const target = { target_url: 'https://crm.example/hooks', events: ['customer.created'] };
  const sent = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-${index}`, 'a'.repeat(1_000)]));
  expect((await own.manage(create, {}, { ...target, headers: sent })).body.header_names).toEqual(Object.keys(sent));
  const other = { ...target, target_url: 'sqs:orders', headers: { "!#$%&'*+-.^_`|~": 'a' } };
  expect((await own.manage(create, {}, other)).status).toBe(200);
});
