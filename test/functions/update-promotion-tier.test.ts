import { describe, expect, test } from 'vitest';
import { handler as campaignHandler } from '../../functions/promotions/list-campaign-promotion-tiers.ts';
import { handler as listHandler } from '../../functions/promotions/list-promotion-tiers.ts';
import { caller } from '../support/call.ts';
import { expectTiersListed } from '../support/listed.ts';
import { end, openTiers, start, tierIds } from '../support/updated-tiers.ts';

describe('an update', () => {
  test('sets the sent fields, keeps the rest, and ignores an id', async () => {
    const { update, read } = await openTiers();
    const before = await read('promo_third');
    const sent = {
      name: 'Third',
      banner: 'Now',
      action: { discount: { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ORDER' } },
      start_date: '2026-03-01T02:00:00+02:00',
      expiration_date: end,
      validity_timeframe: { interval: 'P7D', duration: 'PT2H' },
      validity_day_of_week: [0, 6],
      validity_hours: { daily: [{ start_time: '08:00', expiration_time: '09:00', days_of_week: [0] }] },
      category: 'Two',
    };
    const { status, body } = await update('promo_third', { ...sent, id: 'promo_other', active: false });
    expect(status).toBe(200);
    const { category, ...shown } = sent;
    expect(body).toEqual({
      ...before,
      ...shown,
      start_date: start,
      category_id: 'cat_2',
      categories: [expect.objectContaining({ id: 'cat_2' })],
      updated_at: '2026-06-15T12:00:01.000Z',
    });
    expect(await read('promo_third')).toEqual(body);
    expect((await update('promo_third', { category_id: 'cat_1' })).body).toMatchObject({ category_id: 'cat_1' });
    expect((await update('promo_third', {})).body).toMatchObject({ name: 'Third', category_id: 'cat_1' });
  });

  test('replaces metadata key by key', async () => {
    const { update } = await openTiers();
    const { body } = await update('promo_plain', { metadata: { a: 2, 'c d': null } });
    expect(body.metadata).toEqual({ a: 2, b: { deep: true }, 'c d': null });
    expect((await update('promo_plain', { metadata: null })).body.metadata).toEqual({});
    expect((await update('promo_plain', { metadata: { x: 1 } })).body.metadata).toEqual({ x: 1 });
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`key ${index}`, index]));
    expect((await update('promo_plain', { metadata: many })).body.metadata).toEqual({ x: 1, ...many });
  });

  test('clears with null', async () => {
    const { update } = await openTiers();
    const { body } = await update('promo_dated', {
      banner: null,
      action: null,
      start_date: null,
      expiration_date: null,
      validity_timeframe: null,
      validity_day_of_week: null,
      validity_hours: null,
      validation_rule_assignments: null,
      category_id: null,
    });
    expect(body).toMatchObject({
      name: 'Tier promo_dated',
      category_id: null,
      categories: [],
      metadata: { kept: true },
      validation_rule_assignments: { data: [], total: 0 },
    });
    const cleared = ['banner', 'action', 'start_date', 'expiration_date', 'validity_timeframe', 'validity_day_of_week'];
    for (const name of [...cleared, 'validity_hours']) expect(body).not.toHaveProperty(name);
  });

  test('takes the list of rules from a reply: it keeps known rules, and creates the others', async () => {
    const { update, read } = await openTiers();
    const { validation_rule_assignments: before } = await read('promo_dated');
    expect(before).toMatchObject({ total: 1, data: [{ id: 'asgm_1', rule_id: 'val_1' }] });
    const again = await update('promo_dated', { validation_rule_assignments: before });
    expect(again.body.validation_rule_assignments).toEqual(before);
    const data = [...before.data, { rule_id: 'val_2' }, { rule_id: 'val_2' }];
    const { body } = await update('promo_dated', { validation_rule_assignments: { ...before, data } });
    expect(body.validation_rule_assignments).toMatchObject({
      total: 2,
      data: [
        before.data[0],
        { rule_id: 'val_2', related_object_id: 'promo_dated', related_object_type: 'promotion_tier' },
      ],
    });
    const unknown = await update('promo_dated', { validation_rule_assignments: { data: [{ rule_id: 'val_nope' }] } });
    expect(unknown.body).toMatchObject({ code: 404, resource_id: 'val_nope', resource_type: 'validation_rules' });
  });

  test('of the rank moves the tier in both lists, behind the older one of the same rank', async () => {
    const { project, update } = await openTiers();
    const ids = async (campaignId?: string) => {
      const request = { headers: project.credentials };
      const reply = await (campaignId === undefined
        ? caller(listHandler)(request)
        : caller(campaignHandler)({ ...request, params: { campaignId } }));
      return reply.body.tiers.map(({ id }: { id: string }) => id);
    };
    await update('promo_plain', { hierarchy: 3 });
    expect(await ids()).toEqual(['promo_dated', 'promo_plain', 'promo_third', 'promo_fourth']);
    await update('promo_third', { hierarchy: -1 });
    await update('promo_fourth', { hierarchy: 2 });
    expect(await ids()).toEqual(['promo_third', 'promo_dated', 'promo_fourth', 'promo_plain']);
    expect(await ids('camp_1')).toEqual(['promo_third', 'promo_dated', 'promo_plain']);
    await expectTiersListed(project.id, tierIds);
    const query = 'order=-updated_at';
    const latest = await caller(listHandler)({ query, headers: project.credentials });
    expect(latest.body.tiers[0]).toMatchObject({ id: 'promo_fourth', hierarchy: 2 });
  });
});
