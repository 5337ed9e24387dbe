import type { activityTypes } from './activity.ts';

type ActivityType = (typeof activityTypes)[keyof typeof activityTypes];

const ofCard = ['campaign?', 'voucher'];
const ofPending = [...ofCard, 'order?', 'pending_points', 'voucher_pending_points_balance'];
const ofTier = [...ofCard, 'created_at'];
const ofMove = [...ofTier, 'loyalty_tier_from', 'loyalty_tier_to'];
const ofPublication = ['campaign?', 'publication', 'voucher?', 'vouchers?'];
const ofRedeemable = ['campaign?', 'voucher?', 'holder?', 'promotion_tier?', 'order?'];
const ofOrder = ['order', 'referrer?', 'redemption?'];
const ofReward = [
  ...['campaign', 'voucher', 'holder', 'reward', 'reward_assignment', 'reward_redemption'],
  ...['source', 'redemption', 'balance'],
];
const ofPoints = [...ofCard, 'balance', 'transaction'];

/**
 * Lists the objects in `data.data` by type, besides `customer`, which every activity has. A question mark marks optional objects
 * (docs/activities.md#activities).
 */
export const activityObjects: Readonly<Record<ActivityType, readonly string[]>> = {
  'customer.created': [],
  'customer.updated': [],
  'customer.custom_event': ['event', 'event_schema', 'loyalty?', 'referral?'],
  'customer.referred': ['referee', 'referrer', 'campaign?', 'voucher', 'custom_event?', 'redemption?', 'order?'],
  'customer.order.created': ofOrder,
  'customer.order.updated': ofOrder,
  'customer.order.paid': ofOrder,
  'customer.order.processing': ofOrder,
  'customer.order.canceled': ofOrder,
  'customer.order.fulfilled': ofOrder,
  'customer.order.returned': ['order', 'order_return'],
  'customer.segment.entered': ['segment'],
  'customer.segment.left': ['segment'],
  'customer.voucher.deleted': ofCard,
  'customer.publication.succeeded': ofPublication,
  'customer.publication.failed': ofPublication,
  'customer.holder.assignment.created': ['holder', 'campaign?', 'voucher?', 'vouchers?'],
  'customer.holder.assignment.deleted': ['holder', 'campaign?', 'voucher'],
  'customer.redemption.succeeded': ['redemption', ...ofRedeemable],
  'customer.redemption.failed': ['redemption', ...ofRedeemable],
  'customer.redemption.rollback.succeeded': ['redemption_rollback', ...ofRedeemable],
  'customer.redemption.rollback.failed': ['redemption_rollback', ...ofRedeemable],
  'customer.voucher.gift.balance_added': ofPoints,
  'customer.voucher.loyalty_card.points_added': ofPoints,
  'customer.voucher.loyalty_card.points_transferred': ofPoints,
  'customer.voucher.loyalty_card.points_expired': ofPoints,
  'customer.voucher.loyalty_card.pending_points.added': ofPending,
  'customer.voucher.loyalty_card.pending_points.updated': ofPending,
  'customer.voucher.loyalty_card.pending_points.activated': ofPending,
  'customer.voucher.loyalty_card.pending_points.canceled': ofPending,
  'customer.loyalty.tier.joined': [...ofTier, 'loyalty_tier'],
  'customer.loyalty.tier.upgraded': ofMove,
  'customer.loyalty.tier.downgraded': ofMove,
  'customer.loyalty.tier.left': [...ofTier, 'loyalty_tier'],
  'customer.loyalty.tier.prolonged': [...ofTier, 'loyalty_tier'],
  'customer.loyalty.tier.expiration.changed': [
    ...ofCard,
    'loyalty_tier?',
    'expiration_date?',
    'previous_expiration_date?',
  ],
  'customer.rewarded': ofReward,
  'customer.rewarded.loyalty_points': [...ofCard, 'holder', 'earning_rule', 'balance', 'order?', 'event?'],
  'customer.reward_redemptions.created': ofReward,
  'customer.reward_redemptions.pending': ofReward,
  'customer.reward_redemptions.completed': ofReward,
  'customer.reward_redemptions.rolledback': ['campaign', 'voucher', 'holder', 'reward', 'reward_redemption'],
};
