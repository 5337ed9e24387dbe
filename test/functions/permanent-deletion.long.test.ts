import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { personalData } from '#addons/upkeep/erasure/personal-data.ts';
import { placePublication, publications } from '#engine/vouchers/publication.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createHandler } from '../../functions/customers/create-customer.ts';
import { handler as permanentHandler } from '../../functions/customers/delete-customer-permanently.ts';
import { handler as importHandler } from '../../functions/customers/import-customers.ts';
import { handler as walletHandler } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as bulkHandler } from '../../functions/customers/update-customers-in-bulk.ts';
import { handler as metadataHandler } from '../../functions/customers/update-customers-metadata.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { handler as exportHandler } from '../../functions/exports/create-export.ts';
import { handler as orderHandler } from '../../functions/orders/create-order.ts';
import { handler as importOrdersHandler } from '../../functions/orders/import-orders.ts';
import { handler as listOrdersHandler } from '../../functions/orders/list-orders.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as listRedemptionsHandler } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollbackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as assignHandler } from '../../functions/referrals/assign-holders.ts';
import { handler as segmentHandler } from '../../functions/segments/create-segment.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { filesOf, testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { linesOf, startExport } from '../support/exports.ts';
import { beforeWrite, meanwhile } from '../support/meanwhile.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import type { TestProject } from '../support/project.ts';

/** Each text with personal data contains it. */
const mark = 'qzxmark';
const marked = (text: string) => `${text}-${mark}`;
const sourceId = marked('crm');

const person = {
  source_id: sourceId,
  name: marked('Siv'),
  email: `siv-${mark}@mail.example`,
  phone: '+47 55 90 01 11 22',
  description: marked('regular'),
  birthdate: '1991-03-04',
  address: { line_1: marked('Quay 1'), city: marked('Bergen'), postal_code: marked('5003'), country: 'Norway' },
  metadata: { nickname: marked('Sivvy') },
};

/** Returns an item as text, including bytes. */
const asText = (value: unknown): string =>
  JSON.stringify(value, (_, one) => {
    const bytes = one?.type === 'Buffer' ? one.data : one;
    return bytes instanceof Uint8Array || one?.type === 'Buffer' ? Buffer.from(bytes).toString('latin1') : one;
  });

/** Returns what the project stores about the person: kinds of items, and names of files. */
async function placesOf(projectId: string): Promise<{ kinds: string[]; files: string[] }> {
  const has = (text: string) => [mark, person.phone].some((one) => text.includes(one));
  const items = (await itemsOf(projectId, '')).filter((item) => has(asText(item)));
  const files = [...filesOf(projectId)].filter(([, content]) => has(content.toString()));
  return { kinds: [...new Set(items.map(({ kind }) => String(kind)))].sort(), files: files.map(([name]) => name) };
}

/** Makes a shop in which the person has used everything. */
async function livedIn() {
  const project = await loadDemo();
  const call = async (handler: Endpoint, request: object) => {
    const headers = { ...project.credentials, 'idempotency-key': uniqueId('key-') };
    const reply = await caller(handler)({ headers, ...request });
    expect([handler.route.path, reply.status, reply.body?.details]).toEqual([
      handler.route.path,
      expect.toSatisfy((status: number) => status < 300),
      undefined,
    ]);
    return reply.body;
  };
  const customer = { source_id: sourceId };
  const metadata = { note: marked('note') };
  const { id } = await call(createHandler, { body: person });
  const items = [{ product_id: 'prod_beans', quantity: 2, metadata: { engraved: marked('for') } }];
  await call(eventHandler, { body: { event: 'cup_returned', customer } });
  await call(orderHandler, { body: { source_id: 'o-1', status: 'PAID', customer, items, metadata } });
  await call(importOrdersHandler, { body: [{ source_id: 'o-2', status: 'PAID', customer, items, metadata }] });
  await call(publishHandler, { body: { campaign: { name: 'Gift tins' }, customer, metadata, source_id: 'p-1' } });
  await call(assignHandler, { params: { memberId: 'MATE-INGRID' }, body: { holders: [{ ...customer, metadata }] } });
  const session = { key: marked('cart'), type: 'LOCK' };
  const cart = { customer, order: { source_id: 'o-3', items, metadata }, metadata, tracking_id: sourceId };
  const redeemables = [{ object: 'voucher', id: 'SPILT-MY-CUP' }];
  await call(validateHandler, { body: { ...cart, redeemables, session } });
  const { redemptions } = await call(redeemHandler, { body: { ...cart, redeemables, session } });
  const params = { redemptionId: redemptions[0].id };
  await call(rollbackHandler, { params, body: { reason: marked('returned') } });
  const headers = project.credentials;
  const refused = [{ object: 'voucher', id: 'TIDE-HELLO' }];
  expect((await caller(redeemHandler)({ headers, body: { ...cart, redeemables: refused } })).status).toBe(400);
  const many = [...redeemables, { object: 'promotion_tier', id: 'promo_two_bags' }];
  await call(redeemHandler, { body: { ...cart, order: { ...cart.order, source_id: 'o-4' }, redeemables: many } });
  await call(walletHandler, { params: { customerId: sourceId } });
  await call(segmentHandler, { body: { name: 'Chosen', type: 'static', customers: [id] } });
  await call(bulkHandler, { body: [{ source_id: sourceId, name: marked('Siv A') }] });
  await call(metadataHandler, { body: { source_ids: [sourceId], metadata: { seat: marked('12') } } });
  // Failed rows stay with their action, by name and reason.
  await call(importHandler, { body: { file: `source_id,birthdate\n${sourceId},never-${mark}` } });
  const exports = ['customer', 'order', 'publication', 'redemption', 'voucher'];
  await runOutbox(project.id);
  for (const exported_object of exports) await call(exportHandler, { body: { exported_object } });
  const fields = ['id', 'metadata.note'];
  await call(exportHandler, { body: { exported_object: 'order', parameters: { fields } } });
  const filters = { source_id: { conditions: { $is: [sourceId] } } };
  await call(exportHandler, { body: { exported_object: 'customer', parameters: { filters, fields: ['name'] } } });
  await runOutbox(project.id);
  return { project, id };
}

