import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler as transactions } from '../../functions/loyalties/list-member-transactions.ts';
import { handler as redeemReward } from '../../functions/loyalties/redeem-member-reward.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as updateReward } from '../../functions/rewards/update-reward.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { ledgerOf } from '../support/loyalty.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { itemsOf } from '../support/outbox.ts';
import { openRewards } from '../support/rewarding.ts';

/** A rollback takes back unused codes, and what rewards put on cards. In the programme of these cards, points begin with 5. */

const earning_rules = [
  {
    ...{ id: 'ern_paid', campaign_id: 'camp_other', event: 'order.paid', active: true },
    loyalty: { type: 'FIXED', points: 1_000 },
  },
];

const call = (handler: Parameters<typeof caller>[0], request: object) =>
  caller(handler)({ ...request, headers: shop.project.credentials });
const voucher = async (code: string) => (await call(getVoucher, { params: { code } })).body;
const rollBack = (redemptionId: string) => call(rollBackHandler, { params: { redemptionId } });

/** The card of the member that the reward created or changed. */
async function redeemed(member: number, rewardId: string): Promise<{ id: string; code: string }> {
  const params = { memberId: `CARD-${member}` };
  const { status, body } = await call(redeemReward, { params, body: { reward: { id: rewardId } } });
  expect([status, body.details]).toEqual([200, undefined]);
  return { id: body.id, code: body.reward.voucher.code };
}

async function paid(member: number): Promise<void> {
  const body = { amount: 500, status: 'PAID', customer: { id: `cust_${member}` } };
  expect((await call(createOrder, { body })).status).toBe(200);
}

async function spent(code: string, credits: number, how: object = { gift: { credits } }): Promise<void> {
  const body = { redeemables: [{ object: 'voucher', id: code, ...how }], order: { amount: credits } };
  expect((await call(redeemHandler, { body })).status).toBe(200);
}

/** Returns the card's figures, which agree with its ledger and with project files. */
async function giftOf(code: string) {
  const { gift, active, holder_id, redemption } = await voucher(code);
  const { amount, balance } = gift;
  expect(gift.subtracted_amount).toBeUndefined();
  expect(amount - balance).toBe(redemption.redeemed_amount);
  const [last] = (await call(listTransactions, { params: { code } })).body.data;
  if (last) expect(last.details.balance).toMatchObject({ balance, total: amount });
  const { vouchers } = await exported(shop.project.id);
  const entry = vouchers.find((one: { code: string }) => one.code === code);
  expect([entry.gift.amount + entry.gift.credited, entry.gift.balance]).toEqual([amount, balance]);
  return { amount, balance, active, holder_id };
}

async function pointsOf(code: string) {
  const dependencies = testDependencies();
  const of = (memberId: string, query?: string) => call(transactions, { params: { memberId }, query });
  await ledgerOf({ project: shop.project, dependencies, voucher, transactions: of }, code);
  const { loyalty_card: own, active, holder_id } = await voucher(code);
  const { points, balance } = own;
  expect(own).toMatchObject({ subtracted_points: 0, expired_points: 0 });
  return { points, balance, active, holder_id };
}

/** Stores redemptions in the old form, which does not say how much a card got at its creation. */
async function withoutAmount(redemptionId: string): Promise<void> {
  const { dynamodb, tableName } = testDependencies();
  const stored = await itemsOf(shop.project.id, 'REDEMPTION');
  const { pk, sk } = stored.find(({ id }) => id === redemptionId) ?? {};
  const UpdateExpression = 'REMOVE reward_given.issued.amount';
  await dynamodb.send(new UpdateCommand({ TableName: tableName, Key: { pk, sk }, UpdateExpression }));
}

const shop = await openRewards({ earning_rules });

