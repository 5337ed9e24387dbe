import * as v from 'valibot';
import { campaignItem } from '../campaigns/campaign.ts';
import { type Context, type FoundCampaign, findCampaign } from '../campaigns/find-campaign.ts';
import { parseStored } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import { type ListPage, readPage, walk } from '../lists/counted-list.ts';
import { offsetOf, pageQuery } from '../lists/page.ts';
import { count } from '../schema.ts';
import { keys, orderedLists } from '../table.ts';
import { isOn } from './availability.ts';
import { readSurroundings, readTiers } from './find-tiers.ts';
import { presentTier } from './present-tier.ts';
import { type PromotionTierItem, promotionTier, type TierOrder } from './promotion-tier.ts';

/** Ruling C.3. */
export const tierQuery = v.object({
  ...pageQuery,
  order: v.optional(v.picklist(['created_at', '-created_at', 'updated_at', '-updated_at'])),
  is_available: v.optional(
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((text) => text === 'true'),
    ),
  ),
});

export type TierQuery = v.InferOutput<typeof tierQuery>;

/** Contract, endpoint 16: the one list whose array is not called `data`. */
export const tierList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('tiers'),
  tiers: v.array(promotionTier),
  total: count,
  has_more: v.boolean(),
});

export type TierList = v.InferOutput<typeof tierList>;

/** A walk holds no more tiers than these, for each may have 400 KB. */
const walkedAtOnce = 50;
/** And no more campaigns than these, of each only whether it is on. */
const campaignsKept = 1_000;

const orders = {
  hierarchy: { by: 'hierarchy', descending: false },
  created_at: { by: 'created_at', descending: false },
  '-created_at': { by: 'created_at', descending: true },
  updated_at: { by: 'updated_at', descending: false },
  '-updated_at': { by: 'updated_at', descending: true },
} as const satisfies Record<string, { by: TierOrder; descending: boolean }>;

/** Whether tiers can be used now: they are on, and so is the campaign of each. */
function availability({ table, project, now }: Context): (tiers: PromotionTierItem[]) => Promise<boolean[]> {
  const isCampaignOn = new Map<string, boolean>();
  return async (tiers) => {
    if (isCampaignOn.size > campaignsKept) isCampaignOn.clear();
    const ids = [...new Set(tiers.map(({ campaign_id }) => campaign_id))].filter((id) => !isCampaignOn.has(id));
    const stored = await table.getMany(ids.map((id) => keys.campaign(project.id, id)));
    for (const [index, id] of ids.entries()) {
      const item = stored[index];
      isCampaignOn.set(id, item !== undefined && isOn(parseStored(campaignItem, item), now));
    }
    return tiers.map((tier) => isOn(tier, now) && isCampaignOn.get(tier.campaign_id) === true);
  };
}

/**
 * The page of those that are available, or are not. Time and the campaigns decide, so no count can be kept: this reads every
 * tier of the list and every campaign of theirs, in batches.
 */
async function readAvailable(
  context: Context,
  list: string,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
  wanted: boolean,
): Promise<ListPage> {
  const areAvailable = availability(context);
  const ids: string[] = [];
  let total = 0;
  for await (const batch of walk(context.table, list, walkedAtOnce, descending)) {
    const tiers = await readTiers(context, batch);
    const available = await areAvailable(tiers);
    for (const [index, { id }] of tiers.entries()) {
      if (available[index] !== wanted) continue;
      if (total >= offset && ids.length < limit) ids.push(id);
      total += 1;
    }
  }
  return { ids, total };
}

async function listOf(
  context: Context,
  listBy: (order: TierOrder) => string,
  query: TierQuery,
  found?: FoundCampaign,
): Promise<TierList> {
  const { by, descending } = orders[query.order ?? 'hierarchy'];
  const offset = offsetOf(query);
  const window = { offset, limit: query.limit, descending };
  const { ids, total } =
    query.is_available === undefined
      ? await readPage(context.table, listBy(by), window)
      : await readAvailable(context, listBy(by), window, query.is_available);
  const tiers = await readTiers(context, ids);
  const surroundings = await readSurroundings(context, tiers, found);
  return {
    object: 'list',
    data_ref: 'tiers',
    tiers: tiers.map((tier) => presentTier(tier, surroundings)),
    total,
    has_more: offset + query.limit < total,
  };
}

/**
 * Contract, endpoint 16. Costs about a page, whatever the number of tiers and campaigns; with `is_available` it costs a
 * read of every tier of the project.
 */
export function listTiers(context: Context, query: TierQuery): Promise<TierList> {
  return listOf(context, (order) => orderedLists.promotionTiers(context.project.id, order), query);
}

/** Contract, endpoint 16, of one campaign; with `is_available` it costs a read of every tier of the campaign. */
export async function listCampaignTiers(context: Context, idOrName: string, query: TierQuery): Promise<TierList> {
  const found = await findCampaign(context, idOrName);
  if (found.item.campaign_type !== 'PROMOTION') throw notFound('campaign', idOrName);
  const listBy = (order: TierOrder) => orderedLists.campaignPromotionTiers(context.project.id, found.item.id, order);
  return listOf(context, listBy, query, found);
}
