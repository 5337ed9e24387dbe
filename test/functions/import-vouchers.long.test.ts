import { describe, expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { caller } from '../support/call.ts';
import { campaignEntry, giftCampaign } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off });
const coupons = (id: string, more: object = {}) =>
  campaignEntry(id, `Name of ${id}`, 'DISCOUNT_COUPONS', {
    voucher: { type: 'DISCOUNT_VOUCHER', discount: off(500), redemption: { quantity: 1 } },
    ...more,
  });

const project = await loadProject({
  categories: [{ id: 'cat_1', name: 'Paper', hierarchy: 1 }],
  validation_rules: [],
  campaigns: [
    coupons('camp_coupons'),
    coupons('camp_one', { type: 'STANDALONE' }),
    programme('camp_club', { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 10 } } }),
    giftCampaign('camp_gifts', 'Gifts', { amount: 700 }),
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
  ],
  vouchers: [{ code: 'THERE', type: 'DISCOUNT_VOUCHER', discount: off(1) }],
});

const post = (body: unknown, campaignId?: string, { credentials: headers } = project) =>
  campaignId === undefined
    ? caller(importVouchers)({ headers, body })
    : caller(importIntoCampaign)({ headers, body, params: { campaignId } });

async function imported(body: unknown, campaignId?: string) {
  const { status, body: started } = await post(body, campaignId);
  expect(status).toBe(202);
  await runOutbox(project.id);
  const params = { asyncActionId: started.async_action_id };
  return (await caller(getAction)({ headers: project.credentials, params })).body;
}

const shown = async (code: string) =>
  (await caller(getVoucher)({ headers: project.credentials, params: { code } })).body;
const countOf = async (campaignId: string, { credentials: headers } = project) =>
  (await caller(getCampaign)({ headers, params: { campaignId } })).body.vouchers_count;

test('vouchers without a campaign equal their rows, and impossible rows are named with their reasons', async () => {
  const action = await imported([
    {
      code: 'PERCENT',
      discount: { type: 'PERCENT', percent_off: 10 },
      start_date: '2026-02-01',
      expiration_date: '2030-01-31T12',
      category: 'Paper',
      redemption: { quantity: 3 },
      metadata: { shelf: 3 },
      additional_info: 'found',
      campaign: 'camp_coupons',
    },
    { code: 'CARD', type: 'LOYALTY_CARD', loyalty_card: { points: 1 } },
    { code: 'GIFT', gift: { amount: 300 }, active: false, start_date: '2026-02-01T10:30:05.123Z' },
    { code: 'LOST', discount: off(1), category: 'cat_none' },
    { code: 'BARE' },
    { code: 'MINUTES', discount: off(2), start_date: '2026-02-01T10:30', expiration_date: '2026-02-01T10:30:05' },
  ]);
  expect(action).toMatchObject({ type: 'VOUCHERS.IMPORT', status: 'DONE' });
  expect(action.result).toMatchObject({ message: 'Vouchers are imported: done', done_count: 3, failed_count: 3 });
  expect(action.result.failed).toMatchObject([
    { code: 'CARD', row: 2, reason: expect.stringContaining('loyalty programme') },
    { code: 'LOST', row: 4, reason: expect.stringContaining('no category') },
    { code: 'BARE', row: 5, reason: expect.stringContaining('discount') },
  ]);
  expect(await shown('PERCENT')).toMatchObject({
    campaign: null,
    discount: { percent_off: 10 },
    start_date: '2026-02-01T00:00:00.000Z',
    expiration_date: '2030-01-31T12:00:00.000Z',
    category: 'Paper',
    redemption: { quantity: 3 },
    metadata: { shelf: 3 },
    additional_info: 'found',
    active: true,
  });
  expect(await shown('GIFT')).toMatchObject({ gift: { amount: 300, balance: 300 }, active: false });
  expect(await shown('MINUTES')).toMatchObject({
    start_date: '2026-02-01T10:30:00.000Z',
    expiration_date: '2026-02-01T10:30:05.000Z',
    redemption: { quantity: null },
  });
  expect((await caller(getVoucher)({ headers: project.credentials, params: { code: 'CARD' } })).status).toBe(404);
});

test.each([
  ['camp_coupons', { discount: off(500), redemption: { quantity: 1 } }],
  ['camp_club', { loyalty_card: { points: 10, balance: 10 } }],
  ['camp_gifts', { gift: { amount: 700, balance: 700 } }],
])('vouchers of %s inherit what their rows lack, and it counts them', async (id, given) => {
  const action = await imported([{ code: `${id} 1` }, { code: `${id} 2`, metadata: { own: true } }], id);
  expect(action).toMatchObject({ type: 'CAMPAIGN.VOUCHERS_IMPORT', result: { done_count: 2, failed_count: 0 } });
  expect(await shown(`${id} 1`)).toMatchObject({ ...given, campaign_id: id, metadata: {} });
  expect(await shown(`${id} 2`)).toMatchObject({ ...given, metadata: { own: true } });
  expect(await countOf(id)).toBe(2);
});

