import { expect, test } from 'vitest';
import { handler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { card, entry, newClub } from '../support/loyalty.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };
const club = await newClub({
  vouchers: [
    card('FROM', 10),
    card('TO', 0),
    card('BOTH', 10),
    card('MORE', 5),
    card('UNMOVED', 10),
    { code: 'UNMOVED-GIFT', type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } },
    { ...coupon, code: 'COUPON' },
  ],
});
await club.transfer('TO', [entry('FROM', 4)]);
await club.transfer('TO', [entry('BOTH', 5)]);
await club.transfer('BOTH', [entry('TO', 2)]);
await club.transfer('BOTH', [entry('MORE', 1)]);

const list = (code: string, query = '') =>
  caller(handler)({ params: { code }, query, headers: club.project.credentials });

test('a card has the same rows as its member', async () => {
  for (const query of ['', 'limit=1', 'limit=1&page=2']) {
    const { total, data, ...found } = (await list('FROM', query)).body;
    expect((await club.transactions('FROM', query)).body).toEqual({
      ...found,
      ...(query.includes('page') ? { total } : {}),
      data: data.map(({ object, points, balance, ...row }: Record<string, unknown>) => row),
    });
  }
  expect((await list('FROM')).body).toMatchObject({ total: 1, data: [{ points: -4, balance: 6 }] });
});

test('a row has all earlier credits as its total, and the rest as its balance', async () => {
  const { body } = await club.transactions('BOTH');
  const figures = body.data.map(({ details }: { details: { balance: Record<string, number> } }) => details.balance);
  expect(figures).toMatchObject([
    { points: 1, total: 13, balance: 8 },
    { points: 2, total: 12, balance: 7 },
    { points: -5, total: 10, balance: 5 },
  ]);
  for (const [index, page] of [1, 2, 3].entries()) {
    const { data } = (await club.transactions('BOTH', `limit=1&page=${page}`)).body;
    expect(data[0].details.balance).toEqual(figures[index]);
  }
});

test.each([
  ['id', [-5, 2, 1]],
  ['-id', [1, 2, -5]],
])('a walk by cursor in the order %s meets each row once, from any of them', async (order, points) => {
  const met: unknown[] = [];
  for (let query = `order=${order}&limit=1`; ; ) {
    const { data, has_more, more_starting_after, total } = (await list('BOTH', query)).body;
    expect([data.length, total]).toEqual([1, 3]);
    met.push(data[0]);
    if (!has_more) break;
    expect(more_starting_after).toBe(data[0].id);
    query = `order=${order}&limit=1&starting_after_id=${more_starting_after}`;
  }
  expect(met).toMatchObject(points.map((one) => ({ points: one })));
  const [{ id }] = met as [{ id: string }];
  expect((await list('BOTH', `order=${order}&starting_after_id=${id}`)).body).toMatchObject({
    data: met.slice(1),
    has_more: false,
  });
});

test('a cursor that is not a row of the card is refused', async () => {
  const [{ id }] = (await list('FROM')).body.data;
  const ofWhatItCameWith = (await club.voucher('BOTH')).id.replace(/^v_/, 'vtx_');
  for (const cursor of [id, ofWhatItCameWith, 'vtx_1', 'v_1', id.replace('vtx', 'act')]) {
    const { status, body } = await list('BOTH', `starting_after_id=${cursor}`);
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
  }
});

test.each([
  ['a card without transactions, for any initial balance,', 'UNMOVED'],
  ['a gift card without transactions', 'UNMOVED-GIFT'],
  ['a voucher that is not a card', 'COUPON'],
])('%s has none', async (_, code) => {
  const { status, body } = await list(code);
  expect([status, body]).toEqual([200, { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false }]);
});

test('an unknown voucher is a 404', async () => {
  expect((await list('NOPE')).body).toMatchObject({ key: 'not_found', resource_id: 'NOPE' });
});
