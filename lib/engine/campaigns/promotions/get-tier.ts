import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { readSurroundings, readTiers } from './find-tiers.ts';
import { presentPromotionTier } from './present-tier.ts';
import { type PromotionTier, promotionTiers } from './promotion-tier.ts';

/** Reads a tier. This operation is an extension, so that a caller can open an element of a list. */
export async function getPromotionTier(context: Reading, tierId: string): Promise<PromotionTier> {
  const tiers = await readTiers(context, [{ key: promotionTiers(context.project.id, tierId) }]);
  const [tier] = tiers;
  if (!tier) throw notFound('promotion_tier', tierId);
  const surroundings = await readSurroundings(context, tiers);
  if (!surroundings.campaigns.has(tier.campaign_id)) throw notFound('promotion_tier', tierId);
  return presentPromotionTier(tier, surroundings);
}
