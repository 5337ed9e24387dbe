import type { Reading } from '../context.ts';
import { notFound } from '../errors.ts';
import { list } from '../schema.ts';
import { read } from '../table/read.ts';
import { assignmentsById } from './list-reward-assignments.ts';
import { loyaltyTierItem, loyaltyTiers } from './loyalty-tier.ts';
import { findLoyaltyCampaign } from './programme.ts';
import { type LoyaltyTierReward, newestFirst, presentReward, rewards } from './reward.ts';

/**
 * The rewards that the tier's own map names by their assignments to the programme. The assignment is
 * shown as it is everywhere; what it costs members of the tier stands in the tier.
 */
export async function listTierRewards(context: Reading, idOrName: string, tierId: string) {
  const { table, project } = context;
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const tier = await table.get(loyaltyTiers(project.id, campaign.id, tierId), loyaltyTierItem);
  if (!tier) throw notFound('loyalty_tier', tierId);
  const assignments = await assignmentsById(context, campaign.id, Object.keys(tier.rewards));
  assignments.sort(newestFirst);
  const { given } = await read(table, { given: assignments.map(({ reward_id }) => rewards(project.id, reward_id)) });
  return list(
    assignments.flatMap((assignment, index): LoyaltyTierReward[] => {
      const stored = given[index];
      return stored ? [{ reward: presentReward(stored), assignment, object: 'loyalty_tier_reward' }] : [];
    }),
  );
}
