import { expect, test } from 'vitest';
import { countCustomerFigures, keepRecords } from '#engine/checkout/redemptions/figures.ts';
import type { RedemptionItem } from '#engine/checkout/redemptions/redemption.ts';
import { commit } from '#kernel/table/effects.ts';
import { handler as summaryHandler } from '../../../../../functions/campaigns/get-campaign-summary.ts';
import { caller } from '../../../../support/call.ts';
import { countingRedemptions } from '../../../../support/counted.ts';
import { tableOfFile } from '../../../../support/listed.ts';
import { giftCampaign, giftVoucher } from '../../../../support/lists.ts';
import { redemptionOf } from '../../../../support/redemptions.ts';
import { openShop } from '../../../../support/shop.ts';

const order = { object: 'order', items: [], metadata: {}, amount: 1000, total_applied_discount_amount: 150 } as const;
const ofCoupons = { related_object_parent_id: 'camp_few', order: { ...order, items: [] } };
const ofGifts = { related_object_parent_id: 'camp_gift' };
const failed = { result: 'FAILURE', status: 'FAILED' } as const;
const rollback = { object: 'redemption_rollback', redemption: 'r_1' } as const;

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };

const lists = {
  campaigns: [
    { id: 'camp_few', name: 'Few', type: 'STATIC', campaign_type: 'DISCOUNT_COUPONS', voucher: coupon },
    giftCampaign('camp_gift', 'Gift', { amount: 500 }),
  ],
  customers: [
    { id: 'cust_ada' },
    {
      id: 'cust_old',
      summary: { redemptions: { total_redeemed: 9, total_succeeded: 8, gift: { redeemed_amount: 70 } } },
    },
    { id: 'cust_held' },
  ],
  vouchers: [
    giftVoucher(
      'HELD',
      { amount: 500, balance: 300 },
      { holder_id: 'cust_held', redemption: { redeemed_quantity: 3, redeemed_amount: 200 } },
    ),
  ],
};

/** Each is one request. */
const requests: readonly (readonly RedemptionItem[])[] = [
  [redemptionOf('r_1', ofCoupons)],
  [
    redemptionOf('r_2', {
      redemptions: ['r_3', 'r_4', 'r_5'],
      related_object_type: 'redemption',
      order: ofCoupons.order,
    }),
    redemptionOf('r_3', ofCoupons),
    redemptionOf('r_4', ofCoupons),
    redemptionOf('r_5', { ...ofGifts, gift_credits: 300, order: ofCoupons.order }),
  ],
  [redemptionOf('rf_1', { ...failed, ...ofCoupons })],
  [redemptionOf('rr_1', { ...rollback, ...ofCoupons })],
  [redemptionOf('rr_2', { ...rollback, ...ofGifts, gift_credits: -300 })],
  [redemptionOf('rrf_1', { ...rollback, ...failed, ...ofCoupons })],
];

async function counted() {
  const shop = await openShop(undefined, lists);
  const { id, credentials: headers } = shop.project;
  for (const customerId of ['cust_ada', 'cust_old']) {
    for (const items of requests) await commit(tableOfFile(), countCustomerFigures(id, customerId, items));
  }
  for (const items of requests) await commit(tableOfFile(), keepRecords(id, items));
  await countingRedemptions(id, tableOfFile())();
  return {
    shop,
    campaign: async (campaignId: string) => (await caller(summaryHandler)({ headers, params: { campaignId } })).body,
  };
}

test('redemptions, failures and rollbacks move the figures of their customer and campaigns', async () => {
  const { shop, campaign } = await counted();
  expect((await shop.customer('cust_ada')).summary.redemptions).toEqual({
    total_redeemed: 5,
    total_failed: 1,
    total_succeeded: 4,
    total_rolled_back: 2,
    total_rollback_failed: 1,
    total_rollback_succeeded: 2,
    gift: { redeemed_amount: 0, amount_to_go: 0 },
    loyalty_card: { redeemed_points: 0, points_to_go: 0 },
  });
  expect((await shop.customer('cust_old')).summary.redemptions).toMatchObject({
    total_redeemed: 14,
    total_succeeded: 12,
    total_failed: 1,
    gift: { redeemed_amount: 70 },
  });
  expect(await campaign('camp_few')).toMatchObject({
    redemptions: 4,
    redemptions_succeeded: 3,
    redemptions_failed: 1,
    rollbacks: 2,
    rollbacks_succeeded: 1,
    rollbacks_failed: 1,
    // Two coupons of one order count it once.
    orders_amount: 2000,
    orders_rolledback_amount: 1000,
    discounted_amount: 450,
    rolledback_discounted_amount: 150,
  });
  expect(await campaign('camp_gift')).toMatchObject({
    redemptions_succeeded: 1,
    rollbacks_succeeded: 1,
    amount_redeemed: 300,
    amount_rolledback: 300,
    orders_amount: 1000,
  });
});

test('earlier redemptions of cards stay beside the counted ones', async () => {
  const shop = await openShop(undefined, lists);
  const { id } = shop.project;
  const before = (await shop.customer('cust_held')).summary.redemptions;
  expect(before).toMatchObject({ total_redeemed: 3, total_succeeded: 3, gift: { redeemed_amount: 200 } });
  await commit(tableOfFile(), countCustomerFigures(id, 'cust_held', [redemptionOf('r_1', ofCoupons)]));
  expect((await shop.customer('cust_held')).summary.redemptions).toEqual({
    ...before,
    total_redeemed: 4,
    total_succeeded: 4,
  });
});

test('redemptions of a deleted customer are not counted', async () => {
  const { project } = await openShop(undefined, lists);
  expect(await commit(tableOfFile(), countCustomerFigures(project.id, 'cust_gone', requests[0] ?? []))).toBe(false);
});
