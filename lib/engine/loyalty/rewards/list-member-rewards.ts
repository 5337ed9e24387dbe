import * as v from 'valibot';
import { findProgrammes } from '#engine/campaigns/programme.ts';
import { computeBalance, findStanding } from '#engine/ledger/card.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { described, named } from '#kernel/core/documented.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { findCard } from '../find-card.ts';
import { type ProgrammeReward, readProgrammeRewards } from '../programme-rewards.ts';
import {
  computePrice,
  presentReward,
  presentRewardAssignment,
  type RewardItem,
  reward,
  rewardAssignment,
} from '../reward.ts';
import { isOutOfStock } from './find-reward.ts';

export const memberRewardsQuery = v.object({
  affordable_only: described(
    v.optional(sentBoolean),
    "Only rewards that are in stock and that the points of the card can pay, at the price of the card's tier.",
  ),
});

export const loyaltyReward = named(
  'LoyaltyReward',
  v.object({ reward: reward.reply, assignment: rewardAssignment, object: v.literal('loyalty_reward') }),
);

/** Returns whether the balance pays for the reward. A COIN reward accepts any points. */
function isAffordable({ type }: RewardItem, price: number, balance: number): boolean {
  return type === 'COIN' ? balance > 0 : price <= balance;
}

/** Lists the rewards of the card's programme, the newest assignment first, at the price without a tier. */
export async function listMemberRewards(
  context: Showing,
  memberId: string,
  { affordable_only: isNarrowed = false }: v.InferOutput<typeof memberRewardsQuery>,
) {
  const { now } = context;
  const item = await findCard(context, memberId);
  const campaignId = item.campaign_id ?? '';
  const [programmes, given] = await Promise.all([
    findProgrammes(context, [campaignId]),
    readProgrammeRewards(context, campaignId),
  ]);
  const card = { item, programme: programmes.get(campaignId) };
  const today = formatDay(now);
  const { standing } = findStanding(card, today);
  const tier = card.programme?.tiers.find(({ id }) => id === standing?.tier_id);
  const balance = computeBalance(today, item);
  const isShown = ({ reward, assignment }: ProgrammeReward) =>
    !isNarrowed || (!isOutOfStock(reward) && isAffordable(reward, computePrice(tier, assignment), balance));
  return wrapList(
    given.filter(isShown).map(({ reward, assignment }) => ({
      reward: presentReward(reward),
      assignment: presentRewardAssignment(assignment),
      object: 'loyalty_reward' as const,
    })),
  );
}
