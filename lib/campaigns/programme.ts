import { notFound } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import { type KeptFamily, KeptValues, readKeptFamily } from '../table/kept-families.ts';
import { readChildren } from '../table/read.ts';
import type { CampaignItem } from './campaign.ts';
import { type CampaignTerms, readTerms } from './campaign-terms.ts';
import { findCampaign } from './find-campaign.ts';
import { type LoyaltyTierItem, loyaltyTiers } from './loyalty-tier.ts';

export interface Programme {
  campaign: CampaignTerms;
  tiers: readonly LoyaltyTierItem[];
}

/** Answers 404 for a campaign of another kind, as for a missing one. */
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

const keptTiers = new KeptValues<readonly LoyaltyTierItem[]>();

/** Reads the programmes of these campaigns, by id: their terms, and their tiers, which containers keep. */
export async function findProgrammes(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  campaignIds: readonly (string | null | undefined)[],
  known?: KeptFamily,
): Promise<Map<string, Programme>> {
  const wanted = [...new Set(campaignIds.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const kept = known ?? readKeptFamily(context, 'earning');
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
