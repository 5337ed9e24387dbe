import { campaignEntry, earningRule, loyaltyTier } from './lists.ts';

/** A loyalty programme with tiers, earning rules and members, and a referral programme. Events act on them. */

const made = { created_at: '2026-01-10T09:00:00.000Z' };

const tier = (id: string, from: number, to: number | undefined, earning_rules = {}) =>
  loyaltyTier(id, id.toUpperCase(), { from, ...(to === undefined ? {} : { to }) }, { earning_rules, ...made });

export const card = (code: string, points: number, more = {}) => ({
  code,
  type: 'LOYALTY_CARD',
  campaign_id: 'camp_club',
  active: true,
  loyalty_card: { points, balance: points },
  ...made,
  ...more,
});

export const club = {
  campaigns: [
    campaignEntry('camp_club', 'Club', 'LOYALTY_PROGRAM', {
      type: 'AUTO_UPDATE',
      category: 'Members',
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 0, expiration_rules: { period_type: 'MONTH', period_value: 12 } },
      },
      ...made,
    }),
    campaignEntry('camp_friends', 'Friends', 'REFERRAL_PROGRAM', {
      type: 'AUTO_UPDATE',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } },
      ...made,
    }),
    { id: 'camp_spring', name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', ...made },
  ],
  categories: [{ id: 'cat_members', name: 'Members' }],
  loyalty_tiers: [
    tier('ltr_bronze', 0, 399),
    tier('ltr_silver', 400, 999, {
      ern_order: { type: 'MULTIPLY', multiplier: 1.5 },
      ern_visit: { type: 'MULTIPLY', multiplier: 1.15 },
    }),
    tier('ltr_gold', 1000, undefined, { ern_review: { type: 'CUSTOM', points: 75 } }),
  ],
  earning_rules: [
    earningRule('ern_order', 'order_paid', { type: 'PROPORTIONAL', metadata_key: 'amount', points: 1, every: 100 }),
    earningRule('ern_order_extra', 'order_paid', { type: 'FIXED', points: 3 }),
    earningRule('ern_review', 'review_written', { type: 'FIXED', points: 20 }),
    earningRule('ern_visit', 'visited', { type: 'FIXED', points: 100 }),
    earningRule('ern_photo', 'photo_added', { type: 'FIXED', points: 50 }, { pending_points: { days: 14 } }),
    earningRule('ern_jackpot', 'jackpot_hit', { type: 'PROPORTIONAL', metadata_key: 'amount', points: 1000, every: 1 }),
    earningRule('ern_off', 'signed_in', { type: 'FIXED', points: 5 }, { active: false }),
  ],
  event_schema: [
    { name: 'order_paid', metadata: { amount: 'number', order_id: 'string', gift: 'boolean', on: 'date' } },
    { name: 'review_written', metadata: {} },
    { name: 'visited', metadata: {} },
    { name: 'jackpot_hit', metadata: { amount: 'number' } },
    { name: 'photo_added', metadata: {} },
    { name: 'signed_in', metadata: {} },
  ],
  customers: [
    { id: 'cust_ada', source_id: 'shop-1', name: 'Ada', email: 'ada@mail.example', metadata: { lang: 'en' }, ...made },
    { id: 'cust_bob', source_id: 'shop-2', name: 'Bob', ...made },
  ],
  vouchers: [
    card('ADA', 900, { holder_id: 'cust_ada' }),
    card('BOB', 60, { holder_id: 'cust_bob' }),
    card('RICH', 2000, { holder_id: 'cust_bob' }),
    card('NOBODYS', 0),
    card('OFF', 10, { active: false }),
    card('OVER', 10, { expiration_date: '2026-06-01T00:00:00Z' }),
    { code: 'COUPON', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_spring', active: true },
    { code: 'FRIEND-ADA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_friends', holder_id: 'cust_ada', active: true },
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 1200 }, holder_id: 'cust_ada', active: true },
  ],
};
