import type { Reading } from '../../http/context.ts';
import { renewed } from '../../kit/offered/noted.ts';
import { again, onceWritten, retryOptimistically } from '../../table/conflicts.ts';
import { change, commit } from '../../table/effects.ts';
import { tierOr404 } from './find-tiers.ts';
import { getTier } from './get-tier.ts';
import { type PromotionTier, promotionTiers, tierPlaces } from './promotion-tier.ts';

/** Switches a tier on or off. Has no effect, not even on `updated_at`, if the tier is already in that state. */
export async function switchTier(context: Reading, tierId: string, active: boolean): Promise<PromotionTier> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const tier = await tierOr404(context, tierId);
    if (tier.active === active) return true;
    const updated_at = now.toISOString();
    const places = tierPlaces(project.id, { ...tier, updated_at });
    const key = promotionTiers(project.id, tierId);
    const switched = change(key, (update) => {
      for (const [name, value] of Object.entries({ ...places, active, updated_at })) update.set([name], value);
      return update.whenThere().whenStill('hierarchy', tier.hierarchy).whenStill('updated_at', tier.updated_at);
    });
    return (await commit(table, [switched, ...renewed(key, 'promotion_tier', tierId)])) || again;
  });
  return onceWritten(() => getTier(context, tierId));
}
