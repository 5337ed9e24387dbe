import { describe, expect, test } from 'vitest';
import { handler as addHandler } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as updateHandler } from '../../functions/campaigns/update-campaign.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { uniqueId } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { campaigns, coupons, openCampaigns } from '../support/updated-campaigns.ts';

const call = caller(updateHandler);
const amount = { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' };

const { project, update, read } = await openCampaigns({
  campaigns: [
    ...campaigns,
    { ...coupons, id: 'camp_plain', name: 'Plain name', metadata: { a: 1, b: { deep: true }, c: 'see' } },
    { ...coupons, id: 'camp_many', name: 'Many' },
  ],
  vouchers: [{ code: 'V1', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_plain' }],
});

describe('an update', () => {
  test('answers MODIFYING, applies at once to the campaign and its vouchers, and ends by itself', async () => {
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

  test('merges metadata key by key, then removes keys, and ignores missing ones', async () => {
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
    expect((await update('camp_plain', { metadata: null })).body).not.toHaveProperty('metadata');
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

  test('of the access settings replaces the assignments that a file brought', async () => {
    const assignments = (area_id: string) => ({ object: 'list', data_ref: 'data', data: [{ area_id }], total: 1 });
    const { credentials: headers } = await loadProject({
      project: { id: uniqueId('proj_'), name: 'Areas', features: { areas_and_stores: true } },
      campaigns: [{ ...coupons, id: 'camp_area', name: 'Area', access_settings_assignments: assignments('old') }],
    });
    const change = async (body: unknown) => (await call({ params: { campaignId: 'camp_area' }, headers, body })).body;
    expect((await change({})).access_settings_assignments).toEqual(assignments('old'));
    const { access_settings_assignments: set } = await change({ access_settings: { assign: { areas_ids: ['new'] } } });
    expect(set).toMatchObject({ data: [{ area_id: 'new' }], total: 1 });
    const none = { object: 'list', data_ref: 'data', data: [], total: 0 };
    expect((await change({ access_settings: null })).access_settings_assignments).toEqual(none);
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

  test('clears with null, and keeps fields that are not sent', async () => {
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

  test('of a gift campaign changes the worth of its next vouchers, and no balance', async () => {
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

  test('of a referral programme changes the conversion, and the rewards of referee and referrer', async () => {
    const referral_program = {
      conversion_event_type: 'custom_event',
      custom_event: { name: 'signed_up' },
      referee_reward: { type: 'GIFT_VOUCHER', amount: 300, related_object_parent: { id: 'camp_gifts' } },
      referrer_reward: { type: 'LOYALTY_CARD', amount: 20, related_object_parent: { id: 'camp_club' } },
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

  test('ignores fields of other kinds of campaigns', async () => {
    const { body: plain } = await update('camp_busy', {
      gift: { amount: 5 },
      referral_program: { conversion_event_type: 'redemption' },
      loyalty_tiers_expiration: { qualification_type: 'BALANCE' },
      options: { recalculate_tiers: true },
    });
    expect(plain.voucher).not.toHaveProperty('gift');
    for (const name of ['referral_program', 'loyalty_tiers_expiration']) expect(plain).not.toHaveProperty(name);
  });

  test('of a promotion ignores fields of campaigns with vouchers, as its creation does', async () => {
    const ofVouchers = {
      type: 'AUTO_UPDATE',
      join_once: true,
      auto_join: true,
      activity_duration_after_publishing: 'P1D',
    };
    const { body: made } = await caller(createHandler)({
      headers: project.credentials,
      body: { ...ofVouchers, campaign_type: 'PROMOTION' },
    });
    const { status, body } = await update(made.id, { ...ofVouchers, description: 'taken' });
    expect([status, body.description]).toEqual([200, 'taken']);
    for (const shown of [made, body, await read(made.id)]) {
      expect(shown).toMatchObject({ type: 'STATIC', join_once: false, auto_join: false });
      expect(shown).not.toHaveProperty('activity_duration_after_publishing');
    }
  });

  test('keeps join_once as its kind of campaign requires', async () => {
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
});

test('a campaign shows an update at once while it generates codes, and ends as DONE with every voucher', async () => {
  const { body } = await caller(createHandler)({
    headers: project.credentials,
    body: { vouchers_count: 5, voucher: coupons.voucher },
  });
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
