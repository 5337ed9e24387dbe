import {
  type Categories,
  findCountingId,
  mergeCategories,
  noCategories,
  readCategories,
} from '#engine/rules/categories/resource.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter, type Filter, listFilterIds } from '#kernel/kit/filters/filter.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { walkList } from '#kernel/table/listing.ts';
import { listCategoryIds } from '../campaign-terms.ts';
import { readTiers } from './find-tiers.ts';
import { type AvailableTier, checkAvailability, walkedAtOnce } from './list-tiers.ts';
import { type PromotionTierItem, tierLists } from './promotion-tier.ts';

/** Names the fields by which callers choose tiers. */
export const tierFields: FilterFields<PromotionTierItem> = {
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

/** A search walks at most this many tiers of the project, the newest first. */
const mostLookedAt = 10_000;

/** Returns the tier with the category that counts in checkouts. */
function chooseCategory({ tier, campaign }: AvailableTier, categories: Categories): PromotionTierItem {
  return { ...tier, category_id: findCountingId(categories, listCategoryIds(tier, campaign)) };
}

/** Adds the categories that the filter or the tiers name to the known categories. */
async function addCategories(
  context: Reading,
  filters: Filter,
  tiers: readonly PromotionTierItem[],
  known: Categories,
) {
  if (!Object.hasOwn(filters, 'category_id')) return known;
  const ids = [...listFilterIds(filters, 'category_id'), ...tiers.map(({ category_id }) => category_id)];
  const others = ids.filter((id) => id && known[id] === undefined);
  return mergeCategories(known, await readCategories(context, others));
}

/** Returns the newest tiers that can be used now and that pass the filter, at most `most`. */
export async function findNewestTiers(
  context: Reading,
  { most, filters = {} }: { most: number; filters?: Filter | undefined },
): Promise<PromotionTierItem[]> {
  const { table, project, now } = context;
  const isWanted = compileFilter(tierFields, filters, project.schemas('promotion_tier'));
  const areAvailable = checkAvailability(context);
  const found: PromotionTierItem[] = [];
  let looked = 0;
  let known = noCategories;
  const newest = walkList(table, tierLists.created_at, [project.id], { descending: true });
  for await (const batch of splitIntoBatches(newest, walkedAtOnce)) {
    const tiers = await readTiers(context, batch);
    const [all, categories] = await Promise.all([areAvailable(tiers), addCategories(context, filters, tiers, known)]);
    known = categories;
    const available = all.filter((one) => one !== undefined);
    found.push(...available.filter((one) => isWanted(chooseCategory(one, categories), now)).map(({ tier }) => tier));
    looked += batch.length;
    if (found.length >= most || looked >= mostLookedAt) break;
  }
  return found.slice(0, most);
}
