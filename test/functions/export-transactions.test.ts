import { beforeAll, describe, expect, test } from 'vitest';
import { handler as ofCampaign } from '../../functions/campaigns/export-campaign-transactions.ts';
import { handler as getExport } from '../../functions/exports/get-export.ts';
import { handler as ofCampaignMember } from '../../functions/loyalties/export-campaign-member-transactions.ts';
import { handler as ofMember } from '../../functions/loyalties/export-member-transactions.ts';
import { handler as expirations } from '../../functions/loyalties/export-points-expiration.ts';
import { handler as ofProgramme } from '../../functions/loyalties/export-programme-transactions.ts';
import { handler as ofVoucher } from '../../functions/vouchers/export-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { linesOf } from '../support/exports.ts';
import { type Club, card, entry, newClub, programme } from '../support/loyalty.ts';
import { runOutbox } from '../support/outbox.ts';

let club: Club;
beforeAll(async () => {
  club = await newClub({
    campaigns: [
      programme('camp_club'),
      programme('camp_other'),
      { id: 'camp_gift', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'STATIC' },
      { id: 'camp_spring', name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
    ],
    vouchers: [
      card('A', [
        { points: 30, expires: '2026-07-01' },
        { points: 5, expires: '2026-06-30' },
        { points: 7, expires: null },
      ]),
      card('B', 50),
      card('UNMOVED', 10),
      card('OTHER', 60, { campaign_id: 'camp_other' }),
      { code: 'GIFT', type: 'GIFT_VOUCHER', campaign_id: 'camp_gift', gift: { amount: 100 } },
    ],
  });
  expect((await club.transfer('A', [entry('B', 20, 'tx-1')])).status).toBe(200);
});

type Handler = Parameters<typeof caller>[0];

const start = (handler: Handler, params: object, body?: object) =>
  caller(handler)({ params: { ...params }, headers: club.project.credentials, ...(body ? { body } : {}) });

async function lines(handler: Handler, params: object, body: object): Promise<string[]> {
  const reply = await start(handler, params, body);
  expect([reply.status, reply.body.details]).toEqual([200, undefined]);
  await runOutbox(club.project.id);
  return linesOf(club.project, reply.body.id);
}

const columns = { fields: ['type', 'source_id', 'amount', 'balance'] };
const header = 'Type,Source ID,Amount,Balance';
const ofB = ['POINTS_TRANSFER_OUT,tx-1,-20,30'];
const ofA = ['POINTS_TRANSFER_IN,tx-1,20,62'];

describe('an export of transactions', () => {
  test.each<[string, Handler, object, string[]]>([
    ['a member', ofMember, { memberId: 'B' }, ofB],
    ['a member of a programme', ofCampaignMember, { campaignId: 'camp_club', memberId: 'B' }, ofB],
    ['a voucher', ofVoucher, { code: 'B' }, ofB],
    ['a member whose card has no transaction', ofMember, { memberId: 'UNMOVED' }, []],
    ['a voucher without transactions', ofVoucher, { code: 'UNMOVED' }, []],
    ['a programme', ofProgramme, { campaignId: 'camp_club' }, [...ofA, ...ofB]],
    ['a campaign', ofCampaign, { campaignId: 'Name of camp_club' }, [...ofA, ...ofB]],
  ])(
    'for %s has all transactions of its cards and nothing else: the initial balance has no row',
    async (_, handler, params, expected) => {
      const [title, ...rows] = await lines(handler, params, { parameters: columns });
      expect([title, rows.sort()]).toEqual([header, expected.toSorted()]);
    },
  );

  test('is limited by the path for any filter, and shows that limit', async () => {
    const { id } = await club.voucher('B');
    const types = { junction: 'or', created_at: { conditions: { $before: '2020-01-01' } } };
    const voucher = { ...types, voucher_id: { conditions: { $is_not: 'v_nobody' } } };
    expect(await lines(ofMember, { memberId: 'B' }, { parameters: { ...columns, filters: types } })).toEqual([header]);
    expect(await lines(ofMember, { memberId: 'B' }, { parameters: { ...columns, filters: voucher } })).toEqual([
      header,
      ...ofB,
    ]);
    const reply = await start(ofMember, { memberId: 'B' }, { parameters: { ...columns, filters: types } });
    const shown = { ...columns, filters: { ...types, voucher_id: { conditions: { $in: [id] } } } };
    expect(reply.body).toMatchObject({ exported_object: 'voucher_transactions', status: 'SCHEDULED' });
    expect(reply.body.parameters).toEqual(shown);
    const params = { exportId: reply.body.id };
    expect((await caller(getExport)({ params, headers: club.project.credentials })).body.parameters).toEqual(shown);
  });

  test('needs no body, and takes an order beside the parameters, which decide', async () => {
    const campaign = { filters: { campaign_id: { conditions: { $in: ['camp_club'] } } } };
    const path = { campaignId: 'camp_club' };
    expect((await start(ofProgramme, path)).body.parameters).toEqual(campaign);
    const beside = await start(ofProgramme, path, { order: '-created_at' });
    expect(beside.body.parameters).toEqual({ ...campaign, order: '-created_at' });
    const both = await start(ofProgramme, path, { order: '-created_at', parameters: { order: 'created_at' } });
    expect(both.body.parameters).toEqual({ ...campaign, order: 'created_at' });
  });

  test.each<[string, Handler, object, number, string]>([
    ['a campaign of coupons', ofCampaign, { campaignId: 'Spring' }, 403, 'forbidden'],
    ['a campaign that is not a programme', ofProgramme, { campaignId: 'Gifts' }, 404, 'not_found'],
    ['points of a campaign that is not a programme', expirations, { campaignId: 'Gifts' }, 404, 'not_found'],
    ['an unknown campaign', ofCampaign, { campaignId: 'camp_nope' }, 404, 'not_found'],
    ['an unknown voucher', ofVoucher, { code: 'NOPE' }, 404, 'not_found'],
  ])('for %s is refused', async (_, handler, params, status, key) => {
    const reply = await start(handler, params, {});
    expect([reply.status, reply.body.key]).toEqual([status, key]);
  });

  test('with a foreign column is refused', async () => {
    const reply = await start(ofVoucher, { code: 'B' }, { parameters: { fields: ['colour'] } });
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_export_fields']);
  });

  test('for a campaign of gift cards has no points', async () => {
    expect((await start(ofCampaign, { campaignId: 'Gifts' }, {})).status).toBe(200);
  });
});

test('an export of expirations has the points of one programme', async () => {
  const parameters = { order: '-expires_at', fields: ['campaign_id', 'expires_at', 'points'] };
  const [title, ...rows] = await lines(expirations, { campaignId: 'camp_club' }, { parameters });
  expect(title).toBe('Campaign ID,Expires At,Points');
  expect(rows.slice(0, 2)).toEqual(['camp_club,2026-07-01,30', 'camp_club,2026-06-30,5']);
  expect(rows.slice(2).sort()).toEqual(['camp_club,,10', 'camp_club,,27', 'camp_club,,30']);
});
