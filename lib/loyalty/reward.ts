import * as v from 'valibot';
import { type Attributes, parseStored } from '../dynamodb.ts';
import type { Listing } from '../lists/counted-list.ts';
import { count, dateTime, integer, metadata, nullable } from '../schema.ts';
import { orderedLists, placeBy } from '../table.ts';

/** Contract, "Reward". */
export const reward = v.object({
  id: v.string(),
  name: v.string(),
  type: v.picklist(['CAMPAIGN', 'MATERIAL', 'COIN']),
  parameters: v.object({
    campaign: v.optional(v.object({ id: v.string(), balance: nullable(integer), type: v.optional(v.string()) })),
    product: v.optional(v.object({ id: v.string(), sku_id: nullable(v.string()) })),
    coin: v.optional(v.object({ exchange_ratio: v.number(), points_ratio: v.number() })),
  }),
  stock: v.nullable(count),
  redeemed: v.nullable(count),
  attributes: v.optional(v.object({ image_url: v.optional(v.string()), description: v.optional(v.string()) })),
  created_at: dateTime,
  updated_at: v.nullable(dateTime),
  metadata,
  object: v.literal('reward'),
});

export type Reward = v.InferOutput<typeof reward>;

/** As stored: what has no value is not there. */
const rewardItem = v.object({
  ...reward.entries,
  stock: v.optional(count),
  redeemed: v.optional(count),
  updated_at: v.optional(dateTime),
  metadata: v.optional(metadata, {}),
  object: v.optional(v.literal('reward'), 'reward'),
});

export function presentReward(stored: Attributes): Reward {
  const { stock = null, redeemed = null, updated_at = null, ...shown } = parseStored(rewardItem, stored);
  return { ...shown, stock, redeemed, updated_at };
}

/** Contract, "Reward assignment". */
export const rewardAssignment = v.object({
  id: v.string(),
  reward_id: v.string(),
  related_object_id: v.string(),
  related_object_type: v.picklist(['campaign']),
  parameters: v.optional(v.object({ loyalty: v.optional(v.object({ points: count })) })),
  created_at: dateTime,
  updated_at: v.nullable(dateTime),
  object: v.literal('reward_assignment'),
});

export type RewardAssignment = v.InferOutput<typeof rewardAssignment>;

const rewardAssignmentItem = v.object({
  ...rewardAssignment.entries,
  updated_at: v.optional(dateTime),
  object: v.optional(v.literal('reward_assignment'), 'reward_assignment'),
});

export function presentRewardAssignment(stored: Attributes): RewardAssignment {
  const { updated_at = null, ...shown } = parseStored(rewardAssignmentItem, stored);
  return { ...shown, updated_at };
}

/** Contract, "Loyalty tier reward". */
export const loyaltyTierReward = v.object({
  reward,
  assignment: rewardAssignment,
  object: v.literal('loyalty_tier_reward'),
});

export type LoyaltyTierReward = v.InferOutput<typeof loyaltyTierReward>;

const listed = v.object({ id: v.string(), related_object_id: v.string(), created_at: v.string() });

/** Assignments by time; those of one moment by id. */
export function rewardAssignmentPlace({ created_at, id }: { created_at: string; id: string }): string {
  return placeBy(created_at, id);
}

export function rewardAssignmentListing(projectId: string): Listing {
  return {
    by: ['related_object_id', 'created_at'],
    placesOf: (element) => {
      const item = parseStored(listed, element);
      const list = orderedLists.rewardAssignments(projectId, item.related_object_id);
      return [{ list, at: rewardAssignmentPlace(item) }];
    },
  };
}
