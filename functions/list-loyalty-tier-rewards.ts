import { endpoint } from '../lib/http/endpoint.ts';
import { listTierRewards } from '../lib/loyalty/list-tier-rewards.ts';
import { loyaltyRewardRoutes } from '../lib/routes/loyalty-rewards.ts';

export const handler = endpoint(loyaltyRewardRoutes, 'list-loyalty-tier-rewards', (call) =>
  listTierRewards(call, call.params.campaignId, call.params.loyaltyTierId),
);
