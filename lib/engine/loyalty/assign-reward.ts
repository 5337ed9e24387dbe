import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import {
  checkLoyaltyCampaign,
  findLoyaltyCampaign,
  loyaltyTiers,
  readLoyaltyTiers,
} from '#engine/campaigns/programme.ts';
import {
  insertRuleAssignments,
  newAssignment,
  removeRuleAssignments,
  rulesOfObject,
} from '#engine/rules/assignment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { giveAnew, giveAutomatically, isAutomaticAssignment, storePrice } from './auto-redeem.ts';
import {
  type ChangeAssignmentBody,
  findAssignment,
  listRewardProgrammes,
  type Price,
  type RewardTerms,
  rewardOr404,
  type Side,
} from './find-assignment.ts';
import { readGuard, requireGuard } from './programme-guard.ts';
import {
  assignedRewards,
  placeRewardAssignment,
  presentRewardAssignment,
  type RewardAssignment,
  type RewardAssignmentItem,
  type RewardItem,
  rewardAssignments,
  rewards,
} from './reward.ts';

/** A reward to assign to a programme, with its terms. */
interface Assigning extends RewardTerms {
  readonly rewardId: string;
}

const type = 'reward_assignment';

/** Checks the terms. `place` is their place in the body. */
function* faults(
  { type, parameters: given }: RewardItem,
  campaignId: string,
  { parameters, validation_rules }: RewardTerms,
  place: string,
): Generator<ServiceError> {
  const of = (name: string) => `${place}${name}`;
  const refused = (details: string) => new ServiceError('invalid_payload', { details });
  if (given.campaign?.id === campaignId)
    yield refused('the reward gives points of the programme that it is assigned to');
  if (type === 'COIN') {
    if (parameters?.loyalty) yield refused(`${of('parameters.loyalty')} is not allowed: a COIN reward has no price`);
    return;
  }
  if (!parameters?.loyalty) {
    const details = `${of('parameters.loyalty')} must have points: what the reward costs`;
    yield new ServiceError('missing_param', { details });
  }
  if (validation_rules?.length) yield refused(`${of('validation_rules')} is of COIN rewards alone`);
}

async function checkRules({ table, project }: Reading, { validation_rules }: RewardTerms): Promise<void> {
  const ids = validation_rules ?? [];
  const { rules } = await read(table, { rules: ids.map((id) => validationRule.few(project.id, id)) });
  for (const [index, id] of ids.entries()) if (!rules[index]) throw notFound(validationRule.name, id);
}

/**
 * Assigns one reward. 409 if the programme has the reward already. Changes the reward, so that one of two simultaneous requests reads
 * again.
 */
async function assigning(
  context: Reading,
  campaignId: string,
  { rewardId, ...terms }: Assigning,
  place: string,
): Promise<{ item: RewardAssignmentItem; effects: Effect[] }> {
  const { project, now } = context;
  const reward = await rewardOr404(context, rewardId);
  for (const fault of faults(reward, campaignId, terms, place)) throw fault;
  const [{ standing }] = await Promise.all([listRewardProgrammes(context, rewardId), checkRules(context, terms)]);
  const before = standing.find(({ campaign_id }) => campaign_id === campaignId);
  if (before) {
    const details = `the reward ${rewardId} is assigned to the campaign already`;
    throw new ServiceError('duplicate_found', { details, resource: { id: before.id, type } });
  }
  const id = newTimedId(type, now);
  const item: RewardAssignmentItem = {
    id,
    reward_id: rewardId,
    related_object_id: campaignId,
    related_object_type: 'campaign',
    ...(terms.parameters?.loyalty ? { parameters: { loyalty: storePrice(terms.parameters.loyalty) } } : {}),
    created_at: now.toISOString(),
    object: type,
  };
  const rules = (terms.validation_rules ?? []).map((rule) => newAssignment(rule, { type, id }, now));
  return {
    item,
    effects: [
      insert(rewardAssignments(project.id, id), { ...item, ...placeRewardAssignment(project.id, item) }),
      insert(assignedRewards(project.id, rewardId, id), { id, campaign_id: campaignId }),
      change(rewards(project.id, rewardId), (update) =>
        update.whenThere().whenStill('revision', reward.revision).add('revision', 1),
      ),
      ...insertRuleAssignments(project.id, rules),
      ...(rules.length > 0
        ? [insert(rulesOfObject(project.id, type, id), { validation_rules_assignments: rules })]
        : []),
    ],
  };
}

