import { describe, expect, test } from 'vitest';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as deleteRule } from '../../functions/loyalties/delete-earning-rule.ts';
import { handler as disable } from '../../functions/loyalties/disable-earning-rule.ts';
import { handler as enable } from '../../functions/loyalties/enable-earning-rule.ts';
import { handler as getRule } from '../../functions/loyalties/get-earning-rule.ts';
import { handler as listRules } from '../../functions/loyalties/list-earning-rules.ts';
import { handler as listOfTier } from '../../functions/loyalties/list-loyalty-tier-earning-rules.ts';
import { handler as listTiers } from '../../functions/loyalties/list-loyalty-tiers.ts';
import { handler as updateRule } from '../../functions/loyalties/update-earning-rule.ts';
import { handler as listAssignments } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

type Handler = Parameters<typeof caller>[0];

const club = {
  campaigns: [programme('camp_club'), programme('camp_other')],
  event_schema: [{ name: 'visit', metadata: { length: 'number', place: 'string' } }],
  validation_rules: [
    { id: 'val_any', name: 'Any' },
    { id: 'val_paid', name: 'Paid', context_type: 'earning_rule.order.paid' },
    { id: 'val_coupon', name: 'Coupon', context_type: 'campaign.discount_coupons' },
  ],
  segments: [
    {
      id: 'seg_auto',
      name: 'Auto',
      type: 'auto-update',
      filter: { junction: 'and', 'metadata.a': { conditions: { $is: [1] } } },
    },
    { id: 'seg_static', name: 'Static', type: 'static', customers: ['cust_1'] },
  ],
  customers: [{ id: 'cust_1', name: 'One' }],
  loyalty_tiers: [{ id: 'ltr_other', name: 'Other', campaign_id: 'camp_other', points: { from: 0 } }],
};
const path = { campaignId: 'camp_club' };

async function newWorld(lists: Record<string, unknown> = club) {
  const dependencies = testDependencies();
  const project = await loadProject(lists, dependencies);
  const ask = (handler: Handler, params: Record<string, string> = path, rest: object = {}) =>
    caller(handler, dependencies)({ headers: project.credentials, params, ...rest });
  return {
    project,
    dependencies,
    ask,
    create: (...body: object[]) => ask(createRules, path, { body }),
    kinds: async () => [...new Set((await itemsOf(project.id, '', dependencies)).map(({ kind }) => kind))],
  };
}

