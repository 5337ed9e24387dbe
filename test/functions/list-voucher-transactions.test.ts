import { beforeAll, expect, test } from 'vitest';
import { handler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { type Club, card, entry, newClub } from '../support/loyalty.ts';

let club: Club;
beforeAll(async () => {
  const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };
  club = await newClub({
    vouchers: [card('FROM', 10), card('TO', 0), card('BOTH', 10), { ...coupon, code: 'COUPON' }],
  });
  await club.transfer('TO', [entry('FROM', 4)]);
  await club.transfer('TO', [entry('BOTH', 5)]);
  await club.transfer('BOTH', [entry('TO', 2)]);
});

const list = (code: string, query = '', headers = club.project.credentials) =>
  caller(handler)({ params: { code }, query, headers });

test('a card has the same rows as its member', async () => {
  for (const query of ['', 'limit=1', 'limit=1&page=2']) {
    expect((await list('FROM', query)).body).toEqual((await club.transactions('FROM', query)).body);
  }
  expect((await list('FROM')).body).toMatchObject({ total: 2, data: [{ points: -4 }, { points: 10 }] });
});

test('a row has all that was credited by then as its total, and what is left as its balance', async () => {
  const { body } = await club.transactions('BOTH');
  const figures = body.data.map(({ details }: { details: { balance: Record<string, number> } }) => details.balance);
  expect(figures).toMatchObject([
    { points: 2, total: 12, balance: 7 },
    { points: -5, total: 10, balance: 5 },
    { points: 10, total: 10, balance: 10 },
  ]);
  for (const [index, page] of [1, 2, 3].entries()) {
    const { data } = (await club.transactions('BOTH', `limit=1&page=${page}`)).body;
    expect(data[0].details.balance).toEqual(figures[index]);
  }
});

test('a voucher that is no card has none', async () => {
  const { status, body } = await list('COUPON');
  expect([status, body]).toEqual([200, { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false }]);
});

test('an unknown voucher is a 404, a page out of range a 400, and no credentials are a 401', async () => {
  expect((await list('NOPE')).body).toMatchObject({ key: 'not_found', resource_id: 'NOPE' });
  expect((await list('FROM', 'limit=101')).body.key).toBe('invalid_query_params');
  expect((await list('FROM', '', {})).body.key).toBe('unauthorized');
});
