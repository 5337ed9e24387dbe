import { describe, expect, test } from 'vitest';
import { handler as adjustOfHandler } from '../../functions/loyalties/adjust-campaign-member-balance.ts';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-member-balance.ts';
import { caller } from '../support/call.ts';
import { card, ledgerOf, newClub, programme } from '../support/loyalty.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { itemsOf } from '../support/outbox.ts';

const rules = { period_type: 'MONTH', period_value: 2 };
const club = await newClub({
  campaigns: [
    programme('camp_club', {
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0, expiration_rules: rules } },
    }),
  ],
  customers: [{ id: 'cust_ada' }, { id: 'cust_bo' }],
  vouchers: [
    ...['ADA', 'ORDER', 'TWICE', 'KEY', 'SUM'].map((code) => card(code, 0, { holder_id: 'cust_ada' })),
    card('RACE', 1_000, { holder_id: 'cust_ada' }),
    card('OFF', 5, { holder_id: 'cust_ada', active: false }),
    card('FULL', Number.MAX_SAFE_INTEGER - 5, { holder_id: 'cust_bo' }),
    card('NOBODYS', 5),
  ],
});

const adjust = (memberId: string, body: object, headers = {}) =>
  caller(adjustHandler)({ params: { memberId }, headers: { ...club.project.credentials, ...headers }, body });
const cardOf = async (code: string) => (await club.voucher(code)).loyalty_card;

test('points are added under the rules of the programme, and answered with the balance', async () => {
  const { id } = await club.voucher('ADA');
  const added = await adjust('ADA', { points: '70', reason: 'apology', source_id: 'crm-1' });
  const reply = {
    points: 70,
    total: 70,
    balance: 70,
    type: 'loyalty_card',
    object: 'balance',
    operation_type: 'MANUAL',
    related_object: { type: 'voucher', id },
  };
  expect([added.status, added.body]).toEqual([200, reply]);
  expect(await cardOf('ADA')).toMatchObject({ next_expiration_date: '2026-08-15', next_expiration_points: 70 });
  const params = { campaignId: 'Name of camp_club', memberId: id };
  const headers = club.project.credentials;
  const taken = await caller(adjustOfHandler)({ params, headers, body: { points: -30 } });
  expect(taken.body).toEqual({ ...reply, points: -30, total: 70, balance: 40 });
  expect(await ledgerOf(club, 'ADA')).toMatchObject([
    { type: 'POINTS_ADDITION', points: 70, reason: 'apology', source_id: 'crm-1', source: 'API' },
    { type: 'POINTS_REMOVAL', points: -30, reason: null },
  ]);
});

