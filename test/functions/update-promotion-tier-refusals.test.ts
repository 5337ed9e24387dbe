import { describe, expect, test } from 'vitest';
import { expectTiersListed } from '../support/listed.ts';
import { end, openTiers, start, tierIds } from '../support/updated-tiers.ts';

const { update, read } = await openTiers();

describe('an update is refused', () => {
  const percent = { type: 'PERCENT', percent_off: 5 };
  const off = (discount: unknown) => ({ action: { discount } });
  const hours = (...daily: object[]) => ({ validity_hours: { daily } });
  const window = (start_time: string, expiration_time: string, days_of_week?: number[]) => ({
    start_time,
    expiration_time,
    ...(days_of_week ? { days_of_week } : {}),
  });

  test.each<[string, object, string, string?]>([
    ['a discount without a type', off({}), 'action.discount.type'],
    ['an unknown kind of discount', off({ type: 'HALF' }), 'action.discount.type'],
    ['a percentage above 100', off({ ...percent, percent_off: 101 }), 'action.discount.percent_off'],
    ['an invalid percentage', off({ ...percent, percent_off: '5' }), 'action.discount.percent_off'],
    ['no percentage', off({ type: 'PERCENT' }), 'action.discount.percent_off'],
    ['a negative amount', off({ type: 'AMOUNT', amount_off: -1 }), 'action.discount.amount_off'],
    ['half a cent', off({ type: 'AMOUNT', amount_off: 0.5 }), 'action.discount.amount_off'],
    ['a wrong effect', off({ ...percent, effect: 'APPLY_TO_NOTHING' }), 'action.discount.effect'],
    ['a discount that is a number', off(5), 'action.discount'],
    ['an action without a discount', { action: {} }, 'action.discount'],
    ['an action that is a list', { action: [] }, 'action'],
    ['a rank beyond exact numbers', { hierarchy: -(2 ** 53) }, 'hierarchy'],
    ['no name', { name: null }, 'name'],
    ['half a rank', { hierarchy: 1.5 }, 'hierarchy'],
    ['no rank', { hierarchy: null }, 'hierarchy'],
    ['no name', { name: null }, 'name'],
    ['metadata that is a list', { metadata: [1] }, 'metadata'],
    ['a weekday 7', { validity_day_of_week: [1, 7] }, 'validity_day_of_week[1]'],
    ['an invalid date', { start_date: '2026-02-30T00:00:00Z' }, 'start_date'],
    ['dates out of order', { start_date: end, expiration_date: start }, 'expiration_date'],
    ['an end before the stored start', { expiration_date: '2026-02-01T00:00:00Z' }, 'expiration_date', 'promo_dated'],
    ['a start after the stored end', { start_date: '2026-06-01T00:00:00Z' }, 'expiration_date', 'promo_dated'],
    [
      'a timeframe without a start',
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      'validity_timeframe',
    ],
    ['removing the start from a timeframe', { start_date: null }, 'validity_timeframe', 'promo_dated'],
    ['hours that overlap', hours(window('10:00', '12:00'), window('11:59', '13:00', [3])), 'validity_hours.daily'],
    [
      'hours that overlap the hours of the next day',
      hours(window('22:00', '02:00', [6]), window('01:00', '03:00', [0])),
      'validity_hours.daily',
    ],
    ['two categories', { category: 'One', category_id: 'cat_1' }, 'category'],
    [
      'rules that are not a list',
      { validation_rule_assignments: { object: 'list' } },
      'validation_rule_assignments.data',
    ],
    [
      'too many rules',
      { validation_rule_assignments: { data: Array(21).fill({ rule_id: 'val_1' }) } },
      'validation_rule_assignments.data',
    ],
    ['a list', [], 'the body'],
  ])('with %s, naming the place, and changes nothing', async (_, body, place, id = 'promo_plain') => {
    const before = await read(id);
    const reply = await update(id, body);
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    expect(reply.body.details.split(' ')[0]).toBe(place.split(' ')[0]);
    expect(await read(id)).toEqual(before);
  });

  test('with all its faults at once', async () => {
    const { details } = (await update('promo_plain', { hierarchy: 1.5, banner: 5, validity_day_of_week: [7] })).body;
    for (const place of ['hierarchy', 'banner', 'validity_day_of_week[0]']) expect(details).toContain(place);
  });

  test('for a missing tier or category', async () => {
    expect((await update('promo_nope', { name: 'x' })).body).toMatchObject({
      code: 404,
      resource_id: 'promo_nope',
      resource_type: 'promotion_tier',
    });
    expect((await update('promo_plain', { category_id: 'cat_three' })).body).toMatchObject({
      code: 404,
      resource_id: 'cat_three',
      resource_type: 'category',
    });
    const other = await openTiers({});
    expect((await other.update('promo_plain', { name: 'x' })).status).toBe(404);
  });

  test('if its metadata would be longer than 50 KB', async () => {
    const { project, update } = await openTiers();
    expect((await update('promo_plain', { metadata: { one: 'x'.repeat(26_000) } })).status).toBe(200);
    const { status, body } = await update('promo_plain', { metadata: { two: 'x'.repeat(26_000) } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('metadata would have');
    await expectTiersListed(project.id, tierIds);
  });
});
