import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import { amend, change, type Effect, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { childKind, type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList, sortKey } from '#kernel/table/listing.ts';
import {
  type ActivityItem,
  activityItem,
  type Happening,
  type ListedActivity,
  listedActivity,
  newActivity,
  type Occasion,
} from './activity.ts';

const counter = v.object({ activities: v.optional(count, 0) });

/** The customer's counter of activities. */
const countingCustomers = kind(kinds.customer, counter);

export const activities = childKind(countingCustomers, kinds.activity, activityItem);

/** Counts the customer's own activities about one campaign. */
export const campaignActivityCounts = childKind(countingCustomers, kinds.campaignActivities, counter);

/**
 * Lists activities by time, then id. Each customer has a partition in each list, which accepts 1,000 activities a
 * second.
 */
export const customerActivities = listing(listIndexes.first, 'ACTIVITIES');
export const campaignActivities = listing(listIndexes.second, 'CAMPAIGN_ACTIVITIES');

/** Returns the place of an item with activities, for both lists. */
export function activityPlace({ created_at, id }: Pick<ActivityItem, 'created_at' | 'id'>): string {
  return sortKey(created_at, id);
}

/** The customer whose lists contain the activities. */
export interface ActivityOwner {
  customerId: string;
  /** The customer's card that counts them. Without a card the customer does. */
  card?: ItemKey | undefined;
}

/** Returns the attributes that put an item into the lists of the customer and of the campaign. */
export function placeActivities(
  projectId: string,
  customerId: string,
  id: string,
  all: readonly [ListedActivity, ...ListedActivity[]],
): Attributes & { listed: Attributes } {
  const [{ created_at, campaign_id }] = all;
  return {
    ...placeInList(customerActivities, [projectId, customerId], [created_at, id]),
    ...(campaign_id ? placeInList(campaignActivities, [projectId, customerId, campaign_id], [created_at, id]) : {}),
    listed: { activities: all.map((one) => v.parse(listedActivity, one)) },
  };
}

function counted(projectId: string, { customerId, card }: ActivityOwner, all: readonly ListedActivity[]): Effect[] {
  const [first] = all;
  const raised = card ?? countingCustomers(projectId, customerId);
  const ofCampaign = card ? undefined : first?.campaign_id;
  return [
    change(raised, (update) => update.whenThere().add('activities', all.length)),
    ...(ofCampaign
      ? [amend(campaignActivityCounts(projectId, customerId, ofCampaign), { add: { activities: all.length } })]
      : []),
  ];
}

interface Recorded {
  key: ItemKey;
  item: Attributes;
  /** Orders items of the same moment. */
  id: string;
  activities: readonly ListedActivity[];
  /** The attributes for the item's other lists. */
  listed?: Attributes;
}

/**
 * Inserts an item with activities of the same moment about the same campaign. The item is placed and counted in the
 * lists of its customer, if a customer is named.
 */
export function recordActivities(
  projectId: string,
  reader: ActivityOwner | undefined,
  { key, item, id, activities: all, listed }: Recorded,
): Effect[] {
  const [first, ...others] = all;
  if (!reader || !first) return [insert(key, listed ? { ...item, listed } : item)];
  const { listed: asActivities, ...places } = placeActivities(projectId, reader.customerId, id, [first, ...others]);
  return [
    insert(key, { ...item, ...places, listed: { ...listed, ...asActivities } }),
    ...counted(projectId, reader, all),
  ];
}

/**
 * Records an activity of the customer's own. `figures` are the counts for its campaign.
 * The stream adds them later (`lib/engine/campaigns/count-records.ts`).
 */
export function recordActivity(
  projectId: string,
  customerId: string,
  occasion: Occasion,
  { data, figures, ...happening }: Happening & { figures?: Readonly<Record<string, number>> },
): Effect[] {
  const item = newActivity(occasion, { ...happening, data: { customer: { id: customerId }, ...data } });
  const { id } = item;
  const key = activities(projectId, customerId, id);
  return recordActivities(
    projectId,
    { customerId },
    {
      key,
      item: figures ? { ...item, figures } : item,
      id,
      activities: [item],
    },
  );
}