describe('a loyalty card that a reward created', () => {
  test("stays its member's after the rollback, with all other points, and goes on earning", async () => {
    const { id, code } = await redeemed(1, 'rew_points');
    await paid(1);
    expect(await pointsOf(code)).toMatchObject({ points: 1_030, balance: 1_030 });
    expect((await rollBack(id)).status).toBe(200);
    const own = { active: true, holder_id: 'cust_1' };
    expect(await pointsOf(code)).toEqual({ ...own, points: 1_005, balance: 1_005 });
    expect(await shop.balance('CARD-1')).toBe(1_000);
    await paid(1);
    expect(await redeemed(1, 'rew_points')).toMatchObject({ code });
    expect(await pointsOf(code)).toEqual({ ...own, points: 2_030, balance: 2_030 });
  });

  test("loses the reward's points once, though twenty callers roll back at once", async () => {
    const { id, code } = await redeemed(2, 'rew_points');
    const replies = await Promise.all(Array.from({ length: 20 }, () => rollBack(id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await pointsOf(code)).toMatchObject({ points: 5, balance: 5, active: true });
  });
});

describe('a gift card that a reward created', () => {
  test('is emptied by the rollback, and filled by the next reward', async () => {
    const { id, code } = await redeemed(3, 'rew_gift');
    expect((await rollBack(id)).status).toBe(200);
    const own = { active: true, holder_id: 'cust_3' };
    expect(await giftOf(code)).toEqual({ ...own, amount: 0, balance: 0 });
    expect(await redeemed(3, 'rew_gift')).toMatchObject({ code });
    expect(await giftOf(code)).toEqual({ ...own, amount: 300, balance: 300 });
  });

  test.each([
    ['the first', 4, 0],
    ['the last', 5, 1],
  ])(
    "with two rewards pays %s back from the rest of both, and the other's credits no more",
    async (_, member, which) => {
      const both = [await redeemed(member, 'rew_gift'), await redeemed(member, 'rew_gift')];
      const { code = '' } = both[0] ?? {};
      await spent(code, 100);
      expect(await giftOf(code)).toMatchObject({ amount: 600, balance: 500 });
      expect((await rollBack(both[which]?.id ?? '')).status).toBe(200);
      expect(await giftOf(code)).toMatchObject({ amount: 300, balance: 200, active: true });
      const late = await rollBack(both[1 - which]?.id ?? '');
      expect(late.body).toMatchObject({ code: 400, key: 'invalid_redemption' });
      expect(await giftOf(code)).toMatchObject({ amount: 300, balance: 200, active: true });
      expect(await shop.balance(`CARD-${member}`)).toBe(800);
    },
  );
});

test("of an old redemption without the initial amount loses the reward's amount at the redemption", async () => {
  const gift = await redeemed(6, 'rew_gift');
  await redeemed(6, 'rew_gift');
  const card = await redeemed(6, 'rew_points');
  for (const [rewardId, id] of Object.entries({ rew_gift: 'camp_gift', rew_points: 'camp_other' })) {
    const body = { parameters: { campaign: { id, balance: 7 } } };
    expect((await call(updateReward, { params: { rewardId }, body })).status).toBe(200);
  }
  for (const { id } of [gift, card]) {
    await withoutAmount(id);
    expect((await rollBack(id)).status).toBe(200);
  }
  expect(await giftOf(gift.code)).toMatchObject({ amount: 300, balance: 300, active: true });
  expect(await pointsOf(card.code)).toMatchObject({ points: 5, balance: 5, active: true });
});

test('a code that is redeemed during the rollback of its reward stays, and the rollback is refused', async () => {
  const { id, code } = await redeemed(7, 'rew_code');
  const use = () => spent(code, 1_000, {});
  const reply = await meanwhile(beforeTransaction(), use, (container) =>
    caller(rollBackHandler, container)({ headers: shop.project.credentials, params: { redemptionId: id } }),
  );
  expect(reply.body).toMatchObject({ code: 400, key: 'invalid_redemption' });
  expect(await voucher(code)).toMatchObject({ active: true, redemption: { redeemed_quantity: 1 } });
  expect(await shop.balance('CARD-7')).toBe(970);
});
