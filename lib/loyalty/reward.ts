import * as v from 'valibot';
import { named } from '../documented.ts';
import { count, dateTime, integer, metadata, nullable } from '../schema.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { kind } from '../table/kind.ts';
import { listing, placed, sortKey } from '../table/listing.ts';

export const reward = named(
  'Reward',
  v.object({
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
  }),
);

export type Reward = v.InferOutput<typeof reward>;

/** As stored: what has no value is not there. */
export const rewardItem = v.object({
  ...reward.entries,
  stock: v.optional(count),
  redeemed: v.optional(count),
  updated_at: v.optional(dateTime),
  metadata: v.optional(metadata, {}),
  object: v.optional(v.literal('reward'), 'reward'),
});

export const rewards = kind('REWARD', rewardItem);

export function presentReward(stored: Attributes): Reward {
  const { stock = null, redeemed = null, updated_at = null, ...shown } = parseStored(rewardItem, stored);
  return { ...shown, stock, redeemed, updated_at };
}

export const rewardAssignment = named(
  'RewardAssignment',
  v.object({
    id: v.string(),
    reward_id: v.string(),
    related_object_id: v.string(),
    related_object_type: v.picklist(['campaign']),
    parameters: v.optional(v.object({ loyalty: v.optional(v.object({ points: count })) })),
    created_at: dateTime,
    updated_at: v.nullable(dateTime),
    object: v.literal('reward_assignment'),
  }),
);

export type RewardAssignment = v.InferOutput<typeof rewardAssignment>;

export const rewardAssignmentItem = v.object({
  ...rewardAssignment.entries,
  updated_at: v.optional(dateTime),
  object: v.optional(v.literal('reward_assignment'), 'reward_assignment'),
});

/** Under their campaign and their own id. */
export const rewardAssignments = kind('REWARD_ASSIGNMENT', rewardAssignmentItem);

export function presentRewardAssignment(stored: Attributes): RewardAssignment {
  const { updated_at = null, ...shown } = parseStored(rewardAssignmentItem, stored);
  return { ...shown, updated_at };
}

export const loyaltyTierReward = named(
  'LoyaltyTierReward',
  v.object({
    reward,
    assignment: rewardAssignment,
    object: v.literal('loyalty_tier_reward'),
  }),
);

export type LoyaltyTierReward = v.InferOutput<typeof loyaltyTierReward>;

/** The assignments of a programme by time; those of one moment by id. */
export const assignmentList = listing('gsi1', 'REWARD_ASSIGNMENTS', { counted: true });

export function assignmentPlace(
  projectId: string,
  item: Pick<RewardAssignment, 'id' | 'related_object_id' | 'created_at'>,
) {
  return placed(assignmentList, [projectId, item.related_object_id], [item.created_at, item.id]);
}

export function newestFirst(a: RewardAssignment, b: RewardAssignment): number {
  return sortKey(a.created_at, a.id) < sortKey(b.created_at, b.id) ? 1 : -1;
}
