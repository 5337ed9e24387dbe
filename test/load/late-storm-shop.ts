import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as adjustMember } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import type { Request } from '../support/api-event.ts';

/** A small shop whose limits a storm of some fifty calls reaches, and the calls. */

export const limits = { code: 6, gift: 60, card: 80, budget: 5, session: 4 } as const;
export const credits = 10;
export const points = 10;

const off = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const coupon = (code: string, quantity: number | null, more = {}) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', active: true, discount: off, redemption: { quantity } },
  ...more,
});

export const shop = {
  campaigns: [
    { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' },
    { id: 'camp_sale', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
  ],
  customers: [{ id: 'cust_1', source_id: 'ada' }],
  event_schema: [{ name: 'visited', metadata: {} }],
  earning_rules: [
    {
      ...{ id: 'ern_visit', campaign_id: 'camp_club', event: 'visited', active: true },
      loyalty: { type: 'FIXED', points: 3 },
    },
  ],
  rewards: [
    { id: 'rew_coin', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
  ],
  reward_assignments: [
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  validation_rules: [
    {
      ...{ id: 'val_budget', name: 'Budget', error: { message: 'budget' } },
      rules: { 1: { name: 'campaign.redemptions.count', conditions: { $less_than_or_equal: [limits.budget] } } },
    },
  ],
  validation_rules_assignments: [
    { rule_id: 'val_budget', related_object_type: 'campaign', related_object_id: 'camp_sale' },
  ],
  vouchers: [
    coupon('CODE', limits.code),
    coupon('SALE-A', null, { campaign_id: 'camp_sale' }),
    coupon('SALE-B', null, { campaign_id: 'camp_sale' }),
    coupon('LOCKED', limits.session),
    { code: 'GIFT', type: 'GIFT_VOUCHER', active: true, gift: { amount: limits.gift, balance: limits.gift } },
    {
      ...{ code: 'CARD', type: 'LOYALTY_CARD', active: true, campaign_id: 'camp_club', holder_id: 'cust_1' },
      loyalty_card: { points: limits.card, balance: limits.card },
    },
  ],
};

export type Asked = readonly [kind: string, handler: Endpoint, request: Omit<Request, 'headers'>];

const order = { amount: 10_000 };
const redeeming = (kind: string, redeemable: object): Asked => [
  kind,
  redeem,
  { body: { redeemables: [{ object: 'voucher', ...redeemable }], order } },
];

export const sales = {
  code: redeeming('code', { id: 'CODE' }),
  budget: redeeming('budget', { id: 'SALE-A' }),
  other: redeeming('budget', { id: 'SALE-B' }),
  gift: redeeming('gift', { id: 'GIFT', gift: { credits } }),
  card: redeeming('card', { id: 'CARD', reward: { id: 'rew_coin', points } }),
};
export const locking = (session: number): Asked => [
  'session',
  validate,
  {
    body: {
      redeemables: [{ object: 'voucher', id: 'LOCKED' }],
      order,
      session: { type: 'LOCK', key: `till-${session}`, ttl: 1, ttl_unit: 'DAYS' },
    },
  },
];
export const earning: Asked = ['event', sendEvent, { body: { event: 'visited', customer: { id: 'cust_1' } } }];
export const adjusting: Asked = ['adjustment', adjustMember, { params: { memberId: 'CARD' }, body: { points: 2 } }];
