import * as v from 'valibot';
import { findTierRefusal } from '#engine/rules/validity/refusals.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, pageQuery, sentBoolean } from '#kernel/http/page.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { type Entry, type Owner, readAll, readPage, walkList } from '#kernel/table/listing.ts';
import { readTotal } from '#kernel/table/totals.ts';
import { type CampaignTerms, readTerms } from '../campaign-terms.ts';
import { type FoundCampaign, findCampaign } from '../find-campaign.ts';
import { readSurroundings, readTierPage, readTiers } from './find-tiers.ts';
import { presentPromotionTier } from './present-tier.ts';
import { type PromotionTierItem, type TierList, tierLists } from './promotion-tier.ts';

export const tierQuery = v.object({
  ...pageQuery,
  order: described(
    v.optional(v.picklist(['created_at', '-created_at', 'updated_at', '-updated_at'])),
    'The field that orders the list. A leading dash means descending. Without it, `hierarchy` orders the list.',
  ),
  is_available: described(
    v.optional(sentBoolean),
    'Only tiers that can be used now (`true`), or only other tiers (`false`).',
  ),
});

type TierQuery = v.InferOutput<typeof tierQuery>;

/** A walk holds at most this many tiers, because each may have 400 KB. */
export const walkedAtOnce = 50;
/** A walk keeps the terms of at most this many campaigns. */
const campaignsKept = 1_000;

/** Holds a tier that can be used now, with its campaign. */
export interface AvailableTier {
  readonly tier: PromotionTierItem;
  readonly campaign: CampaignTerms | undefined;
}

/** Returns a function that finds the tiers that can be used now. It returns `undefined` for each other tier. */
export function checkAvailability(
  context: Reading,
): (tiers: readonly PromotionTierItem[]) => Promise<(AvailableTier | undefined)[]> {
  const campaigns = new Map<string, CampaignTerms | undefined>();
  return async (tiers) => {
    if (campaigns.size > campaignsKept) campaigns.clear();
    const ids = [...new Set(tiers.map(({ campaign_id }) => campaign_id))].filter((id) => !campaigns.has(id));
    const terms = await readTerms(context, ids);
    for (const id of ids) campaigns.set(id, terms.get(id));
    return tiers.map((tier) => {
      const campaign = campaigns.get(tier.campaign_id);
      return findTierRefusal(tier, campaign, context.now) ? undefined : { tier, campaign };
    });
  };
}

interface Window {
  offset: number;
  limit: number;
}

/**
 * Reads a page of the tiers that are available, or that are not. Time and the campaigns decide, so no count can be kept. This
 * reads every tier of the list, and every campaign of these tiers, in batches.
 */
async function readAvailable(
  context: Reading,
  list: AsyncIterable<Entry>,
  { offset, limit }: Window,
  wanted: boolean,
): Promise<{ tiers: PromotionTierItem[]; total: number }> {
  const areAvailable = checkAvailability(context);
  const page: PromotionTierItem[] = [];
  let total = 0;
  for await (const batch of splitIntoBatches(list, walkedAtOnce)) {
    const tiers = await readTiers(context, batch);
    const available = await areAvailable(tiers);
    for (const [index, tier] of tiers.entries()) {
      if ((available[index] !== undefined) !== wanted) continue;
      if (total >= offset && page.length < limit) page.push(tier);
      total += 1;
    }
  }
  return { tiers: page, total };
}

/** Names the campaign of the listed tiers. `undefined` means all tiers of the project. */
type Scope = FoundCampaign | undefined;

function sortByField(entries: readonly Entry[], field: string, descending: boolean): Entry[] {
  const placeOf = ({ listed, at }: Entry) => `${listed[field]} ${at}`;
  const sorted = entries.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  return descending ? sorted.reverse() : sorted;
}

/** Returns the lists of a scope: the counted list by rank, and the list in the wanted order, if it exists. */
function chooseLists({ project }: Reading, scope: Scope, order: TierQuery['order']) {
  const owner: Owner = scope ? [project.id, scope.item.id] : [project.id];
  const byRank = scope ? tierLists.ofCampaign : tierLists.hierarchy;
  const field = order?.replace('-', '');
  const descending = order?.startsWith('-') ?? false;
  const inOrder = field === undefined ? byRank : !scope && field === 'created_at' ? tierLists.created_at : undefined;
  return { owner, byRank, field, descending, inOrder };
}

/** Yields the entries in the wanted order. Reads and sorts all entries by update, and by creation in a campaign. */
async function* walkInOrder(context: Reading, scope: Scope, order: TierQuery['order']): AsyncGenerator<Entry> {
  const { table } = context;
  const { owner, byRank, field, descending, inOrder: list } = chooseLists(context, scope, order);
  if (list) yield* walkList(table, list, owner, { descending });
  else yield* sortByField(await readAll(table, byRank, owner), field ?? '', descending);
}

async function readPageInOrder(context: Reading, scope: Scope, query: TierQuery, window: Window) {
  const { table } = context;
  const { owner, byRank, descending, inOrder: list } = chooseLists(context, scope, query.order);
  if (list) {
    const found = await readPage(table, list, owner, { ...window, descending });
    const [tiers, total] = await Promise.all([
      readTierPage(context, found.page),
      readTotal(table, byRank, owner, found),
    ]);
    return { tiers, total };
  }
  const all: Entry[] = [];
  for await (const entry of walkInOrder(context, scope, query.order)) all.push(entry);
  const page = all.slice(window.offset, window.offset + window.limit);
  return { tiers: await readTierPage(context, page), total: all.length };
}

async function showList(context: Reading, query: TierQuery, scope?: FoundCampaign): Promise<TierList> {
  const window = { offset: computeOffset(query), limit: query.limit };
  const { tiers, total } =
    query.is_available === undefined
      ? await readPageInOrder(context, scope, query, window)
      : await readAvailable(context, walkInOrder(context, scope, query.order), window, query.is_available);
  const surroundings = await readSurroundings(context, tiers, scope);
  return {
    object: 'list',
    data_ref: 'tiers',
    // Tiers of a deleted campaign count as deleted.
    tiers: tiers
      .filter(({ campaign_id }) => surroundings.campaigns.has(campaign_id))
      .map((tier) => presentPromotionTier(tier, surroundings)),
    total,
    has_more: window.offset + query.limit < total,
  };
}

/**
 * Lists the tiers of the project. Costs about a page, whatever the number of tiers and campaigns. By `updated_at` it reads the
 * list's index, and with `is_available` every tier of the project.
 */
export function listPromotionTiers(context: Reading, query: TierQuery): Promise<TierList> {
  return showList(context, query);
}

/** Lists the tiers of a campaign that was read already. */
export function listTiersOf(context: Reading, found: FoundCampaign, query: TierQuery): Promise<TierList> {
  return showList(context, query, found);
}

/** Lists the tiers of a campaign. Costs about a page. An `order` reads the campaign's index, and `is_available` all its tiers. */
export async function listCampaignTiers(context: Reading, idOrName: string, query: TierQuery): Promise<TierList> {
  const found = await findCampaign(context, idOrName);
  if (found.item.campaign_type !== 'PROMOTION') throw notFound('campaign', idOrName);
  return showList(context, query, found);
}
