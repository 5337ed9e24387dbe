import * as v from 'valibot';
import { automaticReward, campaignEntries } from '#engine/campaigns/entries.ts';
import { loyaltyTier, loyaltyTierItem, loyaltyTiers, tierOwners } from '#engine/campaigns/programme.ts';
import { count, nullable, reference, sentMetadata, shortText } from '#kernel/core/schema.ts';
import { explainDifference, makePointer } from '#kernel/kit/entries/item-write.ts';
import { datedEntry, describeList, findFileEntry, keepDated, listAttributes, refer } from '#kernel/kit/entries/list.ts';
import type { EntryFields, HeldEntries } from '#kernel/kit/entries/traits.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  assignedRewards,
  parametersByType,
  placeRewardAssignment,
  reward,
  rewardAssignment,
  rewardAssignments,
  rewardAttributes,
  rewardParameters,
  rewards,
  rewardTypes,
} from './reward.ts';

const { points, earning_rules, rewards: tierRewards } = loyaltyTierItem.entries;

const tierEntry = datedEntry({
  name: shortText,
  campaign_id: reference,
  metadata: v.optional(sentMetadata),
  earning_rules,
  rewards: tierRewards,
  config: v.optional(v.object({ points })),
  points,
});

type Tier = v.InferOutput<typeof tierEntry>;

/** Ignores unknown names, because references report them. */
function* tierAgainst(tier: Tier, file: HeldEntries): Generator<string> {
  const own = findFileEntry(file, campaignEntries, tier.campaign_id);
  if (own && own.campaign_type !== 'LOYALTY_PROGRAM')
    yield 'campaign_id names a campaign that is not a loyalty programme';
  const isOfAnother = (named: unknown) =>
    typeof named === 'string' && findFileEntry(file, campaignEntries, named) !== own;
  for (const rule of Object.keys(tier.earning_rules)) {
    const fault = `earning_rules.${rule} is an earning rule of another campaign`;
    if (isOfAnother(file.find('earning_rules', rule)?.campaign_id)) yield fault;
  }
  for (const assignment of Object.keys(tier.rewards)) {
    const fault = `rewards.${assignment} is a reward assignment of another campaign`;
    if (isOfAnother(file.find('reward_assignments', assignment)?.related_object_id)) yield fault;
  }
}

export const loyaltyTierEntries = describeList('loyalty_tiers', tierEntry, {
  called: 'loyalty tier',
  names: ['id'],
  prefix: 'ltr_',
  shown: loyaltyTier,
  references: (tier) => [
    refer('campaign_id', 'campaigns', tier.campaign_id),
    ...Object.keys(tier.earning_rules).map((rule) => refer(`earning_rules.${rule}`, 'earning_rules', rule)),
    ...Object.keys(tier.rewards).map((one) => refer(`rewards.${one}`, 'reward_assignments', one)),
  ],
  *rules({ points: { from = 0, to = from } }) {
    if (to < from) yield 'points.to must not be below from';
  },
  against: tierAgainst,
  items(tier, { id, projectId, now, idOf }) {
    const campaign_id = idOf('campaigns', tier.campaign_id) ?? tier.campaign_id;
    return [
      makePointer(tierOwners(projectId, id), { campaign_id }),
      {
        key: loyaltyTiers(projectId, campaign_id, id),
        ...keepDated(tierEntry, { ...tier, campaign_id }, { id, now }),
      },
    ];
  },
  kinds: [kinds.loyaltyTier],
});

const rewardEntry = datedEntry({
  name: shortText,
  type: rewardTypes,
  parameters: rewardParameters,
  stock: nullable(count),
  redeemed: nullable(count),
  attributes: v.optional(rewardAttributes),
  metadata: v.optional(sentMetadata),
});

export const rewardEntries = describeList('rewards', rewardEntry, {
  called: 'reward',
  names: ['id'],
  prefix: reward.idPrefix,
  shown: reward.reply,
  references: ({ parameters }) => [refer('parameters.campaign.id', 'campaigns', parameters.campaign?.id)],
  *rules({ type, parameters }) {
    const own = parametersByType[type];
    for (const name of Object.values(parametersByType)) {
      if (parameters[name] === undefined || name === own) continue;
      yield `parameters.${name} is not allowed: a ${type} reward has only ${own}`;
    }
  },
  items(one, { id, projectId, now, idOf }) {
    const { campaign, ...parameters } = one.parameters;
    const given = campaign ? { campaign: { ...campaign, id: idOf('campaigns', campaign.id) } } : {};
    return [
      {
        key: rewards(projectId, id),
        item: {
          ...listAttributes(rewardEntry, one),
          id,
          parameters: { ...parameters, ...given },
          created_at: one.created_at ?? now,
        },
        once: ['created_at', 'updated_at', 'stock', 'redeemed'],
        counts: 'revision',
      },
    ];
  },
  kinds: [kinds.reward],
  nulls: ['stock', 'redeemed', 'updated_at'],
});

const assignmentEntry = datedEntry({
  reward_id: reference,
  related_object_id: reference,
  related_object_type: rewardAssignment.entries.related_object_type,
  parameters: rewardAssignment.entries.parameters,
});

export const rewardAssignmentEntries = describeList('reward_assignments', assignmentEntry, {
  called: 'reward assignment',
  names: ['id'],
  prefix: 'rewa_',
  shown: rewardAssignment,
  references: (one) => [
    refer('reward_id', 'rewards', one.reward_id),
    refer('related_object_id', 'campaigns', one.related_object_id),
  ],
  *against(one, file) {
    if (!v.is(automaticReward, one)) return;
    const programme = file.find('campaigns', one.related_object_id);
    const isOfIt = ({ related_object_id: named }: EntryFields) => file.find('campaigns', String(named)) === programme;
    const all = file.all('reward_assignments').filter((other) => v.is(automaticReward, other) && isOfIt(other));
    if (all.length > 1) {
      yield 'parameters.loyalty.auto_redeem must be true of one assignment of the programme only';
    }
  },
  items(one, { id, place, projectId, firstLoadedAt, idOf }) {
    const related_object_id = idOf('campaigns', one.related_object_id) ?? one.related_object_id;
    const reward_id = idOf('rewards', one.reward_id) ?? one.reward_id;
    const created_at = one.created_at ?? firstLoadedAt;
    const item = { ...listAttributes(assignmentEntry, one), id, reward_id, related_object_id, created_at };
    const fixed = ['reward_id', 'related_object_id', 'created_at'];
    return [
      {
        key: rewardAssignments(projectId, id),
        item,
        once: ['updated_at'],
        fixed: Object.fromEntries(fixed.map((field) => [field, explainDifference(`${place}.${field}`)])),
        places: () => placeRewardAssignment(projectId, { id, related_object_id, created_at }),
      },
      makePointer(assignedRewards(projectId, reward_id, id), { id, campaign_id: related_object_id }),
    ];
  },
  kinds: [kinds.rewardAssignment],
  nulls: ['updated_at'],
});
