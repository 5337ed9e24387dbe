import { beforeAll, describe, expect, test } from 'vitest';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as getVoucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { credentialsOf, loadFile, loadProject, projectFile, type TestProject } from '../support/project.ts';

const dependencies = testDependencies();
const call = caller(createHandler, dependencies);
const get = caller(getHandler, dependencies);
const getVoucher = caller(getVoucherHandler, dependencies);

const category = { id: 'cat_1', name: 'One', hierarchy: 1, created_at: '2026-01-01T00:00:00.000Z', object: 'category' };

let project: TestProject;
beforeAll(async () => {
  project = await loadProject({ categories: [category], validation_rules: [{ id: 'val_1', name: 'Rule' }] });
});

const amountOff = { type: 'AMOUNT', amount_off: 500 };
const rewardOf = (id: string) => ({
  referee_reward: { type: 'LOYALTY_CARD', amount: 10, related_object_parent: { id } },
});

const create = (body: unknown, of = project) => call({ headers: of.credentials, body });

describe('creating a campaign', () => {
  test('with an empty body takes the defaults', async () => {
    const { status, body } = await create({});
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
      metadata: {},
      vouchers_count: 0,
      creation_status: 'IN_PROGRESS',
      vouchers_generation_status: 'IN_PROGRESS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        redemption: { quantity: null },
        code_config: { length: 8, charset: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' },
        is_referral_code: false,
      },
      created_at: '2026-06-15T12:00:00.000Z',
      object: 'campaign',
      validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    });
  });

  test("keeps, shows and passes on the dates of its vouchers, which come before the campaign's own", async () => {
    const own = { start_date: '2026-01-01T00:00:00.000Z', expiration_date: '2026-12-31T00:00:00.000Z' };
    const sent = { start_date: '2026-07-01T02:00:00+02', validity_timeframe: { interval: 'P1D', duration: 'PT1.5H' } };
    const kept = { ...sent, start_date: '2026-07-01T00:00:00.000Z', expiration_date: own.expiration_date };
    const { status, body } = await create({ ...own, vouchers_count: 1, voucher: sent });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...own, voucher: kept });
    await runOutbox(project.id, dependencies);
    const shown = await get({ params: { campaignId: body.id }, headers: project.credentials });
    expect(shown.body).toMatchObject({ ...own, voucher: kept });
    const stored = await itemsOf(project.id, 'VOUCHER');
    const code = String(stored.find(({ campaign_id }) => campaign_id === body.id)?.code);
    expect((await getVoucher({ params: { code }, headers: project.credentials })).body).toMatchObject(kept);
  });

  test('keeps what else is sent of hours, and times up to the end of the day', async () => {
    const validity_hours = {
      daily: [{ start_time: '12:00:00', expiration_time: '24:00', days_of_week: [1], note: 'late' }],
      custom: { holidays: ['2026-12-24'] },
    };
    const { status, body } = await create({ validity_hours });
    expect([status, body.validity_hours]).toEqual([200, validity_hours]);
  });

  test.each([
    { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
    { type: 'FIXED', fixed_amount: 10, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
    { type: 'UNIT', unit_off: 1, effect: 'APPLY_TO_ORDER' },
  ])('takes a discount of $type with the effect $effect', async (discount) => {
    const { status, body } = await create({ voucher: { discount } });
    expect([status, body.voucher.discount]).toEqual([200, discount]);
  });

  test('lists the areas and stores that it was given, in a project with the feature', async () => {
    const file = projectFile();
    await loadFile({ ...file, project: { ...file.project, features: { areas_and_stores: true } } });
    const chain = { id: file.project.id, credentials: credentialsOf(file), file };
    const assign = { areas_ids: ['ar_1'], area_stores_ids: ['ars_2'], area_all_stores_ids: ['ar_3'] };
    const { body } = await create({ access_settings: { assign } }, chain);
    const data = [
      { area_id: 'ar_1', all_stores: false },
      { area_id: 'ar_3', all_stores: true },
      { area_store_id: 'ars_2' },
    ];
    expect(body.access_settings_assignments).toEqual({ object: 'list', data_ref: 'data', data, total: 3 });
    const shown = await get({ params: { campaignId: body.id }, headers: chain.credentials });
    expect(shown.body.access_settings_assignments).toEqual(body.access_settings_assignments);
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
    const { status, body } = await create(sent);
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
    await runOutbox(project.id, dependencies);
    const done = { ...body, creation_status: 'DONE', vouchers_generation_status: 'DONE' };
    for (const campaignId of [body.id, 'Everything']) {
      expect((await get({ params: { campaignId }, headers: project.credentials })).body).toEqual(done);
    }
  });

  test('makes the same number of DynamoDB calls for one code and for five million', async () => {
    const alone = await loadProject();
    const costs: number[] = [];
    for (const vouchers_count of [0, 1, 5_000_000]) {
      expect((await create({ vouchers_count }, alone)).status).toBe(200);
      costs.push(JSON.parse(dependencies.lines.at(-1) ?? '').dynamodb_calls);
    }
    expect(costs.slice(1)).toEqual([1, 1]);
  });

  test('under one name by twenty callers at once is one 200 and nineteen 409, and one campaign', async () => {
    const alone = await loadProject();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        caller(createHandler)({ headers: alone.credentials, body: { name: 'Only one' } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status, body }) => status === 409 && body.key === 'duplicate_found')).toHaveLength(19);
    const campaigns = await itemsOf(alone.id, 'CAMPAIGN');
    expect(campaigns.filter(({ sk }) => sk === 'CAMPAIGN')).toHaveLength(1);
    expect(await itemsOf(alone.id, 'JOB')).toHaveLength(1);
  });
});

