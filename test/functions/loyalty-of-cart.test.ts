import * as v from 'valibot';
import { expect, test } from 'vitest';
import { handler as showLoyalty } from '../../functions/commerce/show-loyalty.ts';
import { handler as estimate } from '../../functions/loyalties/estimate-points.ts';
import { caller } from '../support/call.ts';
import { coupon, earningRule, loyaltyTier } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

const rule = (id: string, loyalty: object, more: object = {}) => earningRule(id, 'order.paid', loyalty, more);
const total = { every: 100, points: 1 };
const lists = {
  campaigns: [
    programme('camp_club', { name: 'Tea & Cake Club' }),
    programme('camp_open', { name: 'Open', auto_join: true, type: 'AUTO_UPDATE' }),
    programme('camp_off', { name: 'Off', active: false }),
  ],
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_bob', source_id: 'bob' },
  ],
  vouchers: [
    card('ADA-12345678', 250, { holder_id: 'cust_ada' }),
    coupon('HALF', { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ORDER' }),
  ],
  loyalty_tiers: [
    { id: 'ltr_low', name: 'Low', campaign_id: 'camp_club', points: { from: 0, to: 199 } },
    loyaltyTier(
      'ltr_high',
      'High',
      { from: 200 },
      { earning_rules: { ern_total: { type: 'MULTIPLY', multiplier: 1.5 } } },
    ),
  ],
  earning_rules: [
    rule('ern_total', { type: 'PROPORTIONAL', calculation_type: 'ORDER_TOTAL_AMOUNT', order: { total_amount: total } }),
    rule('ern_pending', { type: 'FIXED', points: 7 }, { pending_points: { days: 5 }, source: { banner: 'Thank you' } }),
    rule('ern_off', { type: 'FIXED', points: 1_000 }, { active: false }),
    { ...rule('ern_open', { type: 'FIXED', points: 11 }), campaign_id: 'camp_open' },
  ],
};

const headers = (await loadProject(lists)).credentials;

const line_items = [{ item: { id: 'tea' }, quantity: 3, note: 'unknown' }];
const claims = (...eligibility: string[]) => ({ context: { eligibility, language: 'de' } });
const ask = (body: object, query = 'domain=com.example') =>
  caller(showLoyalty)({ headers, query, body: { line_items, currency: 'EUR', ...body } });

const amount = v.pipe(v.number(), v.integer(), v.minValue(0));
const shape = v.strictObject({
  loyalty: v.record(
    v.pipe(v.string(), v.regex(/^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/)),
    v.strictObject({
      id: v.string(),
      name: v.string(),
      display_id: v.optional(v.string()),
      tiers: v.optional(
        v.array(
          v.strictObject({
            id: v.string(),
            name: v.string(),
            benefits: v.array(v.strictObject({ id: v.string(), description: v.string() })),
          }),
        ),
      ),
      rewards: v.array(
        v.strictObject({
          currency: v.strictObject({ name: v.string(), code: v.string(), decimal_places: amount }),
          earning_forecast: v.strictObject({
            amount,
            breakdown: v.array(
              v.strictObject({ id: v.string(), amount, description: v.string(), benefit_id: v.optional(v.string()) }),
            ),
          }),
        }),
      ),
      provisional: v.boolean(),
    }),
  ),
  messages: v.array(v.looseObject({ type: v.string(), code: v.string(), content: v.string() })),
});

test('a verified member sees tier, benefits and what the cart would earn, and the programme estimates the same', async () => {
  const { body } = await ask({ buyer: { customer_id: 'ada' } });
  expect(v.parse(shape, body)).toEqual(body);
  const description = '1 point for each €1.00, times 1.5';
  expect(body.loyalty).toEqual({
    'com.example.tea_cake_club': {
      id: 'camp_club',
      name: 'Tea & Cake Club',
      display_id: '****5678',
      tiers: [
        {
          id: 'ltr_high',
          name: 'High',
          benefits: expect.arrayContaining([
            { id: 'ern_total', description },
            { id: 'ern_pending', description: 'Thank you' },
          ]),
        },
      ],
      rewards: [
        {
          currency: { name: 'Points', code: 'PTS', decimal_places: 0 },
          earning_forecast: {
            amount: 29,
            breakdown: expect.arrayContaining([
              { id: 'ern_total', amount: 22, description, benefit_id: 'ern_total' },
              { id: 'ern_pending', amount: 7, description: 'Thank you', benefit_id: 'ern_pending' },
            ]),
          },
        },
      ],
      provisional: false,
    },
  });
  const estimated = await caller(estimate)({
    headers,
    params: { campaignId: 'camp_club' },
    body: { customer: { source_id: 'ada' }, order: { items: [{ source_id: 'tea', quantity: 3 }] } },
  });
  expect(estimated.body.points_estimation).toBe(29);
});

test('points are earned by the amount after the discounts of the cart', async () => {
  const { body } = await ask({ buyer: { customer_id: 'ada' }, discounts: { codes: ['HALF'] } });
  expect(body.loyalty['com.example.tea_cake_club'].rewards[0].earning_forecast.amount).toBe(10 + 7);
});

test('a claim of an unverified buyer is provisional: without a card, a tier or points of members', async () => {
  const body = claims('com.example.tea_cake_club', 'com.example.open', 'com.example.nix', 'org.other.open');
  const guest = { buyer: { customer_id: 'ada', authentication_status: 'guest' }, ...body };
  const { body: shown } = await ask(guest);
  expect(v.parse(shape, shown)).toEqual(shown);
  expect(Object.keys(shown.loyalty).toSorted()).toEqual(['com.example.open', 'com.example.tea_cake_club']);
  expect(shown.loyalty['com.example.tea_cake_club']).toMatchObject({
    provisional: true,
    rewards: [{ earning_forecast: { amount: 0, breakdown: [] } }],
  });
  expect(shown.loyalty['com.example.tea_cake_club']).not.toHaveProperty('display_id');
  expect(shown.loyalty['com.example.tea_cake_club']).not.toHaveProperty('tiers');
  expect(shown.loyalty['com.example.open'].rewards[0].earning_forecast.amount).toBe(11);
  expect(JSON.stringify(shown)).not.toContain('5678');
});

test('a claim that the shop knows to be wrong, or of a programme that is off, is refused with its place', async () => {
  const wrong = await ask({ buyer: { customer_id: 'bob' }, ...claims('org.other.x', 'com.example.tea_cake_club') });
  const off = await ask(claims('com.example.off'));
  const refused = { type: 'error', code: 'eligibility_invalid', severity: 'recoverable' };
  expect(wrong.body).toMatchObject({ loyalty: {}, messages: [{ ...refused, path: '$.context.eligibility[1]' }] });
  expect(off.body).toMatchObject({ loyalty: {}, messages: [{ ...refused, path: '$.context.eligibility[0]' }] });
});

test('without memberships and claims the reply is empty, and the domain must be a reversed domain', async () => {
  expect((await ask({ buyer: { customer_id: 'bob' } })).body).toEqual({ loyalty: {}, messages: [] });
  for (const query of ['', 'domain=', 'domain=example', 'domain=COM.example', 'domain=com.-x']) {
    const { status, body } = await ask({}, query);
    expect([status, body.key]).toEqual([400, expect.stringMatching(/invalid_query_params|missing/)]);
    expect(body.details).toContain('domain');
  }
});
