import { describe, expect, test } from 'vitest';
import { handler as activityHandler } from '../../functions/customers/list-customer-activity.ts';
import { handler as sendHandler } from '../../functions/events/send-event.ts';
import { handler as activateHandler } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as cancelHandler } from '../../functions/loyalties/cancel-pending-points.ts';
import { handler as listAllHandler } from '../../functions/loyalties/list-campaign-pending-points.ts';
import { handler as listHandler } from '../../functions/loyalties/list-member-pending-points.ts';
import { caller, type Reply } from '../support/call.ts';
import { earningRule } from '../support/lists.ts';
import { card, ledgerOf, newClub, programme } from '../support/loyalty.ts';

const pending = (id: string, code: string, points: number, more: object = {}) => ({ id, code, points, ...more });
const many = Array.from({ length: 25 }, (_, index) => pending(`lopp_${String(index).padStart(2, '0')}`, 'MANY', 1));

const rules = { period_type: 'MONTH', period_value: 2 };
const club = await newClub({
  campaigns: [
    programme('camp_club', {
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0, expiration_rules: rules } },
    }),
    programme('camp_other'),
  ],
  customers: [{ id: 'cust_ada', source_id: 'ada' }, { id: 'cust_bo' }, { id: 'cust_cy' }],
  loyalty_tiers: [{ id: 'ltr_high', campaign_id: 'camp_club', name: 'High', points: { from: 100 } }],
  event_schema: [{ name: 'photo', metadata: {} }],
  earning_rules: [earningRule('ern_photo', 'photo', { type: 'FIXED', points: 50 }, { pending_points: { days: 14 } })],
  vouchers: [
    card('ADA', 0, { holder_id: 'cust_ada' }),
    card('BO', 60, { holder_id: 'cust_bo' }),
    card('CY', 0, { holder_id: 'cust_cy' }),
    ...['MANY', 'RACE', 'BOTH'].map((code) => card(code, 0)),
    card('LAPSED', [{ points: 7, expires: '2026-06-14' }]),
    card('OTHER', 0, { campaign_id: 'camp_other' }),
  ],
  pending_points: [
    ...many,
    pending('lopp_other', 'OTHER', 5),
    pending('lopp_bo', 'BO', 40),
    pending('lopp_bo_no', 'BO', 30),
    pending('lopp_bo_done', 'BO', 8, { state: 'ACTIVATED' }),
    pending('lopp_race', 'RACE', 10),
    pending('lopp_both', 'BOTH', 10),
    pending('lopp_lapsed', 'LAPSED', 3),
  ],
});

const call = (handler: Parameters<typeof caller>[0], params: object, query = '') =>
  caller(handler)({ params: { ...params }, headers: club.project.credentials, query });
const activate = (memberId: string, pendingPointsId: string) => call(activateHandler, { memberId, pendingPointsId });
const cancel = (memberId: string, pendingPointsId: string) => call(cancelHandler, { memberId, pendingPointsId });
const ofCard = (memberId: string, query = '') => call(listHandler, { memberId }, query);
const ofCampaign = (query = '', campaignId = 'camp_club') => call(listAllHandler, { campaignId }, query);
const ids = ({ status, body }: Reply): string[] => {
  expect([status, body.object, body.data_ref]).toEqual([200, 'list', 'data']);
  return body.data.map(({ id }: { id: string }) => id);
};
const typesOf = async (customerId: string): Promise<string[]> =>
  (await call(activityHandler, { customerId })).body.data.map(({ type }: { type: string }) => type);

test('pending points are listed with their event and rule, by member and by programme', async () => {
  const body = { event: 'photo', customer: { id: 'cust_ada' } };
  await caller(sendHandler)({ headers: club.project.credentials, body });
  const [shown] = (await ofCard('ADA')).body.data;
  const { id: voucher_id } = await club.voucher('ADA');
  expect(shown).toEqual({
    id: expect.stringMatching(/^lopp_/),
    object: 'pending_points',
    voucher_id,
    campaign_id: 'camp_club',
    customer_id: 'cust_ada',
    order_id: null,
    points: 50,
    activates_at: '2026-06-29',
    details: {
      event: { id: expect.stringMatching(/^[\da-f-]{36}$/), type: 'customer.custom_event' },
      custom_event: { id: expect.stringMatching(/^[\da-f-]{36}$/), type: 'photo' },
      event_schema: { id: expect.stringMatching(/^ms_/), name: 'photo' },
      earning_rule: { id: 'ern_photo', source: { banner: null } },
    },
    created_at: '2026-06-15T12:00:00.000Z',
    updated_at: null,
  });
  expect((await ofCampaign(`filters[id][conditions][$is]=${shown.id}`)).body.data).toEqual([shown]);
});

