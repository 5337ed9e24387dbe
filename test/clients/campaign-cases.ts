import { expect } from 'vitest';
import { answeredBy, type Case, type Client, DiscountVouchersTypesEnum } from './case.ts';

const newCategory = (client: Client, name: string) => client.categories.create({ name, hierarchy: 7 });

/** Rows for the client's methods about campaigns and their categories. */
export const campaignCases: Record<string, Case> = {
  'campaigns.qualifications.examine': answeredBy('examine-campaigns', async (client) => {
    const found = await client.campaigns.qualifications.examine({});
    expect(found).toMatchObject({ object: 'list', data: expect.any(Array) });
  }),
  'campaigns.create': answeredBy('create-campaign', async (client, runJobs) => {
    const created = await client.campaigns.create({
      name: 'Made by the client',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      start_date: '2026-01-01T00:00:00Z',
      vouchers_count: 3,
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 10 },
        code_config: { pattern: 'SDK-######' },
      },
      metadata: { origin: 'sdk' },
    });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^camp_/),
      object: 'campaign',
      name: 'Made by the client',
      start_date: '2026-01-01T00:00:00.000Z',
      vouchers_generation_status: 'IN_PROGRESS',
      vouchers_count: 0,
      active: true,
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      metadata: { origin: 'sdk' },
    });
    await runJobs();
    expect(await client.campaigns.get(created.id)).toMatchObject({
      vouchers_generation_status: 'DONE',
      vouchers_count: 3,
    });
  }),
  'campaigns.get': answeredBy('get-campaign', async (client) => {
    const wanted = { id: 'camp_morning', name: 'Early tide', object: 'campaign', category: 'Counter' };
    expect(await client.campaigns.get('Early tide')).toMatchObject(wanted);
    expect(await client.campaigns.get('camp_morning')).toMatchObject(wanted);
  }),
  'campaigns.list': answeredBy('list-campaigns', async (client) => {
    const { campaigns, total } = await client.campaigns.list({ limit: 1, campaign_type: 'PROMOTION' });
    expect([campaigns.length, total]).toEqual([1, expect.any(Number)]);
    expect(campaigns[0]).toMatchObject({ object: 'campaign', campaign_type: 'PROMOTION' });
  }),
  'campaigns.addVoucher': answeredBy('add-vouchers', async (client, runJobs) => {
    const added = await client.campaigns.addVoucher('Early tide', {}, { vouchers_count: 1 });
    expect(added).toMatchObject({ object: 'voucher', campaign: 'Early tide', code: expect.any(String) });
    expect(await client.campaigns.addVoucher('Early tide', {}, { vouchers_count: 2 })).toEqual({
      async_action_id: expect.stringMatching(/^aa_/),
    });
    await runJobs();
  }),
  'campaigns.delete': answeredBy('delete-campaign', async (client, runJobs) => {
    const { id } = await client.campaigns.create({
      name: 'Gone soon',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      start_date: '2026-01-01T00:00:00Z',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 10 } },
    });
    await client.campaigns.delete('Gone soon', { force: true });
    await runJobs();
    await expect(client.campaigns.get(id)).rejects.toMatchObject({ code: 404 });
  }),
  'campaigns.addCertainVoucher': answeredBy('add-voucher-with-code', async (client) => {
    const added = await client.campaigns.addCertainVoucher('Early tide', 'OF-THE-CLIENT', {});
    expect(added).toMatchObject({ code: 'OF-THE-CLIENT', campaign: 'Early tide' });
  }),
  'campaigns.disable': answeredBy('disable-campaign', async (client) => {
    expect(await client.campaigns.disable('Early tide')).toEqual({});
    expect(await client.campaigns.get('Early tide')).toMatchObject({ active: false });
  }),
  'campaigns.enable': answeredBy('enable-campaign', async (client) => {
    expect(await client.campaigns.enable('Early tide')).toEqual({});
    expect(await client.campaigns.get('Early tide')).toMatchObject({ active: true });
  }),
  'campaigns.update': answeredBy('update-campaign', async (client) => {
    const change = { description: 'Now with cake', metadata: { cake: true } };
    const updated = await client.campaigns.update('Early tide', { type: 'STATIC', ...change });
    expect(updated).toMatchObject({ id: 'camp_morning', vouchers_generation_status: 'MODIFYING', ...change });
  }),
  'campaigns.importVouchers': answeredBy('import-campaign-vouchers', async (client, runJobs) => {
    const started = await client.campaigns.importVouchers('Early tide', [{ code: 'SDK-TIDE' }]);
    expect(started).toMatchObject({ async_action_id: expect.stringMatching(/^aa_/) });
    await runJobs();
    expect(await client.vouchers.get('SDK-TIDE')).toMatchObject({ campaign: 'Early tide' });
  }),
  'categories.create': answeredBy('create-category', async (client) => {
    expect(await newCategory(client, 'Made')).toMatchObject({ object: 'category', name: 'Made', hierarchy: 7 });
  }),
  'categories.get': answeredBy('get-category', async (client) => {
    const category = await newCategory(client, 'Read');
    expect(await client.categories.get(category.id)).toEqual(category);
  }),
  'categories.list': answeredBy('list-categories', async (client) => {
    const category = await newCategory(client, 'Listed');
    const all = await client.categories.list();
    expect(all).toMatchObject({ object: 'list', data_ref: 'data' });
    expect(all.data).toContainEqual(category);
  }),
  'categories.update': answeredBy('update-category', async (client) => {
    const { id } = await newCategory(client, 'Old');
    expect(await client.categories.update(id, { name: 'New', hierarchy: 8 })).toMatchObject({ id, name: 'New' });
  }),
  'categories.delete': answeredBy('delete-category', async (client) => {
    const { id } = await newCategory(client, 'Gone');
    await client.categories.delete(id);
    await expect(client.categories.get(id)).rejects.toMatchObject({ code: 404 });
  }),
};
