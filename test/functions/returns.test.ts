import { describe, expect, test } from 'vitest';
import { card, code, openReturns, priced } from '../support/returning.ts';
import { byTotal, forOrders } from '../support/store.ts';

const shop = await openReturns();
const { redeem, giveBack, ask } = shop;
const gift = async () => (await shop.voucher('GIFT')).gift.balance;
const uses = async (name: string) => (await shop.voucher(name)).redemption.redeemed_quantity;

test('a returned line gives back what it was sold for, without its share of a discount', async () => {
  const { order } = await redeem(priced(10_000, 1_000), [code('TENTH')]);
  const back = await giveBack(order.id, { items: [{ source_id: 'line-2', quantity: 1 }], reason: 'too small' });
  expect(back).toMatchObject({
    id: expect.stringMatching(/^ret_/),
    order_id: order.id,
    reason: 'too small',
    items: [{ id: order.items[1].id, quantity: 1, amount: 1_000, discount: 0, order_discount_share: 100, net: 900 }],
    refund: { total: 900, money: 900, credits: [], points: [] },
    earned_points: [],
    rolled_back: [],
    order: { id: order.id, status: 'PAID', amount: 11_000, refunded_amount: 900 },
  });
  expect(back.order.items[1]).toMatchObject({ returned_quantity: 1, returned_amount: 1_000 });
  expect(back.order.items[0]).not.toHaveProperty('returned_quantity');
  expect((await shop.returned(order.id, back.id)).body).toEqual(back);
});

test('units of a line sum to the line', async () => {
  const items = [{ amount: 9_999, quantity: 3, source_id: 'three' }];
  const { order } = await redeem({ items }, [code('THOUSAND')]);
  const totals = [];
  for (const _ of [1, 2, 3]) {
    const { refund } = await giveBack(order.id, { items: [{ source_id: 'three', quantity: 1 }] });
    totals.push(refund.money);
  }
  expect(totals).toEqual([3_000, 2_999, 3_000]);
});

test.each([
  ['PROPORTIONAL', 3_500, 1_500],
  ['MONEY_FIRST', 2_000, 3_000],
  ['CREDITS_FIRST', 5_000, 0],
])('half of an order goes back %s', async (refund_to, credits, money) => {
  const before = await gift();
  const { order } = await redeem({ amount: 10_000 }, [card('GIFT', 7_000)]);
  const { refund } = await giveBack(order.id, { amount: 5_000, options: { refund_to } });
  expect(refund).toMatchObject({ total: 5_000, money });
  expect(refund.credits.map(({ amount }: { amount: number }) => amount)).toEqual(credits ? [credits] : []);
  expect(await gift()).toBe(before - 7_000 + credits);
  const [entry] = await shop.ledger('GIFT');
  expect(entry).toMatchObject({ type: 'CREDITS_REFUND' });
});

test('a return of everything rolls all redemptions back, and gives nothing twice', async () => {
  const [before, used] = [await gift(), await uses('FIVE')];
  const { order, redemptions } = await redeem(priced(10_000), [code('FIVE'), card('GIFT', 4_500)]);
  const part = await giveBack(order.id, { items: [{ id: order.items[0].id, quantity: 1 }], dry_run: true });
  expect(part).not.toHaveProperty('id');
  expect(await gift()).toBe(before - 4_500);
  const back = await giveBack(order.id, { items: [{ id: order.items[0].id, quantity: 1 }] });
  const { id: _, order: after, ...shown } = back;
  const { order: previewed, ...dry } = part;
  expect(dry).toEqual(shown);
  expect(previewed).toMatchObject({ status: 'CANCELED' });
  expect(back.refund).toMatchObject({ total: 9_500, money: 5_000, credits: [{ amount: 4_500, code: 'GIFT' }] });
  expect(back.rolled_back).toEqual([...redemptions.map(({ id }: { id: string }) => id), expect.stringMatching(/^r_/)]);
  expect(after).toMatchObject({ status: 'CANCELED', amount: 10_000, discount_amount: 5_000, refunded_amount: 9_500 });
  expect([await gift(), await uses('FIVE')]).toEqual([before, used]);
  const again = await ask(order.id, { items: [{ id: order.items[0].id, quantity: 1 }] });
  expect([again.status, again.body.key]).toEqual([400, 'return_exceeds_order']);
  const rolled = await shop.rollBack(back.rolled_back.at(-1));
  expect([rolled.status, rolled.body.key]).toEqual([400, 'already_rolled_back']);
});

test('a rollback after a partial return gives back what is left', async () => {
  const before = await gift();
  const { order, redemptions } = await redeem({ amount: 10_000 }, [card('GIFT', 7_000)]);
  await giveBack(order.id, { amount: 5_000 });
  const { body } = await shop.rollBack(redemptions[0].id);
  expect(body.rollbacks[0]).toMatchObject({ amount: -3_500, gift: { amount: -3_500 } });
  expect(await gift()).toBe(before);
  expect((await shop.voucher('GIFT')).gift).toMatchObject({ amount: 100_000 });
  const more = await ask(order.id, { amount: 1 });
  expect([more.status, more.body.key]).toEqual([400, 'order_canceled']);
});

