import { describe, expect, test } from 'vitest';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-pending-points.ts';
import { caller } from '../support/call.ts';
import { card, entry, ledgerOf, newClub } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { bearer, issueToken } from '../support/tokens.ts';

const pending = (id: string, code: string, points: number, state = 'PENDING') => ({ id, code, points, state });
const club = await newClub({
  customers: [{ id: 'cust_ada' }],
  vouchers: [
    ...['A', 'C', 'D', 'E', 'F'].map((code) => card(code, 100)),
    card('B', 100, { holder_id: 'cust_ada' }),
    card('OFF', 5, { active: false }),
    { code: 'COUPON', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } },
  ],
  pending_points: [
    pending('lopp_1', 'A', 100),
    pending('lopp_2', 'A', 30),
    pending('lopp_done', 'A', 500, 'ACTIVATED'),
    pending('lopp_gone', 'A', 500, 'CANCELED'),
    pending('lopp_b', 'B', 10),
    pending('lopp_c', 'C', 10),
    pending('lopp_d', 'D', 1_000),
    pending('lopp e/\u00e9', 'E', 10),
    pending('lopp_f', 'F', 10),
    pending('lopp_off', 'OFF', 10),
  ],
});

test('an adjustment answers with the change and all pending points of the card, and moves no points', async () => {
  const { id } = await club.voucher('A');
  const reply = await club.adjust('A', 'lopp_1', 25);
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      points: 25,
      total: 155,
      object: 'balance',
      operation_type: 'MANUAL',
      related_object: { type: 'voucher', id },
    },
  ]);
  expect((await club.adjust(id, 'lopp_2', -29)).body).toMatchObject({ points: -29, total: 126 });
  expect((await club.adjust('A', 'lopp_1', -124)).body).toMatchObject({ points: -124, total: 2 });
  expect(await club.balance('A')).toBe(100);
  expect(await ledgerOf(club, 'A')).toEqual([]);
});

test('ids are compared exactly, whatever they contain, and a disabled card can be adjusted, too', async () => {
  expect((await club.adjust('E', 'lopp e/\u00e9', 1)).body.total).toBe(11);
  expect((await club.adjust('OFF', 'lopp_off', 1)).body.total).toBe(11);
});

test('the holder of the card gets an activity', async () => {
  await club.adjust('B', 'lopp_b', 5);
  const activity = (await itemsOf(club.project.id, 'ACTIVITY#')).find(({ code }) => code === 'B');
  expect(activity).toMatchObject({
    type: 'customer.voucher.loyalty_card.pending_points.updated',
    code: 'B',
    data: {
      data: { pending_points: { id: 'lopp_b', points: 15, change: 5, total: 15 } },
      event_source: { channel: 'API', api_key: { name: 'Shop' } },
    },
  });
  expect(activity?.gsi1pk).toContain('cust_ada');
});

test('pending points and transfers of the card do not disturb each other', async () => {
  await Promise.all([
    club.adjust('F', 'lopp_f', 5),
    club.transfer('C', [entry('F', 10)]),
    club.adjust('F', 'lopp_f', 6),
    club.transfer('F', [entry('C', 1)]),
  ]);
  expect((await club.adjust('F', 'lopp_f', 1)).body.total).toBe(22);
  expect(await Promise.all([club.balance('F'), club.balance('C')])).toEqual([91, 109]);
});

test('twenty subtractions of 60 at once from 1000 pending points: sixteen succeed, four are refused', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => club.adjust('D', 'lopp_d', -60)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(16);
  expect(replies.filter(({ body }) => body.key === 'invalid_amount')).toHaveLength(4);
  expect((await club.adjust('D', 'lopp_d', 1)).body.total).toBe(41);
});

describe('an adjustment is refused', () => {
  test.each<[string, string, string, unknown, number, string, string]>([
    ['of 0', 'C', 'lopp_c', 0, 400, 'invalid_payload', 'must not be 0'],
    ['of a part', 'C', 'lopp_c', 0.5, 400, 'invalid_payload', 'points'],
    ['of a text that is not a whole number', 'C', 'lopp_c', '5.5', 400, 'invalid_payload', 'points'],
    ['of too large a number', 'C', 'lopp_c', 2 ** 53, 400, 'invalid_payload', 'points'],
    ['of nothing', 'C', 'lopp_c', undefined, 400, 'invalid_payload', 'points is required'],
    ['that leaves 0', 'C', 'lopp_c', -10, 400, 'invalid_amount', 'lopp_c'],
    ['that leaves less', 'C', 'lopp_c', -11, 400, 'invalid_amount', 'more than 0 of the 10 points'],
    ['that leaves too much', 'C', 'lopp_c', Number.MAX_SAFE_INTEGER, 400, 'invalid_amount', 'at most'],
    [
      'above the total that a card may ever have',
      'C',
      'lopp_c',
      Number.MAX_SAFE_INTEGER - 100,
      400,
      'invalid_amount',
      'at most',
    ],
    ['of activated points', 'A', 'lopp_done', 1, 400, 'invalid_pending_points_state', 'ACTIVATED'],
    ['of cancelled points', 'A', 'lopp_gone', 1, 400, 'invalid_pending_points_state', 'CANCELED'],
    ['of points of another card', 'C', 'lopp_1', 1, 404, 'not_found', 'lopp_1 pending_points'],
    ['of unknown points', 'C', 'lopp_nope', 1, 404, 'not_found', 'lopp_nope pending_points'],
    ['of an unknown card', 'NOPE', 'lopp_c', 1, 404, 'not_found', 'NOPE voucher'],
    ['of a coupon', 'COUPON', 'lopp_c', 1, 404, 'not_found', 'COUPON voucher'],
  ])('%s', async (_, memberId, pendingPointsId, points, status, key, named) => {
    const { status: given, body } = await club.adjust(memberId, pendingPointsId, points);
    expect([given, body.key]).toEqual([status, key]);
    expect(`${body.details} ${body.resource_id} ${body.resource_type}`).toContain(named);
    expect((await itemsOf(club.project.id, 'PENDING_POINTS#')).find(({ id }) => id === 'lopp_c')?.points).toBe(10);
  });

  test('without credentials, or with a token of another scope', async () => {
    const call = caller(adjustHandler);
    const params = { memberId: 'C', pendingPointsId: 'lopp_c' };
    expect((await call({ params, body: { points: 1 } })).body.key).toBe('unauthorized');
    const headers = bearer(await issueToken(club.project.credentials, 'vouchers'));
    expect((await call({ params, body: { points: 1 }, headers })).body.key).toBe('insufficient_scope');
  });
});
