import { expect, test } from 'vitest';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { caller } from '../support/call.ts';
import { card, club } from '../support/club.ts';
import { exportedLines } from '../support/exports.ts';
import { loadProject } from '../support/project.ts';

const at = (hour: number) => `2026-03-01T0${hour}:00:00.000Z`;
const voucher = (code: string, hour: number, more: object) => ({ code, created_at: at(hour), ...more });

const vouchers = [
  voucher('AMOUNT', 1, { type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_friends', is_referral_code: true }),
  voucher('=PERCENT', 2, {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 7.5, percent_off_formula: 'ORDER_AMOUNT / 10' },
    active: false,
  }),
  voucher('GIFT', 3, {
    type: 'GIFT_VOUCHER',
    gift: { amount: 5050 },
    holder_id: 'cust_ann',
    metadata: { tone: 'red' },
  }),
  voucher('OLD', 4, { type: 'GIFT_VOUCHER', gift: { amount: 100 }, expiration_date: '2026-04-01T00:00:00Z' }),
  card('CARD-1', 120, { created_at: at(5), holder_id: 'cust_ann' }),
  card('CARD-2', 30, { created_at: at(6) }),
];

const lists = { ...club, customers: [{ id: 'cust_ann', source_id: 'crm-ann', name: 'Ann' }], vouchers };

const project = await loadProject(lists);

const lines = (exported_object: string, parameters: object) => exportedLines(project, { exported_object, parameters });
const is = (value: unknown) => ({ conditions: { $is: value } });

test.each([
  [
    'columns without fields',
    {},
    [
      'Code,Voucher Type,Value,Discount Type',
      'AMOUNT,DISCOUNT_VOUCHER,5,AMOUNT',
      "'=PERCENT,DISCOUNT_VOUCHER,7.5,PERCENT",
      'GIFT,GIFT_VOUCHER,50.50,',
      'OLD,GIFT_VOUCHER,1,',
      'CARD-1,LOYALTY_CARD,120,',
      'CARD-2,LOYALTY_CARD,30,',
    ],
  ],
  [
    'inherited fields, and the holder',
    {
      fields: ['code', 'campaign', 'is_referral_code', 'gift_balance', 'customer_source_id', 'metadata.tone'],
      filters: { junction: 'or', holder_id: is('cust_ann'), campaign_ids: is('camp_friends') },
      order: '-code',
    },
    [
      'Code,Campaign,Is Referral Code,Gift Balance,Customer Source ID,metadata.tone',
      'GIFT,,,50.50,crm-ann,red',
      'CARD-1,Club,,,crm-ann,',
      'AMOUNT,Friends,true,,,',
    ],
  ],
  [
    'the vouchers of one campaign',
    { campaign_id: 'camp_club', fields: ['code'], order: '-created_at' },
    ['Code', 'CARD-2', 'CARD-1'],
  ],
  [
    'formulas of discounts',
    { fields: ['code', 'formula'], filters: { code: is(['=PERCENT', 'GIFT']) } },
    ['Code,Formula', "'=PERCENT,ORDER_AMOUNT / 10", 'GIFT,'],
  ],
  ['disabled vouchers', { fields: ['code'], filters: { active: { $disabled: true } } }, ['Code', "'=PERCENT"]],
  [
    'expired vouchers',
    { fields: ['code', 'expiration_date'], filters: { active: { conditions: { $expired: true } } } },
    ['Code,Expiration Date', 'OLD,2026-04-01T00:00:00.000Z'],
  ],
])('an export of vouchers has %s', async (_, parameters, expected) => {
  expect(await lines('voucher', parameters)).toEqual(expected);
});

test('an address in the file belongs to this API', async () => {
  const [, address] = await lines('voucher', { fields: ['qr_code'], filters: { code: is('GIFT') } });
  expect(address).toMatch(/^https?:\/\/.+\/v1\/assets\/qr\//);
});

test('ledgers and points are listed card by card, without the opening balance', async () => {
  const own = await loadProject(lists);
  for (const [source_id, points] of [
    ['till-1', 20],
    ['till-2', 5],
  ]) {
    const transferred = await caller(transferHandler)({
      headers: own.credentials,
      params: { campaignId: 'camp_club', memberId: 'CARD-2' },
      body: [{ code: 'CARD-1', points, source_id }],
    });
    expect(transferred.status).toBe(200);
  }
  const fields = ['type', 'source_id', 'amount', 'balance'];
  const all = (exported_object: string, parameters: object) => exportedLines(own, { exported_object, parameters });
  expect(await all('voucher_transactions', { fields, filters: { campaign_id: is('camp_club') } })).toEqual([
    'Type,Source ID,Amount,Balance',
    'POINTS_TRANSFER_OUT,till-1,-20,100',
    'POINTS_TRANSFER_OUT,till-2,-5,95',
    'POINTS_TRANSFER_IN,till-1,20,50',
    'POINTS_TRANSFER_IN,till-2,5,55',
  ]);
  const points = ['campaign_id', 'status', 'expires_at', 'points'];
  for (const order of ['expires_at', '-expires_at']) {
    expect(await all('points_expiration', { fields: points, order })).toEqual([
      'Campaign ID,Status,Expires At,Points',
      'camp_club,ACTIVE,2027-06-15,25',
      'camp_club,ACTIVE,,95',
      'camp_club,ACTIVE,,30',
    ]);
  }
  const [header, first = ''] = await all('points_expiration', {});
  expect([header, first]).toEqual([
    'ID,Campaign ID,Voucher ID,Status,Expires At,Points',
    expect.stringMatching(/^lopb_[\w-]+_never,camp_club,v_[\w-]+,ACTIVE,,95$/),
  ]);
});

test('publications are exported with their customers', async () => {
  const own = await loadProject(lists);
  const published = await caller(publishHandler)({
    headers: own.credentials,
    body: { voucher: 'AMOUNT', customer: { source_id: 'crm-ann' }, channel: 'e-mail', metadata: { wave: 2 } },
  });
  expect([published.status, published.body.details]).toEqual([200, undefined]);
  const fields = ['voucher_code', 'customer_source_id', 'channel', 'is_winner', 'metadata.wave'];
  const all = (parameters: object) => exportedLines(own, { exported_object: 'publication', parameters });
  expect(await all({ fields, order: '-channel', filters: { result: is('SUCCESS') } })).toEqual([
    'Voucher Code,Customer Source ID,Channel,Is Winner,metadata.wave',
    'AMOUNT,crm-ann,e-mail,,2',
  ]);
  const { customer_id, voucher } = published.body;
  const filters = { campaign: is('Friends'), customer: is(customer_id), voucher: is(voucher.code) };
  expect(await all({ fields: ['voucher_code'], filters })).toEqual(['Voucher Code', 'AMOUNT']);
  for (const [name, other] of Object.entries({ campaign: 'Club', customer: 'cust_bob', voucher: 'GIFT' })) {
    expect([name, ...(await all({ fields: ['voucher_code'], filters: { ...filters, [name]: is(other) } }))]).toEqual([
      name,
      'Voucher Code',
    ]);
  }
  const [header] = await all({ order: 'tracking_id' });
  expect(header).toBe('Voucher Code,Customer ID,Date,Channel');
});
