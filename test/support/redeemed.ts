import * as v from 'valibot';
import type { RedemptionItem } from '#engine/checkout/redemptions/redemption.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { newAddition } from '#kernel/table/addition.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { handler as summaryHandler } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as orderHandler } from '../../functions/orders/get-order.ts';
import { handler as getHandler } from '../../functions/redemptions/get-redemption.ts';
import { handler as listHandler } from '../../functions/redemptions/list-redemptions.ts';
import { handler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as allHandler } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller, lambdaContext } from './call.ts';
import { countingRedemptions } from './counted.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { tableOfFile } from './listed.ts';
import { programme } from './loyalty.ts';
import { insertRedemptions, redemptionOf } from './redemptions.ts';
import { openShop } from './shop.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 150 } };
const gift = { type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 300 } };
const card = { type: 'LOYALTY_CARD', campaign_id: 'camp_club', holder_id: 'cust_ada' };

/** A shop in which everything was redeemed. */
export const till = {
  customers: [
    { id: 'cust_ada', source_id: 'ada', name: 'Ada' },
    { id: 'cust_bob', source_id: 'bob' },
  ],
  campaigns: [
    { id: 'camp_few', name: 'Few', type: 'STATIC', campaign_type: 'DISCOUNT_COUPONS', voucher: coupon },
    programme('camp_club', { name: 'Club' }),
  ],
  vouchers: [
    { code: 'TEN', campaign_id: 'camp_few', ...coupon, redemption: { quantity: 30, redeemed_quantity: 23 } },
    { code: 'GIFT', ...gift, redemption: { redeemed_quantity: 1, redeemed_amount: 200 } },
    {
      code: 'CARD',
      ...card,
      loyalty_card: { points: 100, balance: 60, lots: [{ points: 60, expires: '2027-01-31' }] },
      redemption: { redeemed_quantity: 1, redeemed_points: 40 },
    },
  ],
  orders: [
    {
      id: 'ord_1',
      source_id: 'shop-1',
      status: 'PAID',
      customer_id: 'cust_ada',
      items: [
        {
          object: 'order_item',
          id: 'ordli_1',
          quantity: 2,
          price: 500,
          amount: 1000,
          discount_amount: 100,
          subtotal_amount: 900,
        },
      ],
      amount: 1000,
      discount_amount: 50,
      items_discount_amount: 100,
      total_discount_amount: 150,
      total_amount: 850,
      redemptions: { r_ten: { date: '2026-06-15T10:00:00.000Z', related_object_type: 'voucher' } },
    },
  ],
};

/** A counter of a limit, for any resource. */
const limits = kind('TEST_LIMIT', v.object({ used: v.number(), amount: v.number() }));

export async function openTill({
  lists = till,
  dependencies,
}: {
  lists?: Record<string, unknown>;
  dependencies?: object;
} = {}) {
  const clock = standingClock();
  const own = testDependencies({ clock, ...dependencies });
  const shop = await openShop(own, lists);
  const { id: projectId, credentials: headers } = shop.project;
  const [ten, giftCard, loyaltyCard] = await Promise.all(['TEN', 'GIFT', 'CARD'].map((code) => shop.voucher(code)));
  await commit(tableOfFile(), [insert(limits(projectId, 'shared'), { used: 27, amount: 4050 })]);
  const counted = (voucherId: string, by: Record<string, number>) => newAddition(vouchers(projectId, voucherId), by);
  const order = { object: 'order', id: 'ord_1', source_id: 'shop-1', items: [], metadata: {}, amount: 1000 } as const;
  const ofTen = {
    customer_id: 'cust_ada',
    tracking_id: 'track_ada',
    voucher_code: 'TEN',
    voucher_type: 'DISCOUNT_VOUCHER' as const,
    related_object_id: ten.id,
    related_object_parent_id: 'camp_few',
    campaign: 'Few',
    order: { ...order, items: [], total_applied_discount_amount: 150 },
    taken: [
      counted(ten.id, { redeemed_quantity: 1 }),
      newAddition(limits(projectId, 'shared'), { used: 1, amount: 150 }),
      newAddition(limits(projectId, 'of a day that is over'), { used: 1 }),
    ],
  };
  const ofGift = {
    customer_id: 'cust_ada',
    voucher_code: 'GIFT',
    voucher_type: 'GIFT_VOUCHER' as const,
    related_object_id: giftCard.id,
    amount: 200,
    gift_credits: 200,
    taken: [counted(giftCard.id, { redeemed_quantity: 1, redeemed_amount: 200 })],
  };
  const ofCard = {
    customer_id: 'cust_ada',
    voucher_code: 'CARD',
    voucher_type: 'LOYALTY_CARD' as const,
    related_object_id: loyaltyCard.id,
    related_object_parent_id: 'camp_club',
    campaign: 'Club',
    amount: 40,
    points: 40,
    lots: [
      { points: 15, expires: '2027-01-31' },
      { points: 25, expires: null },
    ],
    taken: [counted(loyaltyCard.id, { redeemed_quantity: 1, redeemed_points: 40 })],
  };
  const countBehind = countingRedemptions(projectId, tableOfFile());
  const call = caller(handler, own, lambdaContext(60_000));
  const callAll = caller(allHandler, own, lambdaContext(60_000));
  return {
    ...shop,
    clock,
    parts: { ofTen, ofGift, ofCard, order },
    insert: (...items: readonly RedemptionItem[]) => insertRedemptions(projectId, items),
    /** Redeems a coupon, a gift card and a loyalty card, each alone and then all together. */
    redeemAll: () =>
      insertRedemptions(projectId, [
        redemptionOf('r_ten', ofTen),
        redemptionOf('r_gift', ofGift),
        redemptionOf('r_card', ofCard),
      ]),
    redeemStack: () =>
      insertRedemptions(projectId, [
        redemptionOf('r_0', {
          customer_id: 'cust_ada',
          related_object_type: 'redemption',
          related_object_id: 'r_0',
          redemptions: ['r_1', 'r_2', 'r_3'],
          order: ofTen.order,
        }),
        redemptionOf('r_1', { ...ofTen, redemption: 'r_0' }),
        redemptionOf('r_2', { ...ofGift, redemption: 'r_0' }),
        redemptionOf('r_3', { ...ofCard, redemption: 'r_0' }),
      ]),
    rollBack: (redemptionId: string, body?: unknown, query = '') =>
      call({ headers, params: { redemptionId }, body, query }),
    rollBackAll: (redemptionId: string, body?: unknown) => callAll({ headers, params: { redemptionId }, body }),
    redemption: async (redemptionId: string) =>
      (await caller(getHandler, own)({ headers, params: { redemptionId } })).body,
    list: async (query = '') => (await caller(listHandler, own)({ headers, query })).body,
    order: async (orderId = 'ord_1') => (await caller(orderHandler, own)({ headers, params: { orderId } })).body,
    campaign: async (campaignId: string) => {
      await countBehind();
      return (await caller(summaryHandler, own)({ headers, params: { campaignId } })).body;
    },
    limit: () => tableOfFile().get(limits(projectId, 'shared'), limits.schema),
  };
}
