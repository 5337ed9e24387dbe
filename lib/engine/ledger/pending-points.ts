import * as v from 'valibot';
import { dateTime, integer, nullable } from '#kernel/core/schema.ts';
import { setDue } from '#kernel/table/due.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { clearPlace, listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { cards } from './card.ts';
import { earnedWith } from './earning-cause.ts';
import { pointsExpirationRules } from './lots.ts';

/** Stored pending points, next to the card. */
export const pendingPointsItem = v.object({
  id: v.string(),
  voucher_id: v.string(),
  /** The campaign of the card. */
  campaign_id: nullable(v.string()),
  points: integer,
  state: v.picklist(['PENDING', 'ACTIVATED', 'CANCELED']),
  /** Absent if a project file brought them. Such points wait for an operator. */
  created_at: v.optional(dateTime),
  updated_at: v.optional(dateTime),
  /** The time when they become points of the card automatically. */
  activates_at: v.optional(dateTime),
  earning_rule_id: v.optional(v.string()),
  /** The rule's name for members. */
  banner: v.optional(v.string()),
  ...earnedWith,
  /** The expiration of the rule that made them, which begins when they become points. */
  expiration_rules: v.optional(pointsExpirationRules),
  event: v.optional(v.string()),
  /** The group of the activities of their origin. */
  group_id: v.optional(v.string()),
  order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
});

export const pendingPoints = childKind(cards, kinds.pendingPoints, pendingPointsItem);

export type PendingPointsItem = v.InferOutput<typeof pendingPointsItem>;

/** Lists the PENDING points of all cards of a campaign by id. */
export const pendingOfCampaign = listing(listIndexes.first, 'PENDING_POINTS_OF_CAMPAIGN', { shards: 8 });

/** The attributes of pending points in the list. */
export const listedPending = v.object({
  id: v.string(),
  voucher_id: v.string(),
  created_at: v.optional(v.string()),
});

/** Returns the attributes that put pending points into the list. */
export function placePendingPoints(projectId: string, item: PendingPointsItem): Attributes {
  const { id, campaign_id, state } = item;
  if (!campaign_id || state !== 'PENDING') return {};
  return { ...placeInList(pendingOfCampaign, [projectId, campaign_id], [id]), listed: v.parse(listedPending, item) };
}

/** Ends the PENDING state, if the points are unchanged since the read. */
export function endPending(
  projectId: string,
  { id, voucher_id, points }: PendingPointsItem,
  state: Exclude<PendingPointsItem['state'], 'PENDING'>,
  now: Date,
): Effect {
  const key = pendingPoints(projectId, voucher_id, id);
  return change(key, (update) => {
    setDue(update, key, undefined)
      .whenStill('state', 'PENDING')
      .whenStill('points', points)
      .set(['state'], state)
      .set(['updated_at'], now.toISOString());
    return update.replaceAll(clearPlace(pendingOfCampaign));
  });
}

/** Returns the further objects of an activity about pending points: the order that earned them, and the card's pending points. */
export function pendingData(
  card: { readonly id: string },
  { order }: Pick<PendingPointsItem, 'order'>,
  { change, total }: { readonly change: number; readonly total: number },
) {
  return {
    ...(order ? { order: { ...order, object: 'order' } } : {}),
    voucher_pending_points_balance: {
      points: change,
      total,
      object: 'balance',
      related_object: { type: 'voucher', id: card.id },
    },
  };
}
