import * as v from 'valibot';
import { newId, newTimedId, readIdTime } from '#kernel/core/ids.ts';
import { dateTime } from '#kernel/core/schema.ts';

/** Types of activities that the service writes. A project file may have others. */
export const activityTypes = {
  created: 'customer.created',
  updated: 'customer.updated',
  customEvent: 'customer.custom_event',
  referred: 'customer.referred',
  orderCreated: 'customer.order.created',
  orderUpdated: 'customer.order.updated',
  orderPaid: 'customer.order.paid',
  orderProcessing: 'customer.order.processing',
  orderCanceled: 'customer.order.canceled',
  orderFulfilled: 'customer.order.fulfilled',
  orderReturned: 'customer.order.returned',
  segmentEntered: 'customer.segment.entered',
  segmentLeft: 'customer.segment.left',
  voucherDeleted: 'customer.voucher.deleted',
  published: 'customer.publication.succeeded',
  publishingFailed: 'customer.publication.failed',
  rolledBack: 'customer.redemption.rollback.succeeded',
  rollbackFailed: 'customer.redemption.rollback.failed',
  holderAssigned: 'customer.holder.assignment.created',
  holderRemoved: 'customer.holder.assignment.deleted',
  redeemed: 'customer.redemption.succeeded',
  redemptionFailed: 'customer.redemption.failed',
  pointsAdded: 'customer.voucher.loyalty_card.points_added',
  giftBalanceAdded: 'customer.voucher.gift.balance_added',
  pointsTransferred: 'customer.voucher.loyalty_card.points_transferred',
  pointsExpired: 'customer.voucher.loyalty_card.points_expired',
  pendingPointsAdded: 'customer.voucher.loyalty_card.pending_points.added',
  pendingPointsUpdated: 'customer.voucher.loyalty_card.pending_points.updated',
  pendingPointsActivated: 'customer.voucher.loyalty_card.pending_points.activated',
  pendingPointsCanceled: 'customer.voucher.loyalty_card.pending_points.canceled',
  joined: 'customer.loyalty.tier.joined',
  upgraded: 'customer.loyalty.tier.upgraded',
  downgraded: 'customer.loyalty.tier.downgraded',
  left: 'customer.loyalty.tier.left',
  rewarded: 'customer.rewarded',
  rewardedPoints: 'customer.rewarded.loyalty_points',
  rewardRedemptionCreated: 'customer.reward_redemptions.created',
  rewardRedemptionPending: 'customer.reward_redemptions.pending',
  rewardRedemptionCompleted: 'customer.reward_redemptions.completed',
  rewardRedemptionRolledBack: 'customer.reward_redemptions.rolledback',
  prolonged: 'customer.loyalty.tier.prolonged',
  tierExpirationChanged: 'customer.loyalty.tier.expiration.changed',
} as const;

/** The channel and credentials of a request. */
export const eventSource = v.looseObject({ channel: v.optional(v.string()) });

/** A stored source. `via` names the caller's software. Transactions show it, and activities do not. */
export const keptSource = v.looseObject({ ...eventSource.entries, via: v.optional(v.string()) });

export type EventSource = v.InferOutput<typeof keptSource>;

export function showSource({ via: _, ...source }: EventSource): EventSource {
  return source;
}

/** Returns the source of a request: its caller, or INTERNAL if the service acts by itself. */
function eventSourceOf(
  caller: { appId: string; appName: string; origin?: string; channel?: string; automatic?: true } | undefined,
): EventSource {
  const channel = caller?.origin === undefined ? 'API' : 'CLIENT_API';
  return caller && !caller.automatic
    ? {
        channel,
        ...(caller.channel === undefined ? {} : { via: caller.channel }),
        api_key: { name: caller.appName, app_id: caller.appId },
      }
    : { channel: 'INTERNAL' };
}

/** The time and the caller of an event. */
export interface Occasion {
  now: Date;
  /** The group of all activities of a request: the id in its reply's header, or an own id for work without a request. */
  groupId: string;
  source: EventSource;
}

/** Returns the occasion of a request, or of time without a caller. */
export function readOccasion({
  now,
  caller,
  requestId,
}: {
  now: Date;
  caller?: Parameters<typeof eventSourceOf>[0];
  requestId?: string;
}): Occasion {
  return { now, groupId: requestId ?? newId('group'), source: eventSourceOf(caller) };
}

/** Attributes by which lists are filtered and sorted. */
const listedSubject = {
  campaign_id: v.optional(v.string()),
  campaign_type: v.optional(v.string()),
  product_id: v.optional(v.string()),
  code: v.optional(v.string()),
  campaign: v.optional(v.string()),
  category: v.optional(v.string()),
};

/** The group of an activity, and its subject. */
export const activitySubject = { group_id: v.optional(v.string()), ...listedSubject };

/** A stored activity. `data.data` depends on the type. Its customer is an id only, which reading completes. */
export const activityItem = v.object({
  id: v.string(),
  type: v.string(),
  created_at: dateTime,
  data: v.looseObject({ data: v.looseObject({}), event_source: v.optional(eventSource) }),
  ...activitySubject,
});

export type ActivityItem = v.InferOutput<typeof activityItem>;

/** The attributes of an activity in the index. */
export const listedActivity = v.object({
  id: v.string(),
  type: v.string(),
  created_at: v.string(),
  ...listedSubject,
});

export type ListedActivity = v.InferOutput<typeof listedActivity>;

/** An event to record, about `campaign` and `code`. */
export interface Happening {
  type: string;
  data: Record<string, unknown>;
  /** The campaign. Lists find its kind if `campaign_type` is missing. */
  campaign?: { id: string; name?: string | undefined; campaign_type?: string | undefined } | undefined;
  code?: string | undefined;
}

/** Shows the campaign in an activity's data. */
export function showActivityCampaign(campaign: Happening['campaign']) {
  return campaign ? { campaign: { id: campaign.id, name: campaign.name, object: 'campaign' } } : {};
}

export function newActivity(
  { now, groupId, source }: Occasion,
  { type, data, campaign, code }: Happening,
): ActivityItem {
  return {
    id: newTimedId('activity', now),
    type,
    created_at: now.toISOString(),
    group_id: groupId,
    data: { data, event_source: showSource(source) },
    ...(campaign ? { campaign_id: campaign.id } : {}),
    ...(campaign?.campaign_type === undefined ? {} : { campaign_type: campaign.campaign_type }),
    ...(campaign?.name === undefined ? {} : { campaign: campaign.name }),
    ...(code === undefined ? {} : { code }),
  };
}

/** Returns the time of an activity that the service wrote, from its id alone. */
export function readActivityTime(id: string): string | undefined {
  return readIdTime('activity', id)?.toISOString();
}
