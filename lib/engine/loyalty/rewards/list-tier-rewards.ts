import { findLoyaltyCampaign, loyaltyTierItem, loyaltyTiers } from '#engine/campaigns/programme.ts';
import { notFound } from '#kernel/core/errors.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { takeFitting } from '#kernel/http/reply-size.ts';
import { readProgrammeRewards } from '../programme-rewards.ts';
import {
  computePrice,
  type LoyaltyTierReward,
  presentReward,
  presentRewardAssignment,
  type RewardAssignmentItem,
} from '../reward.ts';

type Tier = Parameters<typeof computePrice>[0];

/** Shows the assignment at the price of the tier's members. A COIN reward has no price. */
function presentAt(tier: Tier, item: RewardAssignmentItem) {
  const shown = presentRewardAssignment(item);
  const { loyalty } = item.parameters ?? {};
  if (!loyalty) return shown;
  return { ...shown, parameters: { ...shown.parameters, loyalty: { ...loyalty, points: computePrice(tier, item) } } };
}

/** Lists all rewards of the programme at the price of the tier, newest assignment first. 404 for an unknown programme or tier. */
export async function listTierRewards(context: Reading, idOrName: string, tierId: string) {
  const { table, project } = context;
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const [tier, given] = await Promise.all([
    table.get(loyaltyTiers(project.id, campaign.id, tierId), loyaltyTierItem),
    readProgrammeRewards(context, campaign.id),
  ]);
  if (!tier) throw notFound('loyalty_tier', tierId);
  const all = given.map(
    ({ reward, assignment }): LoyaltyTierReward => ({
      reward: presentReward(reward),
      assignment: presentAt(tier, assignment),
      object: 'loyalty_tier_reward',
    }),
  );
  return wrapList(takeFitting(all), all.length);
}
