import { notFound } from '../errors.ts';
import { list } from '../schema.ts';
import { keys } from '../table.ts';
import { readRewardAssignments } from './list-reward-assignments.ts';
import { loyaltyTierItem } from './loyalty-tier.ts';
import { type Context, findLoyaltyCampaign } from './programme.ts';
import { type LoyaltyTierReward, presentReward, type RewardAssignment, rewardAssignmentPlace } from './reward.ts';

function newestFirst(a: RewardAssignment, b: RewardAssignment): number {
  return rewardAssignmentPlace(a) < rewardAssignmentPlace(b) ? 1 : -1;
}

/**
 * Contract, endpoint 15: the rewards that the tier's own map names by their assignments to the programme. The assignment is
 * shown as it is everywhere; what it costs members of the tier stands in the tier.
 */
export async function listTierRewards(context: Context, idOrName: string, tierId: string) {
  const { table, project } = context;
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const tier = await table.get(keys.loyaltyTier(project.id, campaign.id, tierId), loyaltyTierItem);
  if (!tier) throw notFound('loyalty_tier', tierId);
  const assignments = await readRewardAssignments(context, campaign.id, Object.keys(tier.rewards));
  assignments.sort(newestFirst);
  const rewards = await table.getMany(assignments.map(({ reward_id }) => keys.reward(project.id, reward_id)));
  return list(
    assignments.flatMap((assignment, index): LoyaltyTierReward[] => {
      const stored = rewards[index];
      return stored ? [{ reward: presentReward(stored), assignment, object: 'loyalty_tier_reward' }] : [];
    }),
  );
}
