import type { Reading } from '../context.ts';
import type { Fields } from '../filters/fields.ts';
import { inBatches } from '../table/batches.ts';
import { entries } from '../table/listing.ts';
import { type PromotionTierItem, tierLists } from '../tiers/promotion-tier.ts';
import { readTiers } from './find-tiers.ts';
import { type AvailableTier, availability, walkedAtOnce } from './list-tiers.ts';

/** By which callers choose tiers. */
export const tierFields: Fields<PromotionTierItem> = {
  id: 'text',
  name: 'text',
  campaign_id: 'text',
  category_id: 'text',
  hierarchy: 'number',
  created_at: 'date',
  'metadata.*': {
    type: 'any',
    at: ({ metadata }: PromotionTierItem, name) => (Object.hasOwn(metadata, name) ? metadata[name] : undefined),
  },
};

/** Of as many tiers the project is walked for them, the newest first. */
const mostLookedAt = 10_000;

/** With the category that it counts for. */
function asInCheckouts({ tier, campaign }: AvailableTier): PromotionTierItem {
  return { ...tier, category_id: tier.category_id ?? campaign?.category_id ?? undefined };
}

/** The newest that can be used now and that are wanted, at most so many. */
export async function newestAvailable(
  context: Reading,
  { most, isWanted }: { most: number; isWanted: (tier: PromotionTierItem) => boolean },
): Promise<PromotionTierItem[]> {
  const { table, project } = context;
  const areAvailable = availability(context);
  const found: PromotionTierItem[] = [];
  let looked = 0;
  const newest = entries(table, tierLists.created_at, [project.id], { descending: true });
  for await (const batch of inBatches(newest, walkedAtOnce)) {
    const tiers = await readTiers(context, batch);
    const available = (await areAvailable(tiers)).filter((one) => one !== undefined);
    found.push(...available.filter((one) => isWanted(asInCheckouts(one))).map(({ tier }) => tier));
    looked += batch.length;
    if (found.length >= most || looked >= mostLookedAt) break;
  }
  return found.slice(0, most);
}
