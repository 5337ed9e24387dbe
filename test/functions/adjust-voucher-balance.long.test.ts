import { describe, expect, test } from 'vitest';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as listActivity } from '../../functions/customers/list-customer-activity.ts';
import { handler as adjustBalance } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { giftVoucher } from '../support/lists.ts';
import { card, newClub, programme } from '../support/loyalty.ts';

const held = { holder_id: 'cust_ada' };
const gift = (code: string, amount: number, more: object = {}) =>
  giftVoucher(code, { amount, balance: amount }, { campaign_id: 'camp_gifts', ...more });

const club = await newClub({
  campaigns: [
    programme('camp_club', {
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 0, expiration_rules: { period_type: 'MONTH', period_value: 2 } },
      },
    }),
    { id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
  ],
  customers: [{ id: 'cust_ada' }, { id: 'cust_bo' }],
  loyalty_tiers: [
    { id: 'ltr_low', campaign_id: 'camp_club', name: 'Low', points: { from: 0, to: 99 } },
    { id: 'ltr_high', campaign_id: 'camp_club', name: 'High', points: { from: 100 } },
  ],
  vouchers: [
    card('CARD', 60, { holder_id: 'cust_bo' }),
    card('ONCE', 0, held),
    card('SPENT', 100, held),
    card('LAPSED', [{ points: 7, expires: '2026-06-14' }], held),
    card('NOBODYS', 10),
    gift('GIFT', 500, held),
    gift('OFF', 100, { active: false, expiration_date: '2020-01-01T00:00:00Z' }),
    { ...gift('GENERIC', 10), campaign_id: undefined },
    gift('FULL', Number.MAX_SAFE_INTEGER - 5),
    ...['ONCE-GIFT', 'RACE'].map((code) => gift(code, 1_000)),
    { code: 'COUPON', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } },
  ],
});

const adjust = (code: string, body: object) =>
  caller(adjustBalance)({ params: { code }, headers: club.project.credentials, body });
const rowsOf = async (code: string) =>
  (await caller(listTransactions)({ params: { code }, headers: club.project.credentials, query: 'limit=100' })).body
    .data;
const activitiesOf = async (customerId: string) =>
  (await caller(listActivity)({ params: { customerId }, headers: club.project.credentials })).body.data;

test('credits are added to a gift card and subtracted, with entries in its ledger and activities of its holder', async () => {
  const { id } = await club.voucher('GIFT');
  const added = await adjust('GIFT', { amount: 200, reason: 'apology', source_id: 'crm-1' });
  expect([added.status, added.body]).toEqual([
    200,
    {
      amount: 200,
      total: 700,
      balance: 700,
      type: 'gift_voucher',
      operation_type: 'MANUAL',
      object: 'balance',
      related_object: { type: 'voucher', id },
    },
  ]);
  expect((await club.voucher('GIFT')).gift).not.toHaveProperty('subtracted_amount');
  expect((await adjust(id, { amount: -650, source_id: null })).body).toMatchObject({ total: 700, balance: 50 });
  expect((await club.voucher('GIFT')).gift).toMatchObject({ amount: 700, balance: 50, subtracted_amount: 650 });
  expect(await rowsOf('GIFT')).toMatchObject([
    { type: 'CREDITS_REMOVAL', amount: -650, balance: 50, source_id: null, reason: null, source: 'API' },
    {
      type: 'CREDITS_ADDITION',
      campaign_id: 'camp_gifts',
      reason: 'apology',
      source_id: 'crm-1',
      details: { balance: { type: 'gift_voucher', amount: 200, total: 700, balance: 700, operation_type: 'MANUAL' } },
    },
  ]);
  const told = (await activitiesOf('cust_ada')).filter(
    ({ type }: { type: string }) => type === 'customer.voucher.gift.balance_added',
  );
  expect(told.map(({ data }: { data: { data: { transaction: object } } }) => data.data.transaction)).toMatchObject([
    { amount: -650, balance: 50 },
    { amount: 200, balance: 700 },
  ]);
  const { body } = await caller(getCustomer)({ params: { customerId: 'cust_ada' }, headers: club.project.credentials });
  expect(body.summary.redemptions.gift.amount_to_go).toBe(50);
});

test('points are added by the rules of the programme and move the member to another tier', async () => {
  expect((await adjust('CARD', { amount: 40 })).body).toMatchObject({ type: 'loyalty_card', total: 100, balance: 100 });
  expect((await club.voucher('CARD')).loyalty_card).toEqual({
    points: 100,
    balance: 100,
    next_expiration_date: '2026-08-15',
    next_expiration_points: 40,
    pending_points: 0,
    expired_points: 0,
    subtracted_points: 0,
  });
  expect((await adjust('CARD', { amount: -50 })).body).toMatchObject({ total: 100, balance: 50 });
  expect(await rowsOf('CARD')).toMatchObject([
    { type: 'POINTS_REMOVAL', points: -50, balance: 50 },
    { type: 'POINTS_ADDITION', points: 40, balance: 100, reason: null },
  ]);
  expect((await activitiesOf('cust_bo')).map(({ type }: { type: string }) => type)).toEqual([
    'customer.loyalty.tier.downgraded',
    'customer.voucher.loyalty_card.points_added',
    'customer.loyalty.tier.upgraded',
    'customer.voucher.loyalty_card.points_added',
  ]);
});

