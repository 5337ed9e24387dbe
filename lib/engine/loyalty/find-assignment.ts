import * as v from 'valibot';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { array, identifier, nullable, object, wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, type Page } from '#kernel/http/page.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import {
  assignedRewards,
  compareNewest,
  presentReward,
  presentRewardAssignment,
  type Reward,
  type RewardAssignment,
  type RewardAssignmentItem,
  type RewardItem,
  reward,
  rewardAssignments,
  rewards,
} from './reward.ts';
import { sentPoints } from './sent-points.ts';

const price = object({
  points: described(sentPoints, 'The cost of the reward.'),
  auto_redeem: described(
    nullable(v.boolean()),
    'Says whether members get the reward automatically, each time they have enough points. A programme can have ' +
      'one such reward.',
  ),
});

export type Price = v.InferOutput<typeof price>;

const terms = {
  parameters: described(
    nullable(object({ loyalty: nullable(price) })),
    'The parameters of the assignment. A COIN reward has none.',
  ),
  validation_rules: described(nullable(array(identifier, 1)), 'The rule for paying with points, for a COIN reward.'),
};

const termsBody = object(terms);

/** The price of a reward in a programme. */
export type RewardTerms = v.InferOutput<typeof termsBody>;

export const assignRewardBody = object({
  campaign: described(identifier, 'The id of a loyalty programme.'),
  ...terms,
});

/** Limits the assignments of a request. Each adds up to five items to its transaction. */
const maxAssigned = 15;

export const assignRewardsBody = v.pipe(
  array(object({ reward: identifier, ...terms }), maxAssigned),
  v.minLength(1, 'must have a reward'),
  v.check((all) => new Set(all.map(({ reward }) => reward)).size === all.length, 'must name each reward once'),
);

export const changeAssignmentBody = object({ parameters: object({ loyalty: v.optional(price) }) });

export type ChangeAssignmentBody = v.InferOutput<typeof changeAssignmentBody>;

/** A path to an assignment: its reward, or its programme by id or name. */
export type Side = { readonly reward: string } | { readonly campaign: string };

const type = 'reward_assignment';

export async function rewardOr404(context: Pick<Reading, 'table' | 'project'>, id: string): Promise<RewardItem> {
  const { item } = await read(context.table, { item: rewards(context.project.id, id) });
  if (!item) throw notFound(reward.name, id);
  return item;
}

/**
 * Finds an assignment. 404 if the reward or the programme is missing or has no such assignment, or if the programme is
 * deleted.
 */
export async function findAssignment(context: Reading, side: Side, id: string): Promise<RewardAssignmentItem> {
  const { table, project } = context;
  const { item } = await read(table, { item: rewardAssignments(project.id, id) });
  if ('campaign' in side) {
    const { item: campaign } = await findLoyaltyCampaign(context, side.campaign);
    if (item?.related_object_id !== campaign.id) throw notFound(type, id);
    return item;
  }
  await rewardOr404(context, side.reward);
  if (item?.reward_id !== side.reward) throw notFound(type, id);
  const terms = await readTerms(context, [item.related_object_id]);
  if (!terms.has(item.related_object_id)) throw notFound(type, id);
  return item;
}

export async function getAssignment(context: Reading, side: Side, id: string): Promise<RewardAssignment> {
  return presentRewardAssignment(await findAssignment(context, side, id));
}

/** Returns the reward of the assignment. */
export async function getAssignedReward(context: Reading, campaign: string, id: string): Promise<Reward> {
  const { reward_id } = await findAssignment(context, { campaign }, id);
  return presentReward(await rewardOr404(context, reward_id));
}

/** Returns the programmes of a reward with its assignments. `gone` are assignments to campaigns that are being deleted. */
export async function listRewardProgrammes(context: Reading, rewardId: string) {
  const all = await readChildren(context.table, assignedRewards, context.project.id, rewardId);
  const terms = await readTerms(
    context,
    all.map(({ campaign_id }) => campaign_id),
  );
  const { standing = [], gone = [] } = Object.groupBy(all, ({ campaign_id }) =>
    terms.has(campaign_id) ? 'standing' : 'gone',
  );
  return { standing, gone };
}

/** Lists the assignments of a reward, newest first. 404 if it is missing. */
export async function listAssignmentsOfReward(context: Reading, rewardId: string, page: Page) {
  const { table, project } = context;
  const [{ reward }, { standing }] = await Promise.all([
    read(table, { reward: rewards(project.id, rewardId) }),
    listRewardProgrammes(context, rewardId),
  ]);
  if (!reward) throw notFound('reward', rewardId);
  const { items } = await read(table, { items: standing.map(({ id }) => rewardAssignments(project.id, id)) });
  const all = items.flatMap((item) => (item ? [presentRewardAssignment(item)] : [])).sort(compareNewest);
  const offset = computeOffset(page);
  return wrapList(all.slice(offset, offset + page.limit), all.length);
}