test("activation turns them into points, which expire by today's rules, move the member and cause activities", async () => {
  const { id } = await club.voucher('BO');
  const reply = await activate('BO', 'lopp_bo');
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      points: 40,
      total: 100,
      balance: 100,
      type: 'loyalty_card',
      object: 'balance',
      operation_type: 'MANUAL',
      related_object: { type: 'voucher', id },
    },
  ]);
  expect((await club.voucher('BO')).loyalty_card).toMatchObject({
    balance: 100,
    next_expiration_date: '2026-08-15',
    next_expiration_points: 40,
  });
  expect(await ledgerOf(club, 'BO')).toMatchObject([
    {
      type: 'PENDING_POINTS_ACTIVATION',
      points: 40,
      balance: 100,
      source: null,
      details: { pending_points: { id: 'lopp_bo' } },
    },
  ]);
  expect((await typesOf('cust_bo')).sort()).toEqual([
    'customer.loyalty.tier.joined',
    'customer.voucher.loyalty_card.pending_points.activated',
    'customer.voucher.loyalty_card.points_added',
  ]);
  expect(ids(await ofCard('BO'))).toEqual(['lopp_bo_no']);
  const canceled = await cancel('BO', 'lopp_bo_no');
  expect([canceled.status, canceled.body]).toEqual([204, '']);
  expect(ids(await ofCard('BO'))).toEqual([]);
  expect(ids(await ofCampaign('filters[id][conditions][$starts_with]=lopp_bo'))).toEqual(['lopp_both']);
  expect(await club.balance('BO')).toBe(100);
  expect(await typesOf('cust_bo')).toContain('customer.voucher.loyalty_card.pending_points.canceled');
});

test('lapsed points are written off before points are activated', async () => {
  expect((await activate('LAPSED', 'lopp_lapsed')).body).toMatchObject({ balance: 3, total: 10 });
  expect((await ledgerOf(club, 'LAPSED')).map(({ points }) => points)).toEqual([-7, 3]);
});

test('of twenty simultaneous activations one succeeds', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => activate('RACE', 'lopp_race')));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.key === 'invalid_pending_points_state')).toHaveLength(19);
  expect(await club.balance('RACE')).toBe(10);
});

test('among simultaneous activations and cancellations one succeeds', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? activate : cancel)('BOTH', 'lopp_both')),
  );
  const [first, ...others] = replies.filter(({ status }) => status < 300);
  expect(others).toEqual([]);
  expect(await club.balance('BOTH')).toBe(first?.status === 200 ? 10 : 0);
  expect(ids(await ofCard('BOTH'))).toEqual([]);
});

describe('a list', () => {
  const all = many.map(({ id }) => id);
  const ofMany = 'filters[voucher_id][conditions][$is]=';

  test.each([
    ['a card', async (query: string) => ofCard('MANY', query)],
    ['a programme', async (query: string) => ofCampaign(`${ofMany}${(await club.voucher('MANY')).id}&${query}`)],
  ])('of %s is walked by cursor, in either direction', async (_, list) => {
    for (const [order, expected] of [
      ['id', all],
      ['-id', all.toReversed()],
    ] as const) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const reply = await list(`limit=10&order=${order}${cursor}`);
        found.push(...ids(reply));
        expect(reply.body.has_more).toBe(reply.body.more_starting_after !== undefined);
        if (!reply.body.has_more) break;
        cursor = `&starting_after_id=${reply.body.more_starting_after}`;
      }
      expect(found).toEqual(expected);
    }
    expect(ids(await list('limit=3'))).toEqual(all.toReversed().slice(0, 3));
    expect((await list('limit=25')).body.has_more).toBe(false);
  });

  test.each([
    ['a card', (query: string) => ofCard('MANY', query)],
    ['a card, with a filter', (query: string) => ofCard('MANY', `${query}&filters[id][conditions][$is]=x`)],
    ['a programme', (query: string) => ofCampaign(query)],
  ])('of %s begins behind its own points only', async (_, list) => {
    for (const id of ['lopp_nope', 'lopp_other', 'MANY', 'lopp_']) {
      const { status, body } = await list(`starting_after_id=${id}`);
      expect([id, status, body.key]).toEqual([id, 400, 'invalid_query_params']);
      expect(body.details).toContain('starting_after_id');
    }
  });

  test('continues behind points that were settled meanwhile', async () => {
    const body = { event: 'photo', customer: { id: 'cust_cy' } };
    for (let times = 0; times < 3; times++) await caller(sendHandler)({ headers: club.project.credentials, body });
    const [, second, third] = ids(await ofCard('CY'));
    expect((await cancel('CY', second ?? '')).status).toBe(204);
    for (const list of [
      ofCard('CY', `starting_after_id=${second}`),
      ofCampaign(`starting_after_id=${second}&limit=1`),
    ]) {
      expect(ids(await list)).toEqual([third]);
    }
  });

  test('of a programme has no points of another', async () => {
    expect(ids(await ofCampaign('', 'camp_other'))).toEqual(['lopp_other']);
    expect(ids(await ofCampaign('limit=100'))).not.toContain('lopp_other');
  });

  test('of a campaign that is not a programme is a 404', async () => {
    const { status, body } = await ofCampaign('', 'camp_nope');
    expect([status, body.key, body.resource_id]).toEqual([404, 'not_found', 'camp_nope']);
  });
});

describe.each([
  ['activated', activate],
  ['cancelled', cancel],
])('pending points cannot be %s', (_, end) => {
  test.each([
    ['twice', 'BO', 'lopp_bo_done', 400, 'invalid_pending_points_state', 'ACTIVATED'],
    ['of another card', 'BO', 'lopp_00', 404, 'not_found', 'lopp_00 pending_points'],
    ['that do not exist', 'BO', 'lopp_nope', 404, 'not_found', 'lopp_nope pending_points'],
    ['of no card', 'NOPE', 'lopp_bo', 404, 'not_found', 'NOPE voucher'],
  ])('%s', async (__, memberId, id, status, key, named) => {
    const { status: given, body } = await end(memberId, id);
    expect([given, body.key]).toEqual([status, key]);
    expect(`${body.details} ${body.resource_id} ${body.resource_type}`).toContain(named);
  });
});
