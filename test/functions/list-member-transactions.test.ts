import { describe, expect, test } from 'vitest';
import { handler as listActivities } from '../../functions/customers/list-customer-activity.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { caller } from '../support/call.ts';
import { card, entry, newClub } from '../support/loyalty.ts';

const club = await newClub({
  customers: [{ id: 'cust_held' }],
  vouchers: [
    card('FROM', 1_000),
    { ...card('HELD', 10), holder_id: 'cust_held' },
    card('TO', 0),
    card('EMPTY', 0),
    card('UNMOVED', 50),
    card('MANY', 0),
    card('ONE', 9),
    card('TWO', 9),
    card('LAPSED', [{ points: 7, expires: '2026-06-14' }]),
    { code: 'COUPON', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } },
  ],
});
for (let points = 1; points <= 12; points++) await club.transfer('TO', [entry('FROM', points, `tx-${points}`)]);

const pointsOf = (row: { details: { balance: { points: number } } }) => row.details.balance.points;

const rows = async (memberId: string, query = '') => {
  const { status, body } = await club.transactions(memberId, query);
  expect([status, body.object, body.data_ref]).toEqual([200, 'list', 'data']);
  expect('total' in body).toBe(query.includes('page='));
  return { ...body, total: body.total, points: body.data.map(pointsOf) };
};

test('both halves of a transfer name each other, and of several sources each names its card', async () => {
  const [taken] = (await rows('TO', 'limit=1')).data;
  expect(taken.related_transaction_id).toBe((await rows('FROM', 'limit=1')).data[0].id);
  expect((await club.transfer('MANY', [entry('ONE', 1), entry('ONE', 2), entry('TWO', 3)])).status).toBe(200);
  const [all] = (await rows('MANY')).data;
  const given = [...(await rows('ONE', 'limit=2')).data, ...(await rows('TWO', 'limit=1')).data];
  const related = given.map((row: { related_transaction_id: string }) => row.related_transaction_id);
  expect([related, all.related_transaction_id]).toEqual([[all.id, all.id, all.id], null]);
  expect((await rows('ONE', `starting_after_id=${given[0].id}`)).points).toEqual([-1]);
});

test('a row names its software if that names itself, and activities do not', async () => {
  const { project, dependencies } = club;
  const channel = `Node.js-SDK-${'v'.repeat(200)}`;
  const headers = { ...project.credentials, 'x-voucherify-channel': channel };
  const params = { memberId: 'HELD' };
  const { status } = await caller(adjustBalance, dependencies)({ params, headers, body: { points: 5 } });
  expect(status).toBe(200);
  expect((await rows('HELD', 'limit=1')).data[0].source).toBe(channel.slice(0, 100));
  const activities = await caller(listActivities, dependencies)({ params: { customerId: 'cust_held' }, headers });
  expect(activities.body.data[0].data.event_source).toEqual({
    channel: 'API',
    api_key: { name: 'Shop', app_id: expect.any(String) },
  });
});

test.each(['Automation', ' INTERNAL', 'system', 'USER_PORTAL', 'CLIENT_API', 'ｉｎｔｅｒｎａｌ'])(
  'a row of a caller never has the reserved word %j for its source',
  async (word) => {
    const { project, dependencies } = club;
    const headers = { ...project.credentials, 'x-voucherify-channel': word };
    await caller(adjustBalance, dependencies)({ params: { memberId: 'HELD' }, headers, body: { points: 1 } });
    expect((await rows('HELD', 'limit=1')).data[0]).toMatchObject({
      source: 'API',
      details: { balance: { points: 1 } },
    });
  },
);

test('a row shows the change, the balance after it, and the reason', async () => {
  const { id } = await club.voucher('FROM');
  const { data } = await rows('FROM', 'limit=1');
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^vtx_/),
      type: 'POINTS_TRANSFER_OUT',
      voucher_id: id,
      campaign_id: 'camp_club',
      source_id: 'tx-12',
      source: 'API',
      reason: null,
      details: {
        balance: {
          type: 'loyalty_card',
          object: 'balance',
          operation_type: 'MANUAL',
          points: -12,
          total: 1_000,
          balance: 922,
          related_object: { type: 'voucher', id },
        },
        destination_voucher: {
          id: (await club.voucher('TO')).id,
          code: 'TO',
          type: 'LOYALTY_CARD',
          campaign: 'Name of camp_club',
          campaign_id: 'camp_club',
          object: 'voucher',
        },
      },
      related_transaction_id: (await rows('TO', 'limit=1')).data[0].id,
      created_at: '2026-06-15T12:00:00.000Z',
    },
  ]);
  expect((await rows(id, 'limit=1')).data).toEqual(data);
});

