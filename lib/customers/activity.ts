import * as v from 'valibot';
import type { Attributes } from '../dynamodb.ts';
import { timeOfId } from '../ids.ts';
import { dateTime } from '../schema.ts';
import { indexed } from '../table.ts';

/** Ruling F.6: the kinds of activity that the service writes. A project file may bring others. */
export const activityTypes = {
  created: 'customer.created',
  updated: 'customer.updated',
  customEvent: 'customer.custom_event',
  referred: 'customer.referred',
  pointsAdded: 'customer.voucher.loyalty_card.points_added',
  pointsTransferred: 'customer.voucher.loyalty_card.points_transferred',
  pendingPointsUpdated: 'customer.voucher.loyalty_card.pending_points.updated',
  joined: 'customer.loyalty.tier.joined',
  upgraded: 'customer.loyalty.tier.upgraded',
  downgraded: 'customer.loyalty.tier.downgraded',
  left: 'customer.loyalty.tier.left',
} as const;

/** Through which channel and credentials something came about. */
export const eventSource = v.looseObject({ channel: v.optional(v.string()) });

export type EventSource = v.InferOutput<typeof eventSource>;

/** Who called, as activities tell it. */
export function eventSourceOf(caller: { appId: string; appName: string } | undefined): EventSource {
  return caller ? { channel: 'API', api_key: { name: caller.appName, app_id: caller.appId } } : { channel: 'SYSTEM' };
}

/** With what an activity belongs together, and what it is about: lists are filtered and sorted by it (ruling C.4). */
export const activitySubject = {
  group_id: v.optional(v.string()),
  campaign_id: v.optional(v.string()),
  campaign_type: v.optional(v.string()),
  product_id: v.optional(v.string()),
  code: v.optional(v.string()),
  campaign: v.optional(v.string()),
  category: v.optional(v.string()),
};

/**
 * As stored. What is in `data.data` depends on the type; the customer in it is an id only, and is filled in at reading.
 * `code`, `campaign` and `category` are what lists are sorted by (ruling C.4).
 */
export const activityItem = v.object({
  id: v.string(),
  type: v.string(),
  created_at: dateTime,
  data: v.looseObject({ data: v.looseObject({}), event_source: v.optional(eventSource) }),
  ...activitySubject,
});

export type ActivityItem = v.InferOutput<typeof activityItem>;

interface Place {
  customerId: string;
  campaignId?: string | null | undefined;
  createdAt: string;
  id: string;
}

/** The sort key of both indexes: activities of one moment are ordered by id (ruling C.4). */
export function activityAt({ createdAt, id }: Pick<Place, 'createdAt' | 'id'>): string {
  return `${createdAt}#${id}`;
}

/** What puts an item into the list of a customer's activities, and into that of those about a campaign. */
export function activityIndexes(projectId: string, { customerId, campaignId, ...place }: Place): Attributes {
  return {
    activityOfCustomer: indexed.customerActivities(projectId, customerId),
    activityAt: activityAt(place),
    ...(campaignId ? { activityOfCampaign: indexed.campaignActivities(projectId, customerId, campaignId) } : {}),
  };
}

/** Where an activity that the service has written stands in time, by its id alone. */
export function timeOfActivity(id: string): string | undefined {
  return timeOfId('activity', id)?.toISOString();
}