describe('campaigns of other kinds', () => {
  const generating = { vouchers_count: 0, creation_status: 'IN_PROGRESS', vouchers_generation_status: 'IN_PROGRESS' };
  const vouchersOf = async (of: TestProject, id: string) =>
    (await itemsOf(of.id, 'VOUCHER')).filter(({ sk, campaign_id }) => sk === 'VOUCHER' && campaign_id === id);
  const shown = async (of: TestProject, code: unknown) =>
    (await getVoucher({ params: { code: String(code) }, headers: of.credentials })).body;

  test('are told by their vouchers where the body does not say it', async () => {
    for (const [voucher, campaign_type] of [
      [{ type: 'DISCOUNT_VOUCHER' }, 'DISCOUNT_COUPONS'],
      [{ type: 'GIFT_VOUCHER', gift: { amount: 1 } }, 'GIFT_VOUCHERS'],
      [{ type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }, 'LOYALTY_PROGRAM'],
    ] as const) {
      expect((await create({ voucher })).body).toMatchObject({ campaign_type, voucher });
    }
  });

  test('of gift vouchers generate vouchers with their whole amount', async () => {
    const gift = { amount: 2_500, effect: 'APPLY_TO_ITEMS' };
    const { status, body } = await create({ campaign_type: 'GIFT_VOUCHERS', vouchers_count: 2, voucher: { gift } });
    expect([status, body]).toMatchObject([
      200,
      { ...generating, type: 'AUTO_UPDATE', voucher: { type: 'GIFT_VOUCHER', gift } },
    ]);
    await runOutbox(project.id, dependencies);
    const made = await vouchersOf(project, body.id);
    expect(made).toHaveLength(2);
    expect(await shown(project, made[0]?.code)).toMatchObject({
      type: 'GIFT_VOUCHER',
      gift: { ...gift, balance: 2_500 },
    });
  });

  test('of cards are what POST /v1/loyalties knows: join_once always, STATIC by itself, points that lapse by its rules', async () => {
    const loyalty_card = {
      points: '50',
      expiration_rules: { period_type: 'MONTH', period_value: 0, rounding_type: 'END_OF_MONTH' },
    };
    const loyalty_tiers_expiration = { qualification_type: 'BALANCE' };
    const sent = { campaign_type: 'LOYALTY_PROGRAM', join_once: false, vouchers_count: 1, loyalty_tiers_expiration };
    const { status, body } = await create({ ...sent, voucher: { loyalty_card } });
    const card = { ...loyalty_card, points: 50 };
    expect([status, body]).toMatchObject([
      200,
      { ...generating, type: 'STATIC', join_once: true, loyalty_tiers_expiration, voucher: { loyalty_card: card } },
    ]);
    await runOutbox(project.id, dependencies);
    const [made] = await vouchersOf(project, body.id);
    expect((await shown(project, made?.code)).loyalty_card).toEqual({
      points: 50,
      balance: 50,
      next_expiration_date: '2026-06-30',
      next_expiration_points: 50,
      pending_points: 0,
      expired_points: 0,
      subtracted_points: 0,
    });
  });

  test('of referrals generate referral codes, and keep what counts as a conversion and its reward', async () => {
    const loyalty = await create({ voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } });
    const referral_program = {
      conversion_event_type: 'custom_event',
      custom_event: { id: 'ms_1', name: 'signed' },
      ...rewardOf(loyalty.body.id),
    };
    const sent = { campaign_type: 'REFERRAL_PROGRAM', vouchers_count: 1, referral_program };
    const { status, body } = await create({ ...sent, voucher: { discount: amountOff } });
    expect([status, body]).toMatchObject([
      200,
      { ...generating, referral_program, voucher: { discount: amountOff, is_referral_code: true } },
    ]);
    await runOutbox(project.id, dependencies);
    const [made] = await vouchersOf(project, body.id);
    expect(await shown(project, made?.code)).toMatchObject({ is_referral_code: true, discount: amountOff });
    const wrong = { ...sent, referral_program: rewardOf(body.id), voucher: { discount: amountOff } };
    expect((await create(wrong)).body).toMatchObject({ code: 400, key: 'invalid_campaign' });
  });

  test('of promotion tiers are done at once, with tiers ranked in the order sent', async () => {
    const tiers = [
      { name: 'One', banner: 'First', hierarchy: 9, action: { discount: amountOff }, metadata: { a: 1 } },
      { name: 'Two', active: false, category: 'One', validation_rules: ['val_1'] },
    ];
    const { status, body } = await create({ name: 'Tiers', campaign_type: 'PROMOTION', promotion: { tiers } });
    const done = {
      creation_status: 'DONE',
      vouchers_generation_status: 'DONE',
      type: 'STATIC',
      use_voucher_metadata_schema: false,
    };
    expect([status, body]).toMatchObject([200, { ...done, active: true, auto_join: false, join_once: false }]);
    expect(body).not.toHaveProperty('voucher');
    expect(body).not.toHaveProperty('vouchers_count');
    expect(body.promotion).toMatchObject({
      total: 2,
      has_more: false,
      tiers: [
        { name: 'One', hierarchy: 1, active: true, promotion_id: body.id, campaign: { id: body.id } },
        { name: 'Two', hierarchy: 2, active: false, category_id: 'cat_1', validation_rule_assignments: { total: 1 } },
      ],
    });
    expect((await get({ params: { campaignId: 'Tiers' }, headers: project.credentials })).body).toEqual(body);
    expect((await create({ campaign_type: 'PROMOTION', promotion: { tiers: null } })).body.promotion.total).toBe(0);
  });

  test('that are larger than one transaction are refused, and nothing of them is there', async () => {
    const alone = await loadProject();
    const tiers = Array.from({ length: 82 }, () => ({ name: 'Long', metadata: { text: 'x'.repeat(50_000) } }));
    const { body } = await create({ campaign_type: 'PROMOTION', promotion: { tiers } }, alone);
    expect(body).toMatchObject({ code: 400, key: 'invalid_payload', details: expect.stringContaining('tiers') });
    expect([await itemsOf(alone.id, 'CAMPAIGN'), await itemsOf(alone.id, 'PROMOTION')]).toEqual([[], []]);
  });

  test('a STANDALONE campaign has its one voucher at once, under the code that was sent, or none', async () => {
    const sent = { type: 'STANDALONE', join_once: true, voucher: { code: 'ALL-OF-US', discount: amountOff } };
    const { status, body } = await create(sent);
    expect([status, body]).toMatchObject([
      200,
      { type: 'STANDALONE', join_once: false, vouchers_count: 1, creation_status: 'DONE' },
    ]);
    expect(await shown(project, 'ALL-OF-US')).toMatchObject({ campaign_id: body.id, discount: amountOff });
    expect((await get({ params: { campaignId: body.id }, headers: project.credentials })).body).toEqual(body);
    expect((await create(sent)).body).toMatchObject({ code: 409, key: 'duplicate_found', resource_type: 'voucher' });
    expect((await create({ type: 'STANDALONE' })).body.vouchers_count).toBe(0);
    expect((await create({ type: 'STANDALONE', vouchers_count: 1 })).body.vouchers_count).toBe(1);
  });
});

