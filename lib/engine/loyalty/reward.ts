import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { billion, capAmount, toBillionths } from '#kernel/core/money.ts';
import {
  count,
  dateTime,
  identifier,
  integer,
  longText,
  nullable,
  object,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { childKind, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList, sortKey } from '#kernel/table/listing.ts';

/** Describes the two ratios of a COIN reward, in the same words in bodies and replies (docs/rewards.md#coins). */

export function exchangeRatio<S extends v.GenericSchema>(schema: S): S {
  return described(
    schema,
    'The number of major currency units that one block of `points_ratio` points pays. With 1 and 1, 18 points pay ' +
      '18.00. With 0.5 and 10, 40 points pay 2.00. Amounts elsewhere are in minor units.',
  );
}

export function pointsRatio<S extends v.GenericSchema>(schema: S): S {
  return described(schema, 'The number of points in one block. A block pays `exchange_ratio` major currency units.');
}

export const rewardTypes = v.picklist(['CAMPAIGN', 'MATERIAL', 'COIN']);

/** The parameters of each type of reward. */
export const parametersByType = { CAMPAIGN: 'campaign', MATERIAL: 'product', COIN: 'coin' } as const;

/** The balance is credits of a gift card, or points of a loyalty card. */
export const rewardParameters = object({
  campaign: v.optional(object({ id: identifier, balance: nullable(integer), type: v.optional(v.string()) })),
  product: v.optional(object({ id: identifier, sku_id: nullable(v.string()) })),
  coin: v.optional(object({ exchange_ratio: exchangeRatio(v.number()), points_ratio: pointsRatio(v.number()) })),
});

export const rewardAttributes = object({ image_url: v.optional(longText), description: v.optional(longText) });

/** A reward that members of a loyalty programme get for points. */
export const reward = resource('reward', {
  prefix: 'rew',
  number: 'few',
  fields: {
    name: required(shortText, 'The name of the reward.'),
    type: required(rewardTypes, 'The type of the reward. The field in `parameters` decides it.'),
    parameters: required(rewardParameters, 'The thing that members get.'),
    stock: optional(count, 'The total number of a MATERIAL reward. Without it, the total is unlimited.'),
    redeemed: optional(count, 'The number of a MATERIAL reward that members have got.'),
    attributes: optional(rewardAttributes, 'The texts and pictures that a shop shows.'),
    metadata: optional(sentMetadata, 'Free key/value pairs of the caller.'),
  },
  empty: { stock: null, redeemed: null, updated_at: null, metadata: {} },
  fileKey: 'rewards',
});

/** A stored reward. */
export type RewardItem = v.InferOutput<typeof reward.stored>;
/** A reward in replies. */
export type Reward = v.InferOutput<typeof reward.reply>;
export type RewardParameters = v.InferOutput<typeof rewardParameters>;

export const rewards = reward.few;

export function presentReward(stored: RewardItem): Reward {
  return presentResource(reward, stored);
}

/** The price of a reward in a programme. A COIN reward has no price, because its points are worth money. */
export const rewardAssignment = named(
  'RewardAssignment',
  v.object({
    id: v.string(),
    reward_id: v.string(),
    related_object_id: v.string(),
    related_object_type: v.picklist(['campaign']),
    parameters: v.optional(
      v.object({ loyalty: v.optional(v.object({ points: count, auto_redeem: v.optional(v.boolean()) })) }),
    ),
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

export type RewardAssignmentItem = v.InferOutput<typeof rewardAssignmentItem>;

export const rewardAssignments = kind(kinds.rewardAssignment, rewardAssignmentItem);

const assignedReward = v.object({ id: v.string(), campaign_id: v.string() });

/** Keys the campaigns of a reward, by reward and assignment. */
export const assignedRewards = childKind({ kind: kinds.reward }, kinds.assignedReward, assignedReward);

export function presentRewardAssignment(stored: RewardAssignmentItem): RewardAssignment {
  return { ...stored, updated_at: stored.updated_at ?? null };
}

export const loyaltyTierReward = named(
  'LoyaltyTierReward',
  v.object({
    reward: reward.reply,
    assignment: rewardAssignment,
    object: v.literal('loyalty_tier_reward'),
  }),
);

export type LoyaltyTierReward = v.InferOutput<typeof loyaltyTierReward>;

/** Lists the assignments of a programme by time, and ties by id. */
export const rewardAssignmentListing = listing(listIndexes.first, 'REWARD_ASSIGNMENTS', { counted: true });

export function placeRewardAssignment(
  projectId: string,
  item: Pick<RewardAssignment, 'id' | 'related_object_id' | 'created_at'>,
) {
  return placeInList(rewardAssignmentListing, [projectId, item.related_object_id], [item.created_at, item.id]);
}

export function compareNewest(a: RewardAssignment, b: RewardAssignment): number {
  return sortKey(a.created_at, a.id) < sortKey(b.created_at, b.id) ? 1 : -1;
}

/** A tier's change of a price. */
type PriceChange =
  | { readonly type: 'CUSTOM'; readonly points: number }
  | { readonly type: 'MULTIPLY'; readonly multiplier: number };

interface Tier {
  readonly rewards: Readonly<Record<string, PriceChange>>;
}

/** Returns the points that the reward costs a member of the tier, or of none. A multiple is rounded up. */
export function computePrice(tier: Tier | undefined, { id, parameters }: RewardAssignmentItem): number {
  const points = parameters?.loyalty?.points ?? 0;
  const change = tier && Object.hasOwn(tier.rewards, id) ? tier.rewards[id] : undefined;
  if (!change) return points;
  if (change.type === 'CUSTOM') return change.points;
  const whole = BigInt(billion);
  return capAmount((BigInt(points) * BigInt(toBillionths(change.multiplier)) + whole - 1n) / whole);
}
