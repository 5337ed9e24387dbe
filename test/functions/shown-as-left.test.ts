import { expect, test } from 'vitest';
import { presentPartly } from '#engine/vouchers/voucher.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as rollBackAllHandler } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { coupon, promotionTier } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

/** Replies to redemptions and rollbacks show vouchers, tiers and orders exactly as the next read does. */

const file = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  campaigns: [programme('camp_club'), { id: 'camp_p', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' }],
  promotion_tiers: [
    promotionTier(
      { id: 'promo_1', name: 'Tenth', campaign_id: 'camp_p', hierarchy: 1 },
      { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
    ),
  ],
  vouchers: [
    coupon('COUPON', { type: 'AMOUNT', amount_off: 50, effect: 'APPLY_TO_ORDER' }),
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 700, balance: 700 } },
    card('CARD', 1_000, { holder_id: 'cust_ada' }),
  ],
  rewards: [
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: [
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_type: 'campaign', related_object_id: 'camp_club' },
  ],
};

const redeemables = {
  coupon: { object: 'voucher', id: 'COUPON' },
  gift: { object: 'voucher', id: 'GIFT', gift: { credits: 100 } },
  card: { object: 'voucher', id: 'CARD', reward: { id: 'rew_coin', points: 20 } },
  tier: { object: 'promotion_tier', id: 'promo_1' },
};

interface Shown {
  voucher?: { code: string };
  promotion_tier?: { id: string };
  order?: { id: string };
}

async function open() {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const { credentials: headers } = await loadProject(file);
  const ask = async (handler: Parameters<typeof caller>[0], request: object) => {
    const { status, body } = await caller(handler, dependencies)({ headers, ...request });
    expect([status, body.details]).toEqual([200, undefined]);
    return body;
  };
  const readAgain = async ({ voucher, promotion_tier }: Shown) => ({
    ...(voucher ? { voucher: presentPartly(await ask(getVoucher, { params: { code: voucher.code } })) } : {}),
    ...(promotion_tier
      ? { promotion_tier: await ask(getTier, { params: { promotionTierId: promotion_tier.id } }) }
      : {}),
  });
  return {
    clock,
    redeem: (...sent: object[]) =>
      ask(redeemHandler, {
        body: {
          redeemables: sent,
          customer: { source_id: 'ada' },
          order: { source_id: 'o-1', items: [{ source_id: 'tea', quantity: 3 }] },
        },
      }),
    rollBack: (redemptionId: string) => ask(rollBackHandler, { params: { redemptionId } }),
    rollBackAll: (redemptionId: string) => ask(rollBackAllHandler, { params: { redemptionId } }),
    ledger: async (code: string) => (await ask(listTransactions, { params: { code } })).data,
    order: (orderId: string) => ask(getOrder, { params: { orderId } }),
    /** Returns each resource as its reply shows it. */
    expectAsLeft: async (all: readonly Shown[]) => {
      for (const one of all) expect(one).toMatchObject(await readAgain(one));
    },
  };
}

test.each(Object.entries(redeemables))(
  'a %s is shown in its new state, when it is redeemed and rolled back',
  async (_, redeemable) => {
    const shop = await open();
    const { redemptions } = await shop.redeem(redeemable);
    await shop.expectAsLeft(redemptions);
    shop.clock.set('2026-06-16T12:00:00Z');
    const rollback = await shop.rollBack(redemptions[0].id);
    await shop.expectAsLeft([rollback]);
    expect(rollback.order).toEqual({ ...(await shop.order('o-1')), metadata: {} });
    expect(rollback.order.updated_at).toBe('2026-06-16T12:00:00.000Z');
  },
);

test('several at once are shown in their new state, on an existing order', async () => {
  const shop = await open();
  await shop.redeem(redeemables.coupon);
  shop.clock.set('2026-06-16T12:00:00Z');
  const all = [redeemables.tier, redeemables.gift, redeemables.card];
  const { redemptions, parent_redemption, order } = await shop.redeem(...all);
  await shop.expectAsLeft(redemptions);
  expect(order).toMatchObject({ ...(await shop.order('o-1')), items: [{ quantity: 3 }] });
  shop.clock.set('2026-06-17T12:00:00Z');
  const { rollbacks, parent_rollback, order: after } = await shop.rollBackAll(parent_redemption.id);
  await shop.expectAsLeft(rollbacks);
  expect(after).toEqual({ ...(await shop.order('o-1')), metadata: {} });
  expect(parent_rollback.order).toEqual(after);
});

test('ledgers of cards name the order on which credits and points were spent, and from which they returned', async () => {
  const shop = await open();
  const { redemptions, parent_redemption, order } = await shop.redeem(redeemables.gift, redeemables.card);
  const spentOn = { id: order.id, source_id: 'o-1' };
  expect(redemptions).toHaveLength(2);
  for (const code of ['GIFT', 'CARD']) expect((await shop.ledger(code))[0].details.order).toEqual(spentOn);
  await shop.rollBackAll(parent_redemption.id);
  for (const code of ['GIFT', 'CARD']) {
    expect(await shop.ledger(code)).toMatchObject([{ details: { order: spentOn } }, { details: { order: spentOn } }]);
  }
  const { redemptions: again } = await shop.redeem(redeemables.gift);
  expect((await shop.ledger('GIFT'))[0].details).toMatchObject({ order: spentOn, redemption: { id: again[0].id } });
});