describe('a campaign that is not right is refused, and nothing is stored', () => {
  test('with all of its violations at once', async () => {
    const { status, body } = await create({
      name: 'x'.repeat(1_000),
      type: 'DYNAMIC',
      campaign_type: 'LUCKY_DRAW',
      vouchers_count: 1.5,
      auto_join: 'yes',
      start_date: '2026-02-30T00:00:00Z',
      validity_day_of_week: [7],
      validity_hours: { daily: [{ start_time: '24:01' }] },
      activity_duration_after_publishing: 'one day',
      validation_rules: ['a', 'b'],
      metadata: [],
      category: 'One',
      category_id: 'cat_1',
      voucher: { type: 'GIFT_VOUCHER', discount: { type: 'PERCENT', percent_off: 101 }, code_config: { length: 0 } },
      promotion: { tiers: [{ action: {} }] },
    });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    for (const place of [
      'name',
      'type',
      'campaign_type',
      'vouchers_count',
      'auto_join',
      'start_date',
      'validity_day_of_week[0]',
      'validity_hours.daily[0].start_time',
      'activity_duration_after_publishing',
      'validation_rules',
      'metadata',
      'category',
      'voucher.discount.percent_off',
      'voucher.code_config.length',
      'voucher.gift',
      'promotion.tiers[0].name',
      'promotion.tiers[0].action.discount',
    ]) {
      expect(`; ${body.details}`).toContain(`; ${place} `);
    }
  });

  test.each<[string, Record<string, unknown>, number, string, string]>([
    ['a count of -1', { vouchers_count: -1 }, 400, 'invalid_payload', 'vouchers_count'],
    ['a count that is text', { vouchers_count: '10' }, 400, 'invalid_payload', 'vouchers_count'],
    ['a count of 5,000,001', { vouchers_count: 5_000_001 }, 400, 'invalid_payload', 'vouchers_count'],
    [
      'a timeframe without a start',
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      400,
      'invalid_payload',
      'validity_timeframe',
    ],
    [
      'an end before the start',
      { start_date: '2026-02-01T00:00:00Z', expiration_date: '2026-01-31T23:59:59Z' },
      400,
      'invalid_payload',
      'expiration_date',
    ],
    [
      'vouchers that end before they start',
      { expiration_date: '2026-02-01T00:00:00Z', voucher: { start_date: '2026-02-02T00:00:00Z' } },
      400,
      'invalid_payload',
      'voucher.expiration_date',
    ],
    [
      'a timeframe of vouchers without a start',
      { voucher: { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } } },
      400,
      'invalid_payload',
      'voucher.validity_timeframe',
    ],
    [
      'a timeframe of vouchers that is none',
      { voucher: { validity_timeframe: 'banana' } },
      400,
      'invalid_payload',
      'voucher.validity_timeframe',
    ],
    ['two categories', { category: 'One', category_id: 'cat_1' }, 400, 'invalid_payload', 'category'],
    ['an unknown category', { category: 'Two' }, 404, 'not_found', 'category'],
    ['an unknown validation rule', { validation_rules: ['val_2'] }, 404, 'not_found', 'validation_rules'],
    ['a pattern without #', { voucher: { code_config: { pattern: 'SALE' } } }, 400, 'invalid_code_config', 'pattern'],
    [
      'one character',
      { vouchers_count: 1, voucher: { code_config: { charset: 'a' } } },
      400,
      'invalid_code_config',
      '1 distinct',
    ],
    [
      'repeats',
      { vouchers_count: 2, voucher: { code_config: { charset: 'aab', length: 1 } } },
      400,
      'invalid_code_config',
      '2 distinct',
    ],
    [
      'a narrow space',
      { vouchers_count: 6, voucher: { code_config: { charset: '0123456789', length: 1 } } },
      400,
      'invalid_code_config',
      '10 distinct',
    ],
    ['half a character', { description: 'a \ud800 b' }, 400, 'invalid_payload', 'description must be well-formed'],
    ['1 MB of metadata', { metadata: { text: 'x'.repeat(1_000_000) } }, 400, 'invalid_payload', 'metadata'],
    ['a number that DynamoDB cannot keep', { metadata: { n: 1e300 } }, 400, 'invalid_payload', 'metadata'],
    ['an empty metadata key', { metadata: { '': 1 } }, 400, 'invalid_payload', 'metadata'],
    ['gift vouchers without a gift', { voucher: { type: 'GIFT_VOUCHER' } }, 400, 'invalid_payload', 'voucher.gift'],
    ['cards without points', { campaign_type: 'LOYALTY_PROGRAM' }, 400, 'invalid_payload', 'voucher.loyalty_card'],
    [
      'vouchers of another kind of campaign',
      { campaign_type: 'REFERRAL_PROGRAM', voucher: { type: 'LOYALTY_CARD', is_referral_code: false } },
      400,
      'invalid_payload',
      'voucher.type must be DISCOUNT_VOUCHER, being that of a REFERRAL_PROGRAM; voucher.is_referral_code',
    ],
    [
      'a referral programme without a discount',
      { campaign_type: 'REFERRAL_PROGRAM' },
      400,
      'invalid_campaign',
      'discount',
    ],
    [
      'a reward of a campaign that is not there',
      { campaign_type: 'REFERRAL_PROGRAM', voucher: { discount: amountOff }, referral_program: rewardOf('camp_none') },
      404,
      'not_found',
      'campaign',
    ],
    [
      'two vouchers of a STANDALONE campaign',
      { type: 'STANDALONE', vouchers_count: 2 },
      400,
      'invalid_payload',
      'count',
    ],
    ['a STANDALONE promotion', { type: 'STANDALONE', campaign_type: 'PROMOTION' }, 400, 'invalid_payload', 'type'],
    [
      'a tier of an unknown category, and nothing of the others',
      { campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'One' }, { name: 'Two', category: 'None' }] } },
      404,
      'not_found',
      'category',
    ],
    [
      'a tier of an unknown rule',
      { campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'One', validation_rules: ['val_2'] }] } },
      404,
      'not_found',
      'validation_rules',
    ],
    ['areas and stores', { access_settings: {} }, 400, 'invalid_payload', 'access_settings'],
    ['an array', [] as unknown as Record<string, unknown>, 400, 'invalid_payload', 'object'],
  ])('%s', async (_, body, status, key, named) => {
    const alone = await loadProject({ categories: [category], validation_rules: [{ id: 'val_1', name: 'Rule' }] });
    const reply = await create(body, alone);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details + reply.body.resource_type).toContain(named);
    expect(await itemsOf(alone.id, 'CAMPAIGN')).toEqual([]);
    expect(await itemsOf(alone.id, 'JOB')).toEqual([]);
  });

  test('takes exactly half of a code space, emoji and all', async () => {
    const code_config = { charset: '😀😁😀', length: 3 };
    expect((await create({ vouchers_count: 4, voucher: { code_config } })).status).toBe(200);
    expect((await create({ vouchers_count: 5, voucher: { code_config } })).body.key).toBe('invalid_code_config');
  });
});

test('an unknown campaign is a 404 by id and by name, also where another project has it', async () => {
  const other = await loadProject();
  const { body } = await create({ name: 'Mine' }, other);
  for (const campaignId of ['Mine', body.id, 'camp_nope', '', 'x'.repeat(3_000)]) {
    const reply = await get({ params: { campaignId }, headers: project.credentials });
    expect([reply.status, reply.body.key, reply.body.resource_type]).toEqual([404, 'not_found', 'campaign']);
  }
});
