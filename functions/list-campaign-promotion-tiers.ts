import { endpoint } from '../lib/http/endpoint.ts';
import { listCampaignTiers } from '../lib/promotions/list-tiers.ts';
import { promotionRoutes } from '../lib/routes/promotions.ts';

export const handler = endpoint(promotionRoutes, 'list-campaign-promotion-tiers', (call) =>
  listCampaignTiers(call, call.params.campaignId, call.query),
);
