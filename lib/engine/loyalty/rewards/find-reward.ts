import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import { computeBalance, findStanding } from '#engine/ledger/card.ts';
import { rulesOfObject } from '#engine/rules/assignment.ts';
import type { Benefit, Refusal } from '#engine/rules/benefit.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import {
  assignedRewards,
  computePrice,
  type RewardAssignmentItem,
  type RewardItem,
  rewardAssignments,
  rewards,
} from '../reward.ts';

/** A request's use of a loyalty card. `points` is the payment by a COIN reward. */
export interface AskedReward {
  readonly id?: string | undefined;
  readonly assignment_id?: string | undefined;
  readonly points?: number | undefined;
}

/** The chosen use of a loyalty card's points. */
export interface ChosenReward {
  readonly reward: RewardItem;
  readonly assignment: RewardAssignmentItem;
  /** The tier with the member's price. */
  readonly tierId: string | undefined;
  /** The campaign of a reward, with the tiers of a programme. */
  readonly gives: Programme | undefined;
  readonly benefit: Extract<Benefit, { kind: 'points' | 'reward' }>;
  /** Validation rules for paying with points. */
  readonly ruleIds: readonly string[];
}

export function isChosen(found: ChosenReward | Refusal): found is ChosenReward {
  return 'reward' in found;
}

/** A project file may assign a reward to a programme more than once. */
const maxLookedAt = 50;

/** Returns the assignment to the card's programme: the named assignment, else the oldest. */
async function assignmentOf(
  { table, project }: Reading,
  { id: rewardId = '', assignment_id }: AskedReward,
  campaignId: string,
): Promise<{ assignment: RewardAssignmentItem; ruleIds: string[] } | undefined> {
  const all = await readChildren(table, assignedRewards, project.id, rewardId);
  const ids = all
    .filter(({ id, campaign_id }) => campaign_id === campaignId && id === (assignment_id ?? id))
    .map(({ id }) => id)
    .slice(0, maxLookedAt);
  const { found, rules } = await read(table, {
    found: ids.map((id) => rewardAssignments(project.id, id)),
    rules: ids.map((id) => rulesOfObject(project.id, 'reward_assignment', id)),
  });
  const there = found.flatMap((item, index) => {
    const ruleIds = rules[index]?.validation_rules_assignments.map(({ rule_id }) => rule_id) ?? [];
    return item ? [{ assignment: item, ruleIds }] : [];
  });
  const place = ({ assignment: { created_at, id } }: (typeof there)[number]) => `${created_at} ${id}`;
  return there.sort((one, other) => (place(one) < place(other) ? -1 : 1))[0];
}

export function isOutOfStock({ type, stock, redeemed }: RewardItem): boolean {
  return type === 'MATERIAL' && typeof stock === 'number' && (redeemed ?? 0) >= stock;
}

function missing(type: string, id: string): Refusal {
  return { key: 'not_found', details: `Cannot find ${type} with id ${id}`, missing: { id, type } };
}

/** Returns why no member can have the reward now. */
function rewardRefusal(
  reward: RewardItem,
  gives: CampaignTerms | undefined,
  campaignId: string,
  now: Date,
): Refusal | undefined {
  if (isOutOfStock(reward))
    return { key: 'reward_stock_exceeded', details: `all ${reward.stock} pieces of the reward were given away` };
  const { campaign } = reward.parameters;
  if (!campaign) return undefined;
  if (!gives) return missing('campaign', campaign.id);
  if (campaign.id === campaignId) {
    return {
      key: 'invalid_campaign',
      details: 'the reward gives points of the programme that the member would pay with: choose another reward',
    };
  }
  const refusal = findVoucherRefusal({ campaign_id: gives.id }, gives, now);
  return refusal && { key: refusal.key, details: `the campaign of the reward ${refusal.fault}` };
}

function benefitOf(
  { type, parameters: { coin } }: RewardItem,
  {
    balance,
    points,
    price,
    decimals,
  }: { balance: number; points: number | undefined; price: number; decimals: number },
): ChosenReward['benefit'] {
  if (type !== 'COIN' || !coin) return { kind: 'reward', reward: { balance, points: price } };
  return { kind: 'points', points: { balance, points, decimals, ...coin } };
}

/** Clients compare these words. */
export const missingReward = 'A reward is required when redeeming a LOYALTY_CARD';

/**
 * Finds the requested reward at the price of the member's tier. `balance` limits the points, if it is less than the
 * card's. A refusal gives the reason why the reward is unavailable. The checkout decides whether the points suffice.
 */
export async function findReward(
  context: Reading,
  card: VoucherItem,
  programme: Programme | undefined,
  asked: AskedReward | undefined,
  balance = computeBalance(formatDay(context.now), card),
): Promise<ChosenReward | Refusal> {
  const { table, project, now } = context;
  if (!asked?.id) return { key: 'missing_reward', details: missingReward };
  if (!card.holder_id) return { key: 'not_published', details: `the loyalty card ${card.code} has no holder` };
  const unknown = missing('reward', asked.id);
  if (!programme) return unknown;
  const campaignId = programme.campaign.id;
  const [{ reward }, assigned] = await Promise.all([
    read(table, { reward: rewards(project.id, asked.id) }),
    assignmentOf(context, asked, campaignId),
  ]);
  if (!reward || !assigned) return unknown;
  const { assignment, ruleIds } = assigned;
  const givenId = reward.parameters.campaign?.id;
  const gives = givenId === undefined ? undefined : (await findProgrammes(context, [givenId])).get(givenId);
  const refusal = rewardRefusal(reward, gives?.campaign, campaignId, now);
  if (refusal) return refusal;
  const tierId = findStanding({ item: card, programme }, formatDay(now)).standing?.tier_id;
  const tier = programme.tiers.find(({ id }) => id === tierId);
  const { points } = asked;
  return {
    reward,
    assignment,
    tierId,
    gives,
    ruleIds,
    benefit: benefitOf(reward, {
      balance,
      points,
      decimals: context.project.decimals,
      price: computePrice(tier, assignment),
    }),
  };
}