describe('points that an order earned', () => {
  test('are taken from what is left, and the rest is missing', async () => {
    const store = await openReturns();
    const { balance: before } = await store.card('BOB');
    const order = (await store.create({ amount: 10_000, status: 'PAID', customer: { source_id: 'shop-2' } })).body;
    expect((await store.card('BOB')).balance).toBe(before + 100);
    const back = await store.giveBack(order.id, { amount: 5_000 });
    expect(back.earned_points).toMatchObject([
      { code: 'BOB', points: 50, taken_from: { pending: 0, balance: 50 }, missing: 0 },
    ]);
    expect((await store.card('BOB')).balance).toBe(before + 50);
    const [entry] = await store.ledger('BOB');
    expect(entry).toMatchObject({ type: 'POINTS_RETURN', points: -50, details: { order: { id: order.id } } });
    const rest = await store.giveBack(order.id, { amount: 5_000 });
    expect(rest.earned_points).toMatchObject([{ points: 50 }]);
    expect((await store.card('BOB')).balance).toBe(before);
    expect((await store.customer('shop-2')).summary.orders).toMatchObject({ total_amount: 0, total_count: 0 });
  });

  test('are canceled or lowered while they are pending', async () => {
    const rule = forOrders('ern_later', byTotal, { pending_points: { days: 14 } });
    const store = await openReturns([rule]);
    const order = (await store.create({ amount: 10_000, status: 'PAID', customer: { source_id: 'shop-2' } })).body;
    expect((await store.giveBack(order.id, { amount: 5_000 })).earned_points).toMatchObject([
      { points: 50, taken_from: { pending: 50, balance: 0 }, missing: 0 },
    ]);
    const { earned_points } = await store.giveBack(order.id, { amount: 5_000 });
    expect(earned_points).toMatchObject([{ points: 50, taken_from: { pending: 50, balance: 0 }, missing: 0 }]);
  });

  test('are missing if the card no longer has them, and are asked for once', async () => {
    const store = await openReturns();
    const order = (await store.create({ amount: 10_000, status: 'PAID', customer: { source_id: 'shop-2' } })).body;
    const { balance } = await store.card('BOB');
    await store.spend('BOB', balance - 40);
    const back = await store.giveBack(order.id, { amount: 10_000 });
    expect(back.earned_points).toMatchObject([{ points: 100, taken_from: { pending: 0, balance: 40 }, missing: 60 }]);
    expect((await store.card('BOB')).balance).toBe(0);
    const [entry] = await store.ledger('BOB');
    expect(entry).toMatchObject({ type: 'POINTS_RETURN', points: -40, details: { missing: 60 } });
  });

  test('stay if the caller says so', async () => {
    const store = await openReturns();
    const order = (await store.create({ amount: 10_000, status: 'PAID', customer: { source_id: 'shop-2' } })).body;
    const { balance } = await store.card('BOB');
    const back = await store.giveBack(order.id, { amount: 10_000, options: { earned_points: 'KEEP' } });
    expect([back.earned_points, (await store.card('BOB')).balance]).toEqual([[], balance]);
  });
});

describe('a source_id', () => {
  test('returns once, and answers the first return', async () => {
    const { order } = await redeem({ amount: 10_000 }, [code('TENTH')]);
    const body = { source_id: 'back-1', amount: 900 };
    const first = await giveBack(order.id, body);
    const second = await giveBack(order.id, body);
    expect(second).toEqual(first);
    const { status, body: other } = await ask(order.id, { ...body, amount: 901 });
    expect([status, other.key, other.resource_id]).toEqual([409, 'return_exists', first.id]);
    expect(await shop.returns(order.id)).toMatchObject({ total: 1, returns: [{ id: first.id }] });
  });
});

const refused: [what: string, body: object, key: string, details: string][] = [
  ['no units', {}, 'invalid_payload', 'items must name'],
  ['items and an amount', { items: [{ id: 'a', quantity: 1 }], amount: 1 }, 'invalid_payload', 'must not both'],
  ['an amount of an order with lines', { amount: 1 }, 'invalid_payload', 'the order has lines'],
  [
    'an unknown line',
    { items: [{ product_id: 'none', quantity: 1 }] },
    'invalid_payload',
    'items[0].product_id names no line',
  ],
  ['no line', { items: [{ quantity: 1 }] }, 'invalid_payload', 'items[0] must have id'],
  ['nothing of a line', { items: [{ source_id: 'line-1', quantity: 0 }] }, 'invalid_payload', 'must be 1 or more'],
  ['less than nothing', { items: [{ source_id: 'line-1', quantity: -1 }] }, 'invalid_payload', 'items[0].quantity'],
  ['a part of a unit', { items: [{ source_id: 'line-1', quantity: 0.5 }] }, 'invalid_payload', 'items[0].quantity'],
  ['more than is left', { items: [{ source_id: 'line-1', quantity: 2 }] }, 'return_exceeds_order', 'it has 1 of'],
];

test.each(refused)('%s is refused', async (_, body, key, details) => {
  const { order } = await redeem(priced(10_000, 1_000), [code('TENTH')]);
  const reply = await ask(order.id, body);
  expect([reply.status, reply.body.key, reply.body.details]).toEqual([400, key, expect.stringContaining(details)]);
});

test('several lines of one product are taken from the last, and one line may be named twice', async () => {
  const items = [1, 2, 3].map(() => ({ source_id: 'tea', quantity: 2, amount: 1_000 }));
  const order = (await shop.create({ items })).body;
  const back = await giveBack(order.id, {
    items: [
      { source_id: 'tea', quantity: 2 },
      { source_id: 'tea', quantity: 1 },
    ],
  });
  expect(back.items.map(({ id, quantity }: { id: string; quantity: number }) => [id, quantity])).toEqual([
    [order.items[1].id, 1],
    [order.items[2].id, 2],
  ]);
});

test('of two returns of the last unit one wins', async () => {
  const { order } = await redeem(priced(10_000), [card('GIFT', 4_000)]);
  const before = await gift();
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => ask(order.id, { items: [{ source_id: 'line-1', quantity: 1 }] })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect(await gift()).toBe(before + 4_000);
});
