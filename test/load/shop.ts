import { assignedReward, campaignEntry, couponCampaign, earningRule, loyaltyTier } from '../support/lists.ts';
/** The project of the load test. It is large enough for minutes of traffic without running out of anything. */

export const members = 100;
/** These first cards receive much of the traffic. */
export const hotMembers = 4;
export const coupons = 500;
/** Disabled codes for `enable`, which begins again with the first. */
export const sleepers = 500;
export const promotionTiers = 6;
export const openingPoints = 1_000_000;
export const openingPending = 1_000_000;
export const projectId = 'proj_load';

/** The points of an event in the highest tier, where all members are and stay. */
export const earned = {
  order_paid: (amount: number) => 2 * Math.floor(amount / 100),
  visited: 10,
  /** These points stay pending for longer than the test runs. */
  photo_added: 50,
} as const;

const made = { created_at: '2026-01-10T09:00:00.000Z' };

const upTo = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const tills = upTo(4, (index) => ({
  app_id: `till-${index}`,
  app_token: `the-token-of-till-number-${index}`,
  name: `Till ${index}`,
}));

export const headersOf = (till: (typeof tills)[number] | undefined) => ({
  'X-App-Id': till?.app_id ?? '',
  'X-App-Token': till?.app_token ?? '',
});

export const card = (member: number) => `CARD-${member}`;
export const customer = (member: number) => `cust_${member}`;
export const source = (member: number) => `crm-${member}`;
export const pendingPoints = (member: number) => `lopp_${member}`;
export const coupon = (index: number) => `SPRING-${index}`;
export const sleeper = (index: number) => `ASLEEP-${index}`;
export const promotionTier = (index: number) => `promo_${index}`;

const rule = (id: string, event: string, loyalty: object, more = {}) => earningRule(id, event, loyalty, more);

const couponOf = (code: string, active: boolean) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  campaign_id: 'camp_spring',
  active,
  ...made,
});

export function shop(): object {
  return {
    project: { id: projectId, name: 'Load test' },
    app_keys: tills,
    brands: [
      {
        id: 'brd_load',
        brand: {
          name: 'Load',
          privacy_policy_url: null,
          terms_of_use_url: null,
          permission_reminder: 'You are a member.',
          website_url: null,
        },
        address: { street: 'Quay 1', city: 'Bergen', postal: '5013', state: null, country: 'Norway' },
        contact: { email: 'shop@mail.example', phone: null },
        cockpits: {
          campaigns_overview_enabled: true,
          loyalty_enabled: true,
          gift_cards_enabled: true,
          coupons_enabled: true,
          referrals_enabled: true,
          use_custom_double_opt_in_redirect_url: false,
          theme: 'light',
          custom_double_opt_in_redirect_url: null,
        },
      },
    ],
    categories: [{ id: 'cat_members', name: 'Members' }],
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
      couponCampaign('camp_spring', 'Spring', { type: 'PERCENT', percent_off: 10 }, { type: 'AUTO_UPDATE', ...made }),
      { id: 'camp_basket', name: 'Basket', campaign_type: 'PROMOTION', type: 'STATIC', ...made },
    ],
    promotion_tiers: upTo(promotionTiers, (index) => ({
      id: promotionTier(index),
      name: `Basket ${index}`,
      campaign_id: 'camp_basket',
      hierarchy: index + 1,
      action: { discount: { type: 'PERCENT', percent_off: index + 1 } },
      ...made,
    })),
    loyalty_tiers: [
      { id: 'ltr_blue', name: 'Blue', campaign_id: 'camp_club', points: { from: 0, to: 999 }, ...made },
      loyaltyTier(
        'ltr_gold',
        'Gold',
        { from: 1_000 },
        {
          earning_rules: { ern_order: { type: 'MULTIPLY', multiplier: 2 } },
          rewards: { rewa_0: { type: 'CUSTOM', points: 90 } },
          ...made,
        },
      ),
    ],
    earning_rules: [
      rule('ern_order', 'order_paid', { type: 'PROPORTIONAL', metadata_key: 'amount', points: 1, every: 100 }),
      rule('ern_visit', 'visited', { type: 'FIXED', points: earned.visited }),
      rule('ern_photo', 'photo_added', { type: 'FIXED', points: earned.photo_added }, { pending_points: { days: 14 } }),
    ],
    event_schema: [
      { name: 'order_paid', metadata: { amount: 'number', receipt: 'string' } },
      { name: 'visited', metadata: {} },
      { name: 'photo_added', metadata: {} },
    ],
    rewards: upTo(3, (index) => ({
      id: `rew_${index}`,
      name: `Reward ${index}`,
      type: 'COIN',
      parameters: { coin: { exchange_ratio: 1, points_ratio: 5 } },
      ...made,
    })),
    reward_assignments: upTo(3, (index) => assignedReward(`rewa_${index}`, `rew_${index}`, 100, made)),
    customers: upTo(members, (member) => ({
      id: customer(member),
      source_id: source(member),
      name: `Member ${member}`,
      email: `member-${member}@mail.example`,
      ...made,
    })),
    vouchers: [
      ...upTo(members, (member) => ({
        code: card(member),
        type: 'LOYALTY_CARD',
        campaign_id: 'camp_club',
        active: true,
        holder_id: customer(member),
        loyalty_card: { points: openingPoints, balance: openingPoints },
        ...made,
      })),
      ...upTo(coupons, (index) => couponOf(coupon(index), true)),
      ...upTo(sleepers, (index) => couponOf(sleeper(index), false)),
    ],
    pending_points: upTo(members, (member) => ({
      id: pendingPoints(member),
      code: card(member),
      points: openingPending,
      state: 'PENDING',
    })),
  };
}
