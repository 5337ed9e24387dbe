import { describe, expect, test } from 'vitest';
import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { readAll } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { settleDue } from '#registry.ts';
import { handler as campaignHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as customerHandler } from '../../functions/customers/get-customer.ts';
import { handler as activitiesHandler } from '../../functions/customers/list-customer-activities.ts';
import { handler as redeemablesHandler } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { handler as emptyHandler } from '../../functions/trash-bin/delete-trash-bin-entry.ts';
import { handler as binHandler } from '../../functions/trash-bin/list-trash-bin.ts';
import { handler as assignmentsHandler } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { handler as createHandler } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as removeHandler } from '../../functions/vouchers/delete-voucher.ts';
import { handler as enableHandler } from '../../functions/vouchers/enable-voucher.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as transactionsHandler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { couponCampaign } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const card = { type: 'LOYALTY_CARD', campaign: 'Club', active: true };

/** A club. Its members hold a card with points and pending points, and a coupon. */
async function aClub() {
  const project = await loadProject({
    customers: [{ id: 'cust_1', source_id: 'crm-1' }],
    validation_rules: [{ id: 'val_1', name: 'Any' }],
    campaigns: [
      programme('camp_club', { name: 'Club', vouchers_count: 2 }),
      couponCampaign('camp_off', 'Off', discount),
    ],
    vouchers: [
      { ...card, code: 'CARD', holder_id: 'cust_1', loyalty_card: { points: 500 } },
      { ...card, code: 'OTHER', loyalty_card: { points: 500 } },
      { code: 'OFF', type: 'DISCOUNT_VOUCHER', campaign: 'Off', active: true },
    ],
    pending_points: [{ id: 'lopp_1', code: 'CARD', points: 50 }],
    event_schema: [{ name: 'seen', metadata: {} }],
  });
  const { credentials: headers } = project;
  const call = (handler: Endpoint, request: object) => caller(handler)({ headers, ...request });
  const of = (code: string) => ({ params: { code } });
  return {
    project,
    call,
    of,
    remove: (code: string, query = '') => call(removeHandler, { ...of(code), query }),
    get: async (code: string) => (await call(getHandler, of(code))).status,
    create: (code: string, body: object) => call(createHandler, { ...of(code), body }),
    transfer: (source_id: string, from = 'CARD', to = 'OTHER') =>
      call(transferHandler, {
        params: { campaignId: 'camp_club', memberId: to },
        body: [{ code: from, points: 1, source_id }],
      }),
    bin: async (query = '') => (await call(binHandler, { query })).body,
    empty: async (binEntryId: string) => (await call(emptyHandler, { params: { binEntryId } })).status,
    left: async () =>
      (await itemsOf(project.id, '')).filter(({ pk }) => String(pk).includes('#VOUCHER#')).map(({ sk }) => String(sk)),
  };
}

describe.each(['', 'force=true'])('a voucher that was deleted, with "%s"', (query) => {
  test('is missing for every read, and its holder has neither the voucher nor its points', async () => {
    const { call, of, remove, get, transfer } = await aClub();
    expect((await transfer('t-1')).status).toBe(200);
    const { body: before } = await call(getHandler, of('CARD'));
    expect((await remove('CARD', query)).status).toBe(204);

    for (const name of ['CARD', before.id]) expect(await get(name)).toBe(404);
    expect((await remove('CARD', query)).status).toBe(404);
    expect((await call(enableHandler, of('CARD'))).status).toBe(404);
    expect((await call(transactionsHandler, of('CARD'))).status).toBe(404);
    expect((await transfer('t-2')).status).toBe(404);
    expect((await transfer('t-3', 'OTHER', 'CARD')).status).toBe(404);
    const params = { customerId: 'crm-1' };
    const event = { event: 'seen', customer: { source_id: 'crm-1' } };
    expect((await call(eventHandler, { body: { ...event, loyalty: { code: 'CARD' } } })).status).toBe(404);
    expect((await call(eventHandler, { body: event })).status).toBe(200);
    expect((await call(redeemablesHandler, { params })).body).toMatchObject({ data: [], total: 0 });
    expect((await call(customerHandler, { params })).body.loyalty).toMatchObject({ points: 0, campaigns: {} });
    const { data, total } = (await call(activitiesHandler, { params })).body;
    // Two functions record these at one moment, so their order means nothing.
    expect(data.map(({ type }: { type: string }) => type).sort()).toEqual([
      'customer.custom_event',
      'customer.voucher.deleted',
    ]);
    expect(total).toBe(2);
    const club = await call(campaignHandler, { params: { campaignId: 'Club' } });
    expect(club.body.vouchers_count).toBe(1);
  });

  test('is in no list of vouchers', async () => {
    const { project, remove } = await aClub();
    await remove('OFF', query);
    const { dynamodb, tableName, clock } = testDependencies();
    const table = new Table(dynamodb, tableName, clock());
    const codes = async (list: (typeof voucherLists)['free'], ...owner: string[]) =>
      (await readAll(table, list, [project.id, ...owner])).map(({ listed }) => listed.code);
    expect((await codes(voucherLists.created_at)).sort()).toEqual(['CARD', 'OTHER']);
    expect(await codes(voucherLists.free, 'camp_off')).toEqual([]);
    expect(await codes(voucherLists.ofCampaign, 'camp_off')).toEqual([]);
  });

  test('has no validation rule any more', async () => {
    const { call, create, remove } = await aClub();
    const of = { params: { validationRuleId: 'val_1' } };
    const total = async () => (await call(assignmentsHandler, of)).body.total;
    await create('RULED', { type: 'DISCOUNT_VOUCHER', discount, validation_rules: ['val_1'] });
    expect(await total()).toBe(1);
    expect((await remove('RULED', query)).status).toBe(204);
    expect(await total()).toBe(0);
  });

  test('is deleted by one of twenty concurrent requests, whether its points move meanwhile or not', async () => {
    const { call, of, remove, transfer, left } = await aClub();
    const moving = Array.from({ length: 5 }, (_, till) => transfer(`till-${till}`));
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => remove('CARD', query))))
      .map(({ status }) => status)
      .sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
    const moved = (await Promise.all(moving)).filter(({ status }) => status === 200).length;
    const { body } = await call(getHandler, of('OTHER'));
    expect(body.loyalty_card.balance).toBe(500 + moved);
    expect((await left()).filter((kind) => /^LEDGER|^TRANSFER/.test(kind))).toHaveLength(moved);
  });
});