test('points last as long as the request says, and those that expire soonest are spent first', async () => {
  await adjust('ORDER', { points: 10, expiration_type: 'NON_EXPIRING', expiration_date: '2020-01-01' });
  await adjust('ORDER', { points: 20, expiration_type: 'CUSTOM_DATE', expiration_date: '2026-07-01T23:30:00-02:00' });
  await adjust('ORDER', { points: 30, expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-15' });
  await adjust('ORDER', { points: 40, expiration_type: 'PROGRAM_RULES' });
  expect(await cardOf('ORDER')).toMatchObject({ next_expiration_date: '2026-06-15', next_expiration_points: 30 });
  expect((await adjust('ORDER', { points: -35, expiration_type: 'CUSTOM_DATE' })).body.balance).toBe(65);
  expect(await cardOf('ORDER')).toMatchObject({ next_expiration_date: '2026-07-02', next_expiration_points: 15 });
  await adjust('ORDER', { points: -55 });
  expect(await cardOf('ORDER')).toMatchObject({ balance: 10 });
  expect(await cardOf('ORDER')).not.toHaveProperty('next_expiration_date');
});

test.each([
  ['America/New_York', '2026-07-01', '2026-07-01'],
  ['America/New_York', '2026-07-01T03:59:00Z', '2026-06-30'],
  ['Asia/Tokyo', '2026-07-01', '2026-07-01'],
  ['Asia/Tokyo', '2026-07-01T15:00:00Z', '2026-07-02'],
])('the last day of points in %s, sent as %s, is %s', async (timezone, expiration_date, day) => {
  const own = await newClub({
    campaigns: [programme('camp_club')],
    customers: [{ id: 'cust_ada' }],
    vouchers: [card('CARD', 0, { holder_id: 'cust_ada' })],
  });
  await manageProjects().update(own.project.id, { timezone });
  const body = { points: 5, expiration_type: 'CUSTOM_DATE', expiration_date };
  const request = { params: { memberId: 'CARD' }, headers: own.project.credentials, body };
  expect((await caller(adjustHandler)(request)).body).toMatchObject({ points: 5 });
  expect((await itemsOf(own.project.id, 'VOUCHER')).flatMap(({ lots }) => lots)).toMatchObject([{ expires: day }]);
});

test('a source_id is a label that may repeat; an idempotency key makes a request count once', async () => {
  const body = { points: 5, source_id: 'till-1' };
  await Promise.all(Array.from({ length: 2 }, () => adjust('TWICE', body)));
  expect(await club.balance('TWICE')).toBe(10);
  const key = { 'idempotency-key': 'till-1' };
  const [first, again] = [await adjust('KEY', body, key), await adjust('KEY', body, key)];
  expect(again.body).toEqual(first.body);
  expect(await club.balance('KEY')).toBe(5);
});

test('of twenty requests at once that take 60 from 1000, sixteen succeed, and the ledger adds up', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => adjust('RACE', { points: -60 })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(16);
  expect(replies.filter(({ body }) => body.key === 'loyalty_card_points_exceeded')).toHaveLength(4);
  expect((await ledgerOf(club, 'RACE')).at(-1)?.balance).toBe(40);
});

test('additions and removals at once add up', async () => {
  await adjust('SUM', { points: 100 });
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => adjust('SUM', { points: index % 2 ? 7 : -7 })),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await ledgerOf(club, 'SUM')).toHaveLength(21);
  expect(await club.balance('SUM')).toBe(100);
});

test('a disabled card can be adjusted, too', async () => {
  expect((await adjust('OFF', { points: 1 })).body.balance).toBe(6);
});

describe('a change is refused', () => {
  test.each<[string, string, object, number, string, string]>([
    ['of 0', 'ADA', { points: 0 }, 400, 'invalid_amount', 'points must not be 0'],
    ['of a part', 'ADA', { points: 0.5 }, 400, 'invalid_payload', 'points'],
    ['of words', 'ADA', { points: 'many' }, 400, 'invalid_payload', 'points'],
    ['of nothing', 'ADA', {}, 400, 'invalid_payload', 'points'],
    ['that leaves less than 0', 'OFF', { points: -1_000 }, 400, 'loyalty_card_points_exceeded', 'points removes 1000'],
    ['that a card does not hold', 'FULL', { points: 6 }, 400, 'invalid_amount', 'points must be at most 5'],
    ['of a card that nobody holds', 'NOBODYS', { points: 1 }, 400, 'not_published', 'no holder'],
    [
      'with a missing date',
      'ADA',
      { points: 1, expiration_type: 'CUSTOM_DATE' },
      400,
      'missing_param',
      'expiration_date',
    ],
    [
      'with a date that has passed',
      'ADA',
      { points: 1, expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-14' },
      400,
      'invalid_expiration_date',
      '2026-06-15 or later',
    ],
    ['with no date', 'ADA', { points: 1, expiration_date: 'soon' }, 400, 'invalid_payload', 'expiration_date'],
    [
      'with another way to expire',
      'ADA',
      { points: 1, expiration_type: 'SOON' },
      400,
      'invalid_payload',
      'expiration_type',
    ],
  ])('%s', async (_, code, body, status, key, details) => {
    const reply = await adjust(code, body);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details).toContain(details);
  });
});
