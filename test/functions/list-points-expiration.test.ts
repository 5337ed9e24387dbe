import { expect, test } from 'vitest';
import { handler } from '../../functions/loyalties/list-points-expiration.ts';
import { caller } from '../support/call.ts';
import { card, entry, newClub } from '../support/loyalty.ts';

const club = await newClub({
  vouchers: [
    card('CARD', [
      { points: 7, expires: null },
      { points: 30, expires: '2026-12-31' },
      { points: 5, expires: '2026-06-15' },
      { points: 9, expires: '2026-06-14' },
    ]),
    card('EMPTY', 0),
    card('TO', 0),
  ],
});

const list = async (memberId: string, query = '') => {
  const params = { campaignId: 'camp_club', memberId };
  const { status, body } = await caller(handler)({ params, headers: club.project.credentials, query });
  expect([status, body.object, body.data_ref]).toEqual([200, 'list', 'data']);
  return body;
};

test('points of a card are listed by their last day, the soonest first, without lapsed and spent ones', async () => {
  const { id, created_at } = await club.voucher('CARD');
  const bucket = (day: string | undefined, total_points: number) => ({
    id: `${id.replace('v_', 'lopb_')}_${day ?? 'never'}`,
    object: 'loyalty_points_bucket',
    voucher_id: id,
    campaign_id: 'camp_club',
    bucket: { total_points },
    status: 'ACTIVE',
    ...(day === undefined ? {} : { expires_at: day }),
    created_at,
    updated_at: null,
  });
  const all = [bucket('2026-06-15', 5), bucket('2026-12-31', 30), bucket(undefined, 7)];
  expect(await list('CARD')).toMatchObject({ data: all, total: 3 });
  expect(await list('CARD', 'limit=2&page=2')).toMatchObject({ data: all.slice(2), total: 3 });
  expect(await list('EMPTY')).toMatchObject({ data: [], total: 0 });
  expect((await club.transfer('TO', [entry('CARD', 15)])).status).toBe(200);
  const left = (await list('CARD')).data.map((one: { bucket: object }) => one.bucket);
  expect(left).toEqual([{ total_points: 20 }, { total_points: 7 }]);
});
