import type { LoyaltyTierItem } from '#engine/campaigns/programme.ts';
import type { Standing } from '#engine/ledger/tier-standing.ts';

/** Stored tiers, and a member's position in a tier. */

export const tier = (id: string, from: number, to?: number): LoyaltyTierItem => ({
  id,
  name: id.toUpperCase(),
  campaign_id: 'camp',
  created_at: '2026-01-01T00:00:00.000Z',
  points: { from, ...(to === undefined ? {} : { to }) },
  metadata: {},
  earning_rules: {},
  rewards: {},
});

export const tiers = [tier('bronze', 10, 99), tier('silver', 100, 499), tier('gold', 500)];

export const standing = (tier_id: string, start_date: string, expiration_date: string | null): Standing => ({
  tier_id,
  start_date,
  expiration_date,
});
