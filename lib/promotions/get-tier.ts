import type { Context } from '../campaigns/find-campaign.ts';
import { notFound } from '../errors.ts';
import { readSurroundings, readTiers } from './find-tiers.ts';
import { presentTier } from './present-tier.ts';
import type { PromotionTier } from './promotion-tier.ts';

/** Not in the contract: what a list shows can be looked at by itself. */
export async function getTier(context: Context, tierId: string): Promise<PromotionTier> {
  const tiers = await readTiers(context, [tierId]);
  const [tier] = tiers;
  if (!tier) throw notFound('promotion_tier', tierId);
  return presentTier(tier, await readSurroundings(context, tiers));
}