test('a campaign of one voucher takes the first row, and refuses the others', async () => {
  const action = await imported([{ code: 'ONLY' }, { code: 'SECOND' }], 'Name of camp_one');
  expect(action.result).toMatchObject({ done_count: 1, failed: [{ code: 'SECOND', row: 2 }] });
  expect(await countOf('camp_one')).toBe(1);
});

test('rows with codes that were taken meanwhile fail, and the others do not', async () => {
  const rows = (from: number) => Array.from({ length: 6 }, (_, index) => ({ code: `MEANWHILE-${from + index}` }));
  await post(rows(0), 'camp_coupons');
  await post(rows(3), 'camp_coupons');
  const before = await countOf('camp_coupons');
  const [first, second] = (await openJobs(project.id)).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  await deliver([second ?? {}]);
  await deliver([first ?? {}]);
  const params = { asyncActionId: String(first?.id) };
  const { result } = (await caller(getAction)({ headers: project.credentials, params })).body;
  expect(result).toMatchObject({ done_count: 3, failed_count: 3, failed: [{ code: 'MEANWHILE-3', row: 4 }, {}, {}] });
  expect(await countOf('camp_coupons')).toBe(before + 9);
});

describe('an import is refused, and nothing begins,', () => {
  test.each<[string, unknown, string | undefined, number, string, string]>([
    [
      'with a code twice',
      [{ code: 'A' }, { code: 'B' }, { code: 'A' }],
      'camp_coupons',
      400,
      'duplicate_key',
      '[2].code repeats the code of [0]',
    ],
    [
      'with a code that is taken',
      [{ code: 'NEW', discount: off(1) }, { code: 'THERE' }],
      undefined,
      400,
      'duplicate_key',
      '[1].code is already the code of a voucher',
    ],
    [
      'without a code',
      [{ code: 'C' }, { type: 'GIFT_VOUCHER' }],
      undefined,
      400,
      'invalid_voucher',
      '[1].code is required',
    ],
    [
      'with a row of another shape',
      [
        { code: 'D', active: 'yes' },
        { code: 'E', start_date: '31.1.2030' },
      ],
      undefined,
      400,
      'invalid_payload',
      '[1].start_date',
    ],
    ['that is no list', { code: 'F' }, undefined, 400, 'invalid_payload', 'array'],
    ['into a promotion', [{ code: 'G' }], 'camp_tiers', 400, 'invalid_campaign', 'has no vouchers'],
    ['into a missing campaign', [{ code: 'H' }], 'camp_nope', 404, 'not_found', 'no campaign'],
  ])('%s', async (_, body, campaignId, status, key, details) => {
    const reply = await post(body, campaignId);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details).toContain(details);
    expect(await openJobs(project.id)).toEqual([]);
  });
});

const many = process.env.LONG_TESTS ? 10_000 : 500;

test(`${many} rows by workers that are killed half-way and get each message twice make one voucher each`, async () => {
  const own = await loadProject({ campaigns: [coupons('camp_own')], vouchers: [] });
  const codes = Array.from({ length: many }, (_, index) => `C-${index}`);
  // This voucher claims the code of one row after the code was found free.
  const { body: started } = await post(
    codes.map((code) => ({ code })),
    'camp_own',
    own,
  );
  await post([{ code: 'C-477' }], 'camp_own', own);
  const [other = {}, job = {}] = (await openJobs(own.id)).sort((a, b) => Number(a.steps) - Number(b.steps));
  await deliver([other]);
  for (const [deaths, left] of [9, 12, 10, 11].entries()) {
    const worker = () => deliver([job], mortal(left, deaths % 2 === 0));
    await Promise.all([worker(), worker()]);
  }
  const half = await countOf('camp_own', own);
  expect(half).toBeGreaterThan(90);
  expect(half).toBeLessThan(many);
  await Promise.all([deliver([job]), deliver([job])]);
  await runOutbox(own.id);
  await deliver([job]);
  const vouchers = (await itemsOf(own.id, 'VOUCHER')).filter(({ sk }) => sk === 'VOUCHER');
  expect(new Set(vouchers.map(({ code }) => code))).toEqual(new Set(codes));
  expect(vouchers).toHaveLength(many);
  expect(await countOf('camp_own', own)).toBe(many);
  const params = { asyncActionId: started.async_action_id };
  const { result } = (await caller(getAction)({ headers: own.credentials, params })).body;
  expect(result).toMatchObject({ done_count: many - 1, failed: [{ code: 'C-477', row: 478 }] });
});

test('a body beyond 4 MiB is refused with another way to send its rows', async () => {
  const { status, body } = await post(`[${`{"code":"${'A'.repeat(40)}"},`.repeat(90_000)}{}]`, 'camp_coupons');
  expect([status, body.key]).toEqual([413, 'payload_too_large']);
  expect(body.details).toContain(
    'send its rows in several requests. Vouchers, customers, products and SKUs also come as a CSV file of up to 100 MB',
  );
});