test.each([
  ['a gift card', 'GIFT', 'cust_ada', { amount: 5, type: 'gift_voucher' }],
  ['a loyalty card', 'CARD', 'cust_bo', { points: 5, type: 'loyalty_card' }],
])('the holder of %s gets the balance that its transaction shows', async (_, code, customerId, balance) => {
  expect((await adjust(code, { amount: 5 })).status).toBe(200);
  const [row] = await rowsOf(code);
  const [told] = await activitiesOf(customerId);
  expect(told.data.data).toMatchObject({ transaction: { id: row.id }, balance });
  expect(told.data.data.balance).toEqual(row.details.balance);
});

test('expired points are written off before points are added', async () => {
  expect((await adjust('LAPSED', { amount: 3 })).body).toMatchObject({ balance: 3 });
  expect(await rowsOf('LAPSED')).toMatchObject([
    { type: 'POINTS_ADDITION', points: 3, balance: 3 },
    { type: 'POINTS_EXPIRATION', points: -7, balance: 0 },
  ]);
});

test('a gift card that is disabled, expired or without a campaign can be adjusted, too', async () => {
  expect((await adjust('OFF', { amount: 1 })).body.balance).toBe(101);
  expect((await adjust('GENERIC', { amount: -10 })).body.balance).toBe(0);
  expect(await rowsOf('GENERIC')).toMatchObject([{ campaign_id: null, balance: 0 }]);
});

describe('a source_id', () => {
  test.each([
    ['ONCE', 'of a loyalty card'],
    ['ONCE-GIFT', 'of a gift card'],
  ])('changes %s, %s, once for twenty concurrent requests, with one reply', async (code) => {
    const before = await rowsOf(code);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => adjust(code, { amount: 25, source_id: 'till-1' })),
    );
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1);
    expect(await rowsOf(code)).toHaveLength(before.length + 1);
    expect(replies[0]?.body.amount).toBe(25);
  });

  test('repeats the first answer, whatever came after, and refuses another amount', async () => {
    const first = await adjust('SPENT', { amount: -100, source_id: 'all' });
    expect((await adjust('SPENT', { amount: 5 })).body.balance).toBe(5);
    expect((await adjust('SPENT', { amount: -100, source_id: 'all' })).body).toEqual(first.body);
    const other = await adjust('SPENT', { amount: 100, source_id: 'all' });
    expect([other.status, other.body.key]).toEqual([400, 'duplicate_source_id']);
    expect((await adjust('GENERIC', { amount: 1, source_id: 'all' })).status).toBe(200);
  });
});

test('lets sixteen of twenty concurrent requests take 60 from 1000', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => adjust('RACE', { amount: -60 })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(16);
  expect(replies.filter(({ body }) => body.key === 'gift_amount_exceeded')).toHaveLength(4);
  expect((await rowsOf('RACE')).map(({ balance }: { balance: number }) => balance)).toEqual(
    Array.from({ length: 16 }, (_, index) => 40 + 60 * index),
  );
});

describe('a change is refused', () => {
  test.each<[string, string, unknown, number, string, string]>([
    ['of 0', 'GIFT', 0, 400, 'invalid_payload', 'amount must not be 0'],
    ['of a part', 'GIFT', 0.5, 400, 'invalid_payload', 'amount'],
    ['of a text', 'GIFT', '5', 400, 'invalid_payload', 'amount'],
    ['of nothing', 'GIFT', undefined, 400, 'invalid_payload', 'amount is required'],
    ['that leaves a gift card below 0', 'OFF', -1_000, 400, 'gift_amount_exceeded', 'removes 1000 from a balance of'],
    ['that leaves a loyalty card below 0', 'CARD', -1_000, 400, 'loyalty_card_points_exceeded', 'removes 1000'],
    ['that a card cannot hold', 'FULL', 6, 400, 'invalid_amount', 'at most 5'],
    ['of a voucher without a balance', 'COUPON', 1, 400, 'invalid_voucher', 'a gift or points'],
    ['of a loyalty card without a holder', 'NOBODYS', 1, 400, 'not_published', 'has no holder'],
    ['of a missing voucher', 'NOPE', 1, 404, 'not_found', 'no voucher'],
  ])('%s', async (_, code, amount, status, key, details) => {
    const reply = await adjust(code, { amount });
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details).toContain(details);
  });
});