describe('the bin', () => {
  test('lists deleted vouchers, the last first, until they are deleted there', async () => {
    const { remove, bin, empty } = await aClub();
    await remove('OFF');
    await remove('CARD');
    await remove('OTHER', 'force=true');
    const { data, total, has_more } = await bin();
    expect([total, has_more]).toEqual([2, false]);
    expect(data).toMatchObject([
      { resource_name: 'CARD', resource_parent_id: 'camp_club', deleted_by_user_id: null },
      { resource_name: 'OFF', resource_parent_id: 'camp_off', resource_type: 'voucher', object: 'voucher' },
    ]);
    const [card, off] = data;
    expect(card.id).toMatch(/^tbe_/);
    const first = await bin('limit=1');
    expect(first).toMatchObject({ data: [card], total: 1, has_more: true, more_starting_after: card.id });
    expect((await bin(`starting_after_id=${card.id}`)).data).toEqual([off]);
    expect((await bin('order=id&limit=1')).data).toEqual([off]);
    expect((await bin('filters[resource_name][conditions][$is]=OFF')).data).toEqual([off]);
    expect((await bin('starting_after_id=x')).key).toBe('invalid_query_params');

    expect([await empty(off.id), await empty(off.id), await empty('tbe_0')]).toEqual([204, 404, 404]);
    expect((await bin()).data).toEqual([card]);
  });

  test('keeps a code, and says so, until the entry is deleted: then the code is free', async () => {
    const { remove, bin, empty, create, get } = await aClub();
    const body = { type: 'DISCOUNT_VOUCHER', discount };
    await remove('OFF');
    const [entry] = (await bin()).data;
    const refused = await create('OFF', body);
    expect(refused.body).toMatchObject({ key: 'duplicate_found', details: expect.stringContaining(entry.id) });
    const twenty = await Promise.all(Array.from({ length: 20 }, () => empty(entry.id)));
    expect(twenty.filter((status) => status === 204)).toHaveLength(1);
    expect((await create('OFF', body)).status).toBe(200);
    expect(await get('OFF')).toBe(200);
  });

  test('is not used with force: the code is free at once, and the new voucher has nothing of the old one', async () => {
    const { remove, create, transfer, left, bin } = await aClub();
    await transfer('t-1');
    await remove('CARD', 'force=true');
    expect((await bin()).data).toEqual([]);
    expect((await left()).sort()).toEqual(['LEDGER#0000000000000001', 'VOUCHER', 'VOUCHER']);
    const { body } = await create('CARD', { type: 'LOYALTY_CARD', campaign: 'Club', loyalty_card: { points: 3 } });
    expect(body).toMatchObject({ loyalty_card: { points: 3, balance: 3 } });
    expect(body).not.toHaveProperty('holder_id');
    expect((await transfer('t-1')).status).toBe(200);
  });
});

describe('a card with a long ledger', () => {
  const moves = 65;

  async function aLongLedger() {
    const club = await aClub();
    for (let move = 0; move < moves; move++) {
      expect((await club.transfer(`there-${move}`, 'OTHER', 'CARD')).status).toBe(200);
    }
    return {
      ...club,
      children: async () => (await club.left()).filter((sk) => sk.startsWith('LEDGER')).length - moves,
    };
  }

  test('is deleted by a job: with force its code is free when the last entry is deleted', async () => {
    const { project, remove, create, children, get } = await aLongLedger();
    const body = { type: 'DISCOUNT_VOUCHER', discount };
    expect((await remove('CARD', 'force=true')).status).toBe(204);
    expect(await get('CARD')).toBe(404);
    expect((await create('CARD', body)).body).toMatchObject({
      key: 'duplicate_found',
      details: expect.stringContaining('being deleted'),
    });
    const open = await openJobs(project.id);
    await Promise.all([deliver(open), deliver(open)]);
    await runOutbox(project.id);
    expect(await children()).toBe(0);
    expect((await create('CARD', body)).status).toBe(200);
    // The job is delivered once more, and does not touch the new voucher.
    await deliver(open);
    expect(await get('CARD')).toBe(200);
  });

  test('may be deleted in the bin while its entries are being deleted', async () => {
    const { project, remove, bin, empty, create, get, children } = await aLongLedger();
    await remove('CARD');
    const first = await openJobs(project.id);
    expect(await empty((await bin()).data[0].id)).toBe(204);
    expect((await bin()).data).toEqual([]);
    await runOutbox(project.id);
    expect(await children()).toBe(0);
    expect((await create('CARD', { type: 'DISCOUNT_VOUCHER', discount })).status).toBe(200);
    await deliver(first);
    expect(await get('CARD')).toBe(200);
  });
});

test('nothing of a deleted card is due any more', async () => {
  const { project, remove } = await aClub();
  await remove('CARD');
  await remove('OTHER');
  const due = (await itemsOf(project.id, '')).filter(({ dueShard, sk }) => dueShard && sk !== 'JOB');
  expect(due).toEqual([]);
  expect((await settleDue(testDependencies())).failed).toBe(0);
});