describe('a list', () => {
  test.each<[string, string, number[], number | undefined, boolean]>([
    ['FROM', '', [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3], undefined, true],
    ['FROM', 'page=2', [-2, -1], 12, false],
    ['FROM', 'page=3', [], 12, false],
    ['FROM', 'limit=100&page=100', [], 12, false],
    ['FROM', 'limit=11', [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2], undefined, true],
    ['FROM', 'limit=11&page=2', [-1], 12, false],
    ['FROM', 'limit=12', [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1], undefined, false],
    ['FROM', 'limit=12&page=2', [], 12, false],
    ['FROM', 'limit=3&page=3', [-6, -5, -4], 12, true],
    ['FROM', 'limit=3&page=4', [-3, -2, -1], 12, false],
    ['TO', 'limit=5&page=3', [2, 1], 12, false],
    ['TO', 'limit=6&page=2', [6, 5, 4, 3, 2, 1], 12, false],
    ['EMPTY', '', [], undefined, false],
    ['UNMOVED', '', [], undefined, false],
    ['LAPSED', '', [], undefined, false],
  ])(
    'of %s, %s: newest first, down to the first transaction; the initial balance has no row',
    async (memberId, query, points, total, has_more) => {
      expect(await rows(memberId, query)).toMatchObject({ points, total, has_more });
    },
  );

  test.each<[string, string, number[], number | undefined, boolean]>([
    ['FROM', 'limit=3', [-1, -2, -3], undefined, true],
    ['FROM', 'limit=5&page=3', [-11, -12], 12, false],
    ['TO', 'limit=2', [1, 2], undefined, true],
    ['UNMOVED', '', [], undefined, false],
  ])('of %s, %s, oldest first, begins with the first transaction', async (memberId, query, points, total, has_more) => {
    expect(await rows(memberId, `order=id&${query}`)).toMatchObject({ points, total, has_more });
  });

  test('with a filter is walked in either direction, by page and by cursor', async () => {
    const all = await rows('FROM', 'limit=100');
    const idOf = (points: number) =>
      all.data.find((row: Parameters<typeof pointsOf>[0]) => pointsOf(row) === points).id;
    const some = [-9, -4, -1]
      .map((points, index) => `filters[id][conditions][$in][${index}]=${idOf(points)}`)
      .join('&');
    expect(await rows('FROM', `${some}&page=1`)).toMatchObject({ points: [-9, -4, -1], total: 3 });
    expect(await rows('FROM', `${some}&order=id`)).toMatchObject({ points: [-1, -4, -9], has_more: false });
    const first = await rows('FROM', `${some}&limit=2`);
    expect(first).toMatchObject({ points: [-9, -4], has_more: true });
    const next = `${some}&limit=2&starting_after_id=${first.more_starting_after}`;
    expect(await rows('FROM', next)).toMatchObject({ points: [-1], has_more: false });
    expect(await rows('FROM', `${some}&limit=2&page=2`)).toMatchObject({ points: [-1], total: 3 });
    expect(await rows('FROM', 'filters[created_at][conditions][$before]=2020-01-01')).toMatchObject({ points: [] });
    const ever = 'filters[created_at][conditions][$after]=2020-01-01';
    expect(await rows('FROM', `${ever}&order=id&limit=2`)).toMatchObject({ points: [-1, -2], has_more: true });
    expect(await rows('UNMOVED', ever)).toMatchObject({ points: [], has_more: false });
  });

  test('does not know the id of a row for the initial balance', async () => {
    const id = (await club.voucher('FROM')).id.replace(/^v_/, 'vtx_');
    expect(await rows('FROM', `filters[id][conditions][$is]=${id}`)).toMatchObject({ points: [], has_more: false });
    for (const filter of ['', '&filters[created_at][conditions][$after]=2020-01-01']) {
      for (const order of ['id', '-id']) {
        const { status, body } = await club.transactions('FROM', `order=${order}&starting_after_id=${id}${filter}`);
        expect([status, body.key]).toEqual([400, 'invalid_query_params']);
        expect(body.details).toContain('starting_after_id');
      }
    }
  });

  test('does not show expired points as written off before they are', async () => {
    expect(await club.balance('LAPSED')).toBe(0);
    expect((await rows('LAPSED')).data).toEqual([]);
  });

  test.each(['NOPE', 'COUPON'])('of %s is a 404', async (memberId) => {
    const { status, body } = await club.transactions(memberId);
    expect([status, body.key, body.resource_id]).toEqual([404, 'not_found', memberId]);
  });
});
