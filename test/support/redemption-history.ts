import { insertRedemptions, redemptionOf } from './redemptions.ts';
import { openShop } from './shop.ts';

const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };

export const lists = {
  customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada', email: 'ada@mail.example' }, { id: 'cust_bob' }],
  campaigns: [
    { id: 'camp_few', name: 'Few', type: 'STATIC', campaign_type: 'DISCOUNT_COUPONS', voucher: discount },
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
  ],
  vouchers: [
    { code: 'ONE', campaign_id: 'camp_few', ...discount, redemption: { quantity: 5, redeemed_quantity: 2 } },
    { code: 'CARD', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 300 }, redemption: { redeemed_amount: 200 } },
  ],
  promotion_tiers: [
    { id: 'promo_one', name: 'Tier', campaign_id: 'camp_tiers', hierarchy: 1, action: { discount: discount.discount } },
  ],
};

export const at = (minute: number) => ({ date: `2026-06-15T10:0${minute}:00.000Z` });

/** Opens a shop with history: one redemption was rolled back, one failed, and one used a card and a tier together. */
export async function openRedemptions() {
  const shop = await openShop(undefined, lists);
  const one = { related_object_id: (await shop.voucher('ONE')).id, voucher_code: 'ONE' };
  const ofFew = { ...one, related_object_parent_id: 'camp_few', campaign: 'Few' };
  const card = { related_object_id: (await shop.voucher('CARD')).id, voucher_code: 'CARD' };
  const ada = { customer_id: 'cust_ada', tracking_id: 'track_ada' };
  const together = { ...at(4), ...ada };
  const rollbacks = [{ id: 'rr_1', ...at(2), rollback_order_mode: 'WITH_ORDER' as const }];
  await insertRedemptions(shop.project.id, [
    redemptionOf('r_1', { ...at(1), ...ofFew, ...ada, status: 'ROLLED_BACK', rollbacks, metadata: { till: 1 } }),
    redemptionOf('rr_1', {
      ...at(2),
      ...ofFew,
      ...ada,
      object: 'redemption_rollback',
      redemption: 'r_1',
      reason: 'torn',
    }),
    redemptionOf('rf_1', {
      ...at(3),
      ...ofFew,
      customer_id: 'cust_bob',
      tracking_id: 'track_bob',
      result: 'FAILURE',
      status: 'FAILED',
      failure_code: 'voucher_expired',
      failure_message: 'The voucher has expired.',
    }),
    redemptionOf('r_0', {
      ...together,
      related_object_type: 'redemption',
      related_object_id: 'r_0',
      redemptions: ['r_2', 'r_3'],
    }),
    redemptionOf('r_2', {
      ...together,
      ...card,
      redemption: 'r_0',
      amount: 200,
      gift_credits: 200,
      session_key: 'ssn_1',
    }),
    redemptionOf('r_3', {
      ...together,
      redemption: 'r_0',
      related_object_type: 'promotion_tier',
      related_object_id: 'promo_one',
      related_object_parent_id: 'camp_tiers',
      campaign: 'Tiers',
      order: { items: [], metadata: {}, object: 'order', amount: 500, total_amount: 450 },
    }),
  ]);
  return shop;
}

/** The newest redemption comes first. */
export const newestFirst = ['r_3', 'r_2', 'r_0', 'rf_1', 'rr_1', 'r_1'];

export const idsOf = (all: { id: string }[]) => all.map(({ id }) => id);
