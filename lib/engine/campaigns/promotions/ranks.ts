import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { sortKey, walkList } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { promotionTierItem, promotionTiers, tierLists } from './promotion-tier.ts';

/**
 * Ranks new tiers. The list of a campaign's tiers lags by a moment, so the latest ranked tiers are also kept in an
 * item.
 */

const rankedTier = v.object({ id: v.string(), at: dateTime });

/** Keeps the tiers that were ranked recently, the newest last. The items of the tiers hold their ranks. */
export const promotionRanks = kind(
  kinds.promotionRanks,
  v.object({ tiers: v.optional(v.array(rankedTier), []), version: v.optional(v.string()) }),
);

/** Exceeds the longest lag of the list. */
const longestLagInMs = 60_000;

/** No campaign ranks this many tiers within the lag of its list. */
const maxKept = 50;

/** Keeps the last tier of a new campaign, so that the next tier ranks after it while the list lags. */
export function keepFirstRank(projectId: string, campaignId: string, last: { id: string; created_at: string }): Effect {
  const tiers = [{ id: last.id, at: last.created_at }];
  return insert(promotionRanks(projectId, campaignId), { tiers, version: newVersion() });
}

/** Reads the ranks at the end of the list, back to the first entry that agrees with its tier. */
async function readListedRanks({ table, project }: Reading, campaignId: string): Promise<number[]> {
  const ranks: number[] = [];
  for await (const { key, at } of walkList(table, tierLists.ofCampaign, [project.id, campaignId], {
    descending: true,
  })) {
    const tier = await table.get(key, promotionTierItem);
    if (!tier) continue;
    ranks.push(tier.hierarchy);
    if (sortKey(tier.hierarchy, tier.created_at, tier.id) === at) break;
  }
  return ranks;
}

/** Returns the rank after all existing tiers. */
async function findNextRank(context: Reading, campaignId: string, lately: readonly string[]): Promise<number> {
  const { table, project } = context;
  const [{ ranked }, listed] = await Promise.all([
    read(table, { ranked: lately.map((id) => promotionTiers(project.id, id)) }),
    readListedRanks(context, campaignId),
  ]);
  const ranks = [...ranked.flatMap((tier) => (tier ? [tier.hierarchy] : [])), ...listed];
  return ranks.length === 0 ? 1 : Math.min(Math.max(...ranks) + 1, Number.MAX_SAFE_INTEGER);
}

/**
 * Returns the sent rank, or the rank after all others. The effect is refused if another tier has received a rank since
 * the read.
 */
export async function chooseRank(
  context: Reading,
  tier: { readonly id: string; readonly campaign_id: string },
  sent: number | undefined,
): Promise<{ hierarchy: number; given: Effect }> {
  const { table, project, now } = context;
  const key = promotionRanks(project.id, tier.campaign_id);
  const { known } = await read(table, { known: key });
  const fresh = (known?.tiers ?? []).filter(({ at }) => now.getTime() - Date.parse(at) < longestLagInMs);
  const lately = fresh.map(({ id }) => id);
  const hierarchy = sent ?? (await findNextRank(context, tier.campaign_id, lately));
  const others = fresh.filter(({ id }) => id !== tier.id);
  const tiers = [...others, { id: tier.id, at: now.toISOString() }].slice(-maxKept);
  const given = change(key, (update) =>
    update.set(['tiers'], tiers).set(['version'], newVersion()).whenStill('version', known?.version),
  );
  return { hierarchy, given };
}
