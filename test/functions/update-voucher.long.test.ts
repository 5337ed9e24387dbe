import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as summaryHandler } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as balanceHandler } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as transactionsHandler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { handler as updateHandler } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { couponCampaign } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

const percent = { type: 'PERCENT', percent_off: 10 };
const start_date = '2026-01-01T00:00:00.000Z';

async function aShop() {
  const project = await loadProject({
    categories: [{ id: 'cat_1', name: 'Fresh', hierarchy: 1 }],
    campaigns: [
      couponCampaign('camp_1', 'One', percent, { start_date }),
      programme('camp_2', { name: 'Club' }),
      { id: 'camp_3', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'STATIC' },
    ],
    customers: [{ id: 'cust_1' }],
    vouchers: [
      { code: 'OWN', type: 'DISCOUNT_VOUCHER', discount: percent, metadata: { a: 1, b: 1 }, start_date, active: true },
      { code: 'OF', type: 'DISCOUNT_VOUCHER', campaign: 'One', active: true },
      { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 200 }, active: true },
      {
        code: 'CARD',
        type: 'LOYALTY_CARD',
        campaign: 'Club',
        loyalty_card: { points: 100, balance: 60 },
        active: true,
        holder_id: 'cust_1',
      },
      { code: 'GIFT-OF', type: 'GIFT_VOUCHER', campaign: 'Gifts', gift: { amount: 500, balance: 200 }, active: true },
    ],
  });
  const call = (handler: Endpoint, request: object) => caller(handler)({ headers: project.credentials, ...request });
  return {
    update: (code: string, body: object) => call(updateHandler, { params: { code }, body }),
    adjust: (code: string, amount: number) => call(balanceHandler, { params: { code }, body: { amount } }),
    summary: async (campaignId: string) => (await call(summaryHandler, { params: { campaignId } })).body,
    get: async (code: string) => (await call(getHandler, { params: { code } })).body,
    entries: async (code: string) =>
      (await call(transactionsHandler, { params: { code } })).body.data.map(
        ({ type, details: { balance } }: { type: string; details: { balance: object } }) => ({ ...balance, type }),
      ),
  };
}

describe('a voucher that is updated', () => {
  test('has the sent fields, also by its id, loses null ones, and keeps the rest', async () => {
    const { update, get } = await aShop();
    const before = await get('OWN');
    const sent = {
      discount: { type: 'PERCENT', percent_off: 25 },
      expiration_date: '2026-12-01T00:00:00.000Z',
      validity_timeframe: { interval: 'P7D', duration: 'P2D' },
      validity_day_of_week: [1],
      validity_hours: { daily: [{ start_time: '08:00', expiration_time: '12:00' }] },
      additional_info: 'longer',
      active: false,
    };
    const { status, body } = await update(before.id, { ...sent, category: 'Fresh', metadata: { b: 2, c: null } });
    expect([status, body]).toMatchObject([
      200,
      { ...sent, start_date, category_id: 'cat_1', metadata: { a: 1, b: 2, c: null }, code: 'OWN' },
    ]);
    expect(body.updated_at).toBe('2026-06-15T12:00:00.000Z');
    expect(await get('OWN')).toEqual(body);
    const { metadata, updated_at, ...cleared } = (
      await update('OWN', {
        expiration_date: null,
        validity_timeframe: null,
        validity_day_of_week: null,
        validity_hours: null,
        additional_info: null,
        active: true,
        category_id: null,
        metadata: null,
        discount: percent,
      })
    ).body;
    expect(metadata).toEqual({});
    expect({ ...cleared, metadata: before.metadata, updated_at: null }).toEqual(before);
  });

  test('inherits null fields from its campaign again', async () => {
    const { update } = await aShop();
    const own = { start_date: '2026-03-01T00:00:00.000Z', discount: { type: 'PERCENT', percent_off: 50 } };
    expect((await update('OF', own)).body).toMatchObject(own);
    expect((await update('OF', { start_date: null, discount: null })).body).toMatchObject({
      start_date,
      discount: percent,
    });
  });

  test('by twenty concurrent requests has the fields of each', async () => {
    const { update, get } = await aShop();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, till) => update('OWN', { metadata: { [`till-${till}`]: till } })),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await get('OWN')).metadata)).toHaveLength(22);
  });
});