const ordersOf = async (headers: Record<string, string>) => {
  const { body } = await caller(listOrdersHandler)({ headers, query: 'limit=100' });
  return body.orders.map(({ id, amount, total_amount }: Record<string, unknown>) => [id, amount, total_amount]);
};

/** The person's redemptions and payments stay. */
async function figuresOf({ credentials: headers }: TestProject) {
  const { body } = await caller(listRedemptionsHandler)({ headers, query: 'limit=100' });
  const redeemed = body.redemptions.map(({ id, result, status, order }: Record<string, unknown>) => {
    const { total_amount, total_applied_discount_amount: off } = Object(order);
    return [id, result, status, total_amount, off];
  });
  const code = 'SPILT-MY-CUP';
  const { redemption } = (await caller(voucherHandler)({ headers, params: { code } })).body;
  return { orders: await ordersOf(headers), redeemed, used: redemption };
}

test('a customer who was deleted permanently is in no stored data, though workers die and meet, and figures stay', async () => {
  const { project, id } = await livedIn();
  const { credentials: headers } = project;
  const before = await placesOf(project.id);
  expect(Object.keys(personalData)).toEqual(expect.arrayContaining(before.kinds));
  expect(before.kinds).toEqual(expect.arrayContaining(['REDEMPTION', 'ORDER', 'PUBLICATION', 'FAILED_ROW', 'export']));
  expect(new Set(before.files.map((name) => name.split('/')[0]))).toEqual(
    new Set(['rows', 'reports', 'parts', 'exports']),
  );
  const figures = await figuresOf(project);
  expect((await caller(permanentHandler)({ headers, params: { customerId: id } })).status).toBe(200);
  const open = await openJobs(project.id);
  for (const [index, left] of [2, 6, 11, 19, 28].entries()) await deliver(open, mortal(left, index % 2 === 0));
  await Promise.all([deliver(open), deliver(open)]);
  await runOutbox(project.id);
  await deliver(open);
  expect(await placesOf(project.id)).toEqual({ kinds: [], files: [] });
  expect(await figuresOf(project)).toEqual(figures);
});

test('a request that had read the customer before writes data that the second walk erases', async () => {
  const project = await loadDemo();
  const { credentials: headers } = project;
  const customerId = (await caller(createHandler)({ headers, body: person })).body.id;
  await caller(permanentHandler)({ headers, params: { customerId } });
  const open = await openJobs(project.id);
  await deliver(open);
  const publication = {
    ...{ id: 'pub_late', created_at: testTime.toISOString(), customer_id: customerId, tracking_id: sourceId },
    ...{ channel: 'API', result: 'SUCCESS' as const, vouchers: [], asked: 'voucher' as const, metadata: {} },
  };
  const { dynamodb, tableName } = testDependencies();
  const table = new Table(dynamodb, tableName, testTime);
  const places = placePublication(project.id, publication);
  await commit(table, [insert(publications(project.id, publication.id), { ...publication, ...places })]);
  expect((await placesOf(project.id)).kinds).toEqual(['PUBLICATION', 'erase-person']);
  await runOutbox(project.id);
  expect(await placesOf(project.id)).toEqual({ kinds: [], files: [] });
});

test('a customer who was deleted permanently is in no file of an export that runs during the erasure', async () => {
  const project = await loadDemo();
  const { credentials: headers } = project;
  const customerId = (await caller(createHandler)({ headers, body: person })).body.id;
  await startExport(project, { exported_object: 'customer' });
  const running = await openJobs(project.id);
  const erase = async () => {
    await caller(permanentHandler)({ headers, params: { customerId } });
    const open = (await openJobs(project.id)).filter(({ kind }) => kind === 'erase-person');
    for (const _ of ['first walk', 'second walk']) await deliver(open);
  };
  await meanwhile(beforeWrite(1, 'DONE'), erase, (container) => deliver(running, container));
  expect((await placesOf(project.id)).files).toContainEqual(expect.stringMatching(/^exports/));
  await runOutbox(project.id);
  expect(await placesOf(project.id)).toEqual({ kinds: [], files: [] });
});

test('an export keeps the rows of others', async () => {
  const project = await loadDemo();
  const { credentials: headers } = project;
  const customerId = (await caller(createHandler)({ headers, body: person })).body.id;
  const parameters = { fields: ['name', 'metadata.nickname'] };
  const all = await Promise.all(
    [undefined, parameters].map((one) => startExport(project, { exported_object: 'customer', parameters: one })),
  );
  await runOutbox(project.id);
  const lines = () => Promise.all(all.map((one) => linesOf(project, one)));
  const before = await lines();
  expect(before.map((some) => some.filter((line) => line.includes(mark)).length)).toEqual([1, 1]);
  await caller(permanentHandler)({ headers, params: { customerId } });
  await runOutbox(project.id);
  expect(await lines()).toEqual(before.map((some) => some.filter((line) => !line.includes(mark))));
});

test('the page on personal data names each kind of item that has some', async () => {
  const page = await readFile(new URL('../../docs/personal-data.md', import.meta.url), 'utf8');
  expect(Object.keys(personalData).filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
});
