import { ServiceError } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import { canFitReply } from '../http/reply-size.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import type { FoundCampaign } from './campaign-terms.ts';
import type { TierList } from './promotions/promotion-tier.ts';

/** Lists the tiers of a campaign that was read already. Callers pass it in, because campaigns do not import promotions. */
export type ListTiersOf = (
  context: Reading,
  found: FoundCampaign,
  page: { limit: number; page: number },
) => Promise<TierList>;

/** A campaign shows this many of its promotion tiers; `has_more` says whether it has others. */
const shownTiers = 100;
/** A reply has room for this many tiers with the largest metadata. */
const shownLongTiers = 40;

/** Returns `undefined` if the reply has no room for the tiers. */
async function fittingTiers(listing: Promise<TierList>): Promise<TierList | undefined> {
  try {
    const tiers = await listing;
    return canFitReply(tiers) ? tiers : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'invalid_query_params') return undefined;
    throw error;
  }
}

/** Returns the campaign as shown, with the tiers of a promotion, which cost one read each. */
export async function showCampaign(
  context: Reading,
  found: FoundCampaign,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  const shown = presentCampaign(context.project, found);
  if (found.item.campaign_type !== 'PROMOTION') return shown;
  const listed = (limit: number) => listTiersOf(context, found, { limit, page: 1 });
  return { ...shown, promotion: (await fittingTiers(listed(shownTiers))) ?? (await listed(shownLongTiers)) };
}
