import { beforeAll, describe, expect, test } from 'vitest';
import { handler as addHandler } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as updateHandler } from '../../functions/campaigns/update-campaign.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { uniqueId } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const call = caller(updateHandler);
const percent = { type: 'PERCENT', percent_off: 10 };
const amount = { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' };
const voucher = { type: 'DISCOUNT_VOUCHER', discount: percent };
const base = { type: 'STATIC', campaign_type: 'DISCOUNT_COUPONS', voucher };
const category = { id: 'cat_1', name: 'One' };

const campaigns = [
  { ...base, id: 'camp_plain', name: 'Plain name', metadata: { a: 1, b: { deep: true }, c: 'see' } },
  {
    ...base,
    id: 'camp_dated',
    name: 'Dated',
    category: 'One',
    description: 'text',
    start_date: '2026-03-01T00:00:00Z',
    expiration_date: '2026-05-01T00:00:00Z',
    validity_timeframe: { interval: 'P2D', duration: 'P1D' },
    validity_day_of_week: [1],
    validity_hours: { daily: [{ start_time: '10:00', expiration_time: '11:00' }] },
    activity_duration_after_publishing: 'P1D',
  },
  { ...base, id: 'camp_alone', name: 'Alone', type: 'STANDALONE' },
  {
    id: 'camp_club',
    name: 'Club',
    campaign_type: 'LOYALTY_PROGRAM',
    type: 'STATIC',
    voucher: { type: 'LOYALTY_CARD' },
  },
  {
    id: 'camp_gifts',
    name: 'Gifts',
    campaign_type: 'GIFT_VOUCHERS',
    type: 'AUTO_UPDATE',
    voucher: { type: 'GIFT_VOUCHER', gift: { amount: 500, effect: 'APPLY_TO_ITEMS' } },
  },
  {
    ...base,
    id: 'camp_friends',
    name: 'Friends',
    campaign_type: 'REFERRAL_PROGRAM',
    referral_program: { conversion_event_type: 'redemption' },
  },
  { ...base, id: 'camp_busy', name: 'Busy' },
  { ...base, id: 'camp_many', name: 'Many' },
  { ...base, id: 'camp_crowd', name: 'Crowd' },
  {
    ...base,
    id: 'camp_race',
    name: 'Race',
    start_date: '2026-03-01T00:00:00Z',
    expiration_date: '2026-04-30T00:00:00Z',
  },
  {
    ...base,
    id: 'camp_parts',
    name: 'Parts',
    start_date: '2026-03-01T00:00:00Z',
    voucher: {
      ...voucher,
      expiration_date: '2026-05-01T00:00:00Z',
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
    },
  },
  {
    ...base,
    id: 'camp_later',
    name: 'Later',
    voucher: { ...voucher, start_date: '2026-05-01T00:00:00Z' },
  },
];

let project: TestProject;
beforeAll(async () => {
  project = await loadProject({
    categories: [category],
    campaigns,
    vouchers: [{ code: 'V1', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_plain' }],
  });
});

const update = (campaignId: string, body: unknown) =>
  call({ params: { campaignId }, headers: project.credentials, body });
const read = async (campaignId: string) =>
  (await caller(getHandler)({ params: { campaignId }, headers: project.credentials })).body;

describe('an update', () => {
  test('answers MODIFYING, applies at once to the campaign and its vouchers, and goes back by itself', async () => {
    const { status, body } = await update('Plain name', { discount: amount, category_id: 'cat_1' });
    expect(status).toBe(200);
    const modifying = { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' };
    const changed = { category: 'One', categories: [{ id: 'cat_1' }], updated_at: '2026-06-15T12:00:00.000Z' };
    expect(body).toMatchObject({ ...modifying, ...changed, voucher: { discount: amount } });
    const shown = await caller(voucherHandler)({ params: { code: 'V1' }, headers: project.credentials });
    expect(shown.body).toMatchObject({ discount: amount, category_id: 'cat_1' });
    expect(await read('camp_plain')).toEqual(body);
    await runOutbox(project.id);
    expect(await read('camp_plain')).toEqual({ ...body, creation_status: 'DONE', vouchers_generation_status: 'DONE' });
  });

  test('merges metadata key by key, then removes keys, those that are not there without a word', async () => {
    const { body } = await update('camp_plain', {
      metadata: { a: 2, b: 'new', d: null, e: 5 },
      unset_metadata_fields: ['c', 'e', 'nope', '', 'c'],
    });
    expect(body.metadata).toEqual({ a: 2, b: 'new', d: null });
    expect((await update('camp_plain', { unset_metadata_fields: null })).body.metadata).toEqual({
      a: 2,
      b: 'new',
      d: null,
    });
    expect((await update('camp_plain', { metadata: null })).body.metadata).toEqual({});
  });

  test('clears the discount of its vouchers and the access settings with null', async () => {
    const { credentials: headers } = await loadDemo();
    const change = (campaignId: string, body: unknown) => call({ params: { campaignId }, headers, body });
    const { body: set } = await change('camp_morning', { access_settings: { areas: ['a'] } });
    expect(set.voucher.discount).toMatchObject({ percent_off: 15 });
    const { status, body } = await change('camp_morning', { discount: null, access_settings: null });
    expect([status, body.voucher.discount]).toEqual([200, undefined]);
    const shown = await caller(voucherHandler)({ params: { code: 'TIDE-HELLO' }, headers });
    expect(shown.body.discount).toBe(null);
    for (const campaign of ['camp_beans', 'camp_crew'])
      expect((await change(campaign, { discount: null })).status).toBe(200);
  });

  test('of the access settings takes the place of the assignments that a file brought', async () => {
    const assignments = (area_id: string) => ({ object: 'list', data_ref: 'data', data: [{ area_id }], total: 1 });
    const { credentials: headers } = await loadProject({
      project: { id: uniqueId('proj_'), name: 'Areas', features: { areas_and_stores: true } },
      campaigns: [{ ...base, id: 'camp_area', name: 'Area', access_settings_assignments: assignments('old') }],
    });
    const change = async (body: unknown) => (await call({ params: { campaignId: 'camp_area' }, headers, body })).body;
    expect((await change({})).access_settings_assignments).toEqual(assignments('old'));
    const { access_settings_assignments: set } = await change({ access_settings: { assign: { areas_ids: ['new'] } } });
    expect(set).toMatchObject({ data: [{ area_id: 'new' }], total: 1 });
    expect(await change({ access_settings: null })).not.toHaveProperty('access_settings_assignments');
  });

  test('takes hundreds of metadata keys at once', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`key ${index}`, index]));
    expect((await update('camp_many', { metadata: { a: 1, b: 2 } })).status).toBe(200);
    const { body } = await update('camp_many', { metadata: { ...many, b: 3 }, unset_metadata_fields: ['key 0', 'a'] });
    const { 'key 0': _, ...left } = many;
    expect(body.metadata).toEqual({ ...left, b: 3 });
    const unset = await update('camp_many', { metadata: { c: 4 }, unset_metadata_fields: Object.keys(many) });
    expect(unset.body.metadata).toEqual({ b: 3, c: 4 });
  });

  test('clears with null, and leaves what is not sent', async () => {
    const before = await read('camp_dated');
    expect(before).toMatchObject({ description: 'text', category: 'One', voucher: { start_date: before.start_date } });
    const { body } = await update('camp_dated', {
      description: null,
      expiration_date: null,
      validity_day_of_week: null,
      validity_hours: null,
      activity_duration_after_publishing: null,
      category_id: null,
    });
    expect(body).toMatchObject({
      start_date: before.start_date,
      validity_timeframe: before.validity_timeframe,
      category_id: null,
    });
    for (const name of ['description', 'expiration_date', 'validity_day_of_week', 'validity_hours', 'category']) {
      expect(body).not.toHaveProperty(name);
    }
  });

  test('of a gift campaign changes what its next vouchers are worth, and no balance', async () => {
    const add = async () =>
      (await caller(addHandler)({ params: { campaignId: 'camp_gifts' }, headers: project.credentials })).body;
    const before = await add();
    expect((await update('camp_gifts', { gift: { amount: 700 } })).body.voucher.gift).toEqual({
      amount: 700,
      effect: 'APPLY_TO_ITEMS',
    });
    expect((await update('camp_gifts', { gift: { amount: 900, effect: 'APPLY_TO_ORDER' } })).status).toBe(200);
    expect((await add()).gift).toMatchObject({ amount: 900, balance: 900, effect: 'APPLY_TO_ORDER' });
    const shown = await caller(voucherHandler)({ params: { code: before.code }, headers: project.credentials });
    expect(shown.body.gift).toMatchObject({ amount: 500, balance: 500 });
  });

  test('of a referral programme changes what a conversion is, and what the referee gets', async () => {
    const referral_program = {
      conversion_event_type: 'custom_event',
      custom_event: { name: 'signed_up' },
      referee_reward: { type: 'GIFT_VOUCHER', amount: 300, related_object_parent: { id: 'camp_gifts' } },
    };
    expect((await update('camp_friends', { referral_program })).body).toMatchObject({ referral_program });
    expect(await read('camp_friends')).toMatchObject({ referral_program });
    expect((await update('camp_friends', { referral_program: null })).body).not.toHaveProperty('referral_program');
  });

  test('of a loyalty programme changes how long tiers are kept, by this path too', async () => {
    const loyalty_tiers_expiration = {
      qualification_type: 'BALANCE',
      start_date: { type: 'IMMEDIATE' },
      expiration_date: { type: 'CUSTOM', extend: 'P6M' },
    };
    const { status, body } = await update('camp_club', {
      loyalty_tiers_expiration,
      options: { recalculate_tiers: true },
    });
    expect([status, body.loyalty_tiers_expiration]).toEqual([200, loyalty_tiers_expiration]);
  });

  test('passes over what is for other kinds of campaigns', async () => {
    const { body: plain } = await update('camp_busy', {
      gift: { amount: 5 },
      referral_program: { conversion_event_type: 'redemption' },
      loyalty_tiers_expiration: { qualification_type: 'BALANCE' },
      options: { recalculate_tiers: true },
    });
    expect(plain.voucher).not.toHaveProperty('gift');
    for (const name of ['referral_program', 'loyalty_tiers_expiration']) expect(plain).not.toHaveProperty(name);
  });

  test('keeps join_once as the kind of campaign has it', async () => {
    expect((await update('camp_club', { join_once: false, auto_join: true })).body).toMatchObject({
      join_once: true,
      auto_join: true,
    });
    expect((await update('camp_alone', { join_once: true })).body).toMatchObject({ join_once: false });
    expect((await update('camp_busy', { join_once: false, type: 'AUTO_UPDATE' })).body).toMatchObject({
      join_once: false,
      type: 'AUTO_UPDATE',
    });
  });

  test.each<[string, string, Record<string, unknown>, number, string, string]>([
    ['a type from STANDALONE', 'camp_alone', { type: 'STATIC' }, 400, 'invalid_campaign', 'STANDALONE'],
    ['the type STANDALONE that it has', 'camp_alone', { type: 'STANDALONE' }, 400, 'invalid_campaign', 'AUTO_UPDATE'],
    ['a type to STANDALONE', 'camp_busy', { type: 'STANDALONE' }, 400, 'invalid_campaign', 'AUTO_UPDATE'],
    ['a discount for cards', 'camp_club', { discount: percent }, 400, 'invalid_campaign', 'LOYALTY_CARD'],
    [
      'an end before the stored start',
      'camp_dated',
      { expiration_date: '2026-02-01T00:00:00Z' },
      400,
      'invalid_payload',
      'expiration_date',
    ],
    [
      'taking the start from a timeframe',
      'camp_dated',
      { start_date: null },
      400,
      'invalid_payload',
      'validity_timeframe',
    ],
    [
      'a start after the end of its vouchers',
      'camp_parts',
      { start_date: '2026-06-01T00:00:00Z' },
      400,
      'invalid_payload',
      'start_date',
    ],
    [
      'an end before the start of its vouchers',
      'camp_later',
      { expiration_date: '2026-04-01T00:00:00Z' },
      400,
      'invalid_payload',
      'expiration_date',
    ],
    [
      'taking the start from the timeframe of its vouchers',
      'camp_parts',
      { start_date: null },
      400,
      'invalid_payload',
      'start_date',
    ],
    [
      'a timeframe without a start',
      'camp_busy',
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      400,
      'invalid_payload',
      'validity_timeframe',
    ],
    ['two categories', 'camp_busy', { category: 'One', category_id: 'cat_1' }, 400, 'invalid_payload', 'category'],
    ['an unknown category', 'camp_busy', { category: 'Two' }, 404, 'not_found', 'category'],
    ['an unknown campaign', 'camp_nope', {}, 404, 'not_found', 'campaign'],
    [
      'a wrong effect',
      'camp_busy',
      { discount: { ...percent, effect: 'APPLY_TO_NOTHING' } },
      400,
      'invalid_payload',
      'discount.effect',
    ],
    [
      'hours that overlap',
      'camp_busy',
      { validity_hours: { daily: [{ start_time: '10:00' }, { expiration_time: '10:01' }] } },
      400,
      'invalid_payload',
      'validity_hours.daily',
    ],
    ['metadata that is a list', 'camp_busy', { metadata: [1] }, 400, 'invalid_payload', 'metadata'],
    ['null for a flag', 'camp_busy', { auto_join: null }, 400, 'invalid_payload', 'auto_join'],
    ['null for another', 'camp_busy', { join_once: null }, 400, 'invalid_payload', 'join_once'],
    ['null for its type', 'camp_busy', { type: null }, 400, 'invalid_payload', 'type'],
    ['no gift for gift vouchers', 'camp_gifts', { gift: null }, 400, 'invalid_payload', 'gift'],
    [
      'a reward from nowhere',
      'camp_friends',
      {
        referral_program: { referee_reward: { type: 'LOYALTY_CARD', amount: 1, related_object_parent: { id: 'no' } } },
      },
      404,
      'not_found',
      'campaign',
    ],
    [
      'a reward of another type',
      'camp_friends',
      {
        referral_program: {
          referee_reward: { type: 'GIFT_VOUCHER', amount: 1, related_object_parent: { id: 'camp_club' } },
        },
      },
      400,
      'invalid_campaign',
      'LOYALTY_PROGRAM',
    ],
    ['areas and stores', 'camp_busy', { access_settings: {} }, 400, 'invalid_payload', 'access_settings'],
  ])('is refused with %s, and changes nothing', async (_, campaignId, body, status, key, named) => {
    const before = await caller(getHandler)({ params: { campaignId }, headers: project.credentials });
    const reply = await update(campaignId, body);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(`${reply.body.details} ${reply.body.resource_type}`).toContain(named);
    const after = await caller(getHandler)({ params: { campaignId }, headers: project.credentials });
    expect({ ...after.body, request_id: '' }).toEqual({ ...before.body, request_id: '' });
  });

  test('that would make its metadata longer than 50 KB is refused', async () => {
    expect((await update('camp_busy', { metadata: { one: 'x'.repeat(26_000) } })).status).toBe(200);
    const { status, body } = await update('camp_busy', { metadata: { two: 'x'.repeat(26_000) } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('metadata would have');
    expect((await read('camp_busy')).metadata).not.toHaveProperty('two');
  });
});

describe('updates at once', () => {
  test('of different fields and metadata keys by twenty callers all survive', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        caller(updateHandler)({
          params: { campaignId: 'camp_race' },
          headers: project.credentials,
          body: index % 2 ? { metadata: { [`key${index}`]: index } } : { description: `by ${index}` },
        }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { metadata, description } = await read('camp_race');
    expect(Object.keys(metadata)).toHaveLength(10);
    expect(description).toMatch(/^by \d+$/);
  });

  test('of many metadata keys each take none from one another', async () => {
    const keysOf = (caller: number) => Array.from({ length: 150 }, (_, index) => `${caller}.${index}`);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        update('camp_crowd', { metadata: Object.fromEntries(keysOf(index).map((key) => [key, true])) }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await read('camp_crowd')).metadata)).toHaveLength(900);
  });

  test('of two dates that do not go together leave the campaign with its dates in order', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        caller(updateHandler)({
          params: { campaignId: 'camp_race' },
          headers: project.credentials,
          body:
            index % 2
              ? { start_date: `2026-03-${10 + index}T00:00:00Z` }
              : { expiration_date: `2026-03-${10 + index}T00:00:00Z` },
        }),
      ),
    );
    for (const { status } of outcomes) expect([200, 400]).toContain(status);
    const { start_date, expiration_date } = await read('camp_race');
    expect(start_date <= expiration_date).toBe(true);
  });
});

test('a campaign whose generation runs shows an update at once, and ends in DONE with every voucher', async () => {
  const { body } = await caller(createHandler)({ headers: project.credentials, body: { vouchers_count: 5, voucher } });
  expect((await update(body.id, { discount: amount })).body).toMatchObject({
    creation_status: 'MODIFYING',
    vouchers_count: 0,
  });
  await runOutbox(project.id);
  expect(await read(body.id)).toMatchObject({
    creation_status: 'DONE',
    vouchers_count: 5,
    voucher: { discount: amount },
  });
});
