import { expect, test } from 'vitest';
import { handler } from '../../functions/redemptions/rollback-redemption.ts';
import { caller } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { testDependencies } from '../support/dependencies.ts';
import { openTill } from '../support/redeemed.ts';
import { redemptionOf } from '../support/redemptions.ts';

test('of twenty simultaneous rollbacks one succeeds, and returns the use once', async () => {
  const shop = await openTill();
  await shop.redeemStack();
  const replies = await Promise.all(Array.from({ length: 20 }, () => shop.rollBackAll('r_0')));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.map(({ body }) => body.key)).toEqual(Array.from({ length: 19 }, () => 'already_rolled_back'));
  expect(await shop.voucher('TEN')).toMatchObject({ redemption: { redeemed_quantity: 22 } });
  expect(await shop.voucher('GIFT')).toMatchObject({ gift: { amount: 500, balance: 500 } });
  expect(await shop.card('CARD')).toMatchObject({ points: 100, balance: 100 });
  expect(await shop.limit()).toEqual({ used: 26, amount: 3900 });
  expect((await shop.customer('cust_ada')).summary.redemptions).toMatchObject({
    total_rolled_back: 3,
    total_rollback_failed: 19,
  });
});

test('twenty redemptions of one code, rolled back at once, all get their uses back', async () => {
  const shop = await openTill();
  const { ofTen } = shop.parts;
  const all = Array.from({ length: 20 }, (_, index) => redemptionOf(`r_${index}`, { ...ofTen, order: undefined }));
  await shop.insert(...all);
  const replies = await Promise.all(all.map(({ id }) => shop.rollBack(id)));
  expect(replies.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect(await shop.voucher('TEN')).toMatchObject({ redemption: { redeemed_quantity: 3 } });
  expect(await shop.limit()).toEqual({ used: 7, amount: 1050 });
});

test.each([
  { isDone: true, next: { status: 400, body: { key: 'already_rolled_back' } } },
  { isDone: false, next: { status: 200, body: { result: 'SUCCESS' } } },
])(
  'a rollback that dies, with its transaction committed: $isDone, leaves all or nothing to the next one',
  async ({ isDone, next }) => {
    const shop = await openTill();
    await shop.redeemAll();
    const { dynamodb } = testDependencies();
    let isDead = false;
    const dying = clientWith(dynamodb, async (command, real) => {
      if (isTransaction(command) && !isDead) {
        isDead = true;
        if (isDone) await real();
      }
      return isDead ? Promise.reject(new Error('killed')) : real();
    });
    const { credentials: headers } = shop.project;
    const died = await caller(
      handler,
      testDependencies({ dynamodb: dying }),
    )({ headers, params: { redemptionId: 'r_gift' } });
    expect(died.status).toBe(500);
    expect(await shop.rollBack('r_gift')).toMatchObject(next);
    expect(await shop.voucher('GIFT')).toMatchObject({
      gift: { amount: 500, balance: 500 },
      redemption: { redeemed_quantity: 0, redeemed_amount: 0 },
    });
    const refunds = (await shop.ledger('GIFT')).filter(({ type }: { type: string }) => type === 'CREDITS_REFUND');
    expect(refunds).toHaveLength(1);
  },
);
