import { describe, expect, test } from 'vitest';
import { uniqueId } from '../support/dependencies.ts';
import { card, code, openReturns, priced } from '../support/returning.ts';

const shop = await openReturns();
const { redeem, giveBack } = shop;
const gift = async () => (await shop.voucher('GIFT')).gift.balance;

describe('an order that is canceled by its status', () => {
  test('is returned in a project whose orders carry their effects, and stays canceled', async () => {
    const store = await openReturns(undefined, {
      project: { id: uniqueId('proj_'), name: 'Carrying', orders_carry_effects: true },
    });
    const customer = { source_id: 'shop-2' };
    const { balance } = await store.card('BOB');
    const { order } = await store.redeem(priced(10_000), [code('ONCE'), card('GIFT', 4_000)], { customer });
    expect((await store.card('BOB')).balance).toBe(balance + 50);
    const replies = await Promise.all([1, 2, 3].map(() => store.update(order.id, { status: 'CANCELED' })));
    expect(replies.map(({ status, body }) => [status, body.status])).toEqual(Array(3).fill([200, 'CANCELED']));
    expect((await store.card('BOB')).balance).toBe(balance);
    expect((await store.voucher('GIFT')).gift.balance).toBe(100_000);
    expect((await store.voucher('ONCE')).redemption.redeemed_quantity).toBe(0);
    const { returns, total } = await store.returns(order.id);
    expect([total, returns[0]]).toEqual([1, expect.objectContaining({ reason: 'CANCELED' })]);
    expect(returns[0]).not.toHaveProperty('source_id');
    const { status, body } = await store.update(order.id, { status: 'PAID' });
    expect([status, body.key]).toEqual([400, 'order_canceled']);
  });

  test('only stores the status in other projects', async () => {
    const { order } = await redeem(priced(10_000), [card('GIFT', 4_000)]);
    const before = await gift();
    expect((await shop.update(order.id, { status: 'CANCELED' })).body).toMatchObject({ status: 'CANCELED' });
    expect([await gift(), (await shop.returns(order.id)).total]).toEqual([before, 0]);
    expect((await giveBack(order.id, { items: [{ source_id: 'line-1', quantity: 1 }] })).refund.credits).toHaveLength(
      1,
    );
  });
});
