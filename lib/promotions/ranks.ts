import * as v from 'valibot';
import type { Reading } from '../context.ts';
import { dateTime, integer } from '../schema.ts';
import { change, type Effect } from '../table/effects.ts';
import { kind } from '../table/kind.ts';
import { entries } from '../table/listing.ts';
import { read } from '../table/read.ts';
import { promotionTierItem, tierLists } from '../tiers/promotion-tier.ts';

/** Ranks of new tiers. The list of a campaign's tiers lags by a moment: what was given last is kept beside it. */

/** The highest rank that a new tier was given lately, and when. */
export const promotionRanks = kind('PROMOTION_RANKS', v.object({ highest: integer, given_at: dateTime }));

/** The list is up to date long before. */
const longestLagInMs = 60_000;

/** Where the list ends. */
async function highestListed({ table, project }: Reading, campaignId: string): Promise<number | undefined> {
  for await (const { key } of entries(table, tierLists.ofCampaign, [project.id, campaignId], { descending: true })) {
    const tier = await table.get(key, promotionTierItem);
    if (tier) return tier.hierarchy;
  }
  return undefined;
}

/**
 * The rank that is sent, or the one behind all others, and what keeps it from being given twice: refused where another tier was ranked
 * meanwhile.
 */
export async function rankOf(
  context: Reading,
  campaignId: string,
  sent: number | undefined,
): Promise<{ hierarchy: number; given: Effect }> {
  const { table, project, now } = context;
  const key = promotionRanks(project.id, campaignId);
  const { known } = await read(table, { known: key });
  const isFresh = known !== undefined && now.getTime() - Date.parse(known.given_at) < longestLagInMs;
  const fresh = isFresh ? known.highest : undefined;
  const listed = sent === undefined ? await highestListed(context, campaignId) : undefined;
  const highest = Math.max(fresh ?? Number.MIN_SAFE_INTEGER, listed ?? Number.MIN_SAFE_INTEGER);
  const isFirst = fresh === undefined && listed === undefined;
  const hierarchy = sent ?? (isFirst ? 1 : Math.min(highest + 1, Number.MAX_SAFE_INTEGER));
  const given = change(key, (update) =>
    update
      .set(['highest'], Math.max(highest, hierarchy))
      .set(['given_at'], now.toISOString())
      .whenStill('highest', known?.highest)
      .whenStill('given_at', known?.given_at),
  );
  return { hierarchy, given };
}
