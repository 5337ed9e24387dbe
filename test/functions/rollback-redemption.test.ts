import { expect, test } from 'vitest';
import { openTill, till } from '../support/redeemed.ts';
import { redemptionOf } from '../support/redemptions.ts';

const inOrder = { stacking_rules: [{ redeemables_rollback_order_mode: 'WITHOUT_ORDER' }] };

test('a coupon gets its use back, its limits count less, and the order is canceled without its discount', async () => {
  const shop = await openTill();
  await shop.redeemAll();
  const { status, body } = await shop.rollBack('r_ten', { reason: 'torn', metadata: { till: 4 } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: expect.stringMatching(/^rr_/),
    object: 'redemption_rollback',
    redemption: 'r_ten',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    reason: 'torn',
    metadata: { till: 4 },
    tracking_id: 'track_ada',
    customer: { id: 'cust_ada', name: 'Ada' },
    channel: { channel_type: 'API' },
    voucher: { code: 'TEN', redemption: { quantity: 30, redeemed_quantity: 22 } },
    order: { id: 'ord_1', status: 'CANCELED', amount: 1000, total_amount: 1000 },
  });
  expect(await shop.limit()).toMatchObject({ used: 26, amount: 3900 });
  const order = await shop.order();
  expect(order).toMatchObject({
    status: 'CANCELED',
    amount: 1000,
    total_amount: 1000,
    items: [{ quantity: 2, amount: 1000, subtotal_amount: 1000 }],
    redemptions: { r_ten: { related_object_type: 'voucher', rollback_id: body.id, rollback_date: body.date } },
  });
  for (const figure of ['discount_amount', 'items_discount_amount', 'total_discount_amount']) {
    expect(order).not.toHaveProperty(figure);
  }
  expect(order.items[0]).not.toHaveProperty('discount_amount');
  expect(await shop.redemption('r_ten')).toMatchObject({
    status: 'ROLLED_BACK',
    result: 'SUCCESS',
    metadata: { till: 4 },
    related_redemptions: { rollbacks: [{ id: body.id, date: body.date, rollback_order_mode: 'WITH_ORDER' }] },
  });
  expect((await shop.customer('cust_ada')).summary.redemptions).toMatchObject({
    total_rolled_back: 1,
    total_rollback_succeeded: 1,
  });
  expect(await shop.campaign('camp_few')).toMatchObject({
    rollbacks_succeeded: 1,
    orders_rolledback_amount: 1000,
    rolledback_discounted_amount: 150,
  });
  const types = (await shop.activities('cust_ada')).data.map(({ type }: { type: string }) => type);
  expect(types).toEqual(expect.arrayContaining(['customer.redemption.rollback.succeeded', 'customer.order.canceled']));
});

test('a gift card gets its credits back, and is worth no more than before', async () => {
  const shop = await openTill();
  await shop.redeemAll();
  const { body } = await shop.rollBack('r_gift');
  expect(body).toMatchObject({ amount: -200, gift: { amount: -200 }, reason: null, order: null });
  expect(await shop.voucher('GIFT')).toMatchObject({
    gift: { amount: 500, balance: 500 },
    redemption: { redeemed_quantity: 0, redeemed_amount: 0 },
  });
  const [entry] = await shop.ledger('GIFT');
  expect(entry).toMatchObject({
    type: 'CREDITS_REFUND',
    amount: 200,
    balance: 500,
    details: { redemption: { id: 'r_gift' }, rollback: { id: body.id } },
  });
});

test('a loyalty card gets its points back, in their original lots', async () => {
  const shop = await openTill();
  await shop.redeemAll();
  const { body } = await shop.rollBack('r_card', {}, 'reason=changed%20mind');
  expect(body).toMatchObject({ amount: -40, loyalty_card: { points: -40 }, reason: 'changed mind' });
  expect(await shop.voucher('CARD')).toMatchObject({
    loyalty_card: { points: 100, balance: 100, next_expiration_date: '2027-01-31', next_expiration_points: 75 },
    redemption: { redeemed_quantity: 0, redeemed_points: 0 },
  });
  const [entry] = await shop.ledger('CARD');
  expect(entry).toMatchObject({
    type: 'POINTS_REFUND',
    points: 40,
    balance: 100,
    reason: 'changed mind',
    source: null,
  });
  expect(await shop.campaign('camp_club')).toMatchObject({ points_rolledback: 40, rollbacks_succeeded: 1 });
});