const fixed = (points: unknown = 5) => ({ type: 'FIXED', points });
const visit = (more: object = {}) => ({ event: 'visit', loyalty: fixed(), ...more });
const paid = (loyalty: object, more: object = {}) => ({ event: 'order.paid', loyalty, ...more });
const proportional = (calculation_type: string, measure: object) => ({
  type: 'PROPORTIONAL',
  calculation_type,
  ...measure,
});
const every = { every: 100, points: 2 };

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
    ['what is left to pay', paid(proportional('ORDER_TOTAL_AMOUNT', { order: { total_amount: every } })), {}],
    [
      'metadata of orders',
      paid(proportional('ORDER_METADATA', { order: { metadata: { ...every, property: 'a' } } })),
      {},
    ],
    [
      'units, with the first of those that count beside them',
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
      'what is left of lines',
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
      'all that a rule may have',
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
  ])('are made for %s, and shown as they were sent', async (_, body, shown) => {
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
      'a segment that nobody is told to enter',
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
  ])('are not made for %s, nor any beside them', async (_, body, status, key) => {
    const { ask, create } = await newWorld();
    const refused = await create(visit(), body);
    expect([refused.status, refused.body.key]).toEqual([status, key]);
    expect((await ask(listRules)).body.total).toBe(0);
  });

  test('every fault is told at once, formulas among them', async () => {
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

  test('of twenty requests at once each is made whole or refused, and no programme gets more than a hundred', async () => {
    const { ask, create } = await newWorld();
    const made = await Promise.all(Array.from({ length: 20 }, () => create(...Array(6).fill(visit()))));
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.key)).toEqual(Array(4).fill('too_many_resources'));
    expect((await ask(listRules, path, { query: 'limit=1' })).body.total).toBe(96);
  }, 60_000);

  test('are listed by pages, the oldest first', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit(), paid(fixed()), visit());
    const ids = body.map(({ id }: { id: string }) => id);
    const listed = async (query: string) =>
      (await ask(listRules, path, { query })).body.data.map(({ id }: { id: string }) => id);
    expect(await listed('')).toEqual(ids);
    expect(await listed('order=-created_at&limit=2&page=2')).toEqual([ids[0]]);
  });

  test('are changed as far as is sent; the event stays', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(
      visit({ validation_rule_id: 'val_any', pending_points: { period_value: 3 }, metadata: { a: 1, b: 2 } }),
    );
    const rule = { ...path, earningRuleId: body[0].id };
    const sent = { event: 'order.paid', loyalty: fixed(9), metadata: { b: 3 }, source: { banner: 'Nine' } };
    const changed = await ask(updateRule, rule, { body: sent });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      event: 'visit',
      loyalty: fixed(9),
      metadata: { a: 1, b: 3 },
      validation_rule_id: 'val_any',
      pending_points: { period_value: 3 },
      updated_at: '2026-06-15T12:00:00.000Z',
    });
    const cleared = await ask(updateRule, rule, {
      body: { pending_points: null, validation_rule_id: null, source: null },
    });
    expect(cleared.body).toMatchObject({ validation_rule_id: null });
    expect(cleared.body.pending_points).toBeUndefined();
    expect((await ask(getRule, rule)).body).toEqual(cleared.body);
    const refused = await ask(updateRule, rule, {
      body: {
        loyalty: proportional('ORDER_AMOUNT', { order: { amount: every } }),
        validity_timeframe: { interval: 'P1D', duration: 'P1D' },
      },
    });
    expect(refused.body.details).toContain('loyalty must not measure an order');
    expect(refused.body.details).toContain('validity_timeframe needs a start_date');
  });

  test('twenty changes at once of one rule all hold', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit());
    const rule = { ...path, earningRuleId: body[0].id };
    const changes = Array.from({ length: 20 }, (_, index) => ({ metadata: { [`m${index}`]: index } }));
    const done = await Promise.all(changes.map((change) => ask(updateRule, rule, { body: change })));
    expect(done.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(Object.keys((await ask(getRule, rule)).body.metadata)).toHaveLength(20);
  }, 60_000);

  test('are switched off and on', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit({ validation_rule_id: 'val_any' }));
    const rule = { ...path, earningRuleId: body[0].id };
    expect((await ask(enable, rule)).body).toEqual(body[0]);
    const off = await ask(disable, rule);
    expect([off.status, off.body.active, off.body.validation_rule_id]).toEqual([200, false, 'val_any']);
    expect((await ask(disable, rule)).body).toEqual(off.body);
    expect((await ask(enable, rule)).body.active).toBe(true);
  });

  test('go with all that knows them', async () => {
    const { ask, create, kinds } = await newWorld();
    const { body } = await create(visit({ validation_rule_id: 'val_any' }));
    const earningRuleId = body[0].id;
    const map = { earning_rules: { [earningRuleId]: { type: 'MULTIPLY', multiplier: 2 } } };
    await ask(createTiers, path, { body: [{ name: 'A', points: { from: 0 }, ...map }] });
    const gone = await Promise.all(Array.from({ length: 5 }, () => ask(deleteRule, { ...path, earningRuleId })));
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect((await ask(listTiers)).body.data[0].earning_rules).toEqual({});
    expect((await ask(listAssignments, { validationRuleId: 'val_any' })).body.total).toBe(0);
    expect(await kinds()).not.toContain('EARNING_PROGRAMME');
    expect(await kinds()).not.toContain('RULES_OF_OBJECT');
  });

  test('are shown multiplied in a tier that multiplies them, and as they are in one that has points of its own', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit(), paid(proportional('ORDER_AMOUNT', { order: { amount: every } })), visit());
    const [one, two, three] = body.map(({ id }: { id: string }) => id);
    const earning_rules = {
      [one]: { type: 'MULTIPLY', multiplier: 1.5 },
      [two]: { type: 'MULTIPLY', multiplier: 3 },
      [three]: { type: 'CUSTOM', points: 200 },
    };
    const made = await ask(createTiers, path, { body: [{ name: 'A', points: { from: 0 }, earning_rules }] });
    const listed = await ask(listOfTier, { ...path, loyaltyTierId: made.body[0].id });
    expect(listed.body.data.map(({ loyalty }: { loyalty: object }) => loyalty)).toEqual([
      fixed(7),
      proportional('ORDER_AMOUNT', { order: { amount: { every: 100, points: 6 } } }),
      fixed(5),
    ]);
  });
});
