import type { Reading } from '../context.ts';
import type { TierList } from '../tiers/promotion-tier.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import type { FoundCampaign } from './find-campaign.ts';

/** Lists the tiers of a campaign that was read already. Promotions know how; campaigns do not know promotions. */
export type ListTiersOf = (
  context: Reading,
  found: FoundCampaign,
  page: { limit: number; page: number },
) => Promise<TierList>;

/** A campaign shows so many of its promotion tiers; `has_more` says whether it has others. */
const shownTiers = 100;

/** The campaign with the tiers of a promotion, which cost a read each. */
export async function showCampaign(
  context: Reading,
  found: FoundCampaign,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  const shown = presentCampaign(context.project, found);
  if (found.item.campaign_type !== 'PROMOTION') return shown;
  return { ...shown, promotion: await listTiersOf(context, found, { limit: shownTiers, page: 1 }) };
}
