import { describe, expect, test } from 'vitest';
import { handler as getRule } from '../../functions/loyalties/get-earning-rule.ts';
import { handler as listRules } from '../../functions/loyalties/list-earning-rules.ts';
import { every, fixed, newWorld, paid, path, proportional, visit } from '../support/earning-rules.ts';

describe('earning rules', () => {
  const lines = { ...every, applicable_to: [{ object: 'product', id: 'prod_1' }] };
  const shownLines = { ...lines, object: 'product', id: 'prod_1' };
  const customer = { customer: { metadata: { ...every, property: 'kids' } } };
  test.each<[string, object, object]>([
    ['fixed points for an order', paid(fixed('20')), { loyalty: fixed(20) }],
    [
      'points by a formula',
      paid({ ...fixed(20), points_formula: 'ROUND(ORDER_AMOUNT * 2; 0)' }),
      { loyalty: { ...fixed(20), points_formula: 'ROUND(ORDER_AMOUNT * 2; 0)' } },
    ],
    ['the amount of an order', paid(proportional('ORDER_AMOUNT', { order: { amount: every } })), {}],
    ['the amount to pay', paid(proportional('ORDER_TOTAL_AMOUNT', { order: { total_amount: every } })), {}],
    [
      'metadata of orders',
      paid(proportional('ORDER_METADATA', { order: { metadata: { ...every, property: 'a' } } })),
      {},
    ],
    [
      'units, with the first unit that counts beside them',
      paid(proportional('ORDER_ITEMS_QUANTITY', { order_items: { quantity: lines } })),
      {
        loyalty: proportional('ORDER_ITEMS_QUANTITY', {
          order_items: { quantity: { ...lines, object: 'product', id: 'prod_1' } },
        }),
      },
    ],
    [
      'the amount of lines',
      paid(proportional('ORDER_ITEMS_AMOUNT', { order_items: { amount: lines } })),
      { loyalty: proportional('ORDER_ITEMS_AMOUNT', { order_items: { amount: shownLines } }) },
    ],
    [
      'the rest of lines',
      paid(proportional('ORDER_ITEMS_SUBTOTAL_AMOUNT', { order_items: { subtotal_amount: lines } })),
      { loyalty: proportional('ORDER_ITEMS_SUBTOTAL_AMOUNT', { order_items: { subtotal_amount: shownLines } }) },
    ],
    ['metadata of customers', paid(proportional('CUSTOMER_METADATA', customer)), {}],
    [
      'metadata of an event',
      visit({
        loyalty: proportional('CUSTOM_EVENT_METADATA', {
          custom_event: { metadata: { ...every, property: 'length', points_formula: 'TODAY' } },
        }),
      }),
      { custom_event: { schema_id: expect.stringMatching(/^ms_/) } },
    ],
    ['a segment', { event: 'customer.segment.entered', segment: { id: 'seg_auto' }, loyalty: fixed() }, {}],
    [
      'a tier of another programme',
      { event: 'customer.loyalty.tier.upgraded', loyalty_tier: { id: 'ltr_other' }, loyalty: fixed() },
      {},
    ],
    [
      'any tier',
      {
        event: 'customer.loyalty.tier.left',
        loyalty_tier: { id: '__ANY__' },
        loyalty: proportional('CUSTOMER_METADATA', customer),
      },
      {},
    ],
    [
      'every field of a rule',
      paid(fixed(), {
        validation_rule_id: 'val_paid',
        source: { banner: 'Five' },
        active: false,
        start_date: '2026-01-01T00:00:00.000Z',
        expiration_date: '2027-01-01T00:00:00.000Z',
        validity_timeframe: { interval: 'P2D', duration: 'P1D' },
        validity_day_of_week: [1, 2],
        validity_hours: { daily: [{ start_time: '10:00', expiration_time: '12:00' }] },
        pending_points: { period_type: 'DAY', period_value: 90 },
        expiration_rules: { period_type: 'FIXED_DAY_OF_YEAR', fixed_month: 1, fixed_day: 31 },
        metadata: { a: 1 },
      }),
      { source: { banner: 'Five', object_id: 'camp_club', object_type: 'campaign' } },
    ],
  ])('are created for %s, and shown exactly as sent', async (_, body, shown) => {
    const { ask, create } = await newWorld();
    const made = await create(body);
    expect(made.status).toBe(200);
    expect(made.body).toEqual([expect.objectContaining({ active: true, metadata: {}, ...body, ...shown })]);
    const [{ id }] = made.body;
    expect((await ask(getRule, { ...path, earningRuleId: id })).body).toEqual(made.body[0]);
    const elsewhere = await ask(getRule, { campaignId: 'camp_other', earningRuleId: id });
    expect([elsewhere.status, elsewhere.body.resource_type]).toEqual([404, 'earning_rule']);
  });

  test.each<[string, object, number, string]>([
    ['an unknown event', { event: 'nope', loyalty: fixed() }, 400, 'event_not_defined'],
    [
      'an unknown segment',
      { event: 'customer.segment.entered', segment: { id: 'seg_x' }, loyalty: fixed() },
      404,
      'not_found',
    ],
    [
      'a segment without entry events',
      { event: 'customer.segment.entered', segment: { id: 'seg_static' }, loyalty: fixed() },
      400,
      'invalid_payload',
    ],
    [
      'an unknown tier',
      { event: 'customer.loyalty.tier.joined', loyalty_tier: { id: 'ltr_x' }, loyalty: fixed() },
      404,
      'not_found',
    ],
    ['another schema', visit({ custom_event: { schema_id: 'ms_x' } }), 404, 'not_found'],
    ['an unknown validation rule', visit({ validation_rule_id: 'val_x' }), 404, 'not_found'],
    ['a validation rule of another context', visit({ validation_rule_id: 'val_coupon' }), 400, 'invalid_payload'],
    [
      'a text of the event as a measure',
      visit({
        loyalty: proportional('CUSTOM_EVENT_METADATA', { custom_event: { metadata: { ...every, property: 'place' } } }),
      }),
      400,
      'invalid_payload',
    ],
  ])('are not created for %s, nor any others of the request', async (_, body, status, key) => {
    const { ask, create } = await newWorld();
    const refused = await create(visit(), body);
    expect([refused.status, refused.body.key]).toEqual([status, key]);
    expect((await ask(listRules)).body.total).toBe(0);
  });

  test('every fault is reported at once, also of formulas', async () => {
    const { create } = await newWorld();
    const { status, body } = await create(
      { event: 'customer.segment.entered', loyalty: fixed() },
      { event: 'customer.loyalty.tier.left', loyalty: proportional('ORDER_AMOUNT', { order: { amount: every } }) },
      paid({ type: 'FIXED', points: 5, points_formula: 'MAX(ORDER_AMOUNT; 2' }),
      visit({
        expiration_date: '2026-01-01T00:00:00Z',
        start_date: '2026-02-01T00:00:00Z',
        pending_points: { period_value: 91 },
      }),
      visit({ validity_timeframe: { interval: 'P2D', duration: 'P1D' } }),
    );
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    for (const place of [
      '[0].segment is required',
      '[1].loyalty_tier is required',
      '[1].loyalty must not measure an order',
      '[2].loyalty.points_formula has a bracket that is not closed',
      '[3].pending_points.period_value',
      '[4].validity_timeframe needs a start_date',
    ])
      expect(body.details).toContain(place);
  });

  test('of twenty requests at once are each created completely or refused, and no programme gets more than a hundred', async () => {
    const { ask, create } = await newWorld();
    const made = await Promise.all(Array.from({ length: 20 }, () => create(...Array(6).fill(visit()))));
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.key)).toEqual(Array(4).fill('too_many_resources'));
    expect((await ask(listRules, path, { query: 'limit=1' })).body.total).toBe(96);
  });
});
