import { describe, expect, test } from 'vitest';
import { category, merchantOf, newMerchant } from '../support/merchant.ts';
import { itemsOf } from '../support/outbox.ts';
import { credentialsOf, loadFile, loadProject, projectFile } from '../support/project.ts';

const merchant = await newMerchant();

describe('creating a campaign', () => {
  test('with an empty body uses the defaults', async () => {
    const { status, body } = await merchant.create({});
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^camp_[\w-]{22}$/),
      name: body.id,
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      auto_join: false,
      join_once: false,
      use_voucher_metadata_schema: true,
      protected: false,
      active: true,
      category_id: null,
      categories: [],
      vouchers_count: 0,
      creation_status: 'IN_PROGRESS',
      vouchers_generation_status: 'IN_PROGRESS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        redemption: { quantity: null },
        code_config: {
          length: 8,
          charset: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
          pattern: '########',
        },
        is_referral_code: false,
      },
      created_at: '2026-06-15T12:00:00.000Z',
      object: 'campaign',
      validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    });
  });

  test("keeps, shows and passes on the dates of its vouchers, which override the campaign's own", async () => {
    const own = { start_date: '2026-01-01T00:00:00.000Z', expiration_date: '2026-12-31T00:00:00.000Z' };
    const sent = { start_date: '2026-07-01T02:00:00+02', validity_timeframe: { interval: 'P1D', duration: 'PT1.5H' } };
    const kept = { ...sent, start_date: '2026-07-01T00:00:00.000Z', expiration_date: own.expiration_date };
    const { status, body } = await merchant.create({ ...own, vouchers_count: 1, voucher: sent });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...own, voucher: kept });
    await merchant.run();
    const shown = await merchant.get(body.id);
    expect(shown.body).toMatchObject({ ...own, voucher: kept });
    const stored = await itemsOf(merchant.id, 'VOUCHER');
    const code = String(stored.find(({ campaign_id }) => campaign_id === body.id)?.code);
    expect(await merchant.voucher(code)).toMatchObject(kept);
  });

  test('keeps unknown fields of hours, and times up to the end of the day', async () => {
    const validity_hours = {
      daily: [{ start_time: '12:00:00', expiration_time: '24:00', days_of_week: [1], note: 'late' }],
      custom: { holidays: ['2026-12-24'] },
    };
    const { status, body } = await merchant.create({ validity_hours });
    expect([status, body.validity_hours]).toEqual([200, validity_hours]);
  });

  test.each([
    { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
    { type: 'FIXED', fixed_amount: 10, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
    { type: 'UNIT', unit_off: 1, unit_type: 'mug', effect: 'APPLY_TO_ORDER' },
  ])('takes a discount of $type with the effect $effect', async (discount) => {
    const { status, body } = await merchant.create({ voucher: { discount } });
    expect([status, body.voucher.discount]).toEqual([200, discount]);
  });

  test.each([
    [{ length: 5 }, { length: 5, pattern: '#####' }],
    [
      { pattern: 'A-####', prefix: 'p' },
      { length: 4, pattern: 'A-####', prefix: 'p' },
    ],
    [
      { length: 3, charset: 'abcdefgh' },
      { length: 3, charset: 'abcdefgh', pattern: '###' },
    ],
  ])('with the codes %o shows their whole configuration', async (code_config, expected) => {
    const { body } = await merchant.create({ voucher: { code_config } });
    expect(body.voucher.code_config).toEqual({ charset: expect.any(String), ...expected });
    expect((await merchant.get(body.id)).body.voucher.code_config).toEqual(body.voucher.code_config);
  });

  test('from a file shows the whole configuration of its codes, too', async () => {
    const voucher = { type: 'DISCOUNT_VOUCHER' };
    const { id, credentials } = await loadProject({
      campaigns: [{ id: 'camp_plain', name: 'Plain', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher }],
    });
    const { body } = await merchantOf({ id, credentials }).get('camp_plain');
    const charset = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
    expect(body.voucher.code_config).toEqual({ length: 8, charset, pattern: '########' });
  });

  test('lists its areas and stores, in a project with the feature', async () => {
    const file = projectFile();
    await loadFile({ ...file, project: { ...file.project, features: { areas_and_stores: true } } });
    const chain = merchantOf({ id: file.project.id, credentials: credentialsOf(file) });
    const assign = { areas_ids: ['ar_1'], area_stores_ids: ['ars_2'], area_all_stores_ids: ['ar_3'] };
    const { body } = await chain.create({ access_settings: { assign } });
    const data = [
      { area_id: 'ar_1', all_stores: false },
      { area_id: 'ar_3', all_stores: true },
      { area_store_id: 'ars_2' },
    ];
    expect(body.access_settings_assignments).toEqual({ object: 'list', data_ref: 'data', data, total: 3 });
    const shown = await chain.get(body.id);
    expect(shown.body.access_settings_assignments).toEqual(body.access_settings_assignments);
    const without = await chain.create({});
    expect(without.body.access_settings_assignments).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 });
  });

  test('keeps and shows every field that it takes', async () => {
    const sent = {
      name: 'Everything',
      description: 'All of it',
      type: 'STATIC',
      campaign_type: 'DISCOUNT_COUPONS',
      join_once: false,
      auto_join: true,
      use_voucher_metadata_schema: true,
      vouchers_count: 0,
      start_date: '2026-07-01T02:00:00+02:00',
      expiration_date: '2026-08-01T00:00:00Z',
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
      validity_day_of_week: [0, 6],
      validity_hours: { daily: [{ start_time: '17:00', expiration_time: '19:00', days_of_week: [5] }] },
      activity_duration_after_publishing: 'P1M',
      category: 'One',
      metadata: { a: { b: [1, null, 'é'] } },
      validation_rules: ['val_1'],
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'UNIT', unit_off: 2, unit_type: 'mug', effect: 'ADD_NEW_ITEMS' },
        redemption: { quantity: null },
        code_config: { length: 10, charset: 'abc', pattern: 'A-########', prefix: 'p', postfix: 'q', initial_count: 5 },
        is_referral_code: false,
      },
    };
    const { status, body } = await merchant.create(sent);
    expect(status).toBe(200);
    const { vouchers_count, validation_rules, category: named, voucher, start_date, expiration_date, ...plain } = sent;
    const dates = { start_date: '2026-07-01T00:00:00.000Z', expiration_date: '2026-08-01T00:00:00.000Z' };
    expect(body).toMatchObject({
      ...plain,
      ...dates,
      category_id: 'cat_1',
      category: 'One',
      categories: [category],
      voucher: { ...voucher, ...dates, validity_timeframe: sent.validity_timeframe },
      validation_rules_assignments: {
        total: 1,
        data: [{ rule_id: 'val_1', related_object_id: body.id, related_object_type: 'campaign' }],
      },
    });
    await merchant.run();
    const done = { ...body, creation_status: 'DONE', vouchers_generation_status: 'DONE' };
    for (const campaignId of [body.id, 'Everything']) {
      expect((await merchant.get(campaignId)).body).toEqual(done);
    }
  });

  test('makes the same number of DynamoDB calls for one code and for five million', async () => {
    const alone = await newMerchant({});
    const costs: number[] = [];
    for (const vouchers_count of [0, 1, 5_000_000]) {
      expect((await alone.create({ vouchers_count })).status).toBe(200);
      costs.push(JSON.parse(alone.dependencies.lines.at(-1) ?? '').dynamodb_calls);
    }
    expect(costs.slice(1)).toEqual([1, 1]);
  });

  test('under one name by twenty callers at once answers one 200 and nineteen 409, and makes one campaign', async () => {
    const alone = await loadProject();
    const replies = await Promise.all(Array.from({ length: 20 }, () => merchantOf(alone).create({ name: 'Only one' })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status, body }) => status === 409 && body.key === 'duplicate_found')).toHaveLength(19);
    const campaigns = await itemsOf(alone.id, 'CAMPAIGN');
    expect(campaigns.filter(({ sk }) => sk === 'CAMPAIGN')).toHaveLength(1);
    expect(await itemsOf(alone.id, 'JOB')).toHaveLength(1);
  });
});
