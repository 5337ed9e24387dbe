import type { Reading } from '#kernel/http/context.ts';
import { renewNoted } from '#kernel/kit/offers/offer-notes.ts';
import { again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { tierOr404 } from './find-tiers.ts';
import { getPromotionTier } from './get-tier.ts';
import { type PromotionTier, placeTier, promotionTiers } from './promotion-tier.ts';

/** Switches a tier on or off. Has no effect, not even on `updated_at`, if the tier is already in that state. */
export async function switchTier(context: Reading, tierId: string, active: boolean): Promise<PromotionTier> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const tier = await tierOr404(context, tierId);
    if (tier.active === active) return true;
    const updated_at = now.toISOString();
    const places = placeTier(project.id, { ...tier, updated_at });
    const key = promotionTiers(project.id, tierId);
    const switched = change(key, (update) => {
      update.setAll({ ...places, active, updated_at });
      return update.whenThere().whenStill('hierarchy', tier.hierarchy).whenStill('updated_at', tier.updated_at);
    });
    return (await commit(table, [switched, ...renewNoted(key, 'promotion_tier', tierId)])) || again;
  });
  return readAfterWrite(() => getPromotionTier(context, tierId));
}