describe('a sent figure is posted by its difference, once,', () => {
  test('of a gift voucher', async () => {
    const { update, entries } = await aShop();
    for (let twice = 0; twice < 2; twice++) {
      expect((await update('GIFT', { gift: { amount: 900 } })).body.gift).toEqual({
        amount: 900,
        balance: 600,
        subtracted_amount: 300,
      });
    }
    const lower = await update('GIFT', { gift: { amount: 350, effect: 'APPLY_TO_ITEMS' } });
    expect(lower.body.gift).toEqual({ amount: 350, balance: 50, subtracted_amount: 300, effect: 'APPLY_TO_ITEMS' });
    expect(await entries('GIFT')).toMatchObject([
      { type: 'CREDITS_REMOVAL', amount: -550, balance: 50, total: 350 },
      { type: 'CREDITS_ADDITION', amount: 400, balance: 600, total: 900 },
    ]);
    expect((await update('GIFT', { gift: { amount: 299 } })).body.key).toBe('invalid_voucher');
    const most = { gift: { amount: Number.MAX_SAFE_INTEGER } };
    expect((await update('GIFT', most)).body.gift.amount).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('of a loyalty card', async () => {
    const { update, entries } = await aShop();
    for (let twice = 0; twice < 2; twice++) {
      const { body } = await update('CARD', { loyalty_card: { points: 130 } });
      expect(body.loyalty_card).toMatchObject({ points: 130, balance: 90 });
    }
    expect((await update('CARD', { loyalty_card: { points: 40 } })).body.loyalty_card).toMatchObject({
      points: 40,
      balance: 0,
    });
    expect(await entries('CARD')).toMatchObject([
      { type: 'POINTS_REMOVAL', points: -90, balance: 0 },
      { type: 'POINTS_ADDITION', balance: 90 },
    ]);
    expect((await update('CARD', { loyalty_card: { points: 39 } })).body.key).toBe('invalid_voucher');
  });

  test.each([
    ['of a gift voucher', 'GIFT-OF', 'camp_3', (amount: number) => ({ gift: { amount } }), 500, 'amount'],
    ['of a loyalty card', 'CARD', 'camp_2', (points: number) => ({ loyalty_card: { points } }), 100, 'points'],
  ])('%s in the summary of its campaign, with what adjustments move', async (_, code, campaign, sent, was, unit) => {
    const { update, adjust, summary } = await aShop();
    const replies = await Promise.all(Array.from({ length: 20 }, () => update(code, sent(was + 30))));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await update(code, sent(was - 10))).status).toBe(200);
    for (const amount of [11, -3]) expect((await adjust(code, amount)).status).toBe(200);
    expect(await summary(campaign)).toMatchObject({ [`${unit}_added`]: 41, [`${unit}_subtracted`]: 43 });
  });
});

test.each<[why: string, code: string, key: string, body: object, details: string]>([
  ['another type of discount', 'OWN', 'invalid_voucher', { discount: { type: 'AMOUNT', amount_off: 5 } }, 'PERCENT'],
  [
    "another type than its campaign's discount",
    'OF',
    'invalid_voucher',
    { discount: { type: 'AMOUNT', amount_off: 5 } },
    'PERCENT',
  ],
  ['the content of another type', 'GIFT', 'invalid_voucher', { discount: percent }, 'GIFT_VOUCHER'],
  ['points, which it cannot have', 'OWN', 'invalid_voucher', { loyalty_card: { points: 5 } }, 'loyalty_card'],
  ['money, which it cannot have', 'OWN', 'invalid_voucher', { gift: { amount: 5 } }, 'gift'],
  ['no discount at all', 'OWN', 'invalid_payload', { discount: null }, 'discount'],
  ['an end before its start', 'OWN', 'invalid_payload', { expiration_date: '2025-01-01T00:00:00Z' }, 'start_date'],
  ["before its campaign's", 'OF', 'invalid_payload', { expiration_date: '2025-01-01T00:00:00Z' }, 'start_date'],
  [
    'a timeframe alone',
    'GIFT',
    'invalid_payload',
    { validity_timeframe: { interval: 'P7D', duration: 'P1D' } },
    'start',
  ],
  ['an unknown category', 'OWN', 'not_found', { category_id: 'cat_nope' }, 'category'],
  ['no existing voucher', 'NOPE', 'not_found', {}, 'voucher'],
])('an update is refused with %s', async (_, code, key, body, details) => {
  const { update } = await aShop();
  expect((await update(code, body)).body).toMatchObject({ key, details: expect.stringContaining(details) });
});