test('several redemptions are all rolled back by their parent', async () => {
  const shop = await openTill();
  await shop.redeemStack();
  expect((await shop.rollBack('r_0')).body).toMatchObject({ code: 400, key: 'invalid_redemption' });
  expect((await shop.rollBack('r_1')).body).toMatchObject({ code: 400, key: 'invalid_redemption_parent' });
  expect((await shop.rollBackAll('r_1')).body).toMatchObject({ code: 400, key: 'invalid_redemption_parent' });
  const { body } = await shop.rollBackAll('r_0', { tracking_id: 'till' });
  const tracking_id = expect.stringMatching(/^track_.{44}$/);
  expect(body.rollbacks.map(({ redemption }: { redemption: string }) => redemption)).toEqual(['r_1', 'r_2', 'r_3']);
  expect(body).toMatchObject({
    parent_rollback: { redemption: 'r_0', related_object_type: 'redemption', tracking_id },
    order: { id: 'ord_1', status: 'CANCELED' },
  });
  expect(await shop.voucher('TEN')).toMatchObject({ redemption: { redeemed_quantity: 22 } });
  expect(await shop.voucher('GIFT')).toMatchObject({ gift: { balance: 500 } });
  expect(await shop.card('CARD')).toMatchObject({ balance: 100 });
  for (const id of ['r_0', 'r_1', 'r_2', 'r_3'])
    expect(await shop.redemption(id)).toMatchObject({ status: 'ROLLED_BACK' });
  expect((await shop.customer('cust_ada')).summary.redemptions).toMatchObject({ total_rolled_back: 3 });
  expect((await shop.rollBackAll('r_0')).body).toMatchObject({ code: 400, key: 'already_rolled_back' });
});

test('a single redemption may be rolled back by the path for several', async () => {
  const shop = await openTill();
  await shop.redeemAll();
  const { body } = await shop.rollBackAll('r_gift');
  expect(body).toMatchObject({ rollbacks: [{ redemption: 'r_gift' }], order: null });
  expect(body).not.toHaveProperty('parent_rollback');
});

test('the order stays unchanged if the stacking rules say so', async () => {
  const shop = await openTill({ lists: { ...till, ...inOrder } });
  await shop.redeemAll();
  const before = await shop.order();
  const { body } = await shop.rollBack('r_ten');
  expect(body.order).toMatchObject({ id: 'ord_1', status: 'PAID', total_amount: 850 });
  expect(await shop.order()).toEqual(before);
  expect(await shop.redemption('r_ten')).toMatchObject({
    related_redemptions: { rollbacks: [{ rollback_order_mode: 'WITHOUT_ORDER' }] },
  });
});

test('a refused rollback changes nothing, and is listed as failed', async () => {
  const shop = await openTill();
  await shop.redeemAll();
  await shop.insert(
    redemptionOf('rf_1', { result: 'FAILURE', status: 'FAILED', customer_id: 'cust_ada' }),
    redemptionOf('rr_9', { object: 'redemption_rollback', redemption: 'r_9' }),
    redemptionOf('r_guest', {}),
    redemptionOf('r_old', { ...shop.parts.ofGift, date: '2026-02-01T00:00:00.000Z' }),
  );
  const rows: readonly (readonly [id: string, body: unknown, key: string])[] = [
    ['rf_1', {}, 'invalid_redemption'],
    ['rr_9', {}, 'invalid_redemption'],
    ['r_old', {}, 'invalid_redemption'],
    ['r_ten', { order: { id: 'ord_2' } }, 'invalid_order'],
    ['r_ten', { order: { source_id: 'shop-2' } }, 'invalid_order'],
    ['r_gift', { order: { source_id: 'shop-1' } }, 'invalid_order'],
    ['r_ten', { customer: { source_id: 'bob' } }, 'invalid_customer'],
    ['r_ten', { customer: { source_id: 'nobody' } }, 'invalid_customer'],
    ['r_guest', { customer: { source_id: 'nobody' } }, 'invalid_customer'],
  ];
  for (const [id, sent, key] of rows) {
    const { body } = await shop.rollBack(id, sent);
    expect([id, body]).toMatchObject([id, { code: 400, key, resource_type: 'redemption_rollback' }]);
    expect(await shop.redemption(body.resource_id)).toMatchObject({
      id: expect.stringMatching(/^rrf_/),
      redemption: id,
      result: 'FAILURE',
      status: 'FAILED',
      failure_code: key,
      failure_message: body.message,
    });
  }
  expect(await shop.voucher('TEN')).toMatchObject({ redemption: { redeemed_quantity: 23 } });
  expect(await shop.limit()).toMatchObject({ used: 27 });
  expect((await shop.customer('cust_ada')).summary.redemptions).toMatchObject({
    total_rollback_failed: 7,
    total_rolled_back: 0,
  });
  expect((await shop.rollBack('r_none')).body).toMatchObject({ code: 404, resource_type: 'redemption' });
  expect((await shop.rollBack('r_ten', { customer: { id: 'cust_nobody' } })).body).toMatchObject({
    code: 404,
    resource_type: 'customer',
  });
});

test('the sent customer is updated with the rollback', async () => {
  const shop = await openTill();
  await shop.redeemAll();
  await shop.rollBack('r_ten', { customer: { source_id: 'ada', name: 'Ada L.' }, order: { source_id: 'shop-1' } });
  expect(await shop.customer('cust_ada')).toMatchObject({ name: 'Ada L.' });
});

test('a deleted resource gets nothing back', async () => {
  const shop = await openTill();
  const gone = { related_object_id: 'v_gone', voucher_code: 'GONE', customer_id: 'cust_gone' };
  await shop.insert(redemptionOf('r_gone', { ...shop.parts.ofGift, ...gone, taken: [] }));
  expect((await shop.rollBack('r_gone')).body).toMatchObject({ status: 'SUCCEEDED', customer: null });
});
