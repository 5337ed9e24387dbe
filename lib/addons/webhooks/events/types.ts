import { kinds } from '#kernel/table/kind-names.ts';

/**
 * Lists the types of outgoing events. Each type names a kind of item. A record of such an item in the table's stream is the event.
 * `find-events.ts` reads the records, and `lib/addons/webhooks/fan-out/` builds the payloads by the kind.
 */

/** Names the source of an event: a kind of item, or an activity, which several kinds of items hold. */
type ToldBy = (typeof kinds)[keyof typeof kinds] | 'PROMOTION_STACK' | 'VALIDATION_RULES';

export interface EventType {
  readonly source: ToldBy;
  /** The keys of `data`. A question mark marks optional objects. */
  readonly objects: readonly string[];
  /** Says why the service never sends the type, although webhooks can choose it. */
  readonly never?: string;
}

const of = (source: ToldBy, ...objects: string[]): EventType => ({ source, objects });
const never = (source: ToldBy, why: string): EventType => ({ source, objects: [], never: why });

const rule = of('VALIDATION_RULES', 'rule');
const assignment = of(kinds.validationRulesAssignment, 'rule?', 'assignment');
const campaign = of(kinds.campaign, 'campaign');
const generation = of(kinds.job, 'campaign?', 'count');
const promotionTier = of(kinds.promotionTier, 'campaign?', 'promotion_tier');
const promotionStack = of('PROMOTION_STACK', 'campaign?', 'promotion_stack');
const loyaltyTier = of(kinds.loyaltyTier, 'campaign?', 'loyalty_tier');
const earningRule = of(kinds.earningRule, 'campaign?', 'earning_rule');
const rewardAssignment = of(kinds.rewardAssignment, 'campaign?', 'reward?', 'reward_assignment');
const rewarded = of(
  kinds.activity,
  ...['customer', 'campaign', 'voucher', 'holder', 'reward', 'reward_assignment', 'reward_redemption'],
  ...['source', 'redemption', 'balance'],
);
const rewardedPoints = of(
  kinds.activity,
  ...['customer', 'campaign?', 'voucher', 'holder', 'earning_rule', 'balance', 'order?', 'event?'],
);
const redeemable = ['customer?', 'order?', 'campaign?', 'voucher?', 'holder?', 'promotion_tier?'];
const redemption = of(kinds.redemption, 'redemption', ...redeemable);
const rollback = of(kinds.redemption, 'redemption_rollback', ...redeemable);
const voucher = of(kinds.voucher, 'voucher', 'campaign?');
/** A redemption may use up the last use. The state of its voucher decides. */
const usedUp = of(kinds.redemption, 'voucher', 'campaign?');
const publication = of(kinds.publication, 'customer?', 'campaign?', 'publication', 'voucher?', 'vouchers?');
const causes = ['order?', 'redemption?', 'rollback?', 'reward?', 'earning_rule?', 'event?'];
const transaction = of(kinds.ledger, 'transaction', 'voucher', 'campaign?', 'holder?', 'balance', ...causes);
const balance = of(kinds.ledger, 'voucher', 'balance', 'campaign?', 'customer?', 'transaction');
const expired = { ...balance, objects: [...balance.objects, 'points', 'buckets'] };
const ofPending = ['customer?', 'campaign?', 'voucher', 'order?', 'pending_points'];
const orderReturned = of(kinds.orderReturn, 'customer?', 'order?', 'order_return');
const pendingPoints = of(kinds.pendingPoints, ...ofPending, 'voucher_pending_points_balance');
const activated = of(kinds.pendingPoints, ...ofPending, 'balance', 'transaction');
const referralTier = of(kinds.campaign, 'campaign', 'referral_tier');

/** The types that the public interface offers, and `voucher.used_up`, which it lacks. */
export const eventTypes = {
  'business_validation_rule.created': rule,
  'business_validation_rule.updated': rule,
  'business_validation_rule.deleted': rule,
  'business_validation_rule.assignment.created': assignment,
  'business_validation_rule.assignment.deleted': assignment,
  'campaign.created': campaign,
  'campaign.updated': campaign,
  'campaign.deleted': campaign,
  'campaign.enabled': campaign,
  'campaign.disabled': campaign,
  'campaign.vouchers.added': generation,
  'campaign.vouchers.generation.started': generation,
  'campaign.vouchers.generation.completed': generation,
  'campaign.vouchers.generation.failed': generation,
  'campaign.promotion_tier.created': promotionTier,
  'campaign.promotion_tier.updated': promotionTier,
  'campaign.promotion_tier.deleted': promotionTier,
  'campaign.promotion_tier.enabled': promotionTier,
  'campaign.promotion_tier.disabled': promotionTier,
  'campaign.promotion_stack.created': promotionStack,
  'campaign.promotion_stack.updated': promotionStack,
  'campaign.loyalty_tier.created': loyaltyTier,
  'campaign.loyalty_tier.updated': loyaltyTier,
  'campaign.loyalty_tier.deleted': loyaltyTier,
  'campaign.earning_rule.assigned': earningRule,
  'campaign.earning_rule.updated': earningRule,
  'campaign.earning_rule.deleted': earningRule,
  'campaign.earning_rule.enabled': earningRule,
  'campaign.earning_rule.disabled': earningRule,
  'campaign.referral_tier.created': referralTier,
  'campaign.referral_tier.updated': referralTier,
  'campaign.referral_tier.deleted': referralTier,
  'campaign.reward.assignment.created': rewardAssignment,
  'campaign.reward.assignment.updated': rewardAssignment,
  'campaign.reward.assignment.deleted': rewardAssignment,
  'customer.created': of(kinds.activity, 'customer'),
  'customer.updated': of(kinds.activity, 'customer'),
  'customer.deleted': of(kinds.customer, 'customer'),
  'customer.confirmed': never(kinds.customer, 'no request of the interface confirms a customer'),
  'customer.rewarded': rewarded,
  'customer.rewarded.loyalty_points': rewardedPoints,
  'order.returned': orderReturned,
  'publication.succeeded': publication,
  'redemption.succeeded': redemption,
  'redemption.failed': redemption,
  'redemption.rollback.succeeded': rollback,
  'redemption.rollback.failed': rollback,
  'voucher.created': voucher,
  'voucher.updated': voucher,
  'voucher.deleted': voucher,
  'voucher.enabled': voucher,
  'voucher.disabled': voucher,
  'voucher.published': publication,
  'voucher.used_up': usedUp,
  'voucher.gift.balance_added': balance,
  'voucher.gift.transaction.created': transaction,
  'voucher.loyalty_card.points_added': balance,
  'voucher.loyalty_card.points_expired': expired,
  'voucher.loyalty_card.transaction.created': transaction,
  'voucher.loyalty_card.pending_points.added': pendingPoints,
  'voucher.loyalty_card.pending_points.activated': activated,
  'voucher.loyalty_card.pending_points.canceled': pendingPoints,
  'voucher.loyalty_card.pending_points.updated': pendingPoints,
} as const satisfies Readonly<Record<string, EventType>>;

export type PublicEventType = keyof typeof eventTypes;

/** The published list of types misspells these. A webhook may name them, and keeps the right spelling. */
export const misspeltTypes: Readonly<Record<string, PublicEventType>> = {
  'campaign.vouchers.aded': 'campaign.vouchers.added',
  'voucher.gift.balance_aded': 'voucher.gift.balance_added',
  'voucher.loyalty_card.points_aded': 'voucher.loyalty_card.points_added',
  'voucher.loyalty_card.pending_points.aded': 'voucher.loyalty_card.pending_points.added',
};
