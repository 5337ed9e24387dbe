import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import {
  checkLoyaltyCampaign,
  type LoyaltyTierItem,
  loyaltyTiers,
  presentLoyaltyTier,
  readLoyaltyTiers,
} from '#engine/campaigns/programme.ts';
import { readFirstPoint } from '#engine/ledger/tier-rules.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { limitQuery } from '#kernel/http/page.ts';
import { read } from '#kernel/table/read.ts';

/** Orders by creation or change. A leading dash means descending. */
export const timeOrder = v.picklist(['created_at', '-created_at', 'updated_at', '-updated_at']);

export const tiersQuery = v.object({
  ...limitQuery,
  order: described(
    v.optional(timeOrder),
    'The time to sort by. A leading dash means descending. Without it, tiers are sorted by points.',
  ),
});

interface Timed {
  id: string;
  created_at?: string | undefined;
  updated_at?: string | null | undefined;
}

/** Sorts items by time. An unchanged one sorts by its creation, and ties by id. */
export function sortByTime<T extends Timed>(items: readonly T[], order: v.InferOutput<typeof timeOrder>): T[] {
  const isOfChange = order.endsWith('updated_at');
  const place = ({ id, created_at = '', updated_at }: Timed) => `${(isOfChange && updated_at) || created_at} ${id}`;
  const sorted = items.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  return order.startsWith('-') ? sorted.reverse() : sorted;
}

/** Returns the id of the loyalty campaign with this id or name. 404 if it is missing. */
export async function findProgrammeId(context: Reading, idOrName: string): Promise<string> {
  const campaign = await campaignOr404(context, idOrName);
  checkLoyaltyCampaign(campaign, idOrName);
  return campaign.id;
}

/** Lists tiers, the lowest first unless `order` says otherwise. */
export async function listLoyaltyTiers(
  context: Reading,
  idOrName: string,
  { limit, order }: v.InferOutput<typeof tiersQuery>,
) {
  const tiers = await readLoyaltyTiers(context, await findProgrammeId(context, idOrName));
  const sorted = order
    ? sortByTime(tiers, order)
    : sortByTime(tiers, 'created_at').toSorted((one, other) => readFirstPoint(one) - readFirstPoint(other));
  return wrapList(sorted.slice(0, limit).map(presentLoyaltyTier), tiers.length);
}

/** Returns a tier. 404 if the programme has no such tier. */
export async function findLoyaltyTier(context: Reading, idOrName: string, tierId: string): Promise<LoyaltyTierItem> {
  const id = await findProgrammeId(context, idOrName);
  const { tier } = await read(context.table, { tier: loyaltyTiers(context.project.id, id, tierId) });
  if (!tier) throw notFound('loyalty_tier', tierId);
  return tier;
}

export async function getLoyaltyTier(context: Reading, idOrName: string, tierId: string) {
  return presentLoyaltyTier(await findLoyaltyTier(context, idOrName, tierId));
}
