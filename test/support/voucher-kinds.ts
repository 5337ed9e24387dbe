import { campaignEntry, coupon, couponCampaign, giftVoucher } from './lists.ts';
import { loadProject } from './project.ts';

export const category = {
  id: 'cat_spring',
  name: 'Spring',
  hierarchy: 3,
  created_at: '2026-01-01T00:00:00.000Z',
  object: 'category',
};
export const otherCategory = { ...category, id: 'cat_vip', name: 'VIP', hierarchy: 1 };
export const percent = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' };
export const amount = { type: 'AMOUNT', amount_off: 250, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' };

export const campaigns = [
  couponCampaign('camp_spring', 'Spring sale', percent, {
    category_id: 'cat_spring',
    start_date: '2026-03-01T00:00:00.000Z',
    expiration_date: '2026-05-31T23:59:59.000Z',
    validity_timeframe: { interval: 'P2D', duration: 'P1D' },
    validity_day_of_week: [1, 2],
    validity_hours: { daily: [{ start_time: '17:00', expiration_time: '19:00', days_of_week: [1] }] },
    active: false,
  }),
  campaignEntry('camp_gift', 'Gifts', 'GIFT_VOUCHERS', { type: 'AUTO_UPDATE', voucher: { type: 'GIFT_VOUCHER' } }),
  campaignEntry('camp_club', 'Club', 'LOYALTY_PROGRAM', { type: 'AUTO_UPDATE', voucher: { type: 'LOYALTY_CARD' } }),
  campaignEntry('camp_dated', 'Dated', 'DISCOUNT_COUPONS', {
    start_date: '2026-01-01T00:00:00.000Z',
    expiration_date: '2026-12-31T00:00:00.000Z',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: percent,
      start_date: '2026-02-01T00:00:00.000Z',
      validity_timeframe: { interval: 'P7D', duration: 'P2D' },
    },
  }),
  { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
  campaignEntry('camp_friend', 'Friends', 'REFERRAL_PROGRAM', {
    type: 'AUTO_UPDATE',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: amount, is_referral_code: true },
  }),
];

export const vouchers = [
  { code: 'CREDITED', type: 'GIFT_VOUCHER', gift: { amount: 500, credited: 200, balance: 600 } },
  { code: 'DATED', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_dated' },
  { code: 'SPRING-1', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_spring', active: true, redemption: { quantity: 1 } },
  coupon('SPRING-OWN', amount, {
    campaign: 'Spring sale',
    active: false,
    category: 'VIP',
    start_date: '2026-04-01T02:00:00+02:00',
    expiration_date: '2026-04-30T00:00:00.000Z',
    validity_timeframe: { interval: 'P7D', duration: 'PT1H' },
    validity_day_of_week: [0],
    validity_hours: { daily: [{ start_time: '08:00', expiration_time: '09:00' }] },
    additional_info: 'for the press',
    metadata: { deep: { list: [1, 'two', null] } },
    holder_id: 'cust_ada',
    referrer_id: 'someone',
    publish: { count: 2 },
    redemption: { quantity: 5, redeemed_quantity: 3 },
    updated_at: '2026-02-03T00:00:00.000Z',
    created_at: '2026-02-02T00:00:00.000Z',
  }),
  giftVoucher(
    'GIFT-1',
    { amount: 5000, balance: 4200, effect: 'APPLY_TO_ORDER' },
    { campaign_id: 'camp_gift', redemption: { quantity: null, redeemed_quantity: 1, redeemed_amount: 800 } },
  ),
  {
    code: 'CLUB-1',
    type: 'LOYALTY_CARD',
    campaign_id: 'camp_club',
    loyalty_card: {
      points: 1200,
      balance: 900,
      lots: [
        { points: 500, expires: '2028-12-31' },
        { points: 300, expires: '2027-12-31' },
        { points: 100, expires: null },
      ],
    },
    redemption: { quantity: null, redeemed_quantity: 2, redeemed_points: 300 },
  },
  { code: 'CLUB-2', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 450 } },
  { code: 'FRIEND-1', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_friend' },
  { code: 'LOOSE', type: 'DISCOUNT_VOUCHER', discount: amount },
  { code: 'a b/c#é日?%2F', type: 'DISCOUNT_VOUCHER', discount: amount },
];

/** Loads a project with vouchers of all kinds, in campaigns of all kinds and standalone. */
export function loadVouchers() {
  return loadProject({
    categories: [category, otherCategory],
    campaigns,
    vouchers,
    customers: [{ id: 'cust_ada' }],
    validation_rules: [{ id: 'val_1', name: 'Basket over 20' }],
    validation_rules_assignments: [
      {
        id: 'asgm_campaign',
        rule_id: 'val_1',
        related_object_id: 'camp_spring',
        related_object_type: 'campaign',
        created_at: '2026-02-01T00:00:00.000Z',
      },
      {
        id: 'asgm_own',
        rule_id: 'val_1',
        related_object_id: 'SPRING-OWN',
        related_object_type: 'voucher',
        created_at: '2026-02-02T00:00:00.000Z',
      },
    ],
  });
}
