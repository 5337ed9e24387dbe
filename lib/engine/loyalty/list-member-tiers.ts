import {
  findProgrammes,
  type LoyaltyTier,
  type LoyaltyTierItem,
  presentLoyaltyTier,
} from '#engine/campaigns/programme.ts';
import { findStanding } from '#engine/ledger/card.ts';
import type { Standing } from '#engine/ledger/tier-standing.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { findCard } from './find-card.ts';

function withStanding(
  tier: LoyaltyTierItem,
  standing: Standing,
  customerId: string | null,
  expires: boolean,
): LoyaltyTier {
  const { start_date, expiration_date } = standing;
  if (!expires && !expiration_date) return presentLoyaltyTier(tier);
  const since = `${start_date}T00:00:00.000Z`;
  return {
    ...presentLoyaltyTier(tier),
    expiration: {
      customer_id: customerId,
      campaign_id: tier.campaign_id,
      tier_id: tier.id,
      start_date,
      ...(expiration_date ? { expiration_date } : {}),
      created_at: since,
      updated_at: since,
    },
  };
}

/** Lists the member's tier of today, even if no write has moved the member into it yet. */
export async function listMemberTiers(context: Showing, memberId: string) {
  const item = await findCard(context, memberId);
  const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const { standing } = findStanding({ item, programme }, formatDay(context.now));
  const tier = programme?.tiers.find(({ id }) => id === standing?.tier_id);
  const expires = programme?.campaign.loyalty_tiers_expiration !== undefined;
  return wrapList(standing && tier ? [withStanding(tier, standing, item.holder_id ?? null, expires)] : []);
}
