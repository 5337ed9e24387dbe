import { beforeAll, expect, test } from 'vitest';
import { handler } from '../../functions/campaigns/list-campaign-transactions.ts';
import { handler as adjustBalance } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { caller } from '../support/call.ts';
import { type Club, card, newClub, programme } from '../support/loyalty.ts';

let club: Club;
const list = (campaignId: string, query = '') =>
  caller(handler)({ params: { campaignId }, query, headers: club.project.credentials });
const amounts = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.data.map(({ points, amount }: { points?: number; amount?: number }) => points ?? amount);

beforeAll(async () => {
  const held = { holder_id: 'cust_ada' };
  const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } };
  club = await newClub({
    campaigns: [
      programme('camp_club'),
      { id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
      { id: 'camp_none', name: 'None', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE' },
    ],
    customers: [{ id: 'cust_ada' }],
    vouchers: [
      card('A', 10, held),
      card('B', 10, held),
      { ...gift, code: 'GIFT', campaign_id: 'camp_gifts' },
      { ...gift, code: 'GENERIC' },
    ],
  });
  const headers = club.project.credentials;
  for (const [code, amount] of [
    ['A', 1],
    ['B', 2],
    ['GIFT', 3],
    ['A', -4],
    ['GENERIC', 5],
    ['B', 6],
    ['A', 7],
  ] as const) {
    expect((await caller(adjustBalance)({ params: { code }, headers, body: { amount } })).status).toBe(200);
  }
});

test('the ledgers of all cards of a campaign are one list by time, by its id or name', async () => {
  expect(amounts(await list('camp_club'))).toEqual([7, 6, -4, 2, 1]);
  expect(amounts(await list('Name of camp_club', 'order=id'))).toEqual([1, 2, -4, 6, 7]);
  expect(amounts(await list('camp_gifts'))).toEqual([3]);
});

test('a campaign of vouchers without a ledger has a total of 0', async () => {
  const none = { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false };
  expect((await list('camp_none')).body).toEqual(none);
  expect((await list('camp_gifts', 'filters[id][conditions][$is]=none')).body).not.toHaveProperty('total');
});

test('filters test entries and cards', async () => {
  const { id } = await club.voucher('A');
  const ofCard = `filters[voucher_id][conditions][$is]=${id}`;
  const first = await list('camp_club', `${ofCard}&limit=2`);
  expect(amounts(first)).toEqual([7, -4]);
  expect(amounts(await list('camp_club', `${ofCard}&starting_after_id=${first.body.more_starting_after}`))).toEqual([
    1,
  ]);
  const ids = first.body.data.map(
    (row: { id: string }, index: number) => `filters[id][conditions][$in][${index}]=${row.id}`,
  );
  expect(amounts(await list('camp_club', `${ids.join('&')}&order=id`))).toEqual([-4, 7]);
});

test('an unknown campaign is a 404, an unknown cursor or field a 400', async () => {
  expect((await list('camp_nope')).body).toMatchObject({ key: 'not_found', resource_type: 'campaign' });
  const ofWhatACardCameWith = (await club.voucher('A')).id.replace(/^v_/, 'vtx_');
  for (const query of [
    `starting_after_id=${ofWhatACardCameWith}`,
    'starting_after_id=vtx_1',
    'filters[code][conditions][$is]=A',
  ]) {
    expect((await list('camp_club', query)).body.key).toBe('invalid_query_params');
  }
});
