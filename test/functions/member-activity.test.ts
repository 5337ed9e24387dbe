import { beforeAll, expect, test } from 'vitest';
import { handler as adjust } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as ofProgramme } from '../../functions/loyalties/list-campaign-member-activity.ts';
import { handler as ofCard } from '../../functions/loyalties/list-member-activity.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { caller } from '../support/call.ts';
import { type Club, card, newClub, programme } from '../support/loyalty.ts';

let club: Club;
beforeAll(async () => {
  club = await newClub({
    campaigns: [programme('camp_club'), programme('camp_other')],
    customers: [{ id: 'cust_ada' }],
    loyalty_tiers: [{ id: 'ltr_high', campaign_id: 'camp_club', name: 'High', points: { from: 3 } }],
    vouchers: [
      card('FIRST', 0),
      card('SECOND', 0, { holder_id: 'cust_ada' }),
      card('OTHER', 0, { campaign_id: 'camp_other', holder_id: 'cust_ada' }),
      card('NOBODYS', 0),
    ],
  });
  const { credentials: headers } = club.project;
  const body = { voucher: 'FIRST', customer: { source_id: 'bo' } };
  expect((await caller(publish)({ headers, body })).status).toBe(200);
  for (const memberId of ['FIRST', 'SECOND', 'OTHER']) {
    for (let points = 1; points <= 3; points++)
      expect((await caller(adjust)({ headers, params: { memberId }, body: { points } })).status).toBe(200);
  }
});

const activity = async (memberId: string, query = '') => {
  const { status, body } = await caller(ofCard)({ params: { memberId }, headers: club.project.credentials, query });
  expect([status, body.object, body.data_ref]).toEqual([200, 'list', 'data']);
  return body;
};
const typesIn = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type);

test('a member has the activities about the card since its publication, and no others', async () => {
  const found = typesIn(await activity('FIRST', 'order=created_at&limit=100'));
  expect(found.toSorted()).toEqual([
    'customer.holder.assignment.created',
    'customer.loyalty.tier.joined',
    'customer.publication.succeeded',
    'customer.voucher.loyalty_card.points_added',
    'customer.voucher.loyalty_card.points_added',
    'customer.voucher.loyalty_card.points_added',
  ]);
  const own = await activity('OTHER');
  expect(typesIn(own)).toEqual(Array.from({ length: 3 }, () => 'customer.voucher.loyalty_card.points_added'));
  expect(own.data[0]).toMatchObject({
    id: expect.stringMatching(/^act_/),
    data: { data: { customer: { id: 'cust_ada' }, transaction: { points: 3, balance: 6 } } },
  });
});

test('both paths show the same list', async () => {
  const all = await activity('SECOND', 'limit=100');
  const params = { campaignId: 'camp_club', memberId: 'SECOND' };
  const headers = club.project.credentials;
  expect((await caller(ofProgramme)({ params, headers, query: 'limit=100' })).body).toEqual(all);
});

test('a card without a holder is not a member, and has no activities', async () => {
  expect(await activity('NOBODYS')).toMatchObject({ data: [], has_more: false });
});
