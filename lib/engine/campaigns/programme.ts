import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { count, date, dateTime, integer, metadata, nullable, record, sentCount } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { Kept, type KeptVersion, readFamily } from '#kernel/table/kept.ts';
import { childKind, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { readChildren } from '#kernel/table/read.ts';
import type { CampaignItem } from './campaign.ts';
import { type CampaignTerms, readTerms } from './campaign-terms.ts';
import { findCampaign } from './find-campaign.ts';

/** Includes both bounds. Without `from` the range begins at 0, and without `to` it has no end. */
const pointsRange = v.object({ from: v.optional(integer), to: v.optional(integer) });

/** Changes the points that an earning rule credits (MULTIPLY rounds down, CUSTOM replaces), or the price of a reward (MULTIPLY rounds up). */
const multiply = v.object({
  type: v.literal('MULTIPLY'),
  multiplier: v.pipe(v.number(), v.minValue(0, 'must be 0 or more')),
});

const tierChange = v.variant('type', [multiply, v.object({ type: v.literal('CUSTOM'), points: count })]);

/** Describes the change in a body. */
export const sentTierChange = v.variant('type', [multiply, v.object({ type: v.literal('CUSTOM'), points: sentCount })]);

const definition = {
  id: v.string(),
  name: v.string(),
  campaign_id: v.string(),
  created_at: dateTime,
  points: pointsRange,
};

/** Stores a tier: `earning_rules` by the id of the rule, `rewards` by the id of the reward assignment. */
export const loyaltyTierItem = v.object({
  ...definition,
  metadata: v.optional(metadata, {}),
  updated_at: nullable(dateTime),
  earning_rules: v.optional(record(tierChange), {}),
  rewards: v.optional(record(tierChange), {}),
});

export type LoyaltyTierItem = v.InferOutput<typeof loyaltyTierItem>;

/** Stores the tiers of one campaign together. */
export const loyaltyTiers = childKind({ kind: kinds.loyaltyTiers }, kinds.loyaltyTier, loyaltyTierItem, {
  family: 'earning',
});

/** Shows a tier. `expiration` exists if the programme defines it. */
export const loyaltyTier = named(
  'LoyaltyTier',
  v.object({
    ...definition,
    metadata,
    updated_at: v.nullable(dateTime),
    earning_rules: record(tierChange),
    rewards: record(tierChange),
    config: v.object({ points: pointsRange }),
    expiration: v.optional(
      v.object({
        customer_id: v.nullable(v.string()),
        campaign_id: v.string(),
        tier_id: v.string(),
        start_date: date,
        expiration_date: v.optional(date),
        created_at: dateTime,
        updated_at: dateTime,
      }),
    ),
    object: v.literal('loyalty_tier'),
  }),
);

export type LoyaltyTier = v.InferOutput<typeof loyaltyTier>;

/** Returns the tier as every reply shows it. */
export function presentLoyaltyTier({ updated_at, ...tier }: LoyaltyTierItem): LoyaltyTier {
  return { ...tier, updated_at: updated_at ?? null, config: { points: tier.points }, object: 'loyalty_tier' };
}

/** Names the programme of a tier for readers that know only the tier's id. An earning rule may wait for a tier of another programme. */
export const tierOwners = kind(kinds.loyaltyTierOwner, v.object({ campaign_id: v.string() }));

export interface Programme {
  campaign: CampaignTerms;
  tiers: readonly LoyaltyTierItem[];
}

/** Answers 404 for a campaign of another kind, as for a missing campaign. */
export function checkLoyaltyCampaign(campaign: Pick<CampaignItem, 'campaign_type'>, idOrName: string): void {
  if (campaign.campaign_type !== 'LOYALTY_PROGRAM') throw notFound('campaign', idOrName);
}

/** Finds a loyalty campaign by id or name, or answers 404. */
export async function findLoyaltyCampaign(context: Reading, idOrName: string) {
  const found = await findCampaign(context, idOrName);
  checkLoyaltyCampaign(found.item, idOrName);
  return found;
}

export function readLoyaltyTiers(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
): Promise<LoyaltyTierItem[]> {
  return readChildren(table, loyaltyTiers, project.id, campaignId);
}

const keptTiers = new Kept<readonly LoyaltyTierItem[]>();

/** Reads the programmes of these campaigns, by id: their terms, and their tiers, which containers keep. */
export async function findProgrammes(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  campaignIds: readonly (string | null | undefined)[],
  known?: KeptVersion,
): Promise<Map<string, Programme>> {
  const wanted = [...new Set(campaignIds.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const kept = known ?? readFamily(context, 'earning');
  const [campaigns, tiers] = await Promise.all([
    readTerms(context, wanted),
    Promise.all(wanted.map((id) => keptTiers.get(kept, id, () => readLoyaltyTiers(context, id)))),
  ]);
  return new Map(
    wanted.flatMap((id, index) => {
      const campaign = campaigns.get(id);
      return campaign ? [[id, { campaign, tiers: tiers[index] ?? [] }] as const] : [];
    }),
  );
}