/** Assigns all rewards or none. 404 for a missing reward or rule, 409 for a reward that the programme already has. */
async function assign(
  context: Writing,
  campaignId: string,
  wanted: readonly Assigning[],
  placeOf: (index: number) => string,
): Promise<RewardAssignment[]> {
  const { table } = context;
  return retryOptimistically(table, async () => {
    const made = await Promise.all(wanted.map((one, index) => assigning(context, campaignId, one, placeOf(index))));
    const given = made.filter(({ item }) => isAutomaticAssignment(item)).map(({ item }) => item.reward_id);
    const done = await commit(table, [
      ...(await giveAutomatically(context, campaignId, given)),
      ...made.flatMap(({ effects }) => effects),
    ]);
    return done ? made.map(({ item }) => presentRewardAssignment(item)) : again;
  });
}

/** Assigns a reward to a programme. 404 if the campaign is not a loyalty programme. */
export async function assignReward(
  context: Writing,
  rewardId: string,
  { campaign: id, ...terms }: RewardTerms & { campaign: string },
): Promise<RewardAssignment> {
  await rewardOr404(context, rewardId);
  const campaign = (await readTerms(context, [id])).get(id);
  if (!campaign) throw notFound('campaign', id);
  checkLoyaltyCampaign(campaign, id);
  const [made] = await assign(context, id, [{ ...terms, rewardId }], () => '');
  if (!made) throw new Error('a new assignment is missing');
  return made;
}

/** Assigns rewards to a programme. Returns the assignments in the order of the request. */
export async function assignRewards(
  context: Writing,
  idOrName: string,
  bodies: readonly (RewardTerms & { reward: string })[],
): Promise<RewardAssignment[]> {
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const wanted = bodies.map(({ reward, ...terms }) => ({ ...terms, rewardId: reward }));
  return assign(context, campaign.id, wanted, (index) => `[${index}].`);
}

/** Returns the changed terms. An absent `auto_redeem` stays unchanged. */
function priced(price: Price | undefined, before: RewardAssignmentItem): RewardAssignmentItem['parameters'] {
  const { auto_redeem } = before.parameters?.loyalty ?? {};
  return price ? { loyalty: storePrice({ auto_redeem, ...price }) } : before.parameters;
}

export async function changeAssignment(
  context: Writing,
  side: Side,
  id: string,
  { parameters }: ChangeAssignmentBody,
): Promise<RewardAssignment> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const before = await findAssignment(context, side, id);
    const { type } = await rewardOr404(context, before.reward_id);
    if (type === 'COIN' && parameters.loyalty) {
      throw new ServiceError('invalid_payload', {
        details: 'parameters.loyalty is not allowed: a COIN reward has no price',
      });
    }
    const after = { ...before, parameters: priced(parameters.loyalty, before), updated_at: now.toISOString() };
    const changed = change(rewardAssignments(project.id, id), (update) =>
      update.whenThere().whenStill('updated_at', before.updated_at).take(after, ['parameters', 'updated_at']),
    );
    const switched = await giveAnew(context, before, after);
    return (await commit(table, [changed, ...switched])) ? presentRewardAssignment(after) : again;
  });
}

/** Returns the effects that remove an assignment with its rules. */
export async function removeAssignmentWithRules(context: Reading, item: RewardAssignmentItem): Promise<Effect[]> {
  const { table, project } = context;
  const { id, reward_id } = item;
  const key = rulesOfObject(project.id, type, id);
  const { kept } = await read(table, { kept: key });
  const rules = kept?.validation_rules_assignments ?? [];
  return [
    remove(rewardAssignments(project.id, id), (update) => update),
    remove(assignedRewards(project.id, reward_id, id), (update) => update),
    ...(kept ? [remove(key, (update) => update)] : []),
    ...removeRuleAssignments(project.id, rules),
  ];
}

/** Removes the assignment's prices from tiers. The guard refuses the change if a tier is created after the read. */
async function unmapped(
  context: Reading,
  { id, related_object_id: campaignId }: RewardAssignmentItem,
): Promise<Effect[]> {
  const guard = await readGuard(context, campaignId);
  const tiers = await readLoyaltyTiers(context, campaignId);
  const naming = tiers.filter(({ rewards }) => Object.hasOwn(rewards, id));
  return [
    ...requireGuard(context.project.id, campaignId, guard),
    ...naming.map((tier) =>
      change(loyaltyTiers(context.project.id, campaignId, tier.id), (update) =>
        update.whenThere().remove(['rewards', id]),
      ),
    ),
  ];
}

export async function removeAssignment(context: Writing, side: Side, id: string): Promise<void> {
  const { table } = context;
  await retryOptimistically(table, async () => {
    const item = await findAssignment(context, side, id);
    const [gone, tiers, given] = await Promise.all([
      removeAssignmentWithRules(context, item),
      unmapped(context, item),
      giveAnew(context, item, { ...item, parameters: undefined }),
    ]);
    return (await commit(table, [...gone, ...tiers, ...given])) || again;
  });
}
