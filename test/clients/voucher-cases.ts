import { expect } from 'vitest';
import { answeredBy, balanceOf, type Case, DiscountVouchersTypesEnum, list } from './case.ts';

const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } } as const;

/** Rows for the client's methods about vouchers and their publications. */
export const voucherCases: Record<string, Case> = {
  'vouchers.qualifications.examine': answeredBy('examine-vouchers', async (client) => {
    const found = await client.vouchers.qualifications.examine({});
    expect(found).toMatchObject({ object: 'list', data: expect.any(Array) });
  }),
  'vouchers.create': answeredBy('create-voucher-with-code', async (client) => {
    const named = await client.vouchers.create({ ...gift, code: 'SDK 1/2', metadata: { a: 1 } });
    expect(named).toMatchObject({ ...gift, code: 'SDK 1/2', campaign: null, metadata: { a: 1 } });
    // The method calls the path with a slash at its end.
    const drawn = await client.vouchers.create({ ...gift, additional_info: 'drawn' });
    expect(drawn).toMatchObject({ additional_info: 'drawn', code: expect.stringMatching(/^\w{8}$/) });
  }),
  'vouchers.list': answeredBy('list-vouchers', async (client) => {
    const { vouchers, total } = await client.vouchers.list({ campaign: 'Early tide', limit: 1, order: 'created_at' });
    expect(vouchers).toMatchObject([{ code: 'TIDE-HELLO', campaign: 'Early tide' }]);
    expect(total).toBeGreaterThan(1);
    const before = { created_at: { before: '2026-01-12T09:00:30Z' }, customer: 'crm-101' };
    expect((await client.vouchers.list(before)).vouchers).toEqual([]);
  }),
  'vouchers.update': answeredBy('update-voucher', async (client) => {
    const { code } = await client.vouchers.create({ ...gift, metadata: { a: 1 } });
    const updated = await client.vouchers.update({ code, additional_info: 'new', metadata: { b: 2 } });
    expect(updated).toMatchObject({ code, additional_info: 'new', metadata: { a: 1, b: 2 } });
  }),
  'vouchers.delete': answeredBy('delete-voucher', async (client) => {
    for (const params of [undefined, { force: true }]) {
      const { code } = await client.vouchers.create(gift);
      await client.vouchers.delete(code, params);
      await expect(client.vouchers.get(code)).rejects.toMatchObject({ code: 404 });
    }
  }),
  'vouchers.get': answeredBy('get-voucher', async (client) => {
    const code = 'KAFFE & KAKE/50% på Bryggen';
    expect(await client.vouchers.get(code)).toMatchObject({
      code,
      object: 'voucher',
      type: 'DISCOUNT_VOUCHER',
      campaign: 'Early tide',
      discount: { type: 'PERCENT', percent_off: 50 },
      redemption: { quantity: null, redeemed_quantity: 0 },
      active: true,
    });
  }),
  'vouchers.enable': answeredBy('enable-voucher', async (client) => {
    expect(await client.vouchers.get('TIDE-ASLEEP')).toMatchObject({ active: false });
    expect(await client.vouchers.enable('TIDE-ASLEEP')).toMatchObject({ code: 'TIDE-ASLEEP', active: true });
  }),
  'vouchers.disable': answeredBy('disable-voucher', async (client) => {
    expect(await client.vouchers.disable('TIDE-CAPTAIN')).toMatchObject({ code: 'TIDE-CAPTAIN', active: false });
  }),
  'vouchers.balance.create': answeredBy('adjust-voucher-balance', async (client) => {
    const before = await balanceOf(client, 'CREW-INGRID');
    const balance = await client.vouchers.balance.create('CREW-INGRID', { amount: 5 });
    expect(balance).toMatchObject({ amount: 5, balance: before + 5, type: 'loyalty_card', object: 'balance' });
  }),
  'vouchers.bulkUpdate': answeredBy('update-vouchers-in-bulk', async (client) => {
    const started = await client.vouchers.bulkUpdate([{ code: 'TIDE-HELLO', metadata: { by: 'client' } }]);
    expect(started).toMatchObject({ async_action_id: expect.stringMatching(/^aa_/) });
  }),
  'vouchers.bulkUpdateMetadata': answeredBy('update-vouchers-metadata', async (client, runJobs) => {
    const metadata = { season: 'spring' };
    const { async_action_id } = await client.vouchers.bulkUpdateMetadata({ codes: ['TIDE-HELLO'], metadata });
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({ operation_status: 'SUCCESS' });
    expect(await client.vouchers.get('TIDE-HELLO')).toMatchObject({ metadata: { season: 'spring' } });
  }),
  'vouchers.import': answeredBy('import-vouchers', async (client, runJobs) => {
    const discount = { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 10 };
    // The library's own type has a result that no import has.
    const { async_action_id } = (await client.vouchers.import([
      { code: 'SDK-IMPORTED', type: 'DISCOUNT_VOUCHER', discount },
    ])) as unknown as { async_action_id: string };
    await runJobs();
    expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1, failed: [] } });
    expect(await client.vouchers.get('SDK-IMPORTED')).toMatchObject({ discount });
  }),
  'vouchers.listTransactions': answeredBy('list-voucher-transactions', async (client) => {
    await client.vouchers.balance.create('CREW-INGRID', { amount: 6 });
    const transactions = await client.vouchers.listTransactions('CREW-INGRID', { limit: 1, page: 1 });
    const balance = await balanceOf(client, 'CREW-INGRID');
    expect(transactions).toMatchObject({ ...list, data: [{ type: 'POINTS_ADDITION', points: 6, balance }] });
  }),
  'vouchers.exportTransactions': answeredBy('export-voucher-transactions', async (client) => {
    const started = await client.vouchers.exportTransactions('CREW-INGRID', { parameters: { order: 'created_at' } });
    expect(started).toMatchObject({ status: 'SCHEDULED', parameters: { order: 'created_at' } });
  }),
  'distributions.publications.create': answeredBy('create-publication', async (client) => {
    const body = { voucher: 'TIN-LANTERN', customer: { source_id: 'crm-102' }, metadata: { a: 1 } };
    const made = await client.distributions.publications.create(body);
    expect(made).toMatchObject({ object: 'publication', result: 'SUCCESS', voucher: { holder_id: 'cust_oluf' } });
    expect(await client.vouchers.get('TIN-LANTERN')).toMatchObject({ holder_id: 'cust_oluf', publish: { count: 1 } });
  }),
  'distributions.publications.list': answeredBy('list-publications', async (client) => {
    const campaign = { name: 'Bring a shipmate', count: 2 };
    const made = await client.distributions.publications.create({ campaign, customer: { source_id: 'crm-102' } });
    const found = await client.distributions.publications.list({
      customer: 'crm-102',
      order: '-created_at',
      limit: 5,
    });
    expect([found.data_ref, found.publications?.[0]?.id]).toEqual(['publications', made.id]);
  }),
};
